// Machines as people write them: "8 * V100 (AWS p3.16xlarge)", "1 K80 / 61 GB / 4 CPU (Amazon EC2 [p2.xlarge])". What isn't certain
// stays open.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace costcurve::imports {

struct MachineText {
    std::optional<std::string> device;
    std::optional<int> devices; ///< of all machines together
    int machines = 1;
    std::string instance; ///< type, "" where none is named
    std::string provider; ///< slug, "" where none is named
    /// A Cloud TPU beside a host: a price covers both.
    bool has_host_price = false;
};

/// Reads counts of devices ("32 * V100", "4x GTX 1080 Ti", "V100*1"), instance types and providers. A device or a count that the
/// text leaves open is nothing, as is one that contradicts its instance type.
[[nodiscard]] MachineText machine_in(std::string_view text);

} // namespace costcurve::imports
