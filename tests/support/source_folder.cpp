#include "tests/support/source_folder.hpp"

namespace costcurve::tests {

std::filesystem::path source_folder() { return COSTCURVE_SOURCE_DIR; }

} // namespace costcurve::tests
