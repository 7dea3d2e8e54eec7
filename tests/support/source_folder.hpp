// Where the repository is, told by one small file: what tests compile to is the same in every checkout.
#pragma once

#include <filesystem>

namespace costcurve::tests {

/// The folder of the repository. Published files lie in `../shared` beside it, where they are there at all.
[[nodiscard]] std::filesystem::path source_folder();

} // namespace costcurve::tests
