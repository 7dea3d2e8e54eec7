// Builds and solves the relaxed linear programme: servers and instances are columns, limits are rows, a box sets column bounds.
#include "model/questions/optimize/bound.hpp"

#include <algorithm>
#include <cmath>

#include "model/categories/seller_tiers.hpp"
#include "model/categories/spend_commitments.hpp"
#include "model/categories/support_plans.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/kernels.hpp"
#include "model/questions/optimize/relaxation.hpp"

namespace costcurve::model {

namespace {

/// Relative amount by which a bound is lowered, since solutions are accurate to about 1e-7 of the scale of their columns.
constexpr double kSolverTolerance = 1e-6;
constexpr double kFree = 1e-3; // in currency: scale of the tolerance if all costs are 0

} // namespace

LinearBound::Relaxation::Relaxation(const Scenario& scenario, const std::vector<Decision>& decisions, Goal goal,
                                    const Limits& limits, std::size_t blocks)
    : document_(scenario.document()), bare_(without_capacity(without_lines(document_))),
      compiled_(compile(make_scenario(bare_).value())), stocked_(compile(make_scenario(with_instances(document_)).value())),
      lines_of_capacity_(document_, decisions, goal), decisions_(decisions), goal_(goal), base_(fixed_measures(compiled_, goal)) {
    lines_.reserve(compiled_.pools.size());
    for (const CompiledPool& pool : compiled_.pools) {
        lines_.push_back(power_lines(pool));
    }
    add_levers();
    unserved_.resize(compiled_.workloads.size());
    carried_.resize(compiled_.workloads.size());
    for (std::size_t m = 0; m < compiled_.months; ++m) {
        add_month(m, blocks / compiled_.months);
    }
    add_limits(limits);
}

Bound LinearBound::Relaxation::solve(const Box& box) {
    for (std::size_t d = 0; d < decisions_.size(); ++d) {
        restrict(d, box.low[d], box.high[d]);
    }
    const LinearProgram::Solution solution = program_.solve();
    Bound bound{solution.status, 0.0, {}};
    if (solution.status == LinearProgram::Status::solved) {
        const double lines = lines_of_capacity_.least(box);
        const double value = solution.cost + base_.goal + lines;
        bound.value = value - kSolverTolerance * (kFree + std::abs(solution.cost) + std::abs(base_.goal) + std::abs(lines));
        for (std::size_t d = 0; d < decisions_.size(); ++d) {
            bound.plan.push_back(value_of(d, box, solution.values));
        }
    }
    return bound;
}

std::size_t LinearBound::Relaxation::add_column(const Measures& measures, double low, double high) {
    const std::size_t column = program_.add_column(measures.goal, low, high);
    measures_.push_back(measures);
    return column;
}

const Decision* LinearBound::Relaxation::decided(std::size_t pool, Lever lever, std::size_t purchase) const {
    const auto found = std::find_if(decisions_.begin(), decisions_.end(), [&](const Decision& d) {
        return d.pool == pool && d.lever == lever && d.purchase == purchase;
    });
    return found == decisions_.end() ? nullptr : &*found;
}

void LinearBound::Relaxation::add_levers() {
    purchased_.resize(document_.pools.size());
    instances_.resize(document_.pools.size());
    for (std::size_t p = 0; p < document_.pools.size(); ++p) {
        const Pool& pool = document_.pools[p];
        for (std::size_t j = 0; j < pool.purchases.size(); ++j) {
            add_purchase(p, j);
        }
        if (pool.kind == PoolKind::cloud) {
            add_instances(p);
        }
        if (is_provisioned(pool)) {
            add_provisioned(p);
        }
    }
}

// Adds the column of a pool's provisioned units: their price with bill-based extra costs, up to the greatest number allowed.
void LinearBound::Relaxation::add_provisioned(std::size_t p) {
    const int stated = *document_.pools[p].provisioned_units;
    const Decision* const units = decided(p, Lever::provisioned_units);
    Measures unit = provisioned_measures(bare_, base_, p, goal_);
    for (std::size_t m = 0; m < compiled_.months; ++m) {
        const double price =
            view_month(compiled_, m).hours * compiled_.pools[p].hourly_price[m] + compiled_.pools[p].monthly_price[m];
        unit.goal += weight(m) * (bill_factor(p, m) - 1) * price;
    }
    const std::size_t column = units != nullptr ? add_column(unit, units->min, units->max) : add_column(unit, stated, stated);
    instances_[p] = {column, column};
}

void LinearBound::Relaxation::add_purchase(std::size_t p, std::size_t j) {
    const ServerPurchase& stated = document_.pools[p].purchases[j];
    const Decision* const month = decided(p, Lever::month, j);
    const Decision* const servers = decided(p, Lever::servers, j);
    Purchased& purchased = purchased_[p].emplace_back();
    purchased.most = servers != nullptr ? servers->max : stated.servers;
    std::vector<LinearTerm> terms;
    for (ServerOption& option : server_options(document_, bare_, base_, p, j, month != nullptr ? month->min : stated.month,
                                               month != nullptr ? month->max : stated.month, goal_)) {
        const std::size_t column = add_column(option.fixed + server_energy(p, option), 0.0, purchased.most);
        terms.push_back({column, 1.0});
        purchased.options.push_back({column, std::move(option)});
    }
    purchased.row = program_.add_row(stated.servers, stated.servers, terms);
}

// Lower bound on the energy of one server over the horizon at no load, as goal, carbon and capital.
Measures LinearBound::Relaxation::server_energy(std::size_t p, const ServerOption& option) const {
    Measures sum;
    for (std::size_t m = 0; m < compiled_.months; ++m) {
        if (option.paid[m] == 0.0) {
            continue;
        }
        const MonthView month = view_month(compiled_, m);
        const EnergyValues values = energy_values(compiled_, document_.pools[p], p, m, goal_);
        for (std::size_t h = 0; h < month.distinct; ++h) {
            const HourlyEnergy energy = least_energy(lines_[p], values.value[h]);
            sum += month.weights[h] * option.active[m] * energy.unit;
            sum += month.weights[h] * (option.paid[m] - option.active[m]) * energy.ramping;
        }
    }
    return sum;
}

// Cost of one instance that runs for the whole month: its price, and its energy if the pool reports any.
Measures LinearBound::Relaxation::running_measures(std::size_t p, std::size_t m) const {
    const MonthView month = view_month(compiled_, m);
    const double* const window = month.values(compiled_.pools[p].window);
    const double hours = window == nullptr ? month.hours : kernels::dot(month.size, month.weights, window);
    Measures sum;
    sum.goal = weight(m) * hours * compiled_.pools[p].there * hourly_price(p, m);
    if (compiled_.pools[p].metered) {
        const EnergyValues values = energy_values(compiled_, document_.pools[p], p, m, goal_);
        for (std::size_t h = 0; h < month.distinct; ++h) {
            const double there = compiled_.pools[p].there * (window == nullptr ? 1.0 : window[h]);
            sum += month.weights[h] * there * least_energy(lines_[p], values.value[h]).unit;
        }
    }
    return sum;
}

double LinearBound::Relaxation::bill_factor(std::size_t p, std::size_t m) const {
    double factor = 1.0 + least_support(compiled_, p);
    for (const VariableExtra& extra : stocked_.pools[p].extras) {
        factor += extra.of_bill[m];
    }
    return factor;
}

double LinearBound::Relaxation::hourly_price(std::size_t p, std::size_t m) const {
    double price =
        least_kept(compiled_, p, m) * least_volume_factor(compiled_, p) * compiled_.pools[p].hourly_price[m] * bill_factor(p, m);
    for (const VariableExtra& extra : stocked_.pools[p].extras) {
        price += extra.per_unit[m] / view_month(compiled_, m).hours;
    }
    return price;
}

double LinearBound::Relaxation::egress_price(std::size_t e, std::size_t m) const {
    return least_egress(compiled_, e) * compiled_.growth(static_cast<std::size_t>(Category::egress), m);
}

void LinearBound::Relaxation::add_instances(std::size_t p) {
    const Pool& pool = document_.pools[p];
    if (!compiled_.pools[p].follows_demand) {
        Measures whole = instance_measures(bare_, base_, p, goal_);
        for (std::size_t m = 0; m < compiled_.months && !stocked_.pools[p].extras.empty(); ++m) {
            whole.goal += weight(m) * (bill_factor(p, m) - 1) * stocked_.pools[p].commitment[m] /
                          std::max(1, document_.pools[p].max_instances);
        }
        for (std::size_t m = 0; m < compiled_.months; ++m) {
            whole += is_there(p, m) ? running_measures(p, m) : Measures{};
        }
        const std::size_t column = add_column(whole, pool.min_instances, pool.max_instances);
        instances_[p] = {column, column};
        return;
    }
    Measures ramp; // months in which the instances don't serve yet, but the minimum number is paid
    for (std::size_t m = 0; m < compiled_.months; ++m) {
        ramp += is_there(p, m) && !serves(p, m) ? running_measures(p, m) : Measures{};
    }
    instances_[p].least = add_column(ramp, pool.min_instances, pool.min_instances);
    instances_[p].most = add_column({}, pool.max_instances, pool.max_instances);
}

void LinearBound::Relaxation::add_limits(const Limits& limits) {
    if (limits.max_unserved_fraction) {
        for (const Unserved& unserved : unserved_) {
            std::vector<LinearTerm> terms = unserved.terms;
            for (LinearTerm& term : terms) {
                term.factor /= unserved.demanded;
            }
            program_.add_row(-HUGE_VAL, *limits.max_unserved_fraction + kLimitTolerance, terms);
        }
    }
    add_limit(limits.max_carbon_kg, base_.carbon_kg, &Measures::carbon_kg);
    add_limit(limits.max_capital, base_.capital, &Measures::capital);
    for (std::size_t m = 0; limits.max_rack_kw && m < compiled_.months; ++m) {
        std::vector<LinearTerm> terms;
        for (std::size_t p = 0; p < purchased_.size(); ++p) {
            for (const Purchased& purchased : purchased_[p]) {
                for (const Option& option : purchased.options) {
                    terms.push_back({option.column, option.server.paid[m] * compiled_.pools[p].power.nameplate_w / 1000});
                }
            }
        }
        program_.add_row(-HUGE_VAL, *limits.max_rack_kw * (1 + kLimitTolerance), terms);
    }
}

void LinearBound::Relaxation::add_limit(const std::optional<double>& limit, double base, double Measures::*measure) {
    if (!limit) {
        return;
    }
    std::vector<LinearTerm> terms;
    for (std::size_t column = 0; column < measures_.size(); ++column) {
        if (measures_[column].*measure != 0.0) {
            terms.push_back({column, measures_[column].*measure});
        }
    }
    program_.add_row(-HUGE_VAL, *limit * (1 + kLimitTolerance) - base, terms);
}

void LinearBound::Relaxation::restrict(std::size_t d, int low, int high) {
    const Decision& decision = decisions_[d];
    switch (decision.lever) {
    case Lever::servers:
        program_.set_row(purchased_[decision.pool][decision.purchase].row, low, high);
        break;
    case Lever::month:
        for (const Option& option : purchased_[decision.pool][decision.purchase].options) {
            const bool open = option.server.month >= low && option.server.month <= high;
            program_.set_column(option.column, 0.0, open ? purchased_[decision.pool][decision.purchase].most : 0.0);
        }
        break;
    case Lever::min_instances:
        program_.set_column(instances_[decision.pool].least, low, high);
        break;
    case Lever::max_instances:
    case Lever::instances:
    case Lever::provisioned_units:
        program_.set_column(instances_[decision.pool].most, low, high);
        break;
    }
}

double LinearBound::Relaxation::value_of(std::size_t d, const Box& box, const std::vector<double>& values) const {
    const Decision& decision = decisions_[d];
    if (decision.lever == Lever::min_instances) {
        return values[instances_[decision.pool].least];
    }
    if (decision.lever == Lever::max_instances || decision.lever == Lever::instances ||
        decision.lever == Lever::provisioned_units) {
        return values[instances_[decision.pool].most];
    }
    double servers = 0.0;
    double months = 0.0;
    for (const Option& option : purchased_[decision.pool][decision.purchase].options) {
        servers += values[option.column];
        months += values[option.column] * option.server.month;
    }
    return decision.lever == Lever::servers ? servers : servers > 1e-9 ? months / servers : box.low[d];
}

LinearBound::LinearBound(const Scenario& scenario, const std::vector<Decision>& decisions, Goal goal, const Limits& limits,
                         std::size_t blocks)
    : relaxation_(std::make_unique<Relaxation>(scenario, decisions, goal, limits, blocks)) {}
LinearBound::~LinearBound() = default;

Bound LinearBound::solve(const Box& box) { return relaxation_->solve(box); }

double LinearBound::fixed_lines(const Box& box) const { return relaxation_->fixed_lines(box); }

std::unique_ptr<LinearBound> bound_of(const Scenario& scenario, const std::vector<Decision>& decisions, Objective objective,
                                      const Limits& limits, std::size_t blocks) {
    const bool is_taxed = scenario.document().finance.tax_rate > 0.0;
    if (objective == Objective::energy_kwh || (objective == Objective::npv_after_tax && is_taxed)) {
        return nullptr;
    }
    const Goal goal = objective == Objective::cost        ? Goal::cost
                      : objective == Objective::cash      ? Goal::cash
                      : objective == Objective::carbon_kg ? Goal::carbon
                                                          : Goal::npv;
    return std::make_unique<LinearBound>(scenario, decisions, goal, limits, blocks);
}

} // namespace costcurve::model
