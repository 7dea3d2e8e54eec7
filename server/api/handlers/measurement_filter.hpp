// Which measurements a list is of: by what was measured, on what, by whom and when.
#pragma once

#include <optional>
#include <string>

#include "model/documents/measurement.hpp"
#include "server/api/route.hpp"
#include "server/storage/list_query.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::api {

/// What is empty lets all through.
struct MeasurementFilter {
    std::string model;     ///< an id
    std::string device;    ///< an id
    std::string publisher; ///< in lower case
    std::string source;    ///< contained in the source, in lower case
    std::optional<model::MeasurementKind> kind;
    std::optional<model::NumberFormat> precision;
    std::optional<bool> own;
    std::string from; ///< YYYY-MM-DD, the first day; what states no date is out
    std::string to;   ///< the last day

    friend bool operator==(const MeasurementFilter&, const MeasurementFilter&) = default;
};

/// The filter by the query's parameters; nothing where the query has none of these.
[[nodiscard]] Attempt<std::optional<MeasurementFilter>> measurement_filter(const Call& call);

/// A page of those that the filter lets through. Reads at most 20,000 measurements: a page may have fewer than the limit, or none,
/// and more to come.
struct FilteredPage {
    storage::Page page;
    std::string last; ///< the id that the next page begins after
};
[[nodiscard]] FilteredPage list_measurements(const storage::Snapshot& snapshot, storage::ListQuery query,
                                             const MeasurementFilter& filter);

} // namespace costcurve::api
