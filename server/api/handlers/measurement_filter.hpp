// Filter of a list of measurements: by model, device, publisher, source and date.
#pragma once

#include <optional>
#include <string>

#include "model/documents/measurement.hpp"
#include "server/api/route.hpp"
#include "server/storage/list_query.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::api {

/// Empty members match everything.
struct MeasurementFilter {
    std::string model;     ///< an id
    std::string device;    ///< an id
    std::string publisher; ///< in lower case
    std::string source;    ///< contained in the source, in lower case
    std::optional<model::MeasurementKind> kind;
    std::optional<model::NumberFormat> precision;
    std::optional<bool> own;
    std::string from; ///< YYYY-MM-DD, the first day; excludes measurements without a date
    std::string to;   ///< the last day

    friend bool operator==(const MeasurementFilter&, const MeasurementFilter&) = default;
};

/// The filter from the query's parameters; nothing if the query has none of them.
[[nodiscard]] Attempt<std::optional<MeasurementFilter>> measurement_filter(const Call& call);

/// A page of matching measurements. Reads at most 20,000 measurements, so a page may have fewer items than the limit, even none,
/// although more follow.
struct FilteredPage {
    storage::Page page;
    std::string last; ///< last id read; the next page starts after it
};
[[nodiscard]] FilteredPage list_measurements(const storage::Snapshot& snapshot, storage::ListQuery query,
                                             const MeasurementFilter& filter);

} // namespace costcurve::api
