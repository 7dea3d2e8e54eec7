// Models the division as a fixed-charge facility-location problem with modular capacities.
#include "model/questions/mix/mix_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "model/questions/mix/integer_program.hpp"

namespace costcurve::model {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double limit_part(const MixOffer& offer, std::size_t bucket) { return offer.limit_parts.empty() ? 0.0 : offer.limit_parts[bucket]; }

bool undercuts(const MixOffer& a, const MixOffer& b) {
    bool is_no_dearer = a.fixed <= b.fixed && a.per_unit <= b.per_unit;
    for (std::size_t k = 0; is_no_dearer && k < a.loads.size(); ++k) {
        is_no_dearer = a.loads[k] <= b.loads[k] && limit_part(a, k) <= limit_part(b, k);
    }
    return is_no_dearer;
}

// Indices of the offers that no other undercuts. Of equal offers, the first.
std::vector<std::size_t> not_undercut(const std::vector<MixOffer>& offers) {
    std::vector<std::size_t> kept;
    for (std::size_t j = 0; j < offers.size(); ++j) {
        if (std::ranges::any_of(kept, [&](std::size_t k) { return undercuts(offers[k], offers[j]); })) {
            continue;
        }
        std::erase_if(kept, [&](std::size_t k) { return undercuts(offers[j], offers[k]); });
        kept.push_back(j);
    }
    return kept;
}

// Columns of an offer: whether it is used, its number of units, and the part of each bucket that it serves.
struct OfferColumns {
    std::size_t used = 0;
    std::size_t units = 0;
    std::vector<std::optional<std::size_t>> parts;
};

class MixProgram {
public:
    MixProgram(const std::vector<MixOffer>& offers, std::vector<std::size_t> kept, bool whole)
        : offers_(offers), kept_(std::move(kept)), whole_(whole) {
        for (const std::size_t j : kept_) {
            add_offer(offers[j]);
        }
        const std::size_t buckets = offers.empty() ? 0 : offers.front().loads.size();
        for (std::size_t b = 0; b < buckets; ++b) {
            bucket_rows_.push_back(program_.rows.size());
            IntegerProgram::Row& all = program_.rows.emplace_back(IntegerProgram::Row{1.0, 1.0, {}});
            for (const OfferColumns& columns : columns_) {
                if (columns.parts[b]) {
                    all.terms.push_back({*columns.parts[b], 1.0});
                }
            }
            can_serve_ = can_serve_ && !all.terms.empty();
        }
    }

    [[nodiscard]] bool can_serve() const { return can_serve_ && !kept_.empty(); }

    /// Marginal cost of serving each bucket, and the offers that the linear relaxation uses.
    struct Guide {
        std::vector<double> prices; // by bucket
        std::vector<std::size_t> used;
    };
    [[nodiscard]] Guide guide() const {
        constexpr double kUsed = 1e-6;
        Guide found;
        const std::optional<Relaxation> relaxed = relax(program_);
        for (std::size_t b = 0; relaxed && b < bucket_rows_.size(); ++b) {
            found.prices.push_back(relaxed->row_prices[bucket_rows_[b]]);
        }
        for (std::size_t k = 0; relaxed && k < kept_.size(); ++k) {
            if (relaxed->values[columns_[k].units] > kUsed) {
                found.used.push_back(kept_[k]);
            }
        }
        return found;
    }

    [[nodiscard]] std::optional<MixAssignment> solve() const {
        if (!can_serve()) {
            return std::nullopt;
        }
        const std::optional<IntegerSolution> solution = model::solve(program_, {.gap = kMixGap});
        if (!solution) {
            return std::nullopt;
        }
        MixAssignment assignment{std::vector(offers_.size(), std::vector<double>(offers_.front().loads.size(), 0.0)),
                                 solution->cost, solution->bound};
        for (std::size_t k = 0; k < kept_.size(); ++k) {
            for (std::size_t b = 0; b < columns_[k].parts.size(); ++b) {
                const std::optional<std::size_t>& part = columns_[k].parts[b];
                assignment.parts[kept_[k]][b] = part ? tidy(solution->values[*part]) : 0.0;
            }
        }
        return assignment;
    }

private:
    // Rounds parts within the solver's tolerance to 0 or 1.
    static double tidy(double part) {
        constexpr double kNothing = 1e-6;
        return part < kNothing ? 0.0 : part > 1.0 - kNothing ? 1.0 : part;
    }

    void add_offer(const MixOffer& offer) {
        double all = 0.0;
        for (const double load : offer.loads) {
            all += std::isfinite(load) ? load : 0.0;
        }
        const double max_units = std::ceil(all);
        OfferColumns& columns = columns_.emplace_back();
        columns.used = add_column({offer.fixed, 0.0, 1.0, true});
        columns.units = add_column({offer.per_unit, 0.0, max_units, true});
        IntegerProgram::Row room{-kInfinity, 0.0, {{columns.units, -1.0}}};
        IntegerProgram::Row limit{-kInfinity, 1.0, {}};
        for (std::size_t b = 0; b < offer.loads.size(); ++b) {
            std::optional<std::size_t>& part = columns.parts.emplace_back();
            if (std::isfinite(offer.loads[b])) {
                part = add_column({0.0, 0.0, 1.0, whole_});
                room.terms.push_back({*part, offer.loads[b]});
                limit.terms.push_back({*part, limit_part(offer, b)});
                program_.rows.push_back({-kInfinity, 0.0, {{*part, 1.0}, {columns.used, -1.0}}});
            }
        }
        program_.rows.push_back(std::move(room));
        if (!offer.limit_parts.empty()) {
            program_.rows.push_back(std::move(limit));
        }
        program_.rows.push_back({-kInfinity, 0.0, {{columns.units, 1.0}, {columns.used, -max_units}}});
        program_.rows.push_back({0.0, kInfinity, {{columns.units, 1.0}, {columns.used, -1.0}}});
    }

    std::size_t add_column(IntegerProgram::Column column) {
        program_.columns.push_back(column);
        return program_.columns.size() - 1;
    }

    const std::vector<MixOffer>& offers_;
    std::vector<std::size_t> kept_;
    bool whole_;
    bool can_serve_ = true;
    IntegerProgram program_;
    std::vector<OfferColumns> columns_; // by kept offer
    std::vector<std::size_t> bucket_rows_;
};

// Lower bound of an offer's cost minus the prices of the buckets that it serves: the Lagrangian relaxation of the buckets' rows.
// Takes the best number of units, filled with the buckets of highest price per load.
double least_net_cost(const MixOffer& offer, const std::vector<double>& prices) {
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b < prices.size(); ++b) {
        if (std::isfinite(offer.loads[b]) && prices[b] > 0.0) {
            order.push_back(b);
        }
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return prices[a] * offer.loads[b] > prices[b] * offer.loads[a]; });
    double load = 0.0;
    double worth = 0.0;
    double least = offer.fixed + offer.per_unit;
    const auto consider = [&](double units, double served) {
        least = std::min(least, offer.fixed + offer.per_unit * std::max(1.0, units) - served);
    };
    for (const std::size_t b : order) {
        const double next = load + offer.loads[b];
        for (const double units : {std::floor(load) + 1.0, std::ceil(next) - 1.0}) { // full units in the bucket; linear between
            if (units > load && units < next) {
                consider(units, worth + prices[b] * (units - load) / offer.loads[b]);
            }
        }
        load = next;
        worth += prices[b];
        consider(std::ceil(load), worth);
    }
    return least;
}

} // namespace

std::optional<MixAssignment> assign_buckets(const std::vector<MixOffer>& offers, bool whole) {
    const std::vector<std::size_t> kept = not_undercut(offers);
    const MixProgram all(offers, kept, whole);
    if (!all.can_serve()) {
        return std::nullopt;
    }
    const MixProgram::Guide guide = all.guide();
    std::optional<MixAssignment> first = MixProgram(offers, guide.used, whole).solve();
    if (!first) {
        return all.solve();
    }
    std::vector<double> net_costs;
    double bound = std::accumulate(guide.prices.begin(), guide.prices.end(), 0.0);
    for (const std::size_t j : kept) {
        net_costs.push_back(least_net_cost(offers[j], guide.prices));
        bound += std::min(0.0, net_costs.back());
    }
    first->bound = std::min(bound, first->cost);
    if (first->gap() <= kMixGap) {
        return first;
    }
    const double target = first->cost * (1.0 - kMixGap);
    std::vector<std::size_t> may_help;
    for (std::size_t k = 0; k < kept.size(); ++k) {
        if (bound + std::max(0.0, net_costs[k]) < target) { // otherwise any solution with the offer costs at least the target
            may_help.push_back(kept[k]);
        }
    }
    std::optional<MixAssignment> best = MixProgram(offers, std::move(may_help), whole).solve();
    if (!best || best->cost > first->cost) {
        const double of_rest = best ? best->bound : target;
        best = std::move(first);
        best->bound = of_rest;
    }
    best->bound = std::min(best->bound, target);
    return best;
}

} // namespace costcurve::model
