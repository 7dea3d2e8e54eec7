// The table of upgrades, and the chain through it.
#include "server/documents/upgrades.hpp"

#include <array>

#include <nlohmann/json.hpp>

#include "server/documents/records.hpp"

namespace costcurve::documents {

namespace {

// Version 1 wrote every default out: 0 of a grid's carbon, and of a spot offer's interruptions_per_hour, was not stated.
void leave_out_zero(nlohmann::json& document, const char* field) {
    const auto found = document.find(field);
    if (found != document.end() && *found == 0.0) {
        document.erase(found);
    }
}
void leave_out_of_site(nlohmann::json& site) {
    if (site.is_object()) {
        leave_out_zero(site, "carbon_g_per_kwh");
    }
}
void leave_out_of_offer(nlohmann::json& offer) {
    if (!offer.is_object()) {
        return;
    }
    if (offer.value("purchase", "") == "spot") {
        leave_out_zero(offer, "interruptions_per_hour");
    }
    if (offer.contains("site")) {
        leave_out_of_site(offer["site"]);
    }
}
void leave_out_of_pools(nlohmann::json& scenario) {
    for (nlohmann::json& pool : scenario["pools"]) {
        if (pool.contains("offer")) {
            leave_out_of_offer(pool["offer"]);
        }
        if (pool.contains("site")) {
            leave_out_of_site(pool["site"]);
        }
    }
}

// Until version 2 a comparison that said nothing was of cost.
void compare_cost(nlohmann::json& comparison) {
    if (!comparison.contains("objective")) {
        comparison["objective"] = "cost";
    }
}

bool has_tpus(const nlohmann::json& pool) {
    for (const char* const holder : {"offer", "server"}) {
        const auto found = pool.find(holder);
        if (found != pool.end() && found->is_object() && found->contains("device") && found->at("device").is_object()) {
            return found->at("device").value("kind", "") == "tpu";
        }
    }
    return false;
}

// Until version 3 a replica could take devices of several hosts without a word. Slices of TPUs are one fabric over their hosts and
// go on so; others must say `spans_hosts` where they were measured that way.
void span_tpu_slices(nlohmann::json& scenario) {
    for (nlohmann::json& workload : scenario["workloads"]) {
        for (nlohmann::json& entry : workload["runs_on"]) {
            const auto performance = entry.find("performance");
            if (performance == entry.end() || !performance->is_object() || performance->value("devices", 1.0) <= 1.0) {
                continue;
            }
            for (const nlohmann::json& pool : scenario["pools"]) {
                if (pool.value("id", "") == entry.value("pool", "") && has_tpus(pool)) {
                    (*performance)["spans_hosts"] = true;
                }
            }
        }
    }
}

constexpr auto kUpgrades = std::to_array<Upgrade>({
    {1, storage::Kind::site, leave_out_of_site},
    {1, storage::Kind::offer, leave_out_of_offer},
    {1, storage::Kind::scenario, leave_out_of_pools},
    {2, storage::Kind::comparison, compare_cost},
    {3, storage::Kind::scenario, span_tpu_slices},
});

} // namespace

void upgrade(nlohmann::json& body, storage::Kind kind, int encoding) { upgrade(body, kind, encoding, kEncoding, kUpgrades); }

void upgrade(nlohmann::json& body, storage::Kind kind, int encoding, int to, std::span<const Upgrade> upgrades) {
    for (int from = encoding; from < to; ++from) {
        for (const Upgrade& row : upgrades) {
            if (row.from == from && row.kind == kind) {
                row.apply(body);
            }
        }
    }
}

} // namespace costcurve::documents
