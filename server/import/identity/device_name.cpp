// Parts of a device's id: the vendor before the first dot, the memory after the last hyphen.
#include "server/import/identity/device_name.hpp"

#include <cmath>

#include "server/import/identity/aliases.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMemoryTolerance = 0.1; // makers' GB are GiB on some boards: 7.4 %

} // namespace

std::string_view stem_of(std::string_view name) {
    const std::size_t slash = name.find_last_of("/\\");
    name.remove_prefix(slash == std::string_view::npos ? 0 : slash + 1);
    return name.substr(0, name.rfind('.'));
}

bool contradicts_memory(std::string_view id, double gb) {
    const std::size_t hyphen = id.rfind('-');
    if (hyphen == std::string_view::npos || !id.ends_with("gb")) {
        return false;
    }
    const std::string_view digits = id.substr(hyphen + 1, id.size() - hyphen - 3);
    const Number said = parse_number(digits);
    return said && std::fabs(said.value - gb) > kMemoryTolerance * said.value;
}

bool names_exactly(std::string_view spelling, std::string_view id) {
    return letters_and_digits(spelling).ends_with(letters_and_digits(id.substr(id.find('.') + 1)));
}

} // namespace costcurve::imports
