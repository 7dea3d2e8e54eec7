// Points that a change made, taken back or made again.
#pragma once

#include <string>
#include <string_view>

#include "server/storage/record.hpp"

namespace costcurve::ingest {

/// Null where it has none.
[[nodiscard]] const storage::Series* series_of(const storage::Record& record, std::string_view pointer);

/// What a change from `before` to `after` makes of other points. Each may be null.
[[nodiscard]] storage::Series points_with_change(const std::string& pointer, const storage::Series* points,
                                                 const storage::Series* before, const storage::Series* after);

/// The points now, without those that are still as the change made them. `before` may be null.
[[nodiscard]] storage::Series points_without_change(const storage::Series& now, const storage::Series* before,
                                                    const storage::Series& after);

} // namespace costcurve::ingest
