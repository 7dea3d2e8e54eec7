// The invariants of model.md, section 8, on random scenarios. The documents come from tests/reference/random_scenarios.py:
// argument 1 is a file with one a line; its name has the seed.
#include <climits>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/documents/decode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "tests/property/explained.hpp"
#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

namespace {

std::string scenarios_path;

// Visits the first `most` scenarios; the failure message names the line.
void for_each_scenario(const std::function<void(const model::ScenarioDocument&)>& visit, int most = INT_MAX) {
    std::ifstream file(scenarios_path);
    ASSERT_TRUE(file) << "no scenarios at " << scenarios_path;
    std::string line;
    int count = 0;
    while (count < most && std::getline(file, line)) {
        ++count;
        SCOPED_TRACE(fmt::format("{} line {}", scenarios_path, count));
        const auto document = documents::decode_scenario(*parse_json(line));
        ASSERT_TRUE(document.issues.empty()) << document.issues.front().pointer << " " << document.issues.front().message;
        visit(document.document);
        if (testing::Test::HasFailure()) {
            return;
        } // the first is enough to mend
    }
    EXPECT_GT(count, 0);
}

void holds(std::vector<std::string> (*check)(const model::ScenarioDocument&), int most = INT_MAX) {
    for_each_scenario(
        [check](const model::ScenarioDocument& document) {
            for (const std::string& broken : check(document)) {
                ADD_FAILURE() << broken;
            }
        },
        most);
}

TEST(Invariants, PartsSumToTheTotal) { holds(parts_sum_to_the_total); }
TEST(Invariants, LedgerRowsSumToTheTotal) { holds(ledger_rows_sum_to_the_total); }
TEST(Invariants, EveryAllocationSumsToTheTotal) { holds(every_allocation_sums_to_the_total); }
TEST(Invariants, ServedAndUnservedAreWhatWasDemanded) { holds(work_is_conserved); }
TEST(Invariants, ReservedIsPaidAndPaidIsThere) { holds(reserved_is_paid_and_there); }
TEST(Invariants, DoubledPricesDoubleEveryCost) { holds(doubled_prices_double_costs); }
TEST(Invariants, ACurveInAnotherCurrencyIsItsConvertedValues) { holds(converted_curves_cost_the_same); }
TEST(Invariants, ALongerRouteNeverServesItsWorkloadLess) { holds(longer_routes_serve_no_less); }
TEST(Invariants, MoreUnitsServeNoLess) { holds(more_units_serve_no_less); }
TEST(Invariants, CommittedSpendIsPaidOnce) { holds(committed_spend_is_paid_once); }
TEST(Invariants, TiersAtListPriceChangeNothing) { holds(tiers_at_list_price_change_nothing); }
TEST(Invariants, WhatIsSoldIsTakenOff) { holds(what_is_sold_is_taken_off); }
TEST(Invariants, ALaterFallBackLeavesLessForIt) { holds(later_fall_backs_leave_less); }
TEST(Invariants, CostOverTheFullLifeIsCashWithoutDiscount) { holds(cost_is_cash_over_the_horizon); }
TEST(Invariants, EveryFigureIsFinite) { holds(figures_are_finite); }
TEST(Invariants, EvaluationAllocatesNothing) { holds(evaluation_allocates_nothing, 1500); }
TEST(Invariants, TheSameInputsGiveTheSameBits) { holds(evaluation_is_deterministic); }
TEST(Invariants, HoursThatAreFoldedHaveTheBitsOfEachOnItsOwn) { holds(folding_changes_no_bit); }
TEST(Invariants, AVariantHasTheBitsOfItsDocument) { holds(variants_are_their_documents, 1500); }
TEST(Invariants, AMixOfOneLengthIsThatRequest) { holds(a_mix_of_one_length_is_that_request); }
TEST(Invariants, AMixCostsWhatItsLengthsCost) { holds(a_mix_costs_what_its_lengths_cost); }
TEST(Invariants, MoreArrivalsOfAPrefixCostNoMore) { holds(more_arrivals_cost_no_more); }
TEST(Invariants, MoreSparesServeNoLess) { holds(more_spares_serve_no_less); }
TEST(Invariants, WhatIsLostToOutagesHadRoom) { holds(what_is_lost_had_room); }
TEST(Invariants, WhereNothingFailsNoBitChanges) { holds(without_outages_no_bit_changes); }
TEST(Invariants, TheCheapestCostsNoMoreThanTheList) { holds(cheapest_costs_no_more); }
TEST(Invariants, LargerBurstsHoldNoLess) { holds(larger_bursts_hold_no_less, 1500); }
TEST(Invariants, SmallBurstsChangeNothing) { holds(small_bursts_change_nothing, 1500); }
TEST(Invariants, StartsCostNoMoreThanWhatIsHeld) { holds(starts_cost_no_more, 1000); }
TEST(Invariants, StartsServeAsMuch) { holds(starts_serve_as_much, 1000); }
TEST(Invariants, StartsWithoutBurstsChangeNoBit) { holds(starts_without_bursts_change_no_bit, 1000); }
TEST(Invariants, AShareOfOneIsTheList) { holds(a_share_of_one_is_the_list, 1500); }
TEST(Invariants, SharesServeWhatIsAskedAtMost) { holds(shares_serve_what_is_asked_at_most, 600); }
TEST(Invariants, AnswersFollowTheirPrompts) { holds(answers_follow_their_prompts); }
TEST(Invariants, AWiderLinkServesNoLess) { holds(a_wider_link_serves_no_less); }
TEST(Invariants, LossesAreOnlyPutOff) { holds(losses_are_only_put_off); }
TEST(Invariants, AShapeOfOneIsNoAge) { holds(a_shape_of_one_is_no_age); }
TEST(Invariants, AFlatForwardIsARate) { holds(a_flat_forward_is_a_rate); }
TEST(Invariants, WithoutTaxBothPresentValuesAreEqual) { holds(no_tax_changes_nothing); }

// Every number of 400 results is explained; of 40 also month by month.
void are_explained(bool open, int most) {
    for_each_scenario(
        [open](const model::ScenarioDocument& document) {
            for (const std::string& broken : unexplained(document, open)) {
                ADD_FAILURE() << broken;
            }
        },
        most);
}
TEST(Explain, EveryFigureIsATreeThatAddsUpToIt) { are_explained(false, 400); }
TEST(Explain, EveryFigureAddsUpByMonthsToo) { are_explained(true, 40); }
TEST(Explain, EveryFigureAddsUpUnderEachAllocation) {
    for_each_scenario(
        [](const model::ScenarioDocument& document) {
            for (const model::ScenarioDocument& other : allocated_otherwise(document)) {
                for (const bool open : {false, true}) {
                    for (const std::string& broken : unexplained(other, open)) {
                        ADD_FAILURE() << broken;
                    }
                }
            }
        },
        20);
}

} // namespace

} // namespace costcurve::tests

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (argc < 2) {
        fmt::print(stderr, "usage: {} SCENARIOS.ndjson\n", argv[0]);
        return 2;
    }
    costcurve::tests::scenarios_path = argv[1];
    return RUN_ALL_TESTS();
}
