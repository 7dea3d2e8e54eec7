// OpenEI rates: which axis reads a schedule exactly, tiers, charges beside energy, and answers that are errors.
#include <fmt/format.h>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

// A schedule of 12 months: `period` of month and hour.
template <class Period> std::string schedule(Period period) {
    std::string text = "[";
    for (int month = 0; month < 12; ++month) {
        text += month == 0 ? "[" : ",[";
        for (int hour = 0; hour < 24; ++hour) {
            text += fmt::format("{}{}", hour == 0 ? "" : ",", period(month, hour));
        }
        text += "]";
    }
    return text + "]";
}

const std::string kTwoPeriods = R"([[{"rate":0.10,"adj":0.01}],[{"rate":"0.30"}]])";
const std::string kFlat = schedule([](int, int) { return 0; });
const std::string kAfternoon = schedule([](int, int hour) { return hour >= 16 && hour < 21 ? 1 : 0; });
const std::string kSummer = schedule([](int month, int hour) { return month >= 5 && month <= 8 && hour == 12 ? 1 : 0; });

std::string answer(const std::string& structure, const std::string& weekday, const std::string& weekend,
                   const std::string& more = "") {
    return fmt::format(R"({{"items":[{{"label":"abc","utility":"U","name":"N","sector":"Commercial","energyratestructure":{},
"energyweekdayschedule":{},"energyweekendschedule":{}{}}}]}})",
                       structure, weekday, weekend, more);
}

const model::Curve& only_tariff(const Reading& reading, const std::string& id = "tariff.openei.abc") {
    static const model::Curve nothing;
    EXPECT_FALSE(reading.error) << reading.error->message;
    const auto* const found = reading.find<model::Curve>(id);
    EXPECT_NE(found, nullptr);
    return found == nullptr ? nothing : *found;
}

TEST(Openei, ReadsOneScheduleOverTheDay) {
    const Reading reading = read_text("openei", answer(kTwoPeriods, kAfternoon, kAfternoon));
    const model::Curve& curve = only_tariff(reading);
    EXPECT_EQ(curve.axis, model::Axis::hour_of_day);
    ASSERT_EQ(curve.x.size(), 24U);
    EXPECT_DOUBLE_EQ(curve.y[15], 0.11) << "rate 0.10 + adj 0.01";
    EXPECT_DOUBLE_EQ(curve.y[16], 0.30) << "a text, without adj";
    EXPECT_DOUBLE_EQ(curve.y[21], 0.11);
}

TEST(Openei, ReadsOtherWeekendsOverTheWeek) {
    const Reading reading = read_text("openei", answer(kTwoPeriods, kAfternoon, kFlat));
    const model::Curve& curve = only_tariff(reading);
    EXPECT_EQ(curve.axis, model::Axis::hour_of_week);
    ASSERT_EQ(curve.x.size(), 168U);
    EXPECT_DOUBLE_EQ(curve.y[4 * 24 + 16], 0.30) << "Friday";
    EXPECT_DOUBLE_EQ(curve.y[5 * 24 + 16], 0.11) << "Saturday";
    EXPECT_DOUBLE_EQ(curve.y[6 * 24 + 16], 0.11) << "Sunday";
    EXPECT_NE(curve.note.find("holidays are weekdays"), std::string::npos);
    EXPECT_EQ(curve.currency, "USD");
}

TEST(Openei, ReadsOtherMonthsOverTheYear) {
    const Reading reading = read_text("openei", answer(kTwoPeriods, kSummer, kSummer));
    const model::Curve& curve = only_tariff(reading);
    EXPECT_EQ(curve.axis, model::Axis::hour_of_year);
    ASSERT_EQ(curve.x.size(), 8760U);
    // 1 June is day 151: 31 + 28 + 31 + 30 + 31. 30 September is day 272, 1 October 273.
    EXPECT_DOUBLE_EQ(curve.y[150 * 24 + 12], 0.11);
    EXPECT_DOUBLE_EQ(curve.y[151 * 24 + 12], 0.30);
    EXPECT_DOUBLE_EQ(curve.y[151 * 24 + 13], 0.11);
    EXPECT_DOUBLE_EQ(curve.y[272 * 24 + 12], 0.30);
    EXPECT_DOUBLE_EQ(curve.y[273 * 24 + 12], 0.11);
    EXPECT_EQ(curve.note.find("Weekends"), std::string::npos) << "it holds for every year";
}

TEST(Openei, NeedsAYearWhereMonthsAndWeekendsDiffer) {
    const std::string text = answer(kTwoPeriods, kSummer, kFlat);
    const Reading without = read_text("openei", text);
    ASSERT_TRUE(without.error);
    EXPECT_EQ(without.error->message, "row 1: its weekends and its months differ, so that it depends on the calendar: give the "
                                      "option date, whose year is meant");
    const Reading reading = read_text("openei", text, {.date = "2024-03-01"});
    const model::Curve& curve = only_tariff(reading);
    ASSERT_EQ(curve.x.size(), 8760U) << "29 February is not of the hour of the year";
    // 1 June 2024 is a Saturday, 3 June a Monday.
    EXPECT_DOUBLE_EQ(curve.y[151 * 24 + 12], 0.11);
    EXPECT_DOUBLE_EQ(curve.y[152 * 24 + 12], 0.11);
    EXPECT_DOUBLE_EQ(curve.y[153 * 24 + 12], 0.30);
    EXPECT_NE(curve.note.find("Weekends are those of 2024."), std::string::npos);
}

TEST(Openei, MakesASiteOfWhatIsBilledBesideTheCurve) {
    const Reading reading = read_text("openei",
                                      answer(R"([[{"max":500,"unit":"kWh","rate":0.1},{"rate":0.2}]])", kFlat, kFlat,
                                             R"(,"fixedchargefirstmeter":1.95,"fixedchargeunits":"$/month","flatdemandunit":"kW",
"flatdemandstructure":[[{"rate":8.5,"adj":0.5}],[{"rate":3}]],"demandratestructure":[[{"rate":4}]],
"startdate":1370091600,"enddate":1427785200)"),
                                      {.date = "2024-01-01"});
    const model::Curve& curve = only_tariff(reading);
    EXPECT_DOUBLE_EQ(curve.y[0], 0.1);
    for (const char* const part : {"In force from 2013-06-01.", "In force until 2015-03-31.", "in USD per kWh",
                                   "The price is of the first tier; site.openei.abc has its charges."}) {
        EXPECT_NE(curve.note.find(part), std::string::npos) << part << " in " << curve.note;
    }
    const auto* const site = reading.find<model::Site>("site.openei.abc");
    ASSERT_NE(site, nullptr);
    EXPECT_EQ(site->energy_price.curve->id, curve.id);
    ASSERT_EQ(site->energy_tiers.size(), 1U);
    EXPECT_EQ(site->energy_tiers[0].above_kwh_month, 500.0);
    EXPECT_DOUBLE_EQ(site->energy_tiers[0].add_per_kwh, 0.1);
    ASSERT_EQ(site->demand_charges.size(), 1U) << "without months the first period holds";
    EXPECT_EQ(site->demand_charges[0].per_kw_month, 9.0);
    ASSERT_EQ(site->riders.size(), 1U);
    EXPECT_EQ(site->riders[0].per_month, 1.95);
    ASSERT_EQ(reading.report.warnings.count, 2U);
    EXPECT_EQ(reading.report.warnings.first[0].reason, "the rate was in force until 2015-03-31, before 2024-01-01");
    EXPECT_EQ(reading.report.warnings.first[1].reason,
              "site.openei.abc lacks demand charges by the hour, whose schedule is none of 12 months of 24 hours");
}

const model::Site* site_in(const Reading& reading) { return reading.find<model::Site>("site.openei.abc"); }

// By the kWh of a month, of a day, and of each kW: hours of use.
TEST(Openei, CountsTiersByTheirUnit) {
    const auto tiers = [](const std::string& unit) {
        return answer(
            fmt::format(R"([[{{"rate":0.1,"max":100,"unit":"{0}"}},{{"rate":0.2,"max":300,"unit":"{0}"}},{{"rate":0.05}}]])", unit),
            kFlat, kFlat);
    };
    for (const auto& [unit, above] :
         {std::pair("kWh", &model::EnergyTier::above_kwh_month), std::pair("kWh daily", &model::EnergyTier::above_kwh_day),
          std::pair("kWh/kW", &model::EnergyTier::above_kwh_per_kw)}) {
        const Reading reading = read_text("openei", tiers(unit));
        const model::Site* const site = site_in(reading);
        ASSERT_NE(site, nullptr) << unit;
        ASSERT_EQ(site->energy_tiers.size(), 2U);
        EXPECT_EQ(site->energy_tiers[0].*above, 100.0);
        EXPECT_EQ(site->energy_tiers[1].*above, 300.0);
        EXPECT_DOUBLE_EQ(site->energy_tiers[0].add_per_kwh, 0.1);
        EXPECT_DOUBLE_EQ(site->energy_tiers[1].add_per_kwh, -0.15);
    }
}

// On peak from 16 to 21 on weekdays of the summer, off peak else; a flat charge by season, with a ratchet.
TEST(Openei, MakesDemandChargesOfTheirSchedules) {
    const std::string flat = R"(,"flatdemandstructure":[[{"rate":5}],[{"rate":7}]],"flatdemandmonths":[0,0,0,0,0,1,1,1,1,0,0,0],
"lookbackpercent":0.8,"lookbackrange":11,"lookbackmonths":[0,0,0,0,0,1,1,1,1,0,0,0],)";
    const std::string timed = fmt::format(
        R"("demandratestructure":[[{{"rate":0}}],[{{"rate":12,"adj":0.5}}]],"demandweekdayschedule":{},"demandweekendschedule":{},
"fixedchargefirstmeter":2,"fixedchargeunits":"$/day","mincharge":30,"demandreactivepowercharge":0.3)",
        schedule([](int month, int hour) { return month >= 5 && month <= 8 && hour >= 16 && hour < 21 ? 1 : 0; }), kFlat);
    const Reading reading = read_text("openei", answer(kTwoPeriods, kFlat, kFlat, flat + timed));
    const model::Site* const site = site_in(reading);
    ASSERT_NE(site, nullptr);
    ASSERT_EQ(site->demand_charges.size(), 3U);
    EXPECT_EQ(site->demand_charges[0].per_kw_month, 5.0);
    EXPECT_EQ(site->demand_charges[0].months, (std::vector{1, 2, 3, 4, 5, 10, 11, 12}));
    EXPECT_EQ(site->demand_charges[1].per_kw_month, 7.0);
    EXPECT_EQ(site->demand_charges[1].ratchet_fraction, 0.8);
    EXPECT_EQ(site->demand_charges[1].ratchet_peak_months, (std::vector{6, 7, 8, 9}));
    const model::DemandCharge& peak = site->demand_charges[2];
    EXPECT_EQ(peak.per_kw_month, 12.5);
    EXPECT_EQ(peak.months, (std::vector{6, 7, 8, 9}));
    ASSERT_TRUE(peak.hours);
    EXPECT_EQ(peak.hours->x, (std::vector<double>{0, 16, 21, 40, 45, 64, 69, 88, 93, 112, 117}));
    EXPECT_EQ(peak.hours->y, (std::vector<double>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0}));
    EXPECT_EQ(peak.ratchet_fraction, 0.0) << "which is of flat charges";
    EXPECT_DOUBLE_EQ(site->riders[0].per_month, 2 * 365.0 / 12);
    EXPECT_EQ(site->minimum_bill->per_month, 30.0);
    EXPECT_EQ(site->reactive->per_kvar_month, 0.3);
    EXPECT_FALSE(site->reactive->adjusts_demand);
    EXPECT_EQ(reading.report.warnings.count, 0U);
}

// Tiers by season, demand by the kVA in blocks, the grid's peak, fuel by month and a minimum a year.
TEST(Openei, HoldsAllThatABillHas) {
    const std::string more = fmt::format(
        R"(,"flatdemandunit":"kVA","flatdemandstructure":[[{{"rate":5,"max":100}},{{"rate":3}}]],
"coincidentrateunit":"kVA","coincidentratestructure":[[{{"rate":0}}],[{{"rate":9}}]],"coincidentrateschedule":{},
"fueladjustmentsmonthly":[0.01,0.01,0,0,0,0,0,0,0,0,0,-0.02],"annualmincharge":120000)",
        schedule([](int month, int hour) { return month >= 5 && month <= 8 && hour == 17 ? 1 : 0; }));
    const std::string summer = schedule([](int month, int) { return month >= 5 && month <= 8 ? 1 : 0; });
    const Reading reading =
        read_text("openei", answer(R"([[{"rate":0.1,"max":100},{"rate":0.2}],[{"rate":0.3}]])", summer, summer, more));
    const model::Site* const site = site_in(reading);
    ASSERT_NE(site, nullptr);
    ASSERT_EQ(site->energy_tiers.size(), 1U);
    EXPECT_EQ(site->energy_tiers[0].months, (std::vector{1, 2, 3, 4, 5, 10, 11, 12}));
    EXPECT_TRUE(site->reactive->adjusts_demand);
    EXPECT_EQ(site->reactive->target_power_factor, 1.0);
    ASSERT_EQ(site->demand_charges.size(), 2U);
    EXPECT_EQ(site->demand_charges[0].tiers, (std::vector<model::DemandTier>{{100.0, -2.0}}));
    EXPECT_TRUE(site->demand_charges[1].coincident);
    EXPECT_EQ(site->demand_charges[1].months, (std::vector{6, 7, 8, 9}));
    EXPECT_EQ(site->demand_charges[1].hours->x,
              (std::vector<double>{0, 17, 18, 41, 42, 65, 66, 89, 90, 113, 114, 137, 138, 161, 162}));
    ASSERT_EQ(site->riders.size(), 2U);
    EXPECT_EQ(site->riders[0].per_kwh, -0.02);
    EXPECT_EQ(site->riders[0].months, std::vector{12});
    EXPECT_EQ(site->riders[1].months, (std::vector{1, 2}));
    EXPECT_EQ(site->minimum_bill->per_month, 10000.0);
    ASSERT_EQ(reading.report.warnings.count, 1U);
    EXPECT_EQ(reading.report.warnings.first[0].reason, "site.openei.abc lacks a minimum charge a year (it is taken by twelfths)");
}

TEST(Openei, ReadsSchedulesThatAreText) {
    const std::string text = "\"" + kAfternoon + "\"";
    const Reading reading = read_text("openei", answer(kTwoPeriods, text, text));
    EXPECT_DOUBLE_EQ(only_tariff(reading).y[16], 0.30);
}

TEST(Openei, ReadsARateWithoutAList) {
    const std::string list = answer(kTwoPeriods, kFlat, kFlat);
    const std::size_t from = list.find('[') + 1;
    const Reading reading = read_text("openei", list.substr(from, list.rfind(']') - from));
    EXPECT_FALSE(reading.error);
    EXPECT_NE(site_in(reading), nullptr);
}

TEST(Openei, NamesWhatAnItemLacks) {
    struct Row {
        std::string text;
        const char* message;
    };
    const Row rows[] = {
        {R"({"items":[],"errors":["Utility company lookup failed for lat/lon: -100/-100"]})",
         "OpenEI answered with an error: Utility company lookup failed for lat/lon: -100/-100"},
        {R"({"error":{"code":"API_KEY_MISSING","message":"No api_key was supplied."}})",
         "OpenEI answered with an error: No api_key was supplied."},
        {R"({"items":[]})", "items is empty: OpenEI found no rate"},
        {R"({"rates":[]})", "it has no list \"items\": an answer of OpenEI's utility rate database is needed"},
        {R"({"items":[{"label":"abc"}]})", "row 1: energyratestructure is missing; ask OpenEI with detail=full"},
        {answer(kTwoPeriods, "[[0]]", kFlat), "row 1: energyweekdayschedule has 1 months; 12 are needed"},
        {answer(kTwoPeriods, kFlat, schedule([](int, int) { return 2; })),
         "row 1: energyratestructure has no period 2, which a schedule names"},
        {answer(kTwoPeriods, kFlat, schedule([](int, int) { return -1; })),
         "row 1: energyweekendschedule[0][0] is no index of a period"},
        {answer(R"([[{"adj":0.1}]])", kFlat, kFlat), "row 1: energyratestructure[0][0] has no rate; a number is needed"},
        {answer(R"([[{"rate":0.1,"unit":"gal"}]])", kFlat, kFlat),
         "row 1: energy by \"gal\": no price of all energy, and a site holds no such tiers"},
        {answer(R"([[{"rate":0.1,"max":100,"unit":"kWh/kVA"},{"rate":0.2,"unit":"kWh/kVA"}]])", kFlat, kFlat),
         "row 1: energy by \"kwh/kva\": no price of all energy, and a site holds no such tiers"},
        {answer(R"([[{"rate":0.1,"max":100},{"rate":0.2}],[{"rate":0.3}]])", kAfternoon, kFlat),
         "row 1: tiers of energy that differ by period: no price of all energy, and a site holds no such tiers"},
        {answer(kTwoPeriods, kFlat, kFlat, R"(,"country":"Canada")"), "row 1: country is Canada; give the option currency"},
        {answer(kTwoPeriods, "[[[]]]", kFlat), "row 1: energyweekdayschedule has 1 months; 12 are needed"},
        {"[1]", "it has no list \"items\": an answer of OpenEI's utility rate database is needed"},
    };
    for (const Row& row : rows) {
        const Reading reading = read_text("openei", row.text);
        ASSERT_TRUE(reading.error) << row.message;
        EXPECT_EQ(reading.error->message, row.message);
    }
    EXPECT_TRUE(read_text("openei", "").error);
    EXPECT_TRUE(read_text("openei", "{\"items\":[").error);
}

TEST(Openei, TakesUnusedPeriodsWithoutARate) {
    const Reading reading = read_text("openei", answer(R"([[{"rate":0}],[{}]])", kFlat, kFlat), {.id = "tariff.own"});
    EXPECT_DOUBLE_EQ(only_tariff(reading, "tariff.own").y[5], 0.0) << "a rate of zero is a price that was stated";
}

TEST(Openei, OfTheRealAnswersAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("openei", {"openei-urdb/ann_arbor.json"});
    const model::Curve& curve = only_tariff(reading, "tariff.openei.539f6d3bec4f024411ecb311");
    ASSERT_EQ(curve.x.size(), 24U);
    for (const double price : curve.y) {
        EXPECT_DOUBLE_EQ(price, 0.1056 + 0.029681);
    }
    EXPECT_EQ(reading.find<model::Site>("site.openei.539f6d3bec4f024411ecb311")->riders.front().per_month, 1.95);
    const Reading invalid = read_shared("openei", {"openei-urdb/invalid.json"});
    ASSERT_TRUE(invalid.error);
    EXPECT_EQ(invalid.error->message, "OpenEI answered with an error: Utility company lookup failed for lat/lon: -100/-100");
}

} // namespace
} // namespace costcurve::imports
