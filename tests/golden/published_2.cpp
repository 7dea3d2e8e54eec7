// Reads published_2.json and writes the scenarios that its cases share.
#include "tests/golden/published_2.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include "server/documents/decode.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::golden {

const json& published_case(const std::string& id) {
    static const std::map<std::string, json> cases = [] {
        std::ifstream file(tests::source_folder() / "tests/golden/published_2.json");
        std::map<std::string, json> by_id;
        for (const json& published : json::parse(file)) {
            by_id[published.at("id")] = published;
        }
        return by_id;
    }();
    return cases.at(id);
}

model::ScenarioDocument decoded(const json& scenario) {
    auto document = documents::decode_scenario(scenario);
    if (!document.issues.empty()) {
        throw std::runtime_error(document.issues.front().pointer + ": " + document.issues.front().message);
    }
    return std::move(document.document);
}

// Power in a line from nothing.
json line_to(double watts) { return {{"kind", "power"}, {"axis", "throughput_share"}, {"points", {{0, 0}, {1, watts}}}}; }

json one_server(const json& pool, int months, const json& finance) {
    json owned = {{"id", "own"},
                  {"kind", "owned"},
                  {"server",
                   {{"device", {{"kind", "gpu"}, {"tdp_w", 1000}, {"idle_w", 0}, {"power", line_to(1000)}}},
                    {"devices", 1},
                    {"price", 0},
                    {"life_months", 60}}},
                  {"site", {{"energy_price", 0}, {"carbon_g_per_kwh", 0}}},
                  {"purchases", {{{"month", 0}, {"servers", 1}}}}};
    owned.merge_patch(pool);
    const json work = {{"id", "work"},
                       {"kind", "inference"},
                       {"demand", {{"mean_per_s", 1}}},
                       {"runs_on", {{{"pool", "own"}, {"performance", {{"units_per_s", 1}}}}}}};
    return {{"start", "2027-01"}, {"months", months}, {"finance", finance}, {"workloads", {work}}, {"pools", {owned}}};
}

double period_rate(double rate) { return std::pow(1 + rate, 12) - 1; }

json extra_costs_of(const std::vector<double>& amounts, int apart) {
    json extras = json::array();
    for (std::size_t k = 0; k < amounts.size(); ++k) {
        extras.push_back(
            {{"name", "payment"}, {"per_month", amounts[k]}, {"from_month", static_cast<int>(k + 1) * apart - 1}, {"months", 1}});
    }
    return extras;
}

model::Investment investment_in(const std::vector<double>& flows, double discount_rate, int apart) {
    const int months = static_cast<int>(flows.size() - 1) * apart;
    std::vector<double> paid;
    for (std::size_t k = 1; k < flows.size(); ++k) {
        paid.push_back(-flows[k]);
    }
    const json finance = {{"discount_rate", discount_rate}};
    const json bought = {{"server", {{"price", -flows[0]}, {"life_months", months}}}, {"extra_costs", extra_costs_of(paid, apart)}};
    model::Variant project(decoded(one_server(bought, months, finance)));
    model::Variant nothing(decoded(one_server(json::object(), months, finance)));
    return model::investment_of(**project.evaluate(), **nothing.evaluate());
}

model::TimedCash cash_after_tax(const tests::Answer& answer) { return model::timed_cash(answer.compiled, answer.ledger, true); }

json step_curve(const std::string& axis, const json& points) {
    return {{"kind", "demand"}, {"axis", axis}, {"interpolation", "step"}, {"points", points}};
}

json load(const json& site, const json& kw, int months) {
    constexpr double kServerKw = 10;
    json scenario = one_server({{"server", {{"device", {{"tdp_w", 1000 * kServerKw}, {"power", line_to(1000 * kServerKw)}}}}},
                                {"site", site},
                                {"purchases", {{{"month", 0}, {"servers", 60}}}}},
                               months);
    json& demand = scenario["workloads"][0]["demand"];
    if (kw.is_number()) {
        demand["mean_per_s"] = kw.get<double>() / kServerKw;
    } else {
        demand["mean_per_s"] = 1 / kServerKw;
        demand["shape"] = kw;
    }
    return scenario;
}

double cost_in(const tests::Answer& answer, std::size_t month, model::Category category) {
    return answer.summary.months.at(month).by_category[at(category)].cost;
}

void expect_published(const std::string& name, const std::vector<double>& figures, const std::vector<double>& printed_ones,
                      Tolerance tolerance) {
    ASSERT_EQ(figures.size(), printed_ones.size()) << name;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        EXPECT_TRUE(is_published(fmt::format("{} {}", name, i + 1), figures[i], printed_ones[i], tolerance));
    }
}

} // namespace costcurve::golden
