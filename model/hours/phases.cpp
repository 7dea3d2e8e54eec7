// Bursts inside the hour: phases of an hour as hours of their own (model.md, section 4).
#include <algorithm>

#include "model/hours/tables.hpp"

namespace costcurve::model {

namespace {

// Repeats each value `times` times, contiguously.
template <class T> void repeat(std::size_t times, std::vector<T>& values) {
    std::vector<T> repeated;
    repeated.reserve(times * values.size());
    for (const T& value : values) {
        repeated.insert(repeated.end(), times, value);
    }
    values = std::move(repeated);
}

std::vector<double> phases_of(const std::vector<DemandBurst>& bursts) {
    std::vector<double> shares;
    shares.reserve(bursts.size() + 1);
    for (const DemandBurst& burst : bursts) {
        shares.push_back(burst.share);
    }
    std::sort(shares.begin(), shares.end());
    shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
    shares.push_back(1.0);
    for (std::size_t k = shares.size() - 1; k > 0; --k) {
        shares[k] -= shares[k - 1];
    }
    return shares;
}

void split_hours(HourTable& table) {
    const std::size_t phases = table.phases.size();
    repeat(phases, table.read_at);
    repeat(phases, table.weights);
    repeat(phases, table.firsts);
    for (std::size_t i = 0; i < table.weights.size(); ++i) {
        table.weights[i] *= table.phases[i % phases];
    }
    for (HourSet& set : table.sets) {
        set.size *= phases;
        set.distinct *= phases;
        std::for_each(set.rows.begin(), set.rows.end(), [phases](std::size_t& row) { row *= phases; });
    }
    std::for_each(table.months.begin(), table.months.end(), [phases](MonthHours& month) { month.weights *= phases; });
    for (CurveRun& run : table.runs) {
        run.begin *= phases;
        run.end *= phases;
    }
}

// One run of ones for all sets.
void add_flat_rows(std::size_t curve, HourTable& table) {
    std::size_t largest = 0;
    for (const HourSet& set : table.sets) {
        largest = std::max(largest, set.size);
    }
    const std::size_t begin = table.read_at.size();
    table.read_at.resize(begin + largest, 0);
    table.runs.push_back({curve, begin, table.read_at.size()});
    for (HourSet& set : table.sets) {
        set.rows.push_back(begin);
    }
}

// Runs beside those of the curve that the demand reads.
void add_rows_beside(std::size_t read, std::size_t curve, HourTable& table) {
    std::vector<CurveRun> beside; // what stands there before, and where its copy begins
    for (const CurveRun& run : table.runs) {
        if (run.curve == read) {
            beside.push_back(run);
        }
    }
    std::vector<std::size_t> copies;
    copies.reserve(beside.size());
    for (const CurveRun& run : beside) {
        copies.push_back(table.read_at.size());
        table.read_at.reserve(table.read_at.size() + run.end - run.begin);
        for (std::size_t i = run.begin; i < run.end; ++i) {
            table.read_at.push_back(table.read_at[i]);
        }
        table.runs.push_back({curve, copies.back(), table.read_at.size()});
    }
    for (HourSet& set : table.sets) {
        const std::size_t row = set.rows[read];
        const auto run =
            std::find_if(beside.begin(), beside.end(), [row](const CurveRun& of) { return of.begin <= row && row < of.end; });
        set.rows.push_back(copies[static_cast<std::size_t>(run - beside.begin())] + row - run->begin);
    }
}

} // namespace

std::vector<double> factors_of(const DemandBurst& burst, const std::vector<double>& phases) {
    const double calm = std::max(0.0, (1 - burst.share * burst.factor) / (1 - burst.share));
    std::vector<double> factors;
    factors.reserve(phases.size());
    double end = 0.0;
    for (const double phase : phases) {
        factors.push_back(end < burst.share * (1 - 1e-12) ? burst.factor : calm); // sums of differences have a rounding
        end += phase;
    }
    return factors;
}

void split_into_phases(std::size_t curves, const std::vector<DemandBurst>& bursts, HourTable& table) {
    if (bursts.empty()) {
        return;
    }
    table.phases = phases_of(bursts);
    split_hours(table);
    for (std::size_t b = 0; b < bursts.size(); ++b) {
        if (bursts[b].curve < 0) {
            add_flat_rows(curves + b, table);
        } else {
            add_rows_beside(static_cast<std::size_t>(bursts[b].curve), curves + b, table);
        }
    }
}

} // namespace costcurve::model
