// The direction holds until an output moves the other way by more than rounding.
#include "model/questions/turns.hpp"

#include <algorithm>

#include "model/questions/same.hpp"

namespace costcurve::model {

std::optional<double> first_turn(std::vector<Seen> seen) {
    std::stable_sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) { return a.at < b.at; });
    double direction = 0.0;
    for (std::size_t i = 1; i < seen.size(); ++i) {
        if (is_same(seen[i - 1].value, seen[i].value)) {
            continue;
        }
        const double moved = seen[i].value > seen[i - 1].value ? 1.0 : -1.0;
        if (direction != 0.0 && moved != direction) {
            return seen[i - 1].at;
        }
        direction = moved;
    }
    return std::nullopt;
}

bool has_outages(const Compiled& compiled) {
    return std::any_of(compiled.workloads.begin(), compiled.workloads.end(),
                       [](const CompiledWorkload& workload) { return !workload.is_deferrable() && workload.has_outages; });
}

} // namespace costcurve::model
