// What operators and programs ask about the daemon itself.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/assets.hpp"
#include "server/api/evaluate_scenario.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/openapi.hpp"
#include "server/api/request.hpp"
#include "server/api/routes.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

// The cost of every stored scenario, up to a number that a scrape can wait for; those that fail are counted.
std::vector<Gauge> headline_costs(Service& service) {
    constexpr std::size_t kMostScenarios = 200;
    constexpr std::chrono::seconds kMostTime{2};
    storage::ListQuery query;
    query.kind = storage::Kind::scenario;
    query.limit = kMostScenarios;
    std::vector<Gauge> gauges;
    double failed = 0;
    work::Source source(service.store, std::nullopt);
    const storage::Page page = source.snapshot()->list(query);
    const auto start = std::chrono::steady_clock::now();
    std::size_t tried = 0;
    for (; tried < page.items.size() && std::chrono::steady_clock::now() - start < kMostTime; ++tried) {
        const std::string& id = page.items[tried].record.key.id;
        model::Result<model::ScenarioDocument> scenario = resolve_scenario(id, "", source);
        const model::Result<Evaluated> evaluated =
            scenario ? evaluate_resolved(std::move(*scenario)) : tl::unexpected(scenario.error());
        if (evaluated) {
            gauges.push_back({"costcurve_scenario_cost", "cost over the horizon of stored scenarios, the first 200 by id",
                              evaluated->summary.total.cost, false,
                              label("scenario", id) + "," + label("currency", evaluated->scenario.document().currency)});
        } else {
            ++failed;
        }
    }
    gauges.push_back({"costcurve_scenarios_failing", "of these, scenarios that can't be evaluated now", failed});
    gauges.push_back({"costcurve_scenarios_left_out", "1 where more scenarios are stored than were evaluated in time",
                      tried < page.items.size() || page.more ? 1.0 : 0.0});
    return gauges;
}

std::vector<Gauge> store_gauges(const storage::Store& store) {
    const storage::StoreCounts counts = store.counts();
    std::vector<Gauge> gauges;
    for (std::size_t i = 0; i < counts.documents.size(); ++i) {
        gauges.push_back({"costcurve_documents", "stored documents", static_cast<double>(counts.documents[i]), false,
                          label("kind", storage::kind_names[i])});
    }
    gauges.push_back({"costcurve_revisions_total", "revisions ever stored", static_cast<double>(counts.revisions), true});
    gauges.push_back({"costcurve_points", "curve points stored", static_cast<double>(counts.points)});
    gauges.push_back({"costcurve_database_bytes", "size of the database file", static_cast<double>(counts.bytes)});
    return gauges;
}

// What changes with the store only: computed again where it has changed, by one scrape at a time; others get what is there.
std::vector<Gauge> gauges_of_content(Service& service) {
    const std::int64_t sequence = service.store.sequence();
    {
        const std::lock_guard lock(service.headlines.mutex);
        if (service.headlines.sequence == sequence || service.headlines.is_computing) {
            return service.headlines.gauges;
        }
        service.headlines.is_computing = true;
    }
    std::vector<Gauge> gauges;
    try {
        gauges = store_gauges(service.store);
        const std::vector<Gauge> costs = headline_costs(service);
        gauges.insert(gauges.end(), costs.begin(), costs.end());
    } catch (...) {
        const std::lock_guard lock(service.headlines.mutex);
        service.headlines.is_computing = false;
        throw;
    }
    const std::lock_guard lock(service.headlines.mutex);
    service.headlines.is_computing = false;
    service.headlines.sequence = sequence;
    return service.headlines.gauges = std::move(gauges);
}

} // namespace

Attempt<http::Response> get_healthz(Service& /*service*/, const Call& /*call*/) { return json_answer(R"({"status":"alive"})"); }

Attempt<http::Response> get_readyz(Service& service, const Call& /*call*/) {
    service.store.check_writable(); // what it throws becomes a 503
    return json_answer(R"({"status":"ready"})");
}

Attempt<http::Response> get_metrics(Service& service, const Call& /*call*/) {
    std::string text = service.metrics.text();
    if (service.transport_gauges) {
        write_gauges(text, service.transport_gauges());
    }
    write_gauges(text, {{"costcurve_sqlite_busy_total", "waits for a lock or a reader",
                         static_cast<double>(service.store.busy_count()), true}});
    write_gauges(text, gauges_of_content(service));
    http::Response response;
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    response.body = std::move(text);
    return response;
}

Attempt<http::Response> get_audit(Service& service, const Call& call) {
    const Attempt<std::int64_t> before = number_cursor(call);
    if (!before) {
        return tl::unexpected(before.error());
    }
    const std::size_t limit = page_limit(call);
    std::vector<storage::AuditEntry> entries = service.store.snapshot().audit(*before, limit + 1);
    const bool more = entries.size() > limit;
    entries.resize(std::min(entries.size(), limit));
    JsonWriter out;
    out.begin_object().key("items").begin_array();
    for (const storage::AuditEntry& entry : entries) {
        out.begin_object().member("sequence", static_cast<double>(entry.sequence)).member("recorded_at", entry.recorded_at);
        out.member("author", entry.author).member("request_id", entry.request_id);
        out.member("action", entry.action).member("subject", entry.subject).end_object();
    }
    out.end_array().key("next");
    if (more) {
        out.value(std::to_string(entries.back().sequence));
    } else {
        out.null();
    }
    out.end_object();
    return json_answer(out.take());
}

Attempt<http::Response> get_openapi(Service& /*service*/, const Call& /*call*/) {
    static const std::string text = openapi_document(routes());
    return json_answer(text);
}

Attempt<http::Response> get_fields(Service& /*service*/, const Call& /*call*/) { return json_answer(encode_fields()); }

Attempt<http::Response> get_examples(Service& /*service*/, const Call& /*call*/) {
    JsonWriter out;
    out.begin_array();
    for (const Asset& asset : assets()) {
        if (asset.path.starts_with("/examples/")) {
            out.value(asset.path);
        }
    }
    out.end_array();
    return json_answer(out.take());
}

} // namespace costcurve::api
