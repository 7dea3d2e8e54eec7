// Finds the gang of MLPerf training: from the system's description first, since platform names are free text.
#include "server/import/benchmarks/training_gangs.hpp"

#include <fmt/format.h>

#include "server/import/identity/spellings.hpp"

namespace costcurve::imports {

namespace {

// Reads "1xXE9680Lx8B200-SXM-180GB": nodes, server, devices per node. "1xMI300X" doesn't give a number of devices.
TrainingGang gang_of_platform(std::string_view platform) {
    const auto number_at = [&](std::size_t begin, std::size_t& end) {
        end = platform.find_first_not_of("0123456789", begin);
        return parse_number(platform.substr(begin, end - begin));
    };
    std::size_t end = 0;
    const Number nodes = number_at(0, end);
    if (!nodes || end == std::string_view::npos || platform[end] != 'x') {
        return {};
    }
    for (std::size_t x = platform.find('x', end + 1); x != std::string_view::npos; x = platform.find('x', x + 1)) {
        const Number per_node = number_at(x + 1, end);
        const std::optional<std::string> device =
            per_node && end < platform.size() ? device_in(platform.substr(end)) : std::nullopt;
        if (device) {
            return {device, count_of(nodes.value * per_node.value)};
        }
    }
    return {device_in(platform.substr(platform.find('x') + 1)), std::nullopt};
}

} // namespace

TrainingGang gang_of(std::string_view platform, const TrainingSystem* system, const Options& options) {
    TrainingGang gang = gang_of_platform(platform);
    if (system != nullptr) {
        gang.device = device_in(system->accelerator);
        gang.devices = system->nodes && system->devices_per_node ? count_of(system->nodes.value * system->devices_per_node.value)
                                                                 : gang.devices;
    }
    const std::optional<std::string> device = device_option(options);
    const std::optional<int> devices = devices_option(options);
    const bool is_other = (device && gang.device && device != gang.device) || (devices && gang.devices && devices != gang.devices);
    if (system != nullptr && is_other) {
        gang.contradiction = fmt::format("{} says {} x {}, the options {} x {}", system->file, gang.devices.value_or(0),
                                         gang.device.value_or("unknown"), devices ? *devices : gang.devices.value_or(0),
                                         device ? *device : gang.device.value_or("unknown"));
    }
    gang.device = device ? device : gang.device;
    gang.devices = devices ? devices : gang.devices;
    return gang;
}

} // namespace costcurve::imports
