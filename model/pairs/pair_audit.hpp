// How well rates of replicas that read prompts and others that write answers meet measured pairs, of which none is in the fit.
// Knows no files.
#pragma once

#include <span>

#include "model/performance/rate_audit.hpp"

namespace costcurve::model {

/// Replicas of one kind.
struct PairSide {
    double replicas = 0.0;         ///< 0: not stated
    double devices = 1.0;          ///< of a replica
    double attention_groups = 1.0; ///< of a replica: groups of devices that each hold attention whole
};

/// A measured pair. The request and the conditions are those of the requests, with the devices of a replica that writes answers;
/// output_per_s is of all replicas.
struct PairRow : RateRow {
    PairSide prefill, decode;
};

/// Each pair predicted without its group: parameters refitted to the known rows of other groups and corrected by these, intervals
/// from the other pairs. Each attention group reads one prompt at a time; the cache is sent in no time, as no link is stated.
/// Classes are of all pairs, and of those whose replicas have at most eight devices, which the fit's rows have too.
[[nodiscard]] Audit audit_pairs(std::span<const PairRow> pairs, std::span<const RateRow> known, LeaveOut leave_out);

} // namespace costcurve::model
