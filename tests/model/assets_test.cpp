// Vintages, generations, ramp-up, own-build facilities and tax credits of owned pools (model.md, sections 5 and 8).
#include "model/assets.hpp"

#include <numeric>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::curve;
using tests::flat;
using tests::is_close;

// One server of 12000, life 12 months, nameplate 100 + 1 x 500 = 600 W; no residual.
Pool pool(std::vector<ServerPurchase> purchases = {{0, 1, std::nullopt}}) {
    Pool made = tests::owned_scenario().pools[0];
    made.server->price = 12000;
    made.server->life_months = 12;
    made.purchases = std::move(purchases);
    return made;
}

double sum(const std::vector<double>& amounts) { return std::accumulate(amounts.begin(), amounts.end(), 0.0); }
double cash(const CapitalFlow& flow) { return sum(flow.cash_start) + sum(flow.cash_end); }

TEST(Assets, NameplateIsTheHostAndItsDevicesAtFullLoad) {
    Server server = *pool().server;
    EXPECT_EQ(server_nameplate_w(server), 600.0);
    server.devices = 8;
    EXPECT_EQ(server_nameplate_w(server), 4100.0);
}

TEST(Assets, RackHoldsServersByPowerElseByHeight) {
    struct Row {
        std::optional<double> rack_kw, rack_units;
        double expected;
        const char* arithmetic;
    };
    const std::vector<Row> rows = {
        {std::nullopt, std::nullopt, 0, "unknown"},
        {6.0, std::nullopt, 10, "6000 / 600, exactly"},
        {5.99, std::nullopt, 9, "rounds down"},
        {std::nullopt, 8.0, 5, "42 / 8 = 5.25"},
        {std::nullopt, 4.2, 10, "42 / 4.2, forgiving rounding"},
        {1.2, 8.0, 2, "power goes before height"},
    };
    for (const Row& row : rows) {
        Pool made = pool();
        made.server->rack_units = row.rack_units;
        made.site->rack_kw = row.rack_kw;
        EXPECT_EQ(servers_per_rack(*made.server, *made.site), row.expected) << row.arithmetic;
    }
}

TEST(Assets, PurchaseServesItsLifeAndRetires) {
    const OwnedSchedule schedule = schedule_owned(pool({{2, 3, std::nullopt}}), Finance{}, 18);
    for (std::size_t m = 0; m < 18; ++m) {
        const bool serves = m >= 2 && m < 14;
        EXPECT_EQ(schedule.servers_in_service[m], serves ? 3 : 0) << m;
        EXPECT_EQ(schedule.servers_active[m], serves ? 3 : 0) << m;
        EXPECT_EQ(schedule.price_in_service[m], serves ? 36000 : 0) << m;
        EXPECT_EQ(schedule.hardware.cost[m], serves ? 3000 : 0) << m;
        EXPECT_EQ(schedule.hardware.cash_start[m], m == 2 ? 36000 : 0) << m;
        EXPECT_EQ(schedule.hardware.cash_end[m], 0.0) << m;
    }
}

TEST(Assets, HorizonsEndGainsTheBookValue) {
    Pool made = pool();
    made.server->residual_fraction = flat(0.1);
    const OwnedSchedule schedule = schedule_owned(made, Finance{}, 4);
    // R = 1200; (12000 - 1200) / 12 = 900 a month; after four months 12000 - 3600.
    EXPECT_TRUE(is_close(schedule.hardware.cost[0], 900));
    EXPECT_TRUE(is_close(schedule.hardware.cash_end[3], -8400));
    EXPECT_TRUE(is_close(cash(schedule.hardware), sum(schedule.hardware.cost))) << "a short horizon is fair";
}

TEST(Assets, EndOfLifeGainsTheResidual) {
    Pool made = pool();
    made.server->residual_fraction = curve(CurveKind::residual, Axis::age_months, {0, 24}, {0.8, 0.2}); // 0.5 at 12 months
    const OwnedSchedule schedule = schedule_owned(made, Finance{}, 20);
    EXPECT_TRUE(is_close(schedule.hardware.cost[11], 500));
    EXPECT_TRUE(is_close(schedule.hardware.cash_end[11], -6000));
    EXPECT_EQ(schedule.hardware.cash_end[19], 0.0);
}

TEST(Assets, AnnuityBearsInterestAndKeepsTheStraightBook) {
    Finance finance;
    finance.capital = Capital::annuity;
    finance.discount_rate = std::pow(1.01, 12) - 1;
    const OwnedSchedule schedule = schedule_owned(pool(), finance, 6);
    EXPECT_TRUE(is_close(schedule.hardware.cost[0], 12000 * 0.088849, 1e-5)) << "(A/P, 1 %, 12) = 0.088849";
    EXPECT_TRUE(is_close(schedule.hardware.cash_end[5], -6000));
}

TEST(Assets, AssetOwnedAlreadyEntersAtItsBookValue) {
    struct Row {
        int month;
        double entry;
        int months_left;
    };
    for (const Row& row :
         {Row{-1, 11000, 11}, Row{-3, 9000, 9}, Row{-11, 1000, 1}, Row{-12, 0, 0}, Row{-13, 0, 0}, Row{-1200, 0, 0}}) {
        const OwnedSchedule schedule = schedule_owned(pool({{row.month, 1, std::nullopt}}), Finance{}, 24);
        EXPECT_TRUE(is_close(schedule.hardware.cash_start[0], row.entry)) << row.month;
        EXPECT_TRUE(is_close(sum(schedule.hardware.cost), 1000.0 * row.months_left)) << row.month;
        EXPECT_EQ(sum(schedule.servers_in_service), row.months_left) << row.month;
    }
}

TEST(Assets, RefreshBuysAgainLikeForLike) {
    Pool made = pool({{3, 2, std::nullopt}});
    made.refresh = true;
    const OwnedSchedule schedule = schedule_owned(made, Finance{}, 30);
    for (std::size_t m = 0; m < 30; ++m) {
        EXPECT_EQ(schedule.servers_in_service[m], m >= 3 ? 2 : 0) << m;
        EXPECT_EQ(schedule.hardware.cash_start[m], m == 3 || m == 15 || m == 27 ? 24000 : 0) << m;
        EXPECT_TRUE(is_close(schedule.hardware.cost[m], m >= 3 ? 2000 : 0)) << m;
    }
    EXPECT_TRUE(is_close(schedule.hardware.cash_end[29], -24000.0 * 9 / 12));
}

TEST(Assets, GenerationsCostThePriceOfTheirMonth) {
    Pool made = pool({{-30, 1, std::nullopt}});
    made.refresh = true;
    made.server->price_change_rate = 0.21;
    made.server->network_price = 1000;
    made.server->storage_price = 2000;
    const OwnedSchedule schedule = schedule_owned(made, Finance{}, 12);
    // Bought at -30, -18, -6, 6. At -6: 15000 x 1.21^-0.5 = 15000 / 1.1, half written off; at 6: 15000 x 1.1.
    EXPECT_TRUE(is_close(schedule.hardware.cash_start[0], 15000 / 1.1 / 2));
    EXPECT_TRUE(is_close(schedule.price_in_service[5], 15000 / 1.1));
    EXPECT_TRUE(is_close(schedule.hardware.cash_start[6], 16500));
    EXPECT_TRUE(is_close(schedule.price_in_service[6], 16500));
    EXPECT_TRUE(is_close(schedule.hardware.cost[6], 1375));
}

TEST(Assets, StatedPriceIsWhatThatPurchaseCostAndItsRefreshesChangeFromThere) {
    Pool made = pool({{-6, 1, 20000.0}});
    made.refresh = true;
    made.server->price_change_rate = 0.21;
    made.server->network_price = 1000;
    const OwnedSchedule schedule = schedule_owned(made, Finance{}, 12);
    EXPECT_TRUE(is_close(schedule.price_in_service[0], 20000 + 1000 / 1.1));
    EXPECT_TRUE(is_close(schedule.hardware.cash_start[6], 20000 * 1.21 + 1000 * 1.1));
}

TEST(Assets, RefreshEndingAtTheHorizonsStartStartsANewGeneration) {
    Pool made = pool({{-24, 1, std::nullopt}});
    made.refresh = true;
    const OwnedSchedule schedule = schedule_owned(made, Finance{}, 12);
    EXPECT_TRUE(is_close(schedule.hardware.cash_start[0], 12000));
    EXPECT_EQ(sum(schedule.servers_in_service), 12);
}

TEST(Assets, RampCountsTowardsTheLifeAndComesOnce) {
    Pool made = pool({{1, 1, std::nullopt}, {-2, 4, std::nullopt}});
    made.ramp_months = 3;
    made.refresh = true;
    made.server->life_months = 6;
    const OwnedSchedule schedule = schedule_owned(made, Finance{}, 14);
    for (std::size_t m = 0; m < 14; ++m) {
        EXPECT_EQ(schedule.servers_in_service[m], m >= 1 ? 5 : 4) << m;
        EXPECT_EQ(schedule.servers_active[m], (m >= 1 ? 4 : 0) + (m >= 4 ? 1 : 0)) << m;
    }
    made.refresh = false;
    const OwnedSchedule once = schedule_owned(made, Finance{}, 14);
    EXPECT_EQ(sum(once.servers_active), 4 * 3 + 3) << "months 1 to 3, and 4 to 6";
}

TEST(Assets, RampLongerThanTheLifeServesNothing) {
    Pool made = pool();
    made.ramp_months = 12;
    EXPECT_EQ(sum(schedule_owned(made, Finance{}, 12).servers_active), 0.0);
}

TEST(Assets, EmbodiedCarbonIsStraightOverTheLife) {
    Pool made = pool({{0, 2, std::nullopt}});
    made.server->embodied_kg = 1200;
    const OwnedSchedule schedule = schedule_owned(made, Finance{}, 18);
    EXPECT_TRUE(is_close(schedule.embodied_kg[3], 200));
    EXPECT_TRUE(is_close(sum(schedule.embodied_kg), 2400));
}

// Facility at 2 a W: 1200 a server.
Pool own_build(int facility_life, std::vector<ServerPurchase> purchases = {{0, 1, std::nullopt}}) {
    Pool made = pool(std::move(purchases));
    made.site->facility_price_per_w = 2;
    made.site->facility_life_months = facility_life;
    return made;
}

TEST(Assets, FacilityIsCapitalisedOverItsOwnLifeAndSoldWithTheServers) {
    const OwnedSchedule schedule = schedule_owned(own_build(120), Finance{}, 20);
    EXPECT_EQ(schedule.facility.cash_start[0], 1200.0);
    EXPECT_TRUE(is_close(schedule.facility.cost[11], 10));
    EXPECT_EQ(schedule.facility.cost[12], 0.0) << "retired";
    EXPECT_TRUE(is_close(schedule.facility.cash_end[11], -1080)) << "1200 x 108 / 120";
    EXPECT_TRUE(is_close(cash(schedule.facility), sum(schedule.facility.cost)));
}

TEST(Assets, FacilityIsBoughtAgainAtItsEndWhileTheServersServe) {
    const OwnedSchedule schedule = schedule_owned(own_build(5), Finance{}, 20);
    for (std::size_t m = 0; m < 20; ++m) {
        EXPECT_EQ(schedule.facility.cash_start[m], m == 0 || m == 5 || m == 10 ? 1200 : 0) << m;
        EXPECT_TRUE(is_close(schedule.facility.cost[m], m < 12 ? 240 : 0)) << m;
    }
    EXPECT_TRUE(is_close(schedule.facility.cash_end[11], -1200.0 * 3 / 5)) << "two of five months used";
}

TEST(Assets, FacilityIsKeptThroughRefreshes) {
    Pool made = own_build(30);
    made.refresh = true;
    const OwnedSchedule schedule = schedule_owned(made, Finance{}, 36);
    for (std::size_t m = 0; m < 36; ++m) {
        EXPECT_EQ(schedule.facility.cash_start[m], m == 0 || m == 30 ? 1200 : 0) << m;
    }
    EXPECT_TRUE(is_close(schedule.facility.cash_end[35], -1200.0 * 24 / 30));
}

TEST(Assets, FacilityOwnedAlreadyEntersAtItsBookValue) {
    EXPECT_TRUE(is_close(schedule_owned(own_build(120, {{-6, 1, std::nullopt}}), Finance{}, 3).facility.cash_start[0], 1140));
    // Life 4: built at -6 and -2, and again at 2; 1200 x 2 / 4 at the start.
    const OwnedSchedule schedule = schedule_owned(own_build(4, {{-6, 1, std::nullopt}}), Finance{}, 3);
    EXPECT_TRUE(is_close(schedule.facility.cash_start[0], 600));
    EXPECT_EQ(schedule.facility.cash_start[2], 1200.0);
    EXPECT_EQ(cash(schedule_owned(own_build(120, {{-12, 1, std::nullopt}}), Finance{}, 3).facility), 0.0) << "life is over";
}

TEST(Assets, TaxCreditOfAnAssetIsWhatItLost) {
    for (const TaxDepreciation rule :
         {TaxDepreciation::straight_line, TaxDepreciation::macrs_5, TaxDepreciation::declining_balance}) {
        for (const int month : {-5, 0, 4}) {
            Finance finance;
            finance.tax_rate = 0.3;
            finance.tax_depreciation = rule;
            finance.tax_depreciation_rate = 0.5;
            Pool made = own_build(30, {{month, 2, std::nullopt}});
            made.server->residual_fraction = flat(0.2);
            const OwnedSchedule schedule = schedule_owned(made, finance, 10);
            EXPECT_TRUE(is_close(sum(schedule.tax_credit), cash(schedule.hardware) + cash(schedule.facility))) << month;
        }
    }
}

TEST(Assets, TaxDepreciationByHand) {
    struct Row {
        TaxDepreciation rule;
        double first, last;
        const char* arithmetic;
    };
    const std::vector<Row> rows = {
        // P = 12000 over 12 months; after three months it is sold at its book value, 9000
        {TaxDepreciation::straight_line, 1000, 1000, "tax book 9000 is the sale"},
        {TaxDepreciation::macrs_5, 200, 2600, "20 % / 12 = 200; tax book 11400, sold 2400 below"},
        {TaxDepreciation::declining_balance, 600, 541.5 + 1288.5, "5 %: 600, 570, 541.5; tax book 10288.5"},
    };
    for (const Row& row : rows) {
        Finance finance;
        finance.tax_rate = 0.3;
        finance.tax_depreciation = row.rule;
        finance.tax_depreciation_rate = 0.6;
        const OwnedSchedule schedule = schedule_owned(pool(), finance, 3);
        EXPECT_TRUE(is_close(schedule.tax_credit[0], row.first)) << row.arithmetic;
        EXPECT_TRUE(is_close(schedule.tax_credit[2], row.last)) << row.arithmetic;
    }
}

TEST(Assets, AssetOwnedAlreadyIsWrittenOffAsBoughtAtTheStart) {
    Finance finance;
    finance.tax_rate = 0.3;
    const OwnedSchedule schedule = schedule_owned(pool({{-6, 1, std::nullopt}}), finance, 12);
    // Book value 6000 over the full 12 months: 500 a month; it retires after six with 3000 unwritten.
    EXPECT_TRUE(is_close(schedule.tax_credit[0], 500));
    EXPECT_TRUE(is_close(schedule.tax_credit[5], 3500));
    EXPECT_EQ(schedule.tax_credit[6], 0.0);
}

TEST(Assets, SaleAboveTaxBookIsTaxed) {
    Finance finance;
    finance.tax_rate = 0.3;
    Pool made = pool();
    made.server->residual_fraction = flat(0.5);
    const OwnedSchedule schedule = schedule_owned(made, finance, 12);
    // 12000 / 12 a month to nothing, then sold at 6000.
    EXPECT_TRUE(is_close(schedule.tax_credit[10], 1000));
    EXPECT_TRUE(is_close(schedule.tax_credit[11], -5000));
}

TEST(Assets, SplittingAPurchaseChangesNothingAndDoublingItDoubles) {
    Finance finance;
    finance.tax_rate = 0.2;
    finance.discount_rate = 0.1;
    finance.capital = Capital::annuity;
    const auto flows = [&](std::vector<ServerPurchase> purchases) {
        Pool made = own_build(7, std::move(purchases));
        made.refresh = true;
        made.server->price_change_rate = -0.2;
        made.server->embodied_kg = 100;
        return schedule_owned(made, finance, 30);
    };
    const OwnedSchedule whole = flows({{-5, 6, std::nullopt}});
    const OwnedSchedule split = flows({{-5, 2, std::nullopt}, {-5, 4, std::nullopt}});
    const OwnedSchedule half = flows({{-5, 3, std::nullopt}});
    for (std::size_t m = 0; m < 30; ++m) {
        for (const auto member : {&OwnedSchedule::servers_in_service, &OwnedSchedule::servers_active,
                                  &OwnedSchedule::price_in_service, &OwnedSchedule::embodied_kg, &OwnedSchedule::tax_credit}) {
            EXPECT_NEAR((split.*member)[m], (whole.*member)[m], 1e-8);
            EXPECT_NEAR(2 * (half.*member)[m], (whole.*member)[m], 1e-8);
        }
        EXPECT_TRUE(is_close(split.hardware.cost[m], whole.hardware.cost[m]));
        EXPECT_TRUE(is_close(split.facility.cost[m], whole.facility.cost[m]));
        EXPECT_TRUE(is_close(2 * half.hardware.cash_start[m], whole.hardware.cash_start[m]));
        EXPECT_NEAR(2 * half.facility.cash_end[m], whole.facility.cash_end[m], 1e-8);
    }
}

// The catalogue's curve of resale values: 27 % after 36 months. Two servers of 370919 over 36 of their 60 months.
Pool with_resale_curve() {
    Pool made = pool({{0, 2, std::nullopt}});
    made.server->price = 370919;
    made.server->life_months = 60;
    made.server->residual_fraction = curve(CurveKind::residual, Axis::age_months, {0, 36, 60}, {1, 0.27, 0.1});
    return made;
}

TEST(Assets, HorizonsEndSellsAtTheMarketValueOfTheCurve) {
    const OwnedSchedule schedule = schedule_owned(with_resale_curve(), Finance{}, 36);
    EXPECT_TRUE(is_close(schedule.hardware.cash_end[35], -200296.26)) << "2 x 370919 x 0.27";
    EXPECT_TRUE(is_close(schedule.terminal.sale, 200296.26));
    EXPECT_TRUE(is_close(schedule.terminal.book, 341245.48)) << "0.46 of the price";
    EXPECT_TRUE(is_close(schedule.disposal, 140949.22));
    EXPECT_TRUE(is_close(cash(schedule.hardware), sum(schedule.hardware.cost) + schedule.disposal));
}

TEST(Assets, BusinessThatContinuesCountsAssetsAtBookValue) {
    Finance finance;
    finance.at_end = AtEnd::continuing;
    const OwnedSchedule schedule = schedule_owned(with_resale_curve(), finance, 36);
    EXPECT_TRUE(is_close(schedule.hardware.cash_end[35], -341245.48));
    EXPECT_TRUE(is_close(schedule.terminal.sale, schedule.terminal.book));
    EXPECT_EQ(schedule.disposal, 0.0);
}

TEST(Assets, AssetThatRetiresAtTheHorizonsEndIsSoldAndNotSettled) {
    const OwnedSchedule schedule = schedule_owned(with_resale_curve(), Finance{}, 60);
    EXPECT_TRUE(is_close(schedule.hardware.cash_end[59], -74183.8)) << "R";
    EXPECT_EQ(schedule.terminal.sale, 0.0);
    EXPECT_EQ(schedule.terminal.book, 0.0);
    EXPECT_EQ(schedule.disposal, 0.0);
}

TEST(Assets, OwnBuildFacilityIsSoldAtBookValueAtTheHorizonsEnd) {
    const OwnedSchedule schedule = schedule_owned(own_build(120), Finance{}, 6);
    EXPECT_TRUE(is_close(schedule.facility.cash_end[5], -1140));
    EXPECT_TRUE(is_close(schedule.terminal.sale, 6000 + 1140)) << "the servers' book value too";
    EXPECT_EQ(schedule.disposal, 0.0);
}

TEST(Assets, SaleBelowTaxBookAtTheHorizonsEndIsCredited) {
    Finance finance;
    finance.tax_rate = 0.3;
    const OwnedSchedule schedule = schedule_owned(with_resale_curve(), finance, 36);
    // 741838 x 24/60 are not written off yet.
    EXPECT_TRUE(is_close(schedule.tax_credit[0], 741838.0 / 60));
    EXPECT_TRUE(is_close(schedule.tax_credit[35], 741838.0 / 60 + 741838 * 0.4 - 200296.26));
}

TEST(Assets, CashOverAFullLifeIsTheCost) {
    for (const bool refresh : {false, true}) {
        Pool made = own_build(5, {{0, 3, std::nullopt}, {-4, 1, 9000.0}, {7, 2, std::nullopt}});
        made.refresh = refresh;
        made.server->residual_fraction = flat(0.15);
        made.server->price_change_rate = 0.1;
        const OwnedSchedule schedule = schedule_owned(made, Finance{}, 37);
        EXPECT_TRUE(is_close(cash(schedule.hardware), sum(schedule.hardware.cost)));
        EXPECT_TRUE(is_close(cash(schedule.facility), sum(schedule.facility.cost)));
    }
}

} // namespace
} // namespace costcurve::model
