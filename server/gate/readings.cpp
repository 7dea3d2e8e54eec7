// A table of readers, one a figure; what they can't read is unknown, with the reason.
#include "server/gate/readings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/calendar.hpp"
#include "model/documents/prices.hpp"
#include "model/questions/chance/simulate.hpp"
#include "model/questions/profile.hpp"
#include "model/questions/ranking.hpp"

namespace costcurve::gate {

Readings unknown(std::string why) { return {{"", {}, std::move(why), false, {}}}; }

namespace {

Readings known(double value) { return {{"", value, "", false, {}}}; }

Readings read_cost(const Context& context) { return known(cost_per_month(context.candidate.evaluated)); }

template <double model::Amounts::*kAmount> Readings read_highest_month(const Context& context) {
    double highest = 0.0;
    for (const model::MonthSummary& month : context.summary().months) {
        highest = std::max(highest, month.total.*kAmount);
    }
    return known(highest);
}

template <class Read> Readings by_workload(const Context& context, const Read& read) {
    Readings readings;
    for (std::size_t w = 0; w < context.document().workloads.size(); ++w) {
        const model::Workload& workload = context.document().workloads[w];
        if (context.rule.workload.empty() || workload.id == context.rule.workload) {
            if (std::optional<Reading> reading = read(workload, context.summary().workloads[w])) {
                reading->part = workload.id;
                readings.push_back(std::move(*reading));
            }
        }
    }
    return readings;
}

Readings read_cost_per_million(const Context& context) {
    return by_workload(context, [](const model::Workload& workload, const model::WorkloadSummary& summary) {
        return workload.kind == model::WorkloadKind::training
                   ? std::nullopt
                   : std::optional(Reading{"", summary.cost_per_million_units, "nothing is served", false, {}});
    });
}

Readings read_cost_per_epoch(const Context& context) {
    return by_workload(context, [](const model::Workload& workload, const model::WorkloadSummary& summary) {
        return workload.kind != model::WorkloadKind::training
                   ? std::nullopt
                   : std::optional(Reading{"", summary.cost_per_quantity, "no epoch is done", false, {}});
    });
}

Readings read_evidence(const Context& context) {
    return by_workload(context, [](const model::Workload& /*workload*/, const model::WorkloadSummary& summary) {
        return std::optional(Reading{"", {}, "nothing is served", false, summary.evidence});
    });
}

Readings read_probability(const Context& context) {
    model::SimulateQuestion question;
    static_cast<model::Uncertainty&>(question) = *context.file.uncertainty;
    question.outputs = {"/total/cost"};
    question.budgets = {{"", {}, *context.rule.budget * context.months()}};
    const auto answer = model::simulate({{context.document(), ""}}, question, context.runner);
    if (!answer) {
        return unknown(answer.error().empty() ? "the simulation was stopped"
                                              : answer.error().front().pointer + ": " + answer.error().front().message);
    }
    const auto& below = answer->scenarios.front().probability_below;
    return below.empty() ? unknown("every sample breaks rules") : known(below.front().probability);
}

Readings read_carbon(const Context& context) {
    const model::Metered& carbon = context.summary().meters.carbon_kg;
    Readings readings = known(carbon.at_least / context.months());
    if (!carbon.is_known) {
        readings.front().is_at_least = true;
        readings.front().why = "the carbon of some energy is not known: state sites, or power of what is hosted";
    }
    return readings;
}

template <class Read> Readings by_pool(const Context& context, const Read& read) {
    Readings readings;
    for (std::size_t p = 0; p < context.document().pools.size(); ++p) {
        const model::Pool& pool = context.document().pools[p];
        if (context.rule.pool.empty() || pool.id == context.rule.pool) {
            if (std::optional<Reading> reading = read(pool, p)) {
                reading->part = pool.id;
                readings.push_back(std::move(*reading));
            }
        }
    }
    return readings;
}

double busiest_hour(const model::Profile& profile, std::size_t pool) {
    const model::Profile::PoolWeek& week = profile.pools[pool];
    double highest = 0.0;
    for (std::size_t hour = 0; hour < model::kHoursOfWeek; ++hour) {
        const double available = (*week.available_devices)[hour];
        highest = available > 0.0 ? std::max(highest, (*week.busy_devices)[hour] / available) : highest;
    }
    return highest;
}

Readings read_peak_utilization(const Context& context) {
    std::vector<model::Profile> profiles;
    profiles.reserve(static_cast<std::size_t>(context.document().months));
    for (int month = 0; month < context.document().months; ++month) {
        profiles.push_back(model::profile(context.candidate.evaluated.scenario, static_cast<std::size_t>(month)));
    }
    return by_pool(context, [&](const model::Pool& /*pool*/, std::size_t p) -> std::optional<Reading> {
        double highest = 0.0;
        for (const model::Profile& profile : profiles) {
            if (!profile.pools[p].busy_devices || !profile.pools[p].available_devices) {
                return std::nullopt; // hosted: no devices
            }
            highest = std::max(highest, busiest_hour(profile, p));
        }
        return Reading{"", highest, "", false, {}};
    });
}

Readings read_price_age(const Context& context) {
    return by_pool(context, [&](const model::Pool& pool, std::size_t p) -> std::optional<Reading> {
        if (model::prices_read(pool, fmt::format("/pools/{}", p)).empty()) {
            return std::nullopt;
        }
        Reading reading{"", {}, "its price states no day", false, {}};
        double day = 0.0;
        if (const auto stated = model::price_origin(pool, context.document().start).day;
            stated && model::parse_date(*stated, day)) {
            if (day > context.today) {
                reading.why = fmt::format("its price is of a day to come, {}", *stated);
            } else {
                reading.value = context.today - day;
            }
        }
        return reading;
    });
}

Readings read_increase(const Context& context) {
    const std::optional<double> increase = increase_of(context.candidate);
    return increase ? known(*increase) : unknown(incomparable(context.candidate));
}

Readings read_increase_fraction(const Context& context) {
    const std::optional<double> increase = increase_of(context.candidate);
    const double base = increase ? context.candidate.base->cost_per_month : 0.0;
    return !increase     ? unknown(incomparable(context.candidate))
           : base == 0.0 ? (*increase == 0.0 ? known(0.0) : unknown("the base costs nothing"))
                         : known(*increase / std::abs(base));
}

std::string text_of(const model::Infeasibility& because) {
    switch (because.code) {
    case model::InfeasibleCode::unserved:
        return fmt::format("{}: {:.1f} % of the demand finds no room", because.id, 100.0 * because.value);
    case model::InfeasibleCode::availability:
        return fmt::format("{}: outages lose {:.2f} % of the demand", because.id, 100.0 * because.value);
    case model::InfeasibleCode::deadline:
        return fmt::format("{}: the run takes {:.1f} of {:.1f} days", because.id, because.value, because.limit);
    case model::InfeasibleCode::over_power:
        break;
    }
    return fmt::format("site {}: it draws {:.1f} of {:.1f} kW", because.id, because.value, because.limit);
}

// What keeps it out of every ranking breaks the gate too.
Readings read_work(const Context& context) {
    std::vector<std::string> lacks;
    for (const model::Infeasibility& because : context.summary().infeasible_because) {
        lacks.push_back(text_of(because));
    }
    for (std::size_t w = 0; w < context.document().workloads.size(); ++w) {
        const model::WorkloadSummary& workload = context.summary().workloads[w];
        if (workload.loses_too_much && !context.document().workloads[w].availability) {
            lacks.push_back(fmt::format("{}: outages lose {:.1f} % of the demand; state its availability, or add spare_replicas",
                                        context.document().workloads[w].id,
                                        100.0 * workload.units_lost_to_outages / workload.units_demanded));
        }
    }
    Readings readings = known(model::is_eligible(context.summary(), false) ? 1.0 : 0.0);
    readings.front().why = fmt::format("{}", fmt::join(lacks, "; "));
    return readings;
}

Readings read_open(const Context& context) {
    const std::vector<std::string>& open = context.candidate.open;
    return open.empty() ? known(1.0)
                        : unknown(open.front() + (open.size() > 1 ? fmt::format(", and {} more", open.size() - 1) : ""));
}

// By Figure.
constexpr auto kReaders = std::to_array<Readings (*)(const Context&)>(
    {read_cost, read_highest_month<&model::Amounts::cost>, read_highest_month<&model::Amounts::cash>, read_cost_per_million,
     read_cost_per_epoch, read_probability, read_carbon, read_peak_utilization, read_evidence, read_price_age, read_increase,
     read_increase_fraction, read_work, read_open});
static_assert(kReaders.size() == model::enum_names<Figure>.size());

// Of a deployment that is not known as a whole, money and carbon are sums of a part of it.
void mark_incomplete(const Context& context, Readings& readings) {
    const bool is_sum = !context.rule.currency().empty() || context.rule.figure == Figure::carbon_kg_per_month ||
                        row_of(context.rule.figure).needs_base;
    if (!is_sum || context.candidate.open.empty()) {
        return;
    }
    for (Reading& reading : readings) {
        reading.is_at_least = true;
        reading.why = "it is of a part alone: " + context.candidate.open.front();
        if (row_of(context.rule.figure).needs_base || row_of(context.rule.figure).takes_min) {
            reading.value.reset();
        }
    }
}

} // namespace

std::string incomparable(const Candidate& candidate) {
    if (!candidate.base) {
        return "there is no base to compare with: --against";
    }
    const Base& base = *candidate.base;
    return !base.problem.empty()                                               ? base.problem
           : base.currency != candidate.evaluated.scenario.document().currency ? fmt::format("the base is in {}", base.currency)
           : !base.open.empty() ? "the base is not known as a whole: " + base.open.front()
                                : "";
}

std::optional<double> increase_of(const Candidate& candidate) {
    return incomparable(candidate).empty() ? std::optional(cost_per_month(candidate.evaluated) - candidate.base->cost_per_month)
                                           : std::nullopt;
}

Readings read(const Context& context) {
    const std::string currency = context.rule.currency();
    if (!currency.empty() && currency != context.document().currency) {
        return unknown(fmt::format("the scenario is in {}", context.document().currency));
    }
    Readings readings = kReaders[static_cast<std::size_t>(context.rule.figure)](context);
    mark_incomplete(context, readings);
    return readings;
}

} // namespace costcurve::gate
