// Merges two documents of one id, the stored one and one that an import gives, field by field. Knows no store.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "server/documents/any_document.hpp"

namespace costcurve::ingest {

/// Why a document can't be merged with the stored one.
struct Refused {
    std::string reason;
};

/// A price that was a number when dated ones came holds before all of them: since 1970-01-01, in days since then.
inline constexpr double kUndatedPriceDay = 0.0;

/// Points in ascending order.
struct Points {
    const std::vector<double>& x;
    const std::vector<double>& y;
};
/// All points of both; of one x, that of `first`. x and y must be empty.
void join_points(const Points& other, const Points& first, std::vector<double>& x, std::vector<double>& y);

/// What `given` states replaces what `stored` has; the other way round where `keeps_stored`, or where the newest price of `given`
/// is older than that of `stored`. Dated prices are put among the stored ones. `warnings`, where it is not null, takes what is odd.
[[nodiscard]] tl::expected<model::AnyDocument, Refused> merge_documents(model::AnyDocument stored, model::AnyDocument&& given,
                                                                        bool keeps_stored, std::vector<std::string>* warnings);

} // namespace costcurve::ingest
