// New documents beside equal conditions: what others measured of the same model on the same devices, what a device costs to buy and
// own, what an instance draws, what a model's name says. As they are published they land, ten times off they are held.
#include "server/ingest/plausible/named_size.hpp"
#include "tests/api/distorted_documents.hpp"

namespace costcurve::tests {
namespace {

// Without what contradicts a false rate: times, watts.
json rates_alone(json measurement) {
    for (const char* const column : {"ttft_s", "itl_s", "e2e_s", "watts"}) {
        measurement["points"].erase(column);
    }
    measurement.erase("percentiles");
    return measurement;
}

TEST_F(DistortedDocuments, AreRatesBesideEqualConditions) {
    Documents measured;
    for (const json& it : catalogue(Kind::measurement)) {
        const std::string kind = it.value("kind", "serving");
        const bool is_odd = it["id"].get<std::string>().find("qwen3-32b.1x-h100-sxm5-80gb.bf16.sglang") != std::string::npos;
        if (!it.contains("doubt") && kind != "prefill" && kind != "static_batch" && !is_odd) { // it is a quarter of others
            measured.push_back(renamed(rates_alone(it), fmt::format("acme.{}", measured.size())));
        }
    }
    const auto odd = held(Kind::measurement, measured); // by the step model, and of runs that take more than their devices do
    std::erase_if(measured, [&](const json& it) { return odd.contains(it["id"]); });
    for (const auto& [id, reason] : odd) {
        EXPECT_EQ(reason.find("stored of the same"), std::string::npos) << id << reason;
    }
    EXPECT_GT(measured.size(), 1000U);
    for (const double factor : {10.0, 0.1}) {
        Documents documents = measured;
        for (json& it : documents) {
            for (const char* const column : {"output_per_s", "tokens_per_s"}) {
                if (it["points"].contains(column)) {
                    it["points"][column] = scaled(it["points"][column], factor);
                }
            }
        }
        const auto reasons = held(Kind::measurement, documents);
        std::string landed;
        for (const json& it : documents) {
            landed += reasons.contains(it["id"]) ? ""
                                                 : fmt::format(" {} {} {}", it.value("kind", ""), it["model"].get<std::string>(),
                                                               it["device"].get<std::string>());
        }
        EXPECT_EQ(landed, "") << "rates times " << factor;
    }
}

TEST_F(DistortedDocuments, ArePerformancesOfATaskOnTheSameDevices) {
    Documents performances;
    for (const json& it : catalogue(Kind::performance)) {
        const auto id = it["id"].get<std::string>();
        if (it.contains("units_per_s") && it["units_per_s"].is_number() && id.size() < 120 &&
            (id.starts_with("mlperf") || id.starts_with("lambda."))) {
            performances.push_back(renamed(it, id + ".acme"));
            performances.back().erase("measurement");
        }
    }
    EXPECT_GT(performances.size(), 80U);
    expect_landing(Kind::performance, performances, "of another submitter");
    expect_landing(Kind::performance, all_scaled(performances, {"units_per_s"}, 2.0), "whose software is better");
    for (const double factor : {14.0, 10.0, 0.1, 0.07}) {
        expect_held(Kind::performance, all_scaled(performances, {"units_per_s"}, factor), fmt::format("units/s times {}", factor));
    }
}

json price_on(const std::string& id, const std::string& day, double price) {
    json curve = price_by_days({{day, price}});
    curve["id"] = id;
    curve["currency"] = "USD";
    return curve;
}

TEST_F(DistortedDocuments, ArePricesOfBuyingAndOwning) {
    Documents bought, off, dear, owned, owned_off;
    for (const json& device : catalogue(Kind::device)) {
        const double bandwidth = device.value("memory_bandwidth_gb_per_s", 0.0);
        const double memory = device.value("memory_gib", 0.0);
        if (bandwidth < 100 || memory <= 0 || bandwidth / memory > 90) {
            continue;
        }
        const auto id = device["id"].get<std::string>();
        const std::string curve = "hardware." + id + ".2x";
        const double usual = 5.3 * bandwidth; // USD
        bought.push_back(price_on(curve, "2026-01-01", usual));
        off.push_back(price_on(curve, "2026-01-01", usual / 10));
        dear.push_back(price_on(curve, "2026-01-01", usual * 10));
        const std::string tco = "tco.acme." + id.substr(id.find('.') + 1) + ".neocloud";
        owned.push_back(price_on(tco, "2026-01-01", 0.25e-3 * bandwidth));
        owned_off.push_back(price_on(tco, "2026-01-01", 0.25e-4 * bandwidth));
        owned_off.push_back(price_on(tco + "-2", "2026-01-01", 0.25e-2 * bandwidth));
    }
    EXPECT_GT(bought.size(), 40U);
    expect_landing(Kind::curve, bought, "bought");
    expect_landing(Kind::curve, owned, "owned");
    expect_held(Kind::curve, off, "for a tenth");
    expect_held(Kind::curve, dear, "ten times");
    expect_held(Kind::curve, owned_off, "owned ten times off");
    const std::string h200 = "hardware.nvidia.h200-sxm-141gb.8x"; // 33,820 of 2024-03-27
    expect_landing(Kind::curve, {price_on(h200, "2025-03-01", 28000)}, "a year later");
    expect_landing(Kind::curve, {price_on("hardware.nvidia.h200-sxm-141gb", "2025-03-01", 22000)}, "one alone");
    expect_held(Kind::curve, {price_on(h200, "2025-03-01", 300000)}, "nine times");
    expect_held(Kind::curve, {price_on(h200, "2025-03-01", 3382)}, "a tenth");
    expect_held(Kind::curve, {price_on("hardware.nvidia.h200-sxm-141gb", "2025-03-01", 3382)}, "one alone for a tenth");
    expect_held(Kind::curve, {price_on("hardware.nvidia.b200-sxm-180gb.8x", "2025-03-01", 3000)}, "a B200 for 3,000");
    expect_held(Kind::curve, {price_on("hardware.amd.mi300x", "2025-03-01", 1500)}, "an MI300X for 1,500");
}

TEST_F(DistortedDocuments, AreChargesOfSites) {
    const Documents sites = catalogue(Kind::site);
    const Names charges = {"demand_charge_per_kw_month", "space_per_kw_month",   "space_per_rack_month", "salary_per_year",
                           "network_per_month",          "facility_price_per_w", "storage_per_month"};
    Documents charging;
    std::ranges::copy_if(sites, std::back_inserter(charging), [&](const json& site) {
        return std::ranges::any_of(charges, [&](const auto& name) { return site.value(name, 0.0) > 0.0; });
    });
    expect_landing(Kind::site, sites, "as they are");
    expect_landing(Kind::site, all_scaled(charging, charges, 1.8), "a dear revision");
    expect_held(Kind::site, all_scaled(charging, charges, 0.1), "for a tenth");
    expect_held(Kind::site, all_scaled(charging, charges, 10), "ten times");
    // Consolidated Edison's SC 9 of 2025 in zone J
    json dearest = renamed(sites.front(), "site.sc9");
    dearest["currency"] = "USD";
    dearest["demand_charges"] = {{{"per_kw_month", 26.2}, {"months", {6, 7, 8, 9}}},
                                 {{"per_kw_month", 27.4}, {"months", {6, 7, 8, 9}}},
                                 {{"per_kw_month", 50.18}, {"months", {6, 7, 8, 9}}},
                                 {{"per_kw_month", 27.75}, {"months", {1, 2, 3, 4, 5, 10, 11, 12}}}};
    expect_landing(Kind::site, {dearest}, "a new one");
    dearest["riders"] = {{{"name", "fuel"}, {"per_kwh", 0.03}}, {{"name", "tax"}, {"fraction_of_bill", 0.2}}};
    expect_landing(Kind::site, {dearest}, "riders");
    json fuel = dearest;
    fuel["riders"][0]["per_kwh"] = 3.0;
    expect_held(Kind::site, {fuel}, "cents a kWh for dollars");
    dearest["minimum_bill"] = {{"per_month", 5000}, {"per_kw_month", 8}};
    store(Kind::site, dearest);
    for (const auto& [pointer, factor] : // one number, which the others would hide in their sum
         {std::pair("/demand_charges/0/per_kw_month", 0.1), std::pair("/demand_charges/3/per_kw_month", 0.1),
          std::pair("/minimum_bill/per_month", 3.0), std::pair("/minimum_bill/per_kw_month", 0.3),
          std::pair("/riders/0/per_kwh", 10.0), std::pair("/riders/1/fraction_of_bill", 4.5)}) {
        json revised = dearest;
        json& number = revised[json::json_pointer(pointer)];
        const auto stated = number.get<double>();
        number = stated * factor;
        expect_held(Kind::site, {revised}, pointer);
        number = stated * 1.4;
        expect_landing(Kind::site, {revised}, pointer);
    }
    dearest["demand_charges"][0]["per_kw_month"] = 2620;
    expect_held(Kind::site, {dearest}, "cents for dollars");
}

TEST_F(DistortedDocuments, AreTariffsThatAreReadAgain) {
    json tariff = {
        {"id", "tariff.sc9"}, {"kind", "tariff"}, {"axis", "hour_of_day"}, {"currency", "USD"}, {"points", json::array()}};
    for (int hour = 0; hour < 24; ++hour) {
        tariff["points"].push_back({hour, hour >= 16 && hour < 21 ? 0.25 : hour < 6 ? 0.06 : 0.1});
    }
    store(Kind::curve, tariff);
    const auto with_hours = [&](int from, int to, double factor) {
        json revised = tariff;
        for (int hour = from; hour < to; ++hour) {
            revised["points"][static_cast<std::size_t>(hour)][1] =
                factor * tariff["points"][static_cast<std::size_t>(hour)][1].get<double>();
        }
        return revised;
    };
    for (const double factor : {0.6, 0.9, 1.2, 1.8}) {
        expect_landing(Kind::curve, {scaled(tariff, factor)}, fmt::format("all by {}", factor));
    }
    expect_landing(Kind::curve, {with_hours(16, 21, 1.6)}, "a dearer peak");
    for (const double factor : {0.1, 0.4, 2.5, 10.0}) { // an adjustment of ten times is three times the price
        expect_held(Kind::curve, {scaled(tariff, factor)}, fmt::format("all by {}", factor));
    }
    expect_held(Kind::curve, {with_hours(16, 21, 3.5)}, "the peak's hours");
    expect_held(Kind::curve, {with_hours(0, 6, 0.1)}, "the cheapest hours");
    json next_year = scaled(tariff, 3); // a crisis
    store(Kind::curve, renamed(tariff, "tariff.xx-2021"));
    expect_landing(Kind::curve, {renamed(next_year, "tariff.xx-2022")}, "another year's");
}

json watts_of(const std::string& instance, double most) {
    return {{"id", "power." + instance + ".ccf"},
            {"kind", "power"},
            {"axis", "throughput_share"},
            {"points", {{0.0, most / 4}, {0.1, most / 2.3}, {0.5, most / 1.35}, {1.0, most}}}};
}

TEST_F(DistortedDocuments, AreWattsOfInstances) {
    Documents instances;
    const auto sizes = std::to_array<std::pair<const char*, double>>(
        {{"large", 2}, {"xlarge", 4}, {"2xlarge", 8}, {"4xlarge", 16}, {"12xlarge", 48}, {"24xlarge", 96}});
    for (const char* const family : {"c6i", "m7g", "r6a", "x2"}) {
        for (const auto& [size, cpus] : sizes) {
            instances.push_back(watts_of(fmt::format("aws-{}-{}", family, size), 9 * cpus));
        }
    }
    instances.push_back(watts_of("gcp-n1-standard-8", 70));
    expect_landing(Kind::curve, instances, "as they are");
    for (const double factor : {10.0, 0.1}) {
        for (const json& it : instances) { // one of the list
            Documents documents = instances;
            const auto place = static_cast<std::size_t>(&it - instances.data());
            documents[place] = scaled(it, factor);
            const auto reasons = held(Kind::curve, documents);
            EXPECT_TRUE(reasons.contains(it["id"])) << it["id"] << factor;
            EXPECT_EQ(reasons.size(), 1U) << it["id"] << factor;
        }
        Documents all;
        for (const json& it : instances) {
            all.push_back(scaled(it, factor));
        }
        expect_held(Kind::curve, all, "the whole list");
    }
}

TEST_F(DistortedDocuments, AreModelsWhoseNameSaysAnotherSize) {
    Documents named, models;
    for (const json& it : catalogue(Kind::model)) {
        json model = renamed(it, "acme-" + it["id"].get<std::string>());
        model.erase("aliases");
        models.push_back(model);
        EXPECT_EQ(ingest::reason_of_named_size(it["id"], it["parameters"], it["active_parameters"]), "");
        for (const auto& alias : it.value("aliases", json::array())) {
            EXPECT_EQ(ingest::reason_of_named_size(alias, it["parameters"], it["active_parameters"]), "") << it["id"];
        }
    }
    expect_landing(Kind::model, models, "as they are");
    struct NameCase {
        const char* name;
        double parameters, active;
        bool fits;
    };
    constexpr auto kNames = std::to_array<NameCase>({
        {"llama-3_1-70b-chat", 70.6e9, 70.6e9, true},
        {"llama-3_1-70b-chat", 8.9e9, 8.9e9, false},
        {"Meta-Llama-3.1-70B-Instruct-AWQ-INT4", 70.6e9, 70.6e9, true},
        {"llama-3.1-70b-w4a16", 70.6e9, 70.6e9, true},
        {"mixtral-8x7b", 46.7e9, 12.9e9, true},
        {"mixtral-8x22b", 140.6e9, 39.2e9, true},
        {"mixtral-8x22b", 14.06e9, 3.9e9, false},
        {"qwen3-235b-a22b", 235.1e9, 22.2e9, true},
        {"qwen3-235b-a22b", 235.1e9, 2.2e9, false},
        {"qwen3-30b-a3b", 30.5e9, 3.35e9, true},
        {"qwen1.5-moe-a2.7b", 14.3e9, 2.69e9, true},
        {"llama-4-scout-17b-16e", 108.6e9, 17e9, true},
        {"gemma-3n-e4b", 7.85e9, 7.85e9, true},
        {"qwen2.5-1.5b", 1.54e9, 1.54e9, true},
        {"stablelm-2-1_6b", 1.64e9, 1.64e9, true},
        {"gte-qwen2-1.5b", 1.78e9, 1.78e9, true},
        {"qwen3-embedding-0.6b", 0.596e9, 0.596e9, true},
        {"nomic-embed-text-137m", 0.137e9, 0.137e9, true},
        {"mpt-350m", 3.5e9, 3.5e9, false},
        {"qwen2.5-14b-1m", 14.77e9, 14.77e9, true},
        {"mpt-7b-1t", 6.65e9, 6.65e9, true},
        {"kimi-k2-1t", 1.026e12, 32.9e9, true},
        {"kimi-k2-1t", 1.026e11, 32.9e9, false},
        {"deepseek-v3-671b", 671e9, 37.6e9, true},
        {"deepseek-v3-671b", 67.1e9, 37.6e9, false},
        {"command-r7b-12-2024", 8e9, 8e9, true},
        {"gpt-4-128k", 1e12, 1e11, true},
        {"olmoe-1b-7b", 6.9e9, 1.3e9, true},
    });
    for (const NameCase& it : kNames) {
        EXPECT_EQ(ingest::reason_of_named_size(it.name, it.parameters, it.active).empty(), it.fits) << it.name;
    }
    EXPECT_EQ(ingest::reason_of_named_size("llama-3_1-70b-chat", 8.947e9, 8.947e9),
              "its name llama-3_1-70b-chat says 70b, and it has 8.947e+09 parameters: is a figure of it wrong, or the name?");
}

} // namespace
} // namespace costcurve::tests
