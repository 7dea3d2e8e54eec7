// Whether measured and stated rates that a list brings are plausible.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Why they are held: the median of its points is about twice or half what is stored of the same ones, or beyond; of a measurement
/// that has none stored, a tenth or ten times what the step model makes of them, which is fitted to all the others, or beyond. Not
/// of what is doubted, which is in no rate.
[[nodiscard]] std::map<storage::DocumentKey, std::string> reasons_of_measurements(const storage::Snapshot& snapshot,
                                                                                  const std::vector<model::Measurement>& listed);

/// Of one against what was stored: "" where it may be.
[[nodiscard]] std::string reason_of_points(const model::Measurement& stored, const model::Measurement& measured);
[[nodiscard]] std::string reason_of_units(const model::Performance& stored, const model::Performance& performance);

/// Of performances: their units/s against what is stored.
[[nodiscard]] std::map<storage::DocumentKey, std::string> reasons_of_performances(const storage::Snapshot& snapshot,
                                                                                  const std::vector<model::Performance>& listed);

} // namespace costcurve::ingest
