// Whether texts that no reader understands name accelerators: what is not known is asked for, never passed over.
#pragma once

#include <string>
#include <string_view>

#include "server/documents/json/parsed_json.hpp"

namespace costcurve::gate::deployed {

/// Whether a word of the text is one for accelerators: gpu_8x_h100, BM.GPU.A100, a5-highgpu-8g.
[[nodiscard]] bool names_accelerator(std::string_view text);

/// What names accelerators anywhere in the value: a type of instance, a machine's field, a word of a text or of a member's name
/// whose value is not nothing, or what pods ask for (nvidia.com/gpu), also in a chart's values; "" where nothing does. Of texts
/// that are no type of a machine it is the word alone, as they may be secret. Names, labels and descriptions that people choose,
/// and images, are not looked at. Of what no reader understands.
[[nodiscard]] std::string accelerated_type_in(const JsonValue& value);

} // namespace costcurve::gate::deployed
