// What nvidia-smi and amd-smi print by themselves: the CSV of --query-gpu, with or without units, the table of dmon, and the CSV of
// amd-smi monitor and metric.
#pragma once

#include <string>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// What the text does not say of itself.
struct SmiOptions {
    std::string time_zone; ///< of its times, an IANA name; nvidia-smi prints none, amd-smi Unix seconds
    std::string source;    ///< the host; "" is nvidia-smi or amd-smi
    std::string device;    ///< an alias or an id, where the text has no name of the card
};

/// Reads power.draw, utilization.gpu, temperature.gpu and memory.used of the CSV (`timestamp` is needed), and pwr, sm, gtemp and fb
/// of `dmon -o DT`, and power_usage or socket_power, gfx or gfx_activity, hotspot temperature and memory of `amd-smi monitor` and
/// `metric` (`--csv -w 1`; of partitions the first). Of several columns of power the instant one is read, then the mean of the last
/// second. A source is the host, a slash, and the UUID, the bus, or the number of the card; 0 where the text has none of them.
/// Cells such as [N/A] are no reading. Of an hour that the clock repeats the rows are the first till the time goes back. A row
/// whose time is not there, or that another row of the same card has, is rejected. Hard errors: what `Lines` finds, no known
/// header, no column of time, an unknown unit, no time zone.
[[nodiscard]] HardError read_smi(Bytes& bytes, const SmiOptions& options, Report& report);

/// Whether a text begins as theirs do.
[[nodiscard]] bool is_smi(std::string_view beginning);

} // namespace costcurve::imports
