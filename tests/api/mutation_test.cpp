// Thousands of broken scenarios: each answers with finite numbers or fails with issues that have pointers and messages.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "server/answers/tables/ledger_csv.hpp"
#include "tests/api/samples.hpp"

namespace costcurve::tests {
namespace {

constexpr unsigned kFirstSeed = 20261121;
constexpr int kMutations = 3000;

json replacement(std::mt19937_64& random) {
    switch (random() % 11) {
    case 0:
        return nullptr;
    case 1:
        return -1;
    case 2:
        return 1e300;
    case 3:
        return "";
    case 4:
        return json::array();
    case 5:
        return json::object();
    case 6:
        return std::string(20000, 'y');
    case 7:
        return true;
    case 8:
        return 0;
    case 9:
        return 1e15;
    default:
        return 1e-300;
    }
}

std::string mutated(unsigned seed) {
    std::mt19937_64 random(seed);
    json document = random() % 3 == 0 ? smallest() : mixed();
    const std::uint64_t kind = random() % 10;
    if (kind < 7) {
        const std::uint64_t times = random() % 4 == 0 ? 3 : 1;
        for (std::uint64_t t = 0; t < times; ++t) {
            const json places = document.flatten();
            auto place = places.begin();
            std::advance(place, static_cast<std::ptrdiff_t>(random() % places.size()));
            json::json_pointer path(place.key());
            for (std::uint64_t up = random() % 4; up > 0 && !path.parent_pointer().empty(); --up) {
                path.pop_back();
            }
            if (!document.contains(path) || path.empty()) {
                continue;
            }
            json& parent = document.at(path.parent_pointer());
            const std::string last = path.back();
            if (kind < 2 && parent.is_object()) {
                parent.erase(last);
            } else if (kind == 2 && parent.is_array()) {
                parent.push_back(document.at(path));
            } else if (kind == 2) {
                parent[last + "_2"] = parent.at(last);
            } else if (kind == 3) { // a number a little or a lot off
                json& value = document.at(path);
                if (value.is_number()) {
                    value = value.get<double>() * std::pow(10.0, static_cast<double>(random() % 21) - 10.0);
                }
            } else {
                document[path] = replacement(random);
            }
        }
        return document.dump();
    }
    std::string text = document.dump();
    const std::size_t at = random() % text.size();
    if (kind == 7) {
        return text.substr(0, at);
    }
    if (kind == 8) {
        return text.substr(0, at) + text.substr(std::min(text.size(), at + 1 + random() % 8));
    }
    text[at] = static_cast<char>(random() % 256);
    return text;
}

void expect_finite(const json& value, const std::string& where) {
    if (value.is_number()) {
        EXPECT_TRUE(std::isfinite(value.get<double>())) << where;
    } else if (value.is_structured()) {
        for (const auto& [name, member] : value.items()) {
            expect_finite(member, where + "/" + name);
        }
    }
}

// True where every number that an answer is written from is finite: the writer takes no others.
bool is_finite(const answers::Evaluated& answer) {
    const model::Summary& summary = answer.summary;
    bool good = std::isfinite(summary.total.cost) && std::isfinite(summary.total.cash) && std::isfinite(summary.npv) &&
                std::isfinite(summary.npv_after_tax) && std::isfinite(summary.meters.energy_kwh.at_least) &&
                std::isfinite(summary.meters.carbon_kg.at_least) && std::isfinite(summary.unallocated_cost);
    for (const model::WorkloadSummary& workload : summary.workloads) {
        good = good && std::isfinite(workload.cost) && std::isfinite(workload.units_demanded) &&
               std::isfinite(workload.units_served) && std::isfinite(workload.units_unserved) &&
               std::isfinite(workload.cost_per_million_units.value_or(0)) &&
               std::all_of(workload.by_class.begin(), workload.by_class.end(),
                           [](const auto& part) { return !part || std::isfinite(part->cost); }) &&
               std::isfinite(workload.levelized_cost_per_million_units.value_or(0)) &&
               std::isfinite(workload.cost_per_quantity.value_or(0));
    }
    for (const model::PoolSummary& pool : summary.pools) {
        good = good && std::isfinite(pool.total.cost) && std::isfinite(pool.total.cash) &&
               std::isfinite(pool.meters.energy_kwh.at_least) && std::isfinite(pool.available_device_hours) &&
               std::isfinite(pool.busy_device_hours) && std::isfinite(pool.cost_per_reserved_device_hour.value_or(0)) &&
               std::isfinite(pool.utilization_fraction.value_or(0));
    }
    for (const model::LedgerRow& row : model::ledger_rows(answer.scenario.document(), answer.ledger)) {
        good = good && std::isfinite(row.cost) && std::isfinite(row.cash);
    }
    return good;
}

void expect_answer_or_issues(const std::string& text, const std::string& what) {
    SCOPED_TRACE(what);
    model::Result<answers::Evaluated> answer = tl::unexpected(model::Failure{});
    ASSERT_NO_THROW(answer = evaluate_text(text));
    if (answer) {
        ASSERT_TRUE(is_finite(*answer)) << text.substr(0, 3000);
        const json result = json::parse(answers::encode_result(*answer, true), nullptr, false);
        ASSERT_FALSE(result.is_discarded()) << "the answer is not JSON";
        expect_finite(result, "");
        for (const char* name : {"cost", "cash", "npv", "npv_after_tax", "energy_kwh_at_least", "carbon_kg_at_least"}) {
            EXPECT_TRUE(result["total"][name].is_number()) << name << " is " << result["total"][name];
        }
        EXPECT_FALSE(answers::encode_ledger_csv(*answer, true).empty());
        return;
    }
    EXPECT_FALSE(answer.error().empty()) << "it fails and does not say why";
    for (const model::Issue& issue : answer.error()) {
        EXPECT_TRUE(is_pointer(issue.pointer)) << issue.pointer;
        EXPECT_FALSE(issue.message.empty()) << issue.pointer;
        EXPECT_NO_THROW((void)json({issue.pointer, issue.message}).dump()) << "not UTF-8";
        EXPECT_LT(issue.message.size(), 1000U);
    }
}

TEST(Mutations, AnswerWithFiniteNumbersOrFailWithIssues) {
    for (int i = 0; i < kMutations && !HasFatalFailure(); ++i) {
        const unsigned seed = kFirstSeed + static_cast<unsigned>(i);
        expect_answer_or_issues(mutated(seed), fmt::format("seed {}", seed));
    }
}

TEST(Mutations, AreOfBothKinds) { // a mutation that always fails tests nothing of the model
    int answered = 0;
    for (int i = 0; i < 300; ++i) {
        answered += evaluate_text(mutated(kFirstSeed + static_cast<unsigned>(i))) ? 1 : 0;
    }
    EXPECT_GT(answered, 30);
    EXPECT_LT(answered, 270);
}

// Every field at its own limit is a document that decoding takes; together they must not leave the doubles.
TEST(Extremes, DemandGrowsTwentyYearsTenfoldAMonth) {
    json document = with(smallest(), "/months", 240);
    document["workloads"][0]["demand"] = {{"mean_per_s", 1e15}, {"growth_per_month", 10}};
    document["workloads"][0]["unserved_cost_per_unit"] = 1e15;
    expect_answer_or_issues(document.dump(), "growth");
    document["workloads"][0]["units_per_request"] = 1e15;
    expect_answer_or_issues(document.dump(), "growth and units");
    document["workloads"][0]["demand"]["shape"] = 1e15;
    expect_answer_or_issues(document.dump(), "growth, units and shape");
}

TEST(Extremes, PricesAtTheirLimitsGrowTwentyYears) {
    json document = with(mixed(), "/months", 240);
    document["exchange_rates"]["USD"] = 1e9;
    document["finance"]["carbon_price_per_tonne"] = 1e15;
    document["pools"][0]["server"].update(
        {{"price", 1e15}, {"price_change_rate", 10}, {"network_price", 1e15}, {"embodied_kg", 1e7}});
    document["pools"][0]["site"].update({{"energy_price_growth_rate", 10},
                                         {"energy_price", 1e6},
                                         {"facility_price_per_w", 1e15},
                                         {"fte", 1e5},
                                         {"salary_per_year", 1e15},
                                         {"demand_charge_per_kw_month", 1e15}});
    document["pools"][1]["offer"].update({{"hourly_price", 1e15}, {"price_growth_rate", 10}, {"egress_per_gb", 1e15}});
    document["workloads"][0]["demand"]["mean_per_s"] = 1e15;
    document["workloads"][0]["egress_gb_per_unit"] = 1e9;
    expect_answer_or_issues(document.dump(), "prices");
}

TEST(Extremes, TinyRatesAndHugeWork) {
    json document = with(smallest(), "/workloads/0/runs_on/0/performance/units_per_s", 5e-324);
    expect_answer_or_issues(document.dump(), "the smallest rate");
    document = with(document, "/workloads/0/demand/mean_per_s", 1e15);
    expect_answer_or_issues(document.dump(), "the smallest rate and the largest demand");
    document = with(mixed(), "/workloads/1/units_per_epoch", 5e-324);
    expect_answer_or_issues(document.dump(), "the smallest epoch");
    document = with(with(mixed(), "/workloads/1/units_per_epoch", 1e18), "/workloads/1/epochs_per_month", 1e15);
    expect_answer_or_issues(document.dump(), "the most work");
    document = with(mixed(), "/pools/1/offer/interruptions_per_hour", 3600);
    document["workloads"][0]["checkpoint"] = {{"write_s", 1e6}, {"restart_s", 1e6}};
    expect_answer_or_issues(document.dump(), "interruptions all the time");
    document = with(mixed(), "/workloads/1/checkpoint", {{"write_s", 1e6}, {"restart_s", 1e6}, {"interval_s", 5e-324}});
    expect_answer_or_issues(document.dump(), "checkpoints all the time");
    document = with(mixed(), "/pools/0/server/failures_per_hour", 5e-324);
    expect_answer_or_issues(document.dump(), "the rarest failure");
}

TEST(Extremes, DemandAtTheSmallestNumbers) {
    json document = with(smallest(), "/workloads/0/demand/mean_per_s", 5e-324);
    expect_answer_or_issues(document.dump(), "the smallest demand");
    document = with(smallest(), "/workloads/0/units_per_request", 5e-324);
    expect_answer_or_issues(document.dump(), "the smallest request");
    document = with(with(smallest(), "/pools/0/min_instances", 10), "/workloads/0/demand/mean_per_s", 1e-310);
    document["pools"][0]["offer"]["hourly_price"] = 1e15;
    expect_answer_or_issues(document.dump(), "the dearest unit");
    document = with(with(smallest(), "/workloads/0/units_per_request", {{"input", 5e-324}, {"output", 0}}),
                    "/workloads/0/output_cost_ratio", 1e6);
    expect_answer_or_issues(document.dump(), "the smallest input");
    document = with(with(smallest(), "/workloads/0/units_per_request", {{"input", 0}, {"output", 0}}), "/pools/0/min_instances", 1);
    expect_answer_or_issues(document.dump(), "requests of nothing");
}

} // namespace
} // namespace costcurve::tests
