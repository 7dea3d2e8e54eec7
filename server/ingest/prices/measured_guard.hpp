// Whether measured and stated rates that a list brings are plausible.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// What one list brings of rates, and the curves that they name.
struct ListedRates {
    const std::vector<model::Measurement>& measurements;
    const std::vector<model::Performance>& performances;
    const std::vector<model::Curve>& curves;
};
struct RateReasons {
    std::map<storage::DocumentKey, std::string> held;
    std::size_t compared_with_nothing = 0; ///< new performances
};

/// Why they are held: of measurements the median of the points is about twice or half what is stored of the same ones, of times a
/// third or three times, or beyond; where none is stored, rates are an eighth or eight times what the step model makes of them,
/// which is fitted to all the others, or beyond, or times are as measured_times.hpp says; times contradict rates as it says; of
/// training as new_rates.hpp says; beside others' as measured_alike.hpp says. Not of what is doubted, which is in no rate. Of
/// performances the units/s about twice or half what is stored; new ones as new_rates.hpp says, and those whose measurement is
/// held.
[[nodiscard]] RateReasons reasons_of_rates(const storage::Snapshot& snapshot, const ListedRates& listed);

/// The curve of a list, else the stored one.
[[nodiscard]] std::optional<model::Curve> listed_or_stored(const storage::Snapshot& snapshot,
                                                           const std::vector<model::Curve>& listed, const std::string& id);

/// Of one against what was stored: "" where it may be.
[[nodiscard]] std::string reason_of_points(const model::Measurement& stored, const model::Measurement& measured);
[[nodiscard]] std::string reason_of_units(const model::Performance& stored, const model::Performance& performance);

} // namespace costcurve::ingest
