// Documents of the catalogue as new ones, and as they are stored, with one figure or several that are off: each is held. As they
// are, none is.
#include "tests/api/distorted_documents.hpp"

namespace costcurve::tests {
namespace {

struct DeviceCase {
    Names fields;
    std::vector<double> factors;
    bool is_of_family; // alone: of a chip of no family as much may be a larger one
};

TEST_F(DistortedDocuments, AreNewDevices) {
    Documents of_family;
    Documents of_nobody;
    for (const json& device : catalogue(Kind::device)) {
        if (!device.contains("memory_bandwidth_gb_per_s") || !device.contains("peak_flops") || !device.contains("memory_gib")) {
            continue;
        }
        const auto id = device["id"].get<std::string>();
        const std::size_t last = id.rfind('-');
        const bool has_memory = id.ends_with("gb") && last != std::string::npos;
        of_family.push_back(renamed(device, has_memory ? id.substr(0, last) + "-new" + id.substr(last) : id + "-new"));
        if (device["tdp_w"] >= 200 && device["memory_gib"] >= 16) { // smaller ones ten times as large are what larger ones are
            of_nobody.push_back(renamed(device, fmt::format("acme.chip{}", of_nobody.size())));
        }
    }
    EXPECT_GT(of_family.size(), 20U) << "else it says little";
    EXPECT_GT(of_nobody.size(), 20U);
    expect_landing(Kind::device, of_family, "of a family");
    expect_landing(Kind::device, of_nobody, "of nobody");
    const Names sizes = {"memory_gib", "memory_bandwidth_gb_per_s", "tdp_w", "peak_flops"};
    const auto cases = std::to_array<DeviceCase>({
        {sizes, {10, 100}, false},
        {sizes, {3, 5, 0.1, 0.2, 0.01}, true},
        {{"memory_gib", "memory_bandwidth_gb_per_s"}, {10, 100}, false},
        {{"memory_gib"}, {3, 10, 100, 0.1}, true},
        {{"memory_bandwidth_gb_per_s"}, {3, 10, 100, 0.1}, true},
        {{"peak_flops"}, {3, 10, 100, 0.1}, true},
        {{"tdp_w"}, {0.1, 0.2, 10}, true},
    });
    for (const DeviceCase& of : cases) {
        for (const double factor : of.factors) {
            const std::string what = fmt::format("{} and so on times {}", of.fields.front(), factor);
            expect_held(Kind::device, all_scaled(of_family, of.fields, factor), what);
            if (!of.is_of_family) {
                expect_held(Kind::device, all_scaled(of_nobody, of.fields, factor), what);
            }
        }
    }
    for (json& device : of_nobody) {
        device["peak_flops"] = {{"fp6", 1e17}};
    }
    expect_held(Kind::device, of_nobody, "a precision that no other has");
}

struct StoredCase {
    Kind kind;
    std::string field;
};

TEST_F(DistortedDocuments, AreStoredOnes) {
    for (const auto& [kind, field] :
         {StoredCase{Kind::device, "memory_gib"}, StoredCase{Kind::device, "memory_bandwidth_gb_per_s"},
          StoredCase{Kind::device, "tdp_w"}, StoredCase{Kind::device, "peak_flops"}, StoredCase{Kind::model, "active_parameters"},
          StoredCase{Kind::model, "layers"}, StoredCase{Kind::performance, "units_per_s"}, StoredCase{Kind::performance, "itl_s"},
          StoredCase{Kind::performance, "ttft_s"}}) {
        Documents documents;
        for (const json& document : catalogue(kind)) {
            const bool is_by_itself = document.contains(field) && !document[field].is_string() && !document[field].empty();
            if (is_by_itself && documents.size() < 40 &&
                (kind != Kind::performance || document.contains("batch") || document.contains("concurrency") ||
                 field == "units_per_s")) {
                documents.push_back(document);
            }
        }
        expect_landing(kind, documents, field);
        for (const double factor : {10.0, 100.0, 0.1, 0.01}) {
            if (kind == Kind::model && (field == "active_parameters" ? factor > 1.0 : factor < 1.0)) {
                continue; // more of them active than there are, or no whole layer: no document
            }
            expect_held(kind, all_scaled(documents, {field}, factor), fmt::format("{} times {}", field, factor));
        }
    }
}

// Of one request, at several loads.
Documents measured_series(const Documents& measurements) {
    Documents found;
    for (const json& it : measurements) {
        const json& points = it["points"];
        const auto is_one = [&](const char* column) {
            return !points.contains(column) || std::set<double>(points[column].begin(), points[column].end()).size() == 1;
        };
        if (points.contains("concurrency") && points["concurrency"].size() >= 4 && points.contains("output_per_s") &&
            !it.contains("doubt") && it.value("kind", "") != "disaggregated" && is_one("input") && is_one("output") &&
            found.size() < 25) {
            found.push_back(it);
        }
    }
    return found;
}

TEST_F(DistortedDocuments, ArePointsBesideTrueOnes) {
    const Documents series = measured_series(catalogue(Kind::measurement));
    expect_landing(Kind::measurement, series, "as they are");
    for (const double factor : {100.0, 10.0, 0.1, 0.01}) {
        Documents documents;
        for (json it : series) {
            for (auto& [name, values] : it["points"].items()) {
                values.push_back(values.back());
            }
            it["points"]["concurrency"].back() = 2.0 * it["points"]["concurrency"].back().get<double>();
            it["points"]["output_per_s"].back() = factor * it["points"]["output_per_s"].back().get<double>();
            documents.push_back(std::move(it));
        }
        expect_held(Kind::measurement, documents, fmt::format("a new rate times {}", factor));
    }
    Documents curves;
    for (const json& it : catalogue(Kind::curve)) {
        if ((it["kind"] == "throughput" || it["kind"] == "latency") && it["axis"] == "batch") {
            curves.push_back(it);
        }
    }
    expect_landing(Kind::curve, curves, "as they are");
    for (const double factor : {30.0, 0.05}) {
        Documents beyond, between;
        for (const json& it : curves) {
            json one = it;
            one["points"].push_back({2.0 * it["points"].back()[0].get<double>(), factor * it["points"].back()[1].get<double>()});
            beyond.push_back(std::move(one));
            const double middle = (it["points"][1][0].get<double>() + it["points"][2][0].get<double>()) / 2.0;
            one = it;
            one["points"].insert(one["points"].begin() + 2, json{middle, factor * it["points"][1][1].get<double>()});
            between.push_back(std::move(one));
        }
        expect_held(Kind::curve, beyond, fmt::format("a point beyond, times {}", factor));
        expect_held(Kind::curve, between, fmt::format("a point between, times {}", factor));
    }
}

TEST_F(DistortedDocuments, AreTimesOfNewPerformancesAndWatts) {
    Documents served;
    for (const json& it : catalogue(Kind::performance)) {
        if (it.contains("mix") && it.contains("itl_s") && it["units_per_s"].is_number() &&
            (it.contains("batch") || it.contains("concurrency")) &&
            !it["id"].get<std::string>().starts_with("inference-perf.") && // whose rates and loads are not of one run
            it["mix"]["input"] <= 4 * it["mix"]["output"].get<double>()) {
            served.push_back(renamed(it, "acme." + it["id"].get<std::string>()));
        }
    }
    expect_landing(Kind::performance, served, "as they are");
    for (const double factor : {100.0, 10.0, 0.1, 0.01}) {
        expect_held(Kind::performance, all_scaled(served, {"itl_s", "ttft_s"}, factor), fmt::format("times {}", factor));
        expect_held(Kind::performance, all_scaled(served, {"itl_s"}, factor), fmt::format("time between tokens {}", factor));
    }
    Documents measured;
    for (const json& it : catalogue(Kind::measurement)) {
        if (it["points"].contains("watts") && !it.contains("doubt") && measured.size() < 20) {
            measured.push_back(renamed(it, "acme." + it["id"].get<std::string>()));
        }
    }
    expect_landing(Kind::measurement, measured, "as they are");
    for (const double factor : {100.0, 10.0, 0.05, 0.01}) {
        Documents documents = measured;
        for (json& it : documents) {
            it["points"]["watts"] = scaled(it["points"]["watts"], factor);
        }
        expect_held(Kind::measurement, documents, fmt::format("watts times {}", factor));
    }
}

TEST_F(DistortedDocuments, ArePowerAndPricesOfCurves) {
    Documents power;
    for (const json& it : catalogue(Kind::curve)) {
        if (it["kind"] == "power" && it["points"].size() > 3) {
            power.push_back(it);
        }
    }
    expect_landing(Kind::curve, power, "as they are");
    for (const double factor : {100.0, 10.0, 3.0, 0.1}) {
        Documents documents;
        for (const json& it : power) {
            documents.push_back(scaled(it, factor));
        }
        expect_held(Kind::curve, documents, fmt::format("power times {}", factor));
    }
    for (const double factor : {0.01, 0.1, 0.2, 5.0, 100.0}) {
        json curve = price_by_days({{"2026-09-01", 2.0}, {"2026-10-01", 2.0 * factor}, {kDistortedDay, 2.0}});
        curve["id"] = "price.acme";
        curve["currency"] = "USD";
        expect_held(Kind::curve, {curve}, fmt::format("a price times {}", factor));
    }
}

} // namespace
} // namespace costcurve::tests
