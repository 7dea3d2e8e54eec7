// Each number of a document by itself, ten times and a tenth: what a table of one's own may bring.
#include <cmath>

#include "tests/api/distorted_documents.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

// Where an array begins, or a curve, other guards judge.
bool is_of_list(const json& document, const std::string& pointer) {
    for (std::size_t end = pointer.find('/', 1); end != std::string::npos; end = pointer.find('/', end + 1)) {
        const json& part = document[json::json_pointer(pointer.substr(0, end))];
        if (part.is_array() || (part.is_object() && part.contains("points"))) {
            return true;
        }
    }
    return false;
}

struct Distorted {
    std::string pointer;
    json document;
};

// That are still documents: within the ranges of their fields.
std::vector<Distorted> distorted(Kind kind, const json& document, double factor) {
    std::vector<Distorted> all;
    const json flat = document.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        if (!value.is_number() || value.get<double>() == 0.0 || is_of_list(document, pointer)) {
            continue;
        }
        json off = document;
        const double number = factor * value.get<double>();
        off[json::json_pointer(pointer)] =
            value.is_number_integer() && number == std::round(number) ? json(std::llround(number)) : json(number);
        if (documents::decode_document(kind, off).issues.empty()) {
            all.push_back({pointer, std::move(off)});
        }
    }
    return all;
}

TEST_F(DistortedDocuments, AreThoseWithOneNumberTenTimesOrATenth) {
    std::size_t tried = 0;
    std::map<std::string, std::size_t> landed;
    for (const Kind kind : {Kind::server, Kind::site, Kind::offer, Kind::endpoint, Kind::performance}) {
        std::map<std::string, std::size_t> of_pointer;
        for (const json& document : catalogue(kind)) {
            for (const double factor : {10.0, 0.1}) {
                for (const Distorted& it : distorted(kind, document, factor)) {
                    if (++of_pointer[it.pointer] > 6) {
                        continue;
                    }
                    ++tried;
                    if (held(kind, {it.document}).empty()) {
                        ++landed[fmt::format("{} {} x {}", storage::name_of(kind), it.pointer, factor)];
                    }
                }
            }
        }
    }
    std::string wrong;
    for (const auto& [what, count] : landed) {
        wrong += fmt::format("{}: {}\n", what, count);
    }
    EXPECT_EQ(wrong, "") << "of " << tried;
    EXPECT_GT(tried, 250U);
}

TEST_F(DistortedDocuments, AreNewServers) {
    const Documents servers = catalogue(Kind::server);
    expect_landing(Kind::server, servers, "as they are");
    Documents renamed_ones;
    for (const json& server : servers) {
        renamed_ones.push_back(renamed(server, server["id"].get<std::string>() + ".new"));
    }
    expect_landing(Kind::server, renamed_ones, "of other names");
    expect_held(Kind::server, all_scaled(renamed_ones, {"price"}, 0.1), "for a tenth");
    expect_held(Kind::server, all_scaled(renamed_ones, {"price"}, 10), "ten times");
    json server = renamed_ones.front();
    server["device"] = "nvidia.gb200"; // of which the catalogue has no server
    server["devices"] = 4;
    server["price"] = 240000;
    expect_landing(Kind::server, {server}, "of a new device");
    server["price"] = 24000;
    expect_held(Kind::server, {server}, "for a tenth");
    for (const auto& [field, value] : {std::pair("price_change_rate", json(0.9)), std::pair("life_months", json(480)),
                                       std::pair("residual_fraction", json(0.9)), std::pair("currency", json("XAF"))}) {
        json odd = renamed_ones.front();
        odd[field] = value;
        expect_held(Kind::server, {odd}, field);
    }
    json other = servers.front();
    other["device"] = "nvidia.a100-sxm4-80gb";
    expect_held(Kind::server, {other}, "another device");
}

TEST_F(DistortedDocuments, AreNumbersThatWereNotStated) {
    struct Case {
        Kind kind;
        const char* id;
        const char* field;
        json value;
    };
    const auto find = [](Kind kind, std::string_view id) {
        const Documents& all = catalogue(kind);
        return *std::ranges::find_if(all,
                                     [&](const json& it) { return it["id"].get<std::string>().find(id) != std::string::npos; });
    };
    for (const Case& it : {Case{Kind::offer, "digitalocean.1x-mi300x", "price_growth_rate", -0.9},
                           Case{Kind::offer, "runpod", "availability_fraction", 0.01},
                           Case{Kind::offer, "runpod", "interruptions_per_hour", 100},
                           Case{Kind::offer, "runpod", "egress_per_gb", 100},
                           Case{Kind::offer, "runpod", "storage_per_gb_month", 1000},
                           Case{Kind::offer, "runpod", "replacement_s", 1e6},
                           Case{Kind::endpoint, "llama-3.1-70b", "itl_s", 1e-6},
                           Case{Kind::site, "site.us-colo-virginia", "pue", 3},
                           Case{Kind::site, "site.us-colo-virginia", "space_per_rack_month", 100000},
                           Case{Kind::site, "site.us-colo-virginia", "demand_charge_per_kw_month", 100},
                           Case{Kind::site, "site.us-colo-virginia", "reactive", {{"per_kvarh", 1}}},
                           Case{Kind::site, "site.us-colo-virginia", "max_kw", 1},
                           Case{Kind::server, "dgx.8x-b200", "storage_price", 1000000},
                           Case{Kind::server, "dgx.8x-b200", "software_per_device_year", 45000},
                           Case{Kind::offer, "digitalocean.1x-mi300x", "price_growth_rate", -0.45},
                           Case{Kind::offer, "runpod.1x-mi300x", "interruptions_per_hour", 1},
                           Case{Kind::offer, "runpod.1x-mi300x", "availability_fraction", 0.25},
                           Case{Kind::endpoint,
                                "openrouter.llama-3.1-70b",
                                "provisioned",
                                {{"price_per_unit_hour", 0.01},
                                 {"minimum_units", 1},
                                 {"tokens_per_minute", {{"input", 1000000}, {"output", 100000}}}}},
                           Case{Kind::site, "site.us-colo-virginia", "country", "FR"},
                           Case{Kind::site, "site.us-colo-virginia", "energy_price_growth_rate", 0.9}}) {
        json document = find(it.kind, it.id);
        document[it.field] = it.value;
        expect_held(it.kind, {document}, it.field);
    }
}

TEST_F(DistortedDocuments, AreNewSites) {
    const Documents sites = catalogue(Kind::site);
    Documents others;
    for (const json& site : sites) {
        others.push_back(renamed(site, site["id"].get<std::string>() + ".new"));
    }
    expect_landing(Kind::site, others, "of other names");
    json cheap = others.front();
    for (const auto& [field, value] :
         {std::pair("space_per_kw_month", 10), std::pair("fte_per_server", 1), std::pair("energy_price", 5)}) {
        json odd = cheap;
        odd[field] = value;
        expect_held(Kind::site, {odd}, field);
    }
}

TEST_F(DistortedDocuments, AreHeldForAllTheirReasons) {
    const Documents& offers = catalogue(Kind::offer);
    json offer = *std::ranges::find_if(
        offers, [](const json& it) { return it["id"].get<std::string>().starts_with("digitalocean.1x-mi300x"); });
    offer["hourly_price"] = price_by_days({{kDistortedDay, 1.25}});
    offer["price_growth_rate"] = -0.9;
    const auto reasons = held(Kind::offer, {offer});
    ASSERT_EQ(reasons.size(), 1U);
    EXPECT_NE(reasons.begin()->second.find("its last price"), std::string::npos) << reasons.begin()->second;
    EXPECT_NE(reasons.begin()->second.find("its price_growth_rate of -0.9"), std::string::npos) << reasons.begin()->second;
    json server = catalogue(Kind::server).front();
    server["devices"] = server["devices"].get<int>() + 1;
    expect_held(Kind::server, {server}, "another number of devices");
    for (const Kind kind : {Kind::server, Kind::site}) {
        json other = catalogue(kind).front();
        other["currency"] = other["currency"] == "JPY" ? "INR" : "JPY";
        expect_held(kind, {other}, "another currency");
    }
}

// As no single step is.
TEST(HeldServers, AreThoseThatCreepWithinAMonth) {
    TestService service;
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb", R"({"kind": "gpu", "tdp_w": 700, "idle_w": 70})").status,
              201);
    const auto import_at = [&](double price) {
        const std::string body = fmt::format("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"map.yaml\"\r\n\r\n"
                                             "kind: server\ncolumns: {{note: Name, device: Card, price: Price}}\n"
                                             "constants: {{currency: USD, devices: 8, life_months: 48}}\nid: [note]\r\n"
                                             "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"list.csv\"\r\n\r\n"
                                             "Name,Card,Price\nours,H100 SXM5,{}\r\n--x--\r\n",
                                             price);
        return json::parse(
            service.ask("POST", "/v1/imports?format=columns", body, {{"content-type", "multipart/form-data; boundary=x"}}).body);
    };
    EXPECT_EQ(import_at(200000)["documents"]["added"], 1);
    EXPECT_EQ(import_at(120000)["documents"]["changed"], 1);
    const json third = import_at(80000);
    EXPECT_EQ(third["held"], 1) << third;
}

} // namespace
} // namespace costcurve::tests
