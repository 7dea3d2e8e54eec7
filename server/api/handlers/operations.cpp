// Routes about the daemon itself, for operators and monitoring.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "model/documents/enum_names.hpp"
#include "model/ledger.hpp"
#include "server/answers/evaluate.hpp"
#include "server/answers/service_answers.hpp"
#include "server/api/assets.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/handlers/plan_gauges.hpp"
#include "server/api/openapi/openapi.hpp"
#include "server/api/operating_gauges.hpp"
#include "server/api/page_answer.hpp"
#include "server/api/request.hpp"
#include "server/api/routes.hpp"
#include "server/api/service.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/store_entries.hpp"

namespace costcurve::api {

namespace {

// Cost of every stored scenario, up to a number that a scrape can wait for; failed scenarios are counted.
std::vector<Gauge> headline_costs(Service& service) {
    constexpr std::size_t kMaxScenarios = 200;
    constexpr std::chrono::seconds kMaxTime{2};
    storage::ListQuery query;
    query.kind = storage::Kind::scenario;
    query.limit = kMaxScenarios;
    std::vector<Gauge> gauges;
    double failed = 0;
    documents::Source source(service.store, std::nullopt);
    const storage::Page page = source.snapshot()->list(query);
    const auto start = std::chrono::steady_clock::now();
    std::size_t tried = 0;
    for (; tried < page.items.size() && std::chrono::steady_clock::now() - start < kMaxTime; ++tried) {
        const std::string& id = page.items[tried].record.key.id;
        model::Result<model::ScenarioDocument> scenario = answers::resolve_stored(id, "", source);
        const model::Result<answers::Evaluated> evaluated =
            scenario ? answers::evaluate_resolved(std::move(*scenario)) : tl::unexpected(scenario.error());
        if (evaluated) {
            gauges.push_back({"costcurve_scenario_cost", "cost over the horizon of stored scenarios, the first 200 by id",
                              evaluated->summary.total.cost, false,
                              label("scenario", id) + "," + label("currency", evaluated->scenario.document().currency)});
            const bool is_early = std::chrono::steady_clock::now() - start < kMaxTime / 2;
            add_plan_gauges(gauges, id, *evaluated, service.store, service.store.now(), is_early);
        } else {
            ++failed;
        }
    }
    std::ranges::stable_sort(gauges, {}, &Gauge::name); // groups gauges of one name
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

// Gauges that depend on the store's content and the day. Recomputed by one scrape at a time if either changed; concurrent scrapes
// get the previous values.
std::vector<Gauge> gauges_of_content(Service& service) {
    constexpr std::int64_t kMicrosecondsPerDay = 86'400'000'000;
    const std::int64_t sequence = service.store.sequence();
    const std::int64_t day = service.store.now() / kMicrosecondsPerDay;
    {
        const std::lock_guard lock(service.headlines.mutex);
        const bool is_known = service.headlines.sequence == sequence && service.headlines.day == day;
        if (is_known || service.headlines.is_computing) {
            return service.headlines.gauges;
        }
        service.headlines.is_computing = true;
    }
    std::vector<Gauge> gauges;
    const auto thrown = failure::guarded([&] {
        gauges = store_gauges(service.store);
        const std::vector<Gauge> costs = headline_costs(service);
        gauges.insert(gauges.end(), costs.begin(), costs.end());
    });
    if (thrown) { // the other metrics matter most in this case
        failure::log_failure(service.log_error, thrown->what, "metrics");
    }
    const std::lock_guard lock(service.headlines.mutex);
    service.headlines.is_computing = false;
    if (thrown) {
        return service.headlines.gauges;
    }
    service.headlines.sequence = sequence;
    service.headlines.day = day;
    return service.headlines.gauges = std::move(gauges);
}

} // namespace

Attempt<http::Response> get_healthz(Service& /*service*/, const Call& /*call*/) {
    return json_answer(answers::encode_answer(answers::HealthAnswer{"alive"}));
}

Attempt<http::Response> get_readyz(Service& service, const Call& /*call*/) {
    service.store.check_writable(); // an exception becomes a 503
    return json_answer(answers::encode_answer(answers::ReadinessAnswer{"ready"}));
}

Attempt<http::Response> get_metrics(Service& service, const Call& /*call*/) {
    std::string text = service.metrics.text();
    if (service.transport_gauges) {
        write_gauges(text, service.transport_gauges());
    }
    write_gauges(text, {{"costcurve_sqlite_busy_total", "waits for a lock or a reader",
                         static_cast<double>(service.store.busy_count()), true}});
    write_gauges(text, operating_gauges(service));
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
    std::vector<storage::AuditEntry> entries = service.store.snapshot()->audit(*before, limit + 1);
    return page_answer<storage::AuditEntry>(std::move(entries), limit,
                                            [](const storage::AuditEntry& entry) { return entry.sequence; });
}

Attempt<http::Response> get_openapi(Service& /*service*/, const Call& /*call*/) {
    static const std::string text = openapi_document(routes());
    return json_answer(text);
}

Attempt<http::Response> get_fields(Service& /*service*/, const Call& /*call*/) {
    static const std::string text = encode_field_tables();
    return json_answer(text);
}

Attempt<http::Response> get_categories(Service& /*service*/, const Call& /*call*/) {
    std::vector<answers::CategoryAnswer> categories;
    for (std::size_t i = 0; i < model::kCategories; ++i) {
        const model::CategoryRow& row = model::kCategoryRows[i];
        categories.push_back({static_cast<model::Category>(i), row.label, {row.light, row.dark}, row.group});
    }
    return json_answer(answers::encode_answer(categories));
}

Attempt<http::Response> get_examples(Service& /*service*/, const Call& /*call*/) {
    std::vector<std::string_view> paths;
    for (const Asset& asset : assets()) {
        if (asset.path.starts_with("/examples/")) {
            paths.push_back(asset.path);
        }
    }
    return json_answer(answers::encode_answer(paths));
}

} // namespace costcurve::api
