// Which metrics of exporters and of inference servers are read, and as what.
#pragma once

#include <cstddef>
#include <string_view>

namespace costcurve::imports {

/// Whose figure a metric is: the whole board's, that of its MIG instance or partition where there is one, a server's, or that of a
/// TPU chip, whose metrics have names that other exporters use too.
enum class FieldOwner { board, instance, server, chip };
inline constexpr std::size_t kFieldOwners = 4;

struct FieldRow {
    std::string_view field;
    std::string_view metric; ///< of `telemetry_metrics`
    double factor;           ///< from the field's unit to the metric's
    FieldOwner owner;
    int place = 0;               ///< of several fields of one metric of an exporter: the lower one is read, whatever their order
    std::string_view apart = {}; ///< the metric that it is where a lower one is there: what it means is something else
};

/// The row of a metric's name, in capitals or not, with _ for a colon or not, with the prefix that AMD's exporter can be
/// told to write or not; null where it is not read.
[[nodiscard]] const FieldRow* find_field(std::string_view name);

} // namespace costcurve::imports
