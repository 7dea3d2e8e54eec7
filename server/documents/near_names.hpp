// Names that are written much like another: what a message suggests in place of one that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace costcurve::documents {

/// "; near are a, b and c": up to three of the names in which it stands but for a third of its letters, those of the fewest other
/// letters first; "" where there is none. Case and punctuation do not count.
[[nodiscard]] std::string near_names(std::string_view name, std::span<const std::string_view> known);

} // namespace costcurve::documents
