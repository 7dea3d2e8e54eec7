// Sizes that are set in a compiled scenario, against the whole document with these sizes, to the bit.
#include <optional>

#include <gtest/gtest.h>

#include "model/commitment.hpp"
#include "tests/model/questions/random_plans.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::evaluate_document;

bool is_fixed(const Pool& pool) { return pool.offer && is_commitment(pool.offer->purchase); }

// Another number for each pool, which is the more the later it stands.
void set_sizes(ScenarioDocument& document, int units, int spares) {
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        set_units(document.pools[p], units + static_cast<int>(p), is_fixed(document.pools[p]));
    }
    set_spares(document, spares);
}

void expect_same(const Ledger& ledger, const Ledger& whole, std::uint64_t seed) {
    for (const auto cube : {&Ledger::cost, &Ledger::cash, &Ledger::direct, &Ledger::demanded, &Ledger::backlog, &Ledger::lost,
                            &Ledger::run_days, &Ledger::served, &Ledger::reserved_hours, &Ledger::used_hours, &Ledger::busy_hours,
                            &Ledger::available_hours, &Ledger::energy_kwh, &Ledger::carbon_kg, &Ledger::peak_kw, &Ledger::water_l,
                            &Ledger::site_peak_kw, &Ledger::charge_kw, &Ledger::routed_hours}) {
        EXPECT_TRUE(ledger.*cube == whole.*cube) << seed;
    }
}

// One workspace for all of them, however many pools they have.
void expect_as_whole(const ScenarioDocument& document, std::uint64_t seed, std::optional<Workspace>& workspace) {
    ScenarioDocument one = document;
    set_sizes(one, 1, 0);
    Result<Scenario> scenario = make_scenario(one);
    ASSERT_TRUE(scenario) << seed;
    Compiled compiled = compile(*scenario);
    for (const int units : {7, 2, 90}) {
        const int spares = units % 3;
        ScenarioDocument sized = document;
        set_sizes(sized, units, spares);
        for (std::size_t p = 0; p < sized.pools.size(); ++p) {
            scenario->set_units(p, units + static_cast<int>(p), is_fixed(sized.pools[p]));
        }
        scenario->set_spares(spares);
        compile_sizes(*scenario, compiled);
        if (workspace) {
            workspace->fit(compiled);
        } else {
            workspace.emplace(compiled);
        }
        const Answer whole = evaluate_document(sized);
        const Ledger& ledger = evaluate(compiled, *workspace);
        expect_same(ledger, whole.ledger, seed);
        const Summary summary = summarize(*scenario, compiled, ledger);
        EXPECT_EQ(summary.npv, whole.summary.npv) << seed;
        EXPECT_EQ(summary.npv_after_tax, whole.summary.npv_after_tax) << seed;
        EXPECT_EQ(summary.terminal.sale, whole.summary.terminal.sale) << seed;
        EXPECT_EQ(summary.is_feasible(), whole.summary.is_feasible()) << seed;
    }
}

TEST(Sizes, OfRandomScenariosAreThoseOfTheWholeDocument) {
    std::optional<Workspace> workspace;
    int tried = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const ScenarioDocument document = tests::random_problem(seed).scenario;
        if (make_scenario(document)) { // devices of some do no work before a plan chooses them
            expect_as_whole(document, seed, workspace);
            ++tried;
        }
    }
    EXPECT_GT(tried, 20);
}

// What a size moves beside load: racks, loans, sales, upfronts, extra costs by the unit, energy by the site's load.
TEST(Sizes, MoveAllThatIsPaidByTheUnit) {
    std::optional<Workspace> workspace;
    ScenarioDocument document = tests::owned_scenario();
    document.months = 24;
    document.finance.tax_rate = 0.25;
    document.finance.discount_rate = 0.08;
    document.finance.at_end = AtEnd::exit;
    Pool& owned = document.pools[0];
    owned.server->failures_per_hour = 0.01;
    owned.server->repair_hours = 10;
    owned.server->rack_units = 8;
    owned.site->rack_units_per_rack = 40;
    owned.site->space_per_rack_month = 300;
    owned.loan = Loan{};
    owned.loan->fraction = 0.5;
    owned.loan->rate = 0.06;
    owned.loan->term_months = 36;
    owned.extra_costs.emplace_back().per_unit_month = 11;
    Pool reserved = tests::cloud_scenario().pools[0];
    reserved.id = "reserved";
    reserved.offer->purchase = Purchase::reserved;
    reserved.offer->term_months = 12;
    reserved.offer->upfront = 1000;
    reserved.extra_costs.emplace_back().per_unit_month = 7;
    document.pools.push_back(reserved);
    RunsOn entry = document.workloads[0].runs_on[0];
    entry.pool = "reserved";
    document.workloads[0].runs_on.push_back(entry);
    document.workloads[0].demand.mean_per_s = 20;
    expect_as_whole(document, 0, workspace);
}

} // namespace
} // namespace costcurve::model
