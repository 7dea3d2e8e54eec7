// What operators and programs ask about the daemon itself.
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
    storage::ListQuery query;
    query.kind = storage::Kind::scenario;
    query.limit = kMostScenarios;
    std::vector<Gauge> gauges;
    double failed = 0;
    work::Source source(service.store, std::nullopt);
    for (const storage::Revision& revision : source.snapshot()->list(query).items) {
        const std::string& id = revision.record.key.id;
        model::Result<Resolved> scenario = resolve_scenario(id, "", source);
        const model::Result<Evaluated> evaluated =
            scenario ? evaluate_resolved(std::move(*scenario)) : tl::unexpected(scenario.error());
        if (evaluated) {
            gauges.push_back({"costcurve_scenario_cost", "cost over the horizon of each stored scenario, the first 200",
                              evaluated->summary.total.cost, false,
                              label("scenario", id) + "," + label("currency", evaluated->scenario.document().currency)});
        } else {
            ++failed;
        }
    }
    gauges.push_back({"costcurve_scenarios_failing", "stored scenarios that can't be evaluated now", failed});
    return gauges;
}

std::vector<Gauge> cached_headlines(Service& service) {
    const std::lock_guard lock(service.headlines.mutex);
    const std::int64_t sequence = service.store.sequence();
    if (service.headlines.sequence != sequence) {
        service.headlines.gauges = headline_costs(service);
        service.headlines.sequence = sequence;
    }
    return service.headlines.gauges;
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
    gauges.push_back(
        {"costcurve_sqlite_busy_total", "waits for a lock or a reader", static_cast<double>(store.busy_count()), true});
    return gauges;
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
    write_gauges(text, store_gauges(service.store));
    write_gauges(text, cached_headlines(service));
    http::Response response;
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    response.body = std::move(text);
    return response;
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
