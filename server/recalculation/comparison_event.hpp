// Data of a comparison's events: standings before and after, and the cause.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/recalculation/standings.hpp"
#include "server/storage/standing.hpp"

namespace costcurve::recalculation {

/// Data of flip, change and infeasible events. The standings must outlive it.
struct ComparisonMoved {
    std::string comparison;
    std::string_view before; ///< JSON of a StandingAnswer, as the next
    std::string_view now;
    std::vector<StandingReason> because;
    std::string_view cause; ///< "model_version", or ""
    std::vector<storage::UndoneRun> undone;
};

} // namespace costcurve::recalculation

namespace costcurve::model {

template <>
inline constexpr auto fields<storage::UndoneRun> = Rows{
    Field{"feed", &storage::UndoneRun::feed, {.format = Format::slug, .help = "absent of an import", .omit = true}},
    Field{"run", &storage::UndoneRun::run, {.min = 1}},
};
template <>
inline constexpr auto fields<recalculation::ComparisonMoved> = Rows{
    Field{"comparison", &recalculation::ComparisonMoved::comparison, {.format = Format::slug}},
    Field{"before", &recalculation::ComparisonMoved::before, {.schema = "object"}},
    Field{"now", &recalculation::ComparisonMoved::now, {.schema = "object"}},
    Field{"because", &recalculation::ComparisonMoved::because, {}},
    Field{"cause", &recalculation::ComparisonMoved::cause, {.omit = true}},
    Field{"undone", &recalculation::ComparisonMoved::undone, {.omit = true}},
};

} // namespace costcurve::model
