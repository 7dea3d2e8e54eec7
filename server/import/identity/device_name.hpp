// Which device a file or a row is about, where that takes more than the table of aliases. Knows no format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// A file's name without folders and what follows the last dot: "h100_sxm" of "h100_sxm.yaml".
[[nodiscard]] std::string_view stem_of(std::string_view name);

/// True where the id ends in a size of memory ("nvidia.a100-pcie-80gb") from which this one, in the same unit, differs by more
/// than a tenth: the name in the file is that of another board.
[[nodiscard]] bool contradicts_memory(std::string_view id, double gb);

/// True where the letters and digits of the spelling end in those of the id without its vendor: the row is of exactly that device,
/// not of one that shares its alias ("Tesla V100 SXM2 16 GB" is nvidia.v100-sxm2-16gb to the letter, "V100 DGXS 16 GB" is not).
[[nodiscard]] bool names_exactly(std::string_view spelling, std::string_view id);

} // namespace costcurve::imports
