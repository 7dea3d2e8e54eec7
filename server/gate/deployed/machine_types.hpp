// Accelerators of machine types, as far as their names tell. Knows no plan and no manifest.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/import/identity/aliases.hpp"

namespace costcurve::gate::deployed {

/// The accelerators of a type: an instance type, one of SageMaker (ml.g5.xlarge), a node of TPUs (ct6e-standard-4t), one of
/// CoreWeave (gd-8xh100ib-i128). Nothing where they are not known.
[[nodiscard]] std::optional<imports::Machine> accelerators_of_type(std::string_view type);

/// Accelerators of types that no offer has as SKU, because the seller prices by device.
[[nodiscard]] std::optional<imports::Machine> priced_by_device(std::string_view type);
/// Whether the type is one of CoreWeave's.
[[nodiscard]] bool is_coreweave_type(std::string_view type);

/// Accelerators of a type of instance; 1 where it is not known.
[[nodiscard]] double devices_of(std::string_view type);

/// Whether a type of instance, or its family (g5), has accelerators, whatever they are.
[[nodiscard]] bool is_accelerated_family(std::string_view provider, std::string_view type);

/// A slice of TPUs by its generation and topology, as an accelerator type names it: V6E and 2x4 are v6e-8, V4 and 2x2x2 v4-16.
/// "" where the generation is not known or the topology is none.
[[nodiscard]] std::string tpu_type_of(std::string_view generation, std::string_view topology);

} // namespace costcurve::gate::deployed
