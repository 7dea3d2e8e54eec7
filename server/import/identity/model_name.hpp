// Which model a published result is of, as the catalogue names it. Knows no format.
#pragma once

#include <string>
#include <string_view>

namespace costcurve::imports {

/// The id of a model: family, version and size. "meta-llama/Llama-3.1-405B", "llama3.1-405b", "Llama 3.1 405B" and
/// "Llama3.1-405B-MaxText" are all llama-3.1-405b; number formats and tuning ("-FP8", "-Instruct") are left out.
[[nodiscard]] std::string model_id_of(std::string_view name);

/// True where the name has a size in it ("Qwen3-32B", "Mixtral-8x7B", "gemma4-26b"): a word of digits before a b.
[[nodiscard]] bool names_size(std::string_view model);

} // namespace costcurve::imports
