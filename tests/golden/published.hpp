// What the golden tests share: comparison with a printed figure, and the few scenarios they start from.
// No expected value stands here, and no formula of cost, energy or time: those are the model's to find.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::golden {

/// How far a figure may be from the printed one: the larger of a share of it and an amount.
struct Tolerance {
    double relative = 0.0;
    double absolute = 0.0;
};
constexpr Tolerance relative(double share) { return {share, 0.0}; }
/// Of a figure printed with so many decimals: half a unit of the last one, and rounding of doubles.
inline Tolerance printed(int decimals) { return {1e-12, 0.5 * std::pow(10.0, -decimals)}; }

/// NaN is never close. The deviation is recorded as a property of the test: --gtest_output=xml lists them.
inline ::testing::AssertionResult is_published(const std::string& figure, double actual, double expected, Tolerance tolerance) {
    const double deviation = actual - expected;
    ::testing::Test::RecordProperty(figure, fmt::format("{:.3e} of {}", deviation / expected, expected));
    const double allowed = std::max(tolerance.relative * std::fabs(expected), tolerance.absolute);
    if (std::fabs(deviation) <= allowed) {
        return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << fmt::format("{}: {:.12g} is not the published {:.12g}: off by {:.3g}, allowed {:.3g}",
                                                        figure, actual, expected, deviation, allowed);
}

inline constexpr std::size_t at(model::Category category) { return static_cast<std::size_t>(category); }

inline model::Summary summary_of(model::ScenarioDocument document) { return tests::evaluate_document(std::move(document)).summary; }

/// The x at which `difference` is 0, by bisection; NaN where its sign is the same at both ends.
inline double crossing(const std::function<double(double)>& difference, double low, double high) {
    const bool negative_at_low = difference(low) < 0;
    if ((difference(high) < 0) == negative_at_low) {
        return std::nan("");
    }
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        ((difference(middle) < 0) == negative_at_low ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// The yearly rate that the model turns into `nominal_rate`/12 a month: model.md has r = (1+d)^(1/12) - 1.
inline double compounded_monthly(double nominal_rate) { return std::pow(1 + nominal_rate / 12, 12) - 1; }

/// One training run an epoch on rented instances of one device: each epoch takes `hours` of one instance.
inline model::ScenarioDocument rented_run(double hourly_price, double hours) {
    model::ScenarioDocument scenario = tests::training_scenario();
    scenario.pools[0].offer->hourly_price = tests::flat(hourly_price);
    model::Workload& work = scenario.workloads[0];
    work.unit = "hour";
    work.units_per_epoch = hours;
    work.epochs_per_month = tests::flat(1);
    work.runs_on[0].performance->units_per_s = tests::flat(1.0 / 3600);
    return scenario;
}

/// One rented instance that runs in all hours, whatever its purchase, at full load.
inline model::ScenarioDocument rented_always(model::Purchase purchase, double hourly_price, int months) {
    model::ScenarioDocument scenario = tests::cloud_scenario();
    scenario.months = months;
    model::Pool& pool = scenario.pools[0];
    pool.min_instances = pool.max_instances = 1;
    pool.offer->purchase = purchase;
    pool.offer->hourly_price = tests::flat(hourly_price);
    return scenario;
}

/// One owned server that costs its price and nothing to run; one device of 1 kW that draws nothing.
inline model::ScenarioDocument owned_asset(double price, int life_months, int months) {
    model::ScenarioDocument scenario = tests::owned_scenario();
    scenario.months = months;
    model::Pool& pool = scenario.pools[0];
    tests::draw_in_a_line(pool.server->device, 0, 1000);
    pool.server->host_idle_w = pool.server->host_max_w = 0;
    pool.server->price = price;
    pool.server->life_months = life_months;
    pool.site->energy_price = tests::flat(0);
    return scenario;
}

} // namespace costcurve::golden
