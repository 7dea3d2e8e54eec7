// The route table: every path and method with its parameters, required role and possible answers.
#include "server/api/routes.hpp"

#include <array>
#include <string>
#include <vector>

#include "model/documents/automation.hpp"
#include "model/documents/documents.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/handlers/questions.hpp"
#include "server/api/request.hpp"
#include "server/api/tables.hpp"
#include "server/import/importer.hpp"
#include "server/import/telemetry/telemetry_metrics.hpp"
#include "server/storage/event.hpp"

namespace costcurve::api {

namespace {

using storage::Role;

constexpr Parameter kId{"id", "path", "string", "the document's id", 0, 0, "^[a-z0-9][a-z0-9._-]{0,127}$"};
constexpr Parameter kAsOf{"as_of", "query", "string",
                          "the store as it was known then: a time of RFC 3339, or @ and a change's number"};
constexpr Parameter kLimit{"limit", "query", "integer", "most items of a page; default 100", 1, 1000};
constexpr Parameter kAfter{"after", "query", "string", "the cursor that `next` of the page before gave"};
constexpr Parameter kSearchText{"q", "query", "string", "in the id, the names or the note; case is ignored"};
constexpr Parameter kOfDevice{"device", "query", "string", "offers of this device's id, or measurements on it"};
constexpr Parameter kIfMatch{"If-Match", "header", "string", "write only where this is the document's ETag"};
constexpr Parameter kIfNoneMatch{"If-None-Match", "header", "string",
                                 "read: 304 where this is its ETag; write: * for a new one only"};
constexpr Parameter kIdempotency{kIdempotencyKey, "header", "string",
                                 "what writes or queues a job is done once for the same key and body within a day; a question is "
                                 "answered again"};

constexpr std::span<const Parameter> kNoParameters;
constexpr auto kListParameters = std::to_array<Parameter>({kLimit, kAfter, kSearchText, kAsOf});
constexpr auto kOfferListParameters = std::to_array<Parameter>({
    kLimit,
    kAfter,
    kSearchText,
    kAsOf,
    {"provider", "query", "string", "offers of this provider"},
    {"region", "query", "string", "offers in this region"},
    kOfDevice,
    {"purchase", "query", "string", "on_demand, spot, reserved, committed or dedicated", 0, 0, "",
     model::enum_names<model::Purchase>},
    {"max_hourly_price", "query", "number", "at most this an hour, in the offer's currency; of a curve, its last point", -1e15,
     1e15},
});
constexpr auto kMeasurementListParameters = std::to_array<Parameter>({
    kLimit,
    kAfter,
    kSearchText,
    kAsOf,
    {"model", "query", "string", "measurements of this model's id"},
    kOfDevice,
    {"measurement_kind", "query", "string", "how it was measured", 0, 0,
     "^(serving|static_batch|disaggregated|offline|server|interactive|prefill|training)$"},
    {"precision", "query", "string", "of the weights", 0, 0, "^(bf16|fp16|fp8|int8|fp4|int4|tf32|fp32)$"},
    {"publisher", "query", "string", "measured or published by this one; case is ignored"},
    {"source", "query", "string", "in the source; case is ignored"},
    {"own", "query", "boolean", "true: of your own machines; false: published ones"},
    {"from", "query", "string", "measured on this day or later, YYYY-MM-DD", 0, 0, "date"},
    {"to", "query", "string", "measured on this day or before, YYYY-MM-DD", 0, 0, "date"},
});
constexpr auto kGetParameters = std::to_array<Parameter>({kId, kAsOf, kIfNoneMatch});
constexpr auto kPutParameters = std::to_array<Parameter>({kId, kIfMatch, kIfNoneMatch});
constexpr auto kDeleteParameters = std::to_array<Parameter>({kId, kIfMatch});
constexpr auto kRevisionParameters = std::to_array<Parameter>({kId, kLimit, kAfter, kAsOf});
constexpr auto kAuditParameters = std::to_array<Parameter>({kLimit, kAfter});
constexpr auto kQuestionParameters = std::to_array<Parameter>({kIdempotency});
constexpr auto kTelemetryParameters = std::to_array<Parameter>(
    {{"time_zone", "query", "string", "of nvidia-smi's rows, which have none: of its host, such as Europe/Berlin"},
     {"source", "query", "string", "of rows of nvidia-smi and amd-smi: their host; the tool where absent"},
     {"device", "query", "string", "of their rows without a name: an alias or an id"},
     kIdempotency});
constexpr auto kLongParameters =
    std::to_array<Parameter>({kIdempotency, {"Prefer", "header", "string", "respond-async: answered later, by a job (RFC 7240)"}});
constexpr auto kPriceParameters =
    std::to_array<Parameter>({kId, kAsOf, {"date", "query", "string", "YYYY-MM-DD; today where absent", 0, 0, "date"}});
constexpr auto kMcpParameters = std::to_array<Parameter>({{"MCP-Protocol-Version", "header", "string", "as initialize agreed"}});
constexpr Parameter kJob{"job", "path", "string", "the job's id", 0, 0, "^[1-9][0-9]{0,17}$"};
constexpr auto kJobParameters = std::to_array<Parameter>({kJob});

constexpr auto kEventParameters = std::to_array<Parameter>({
    kLimit,
    kAfter,
    {"kind", "query", "string", "of this kind", 0, 0, "", model::enum_names<model::EventKind>},
    {"subject", "query", "string", "about this, such as webhook/x"},
});
constexpr auto kDeliveryParameters = std::to_array<Parameter>({
    kLimit,
    kAfter,
    {"state", "query", "string", "pending, delivered or dead", 0, 0, "^(pending|delivered|dead)$", storage::delivery_state_names},
    {"webhook", "query", "string", "to this webhook"},
    {"event", "query", "integer", "of this event", 1, 9e15},
});
constexpr auto kTestParameters = std::to_array<Parameter>({kId, kIdempotency});
constexpr auto kFeedRunParameters = std::to_array<Parameter>({
    kId,
    kIdempotency,
    {"dry_run", "query", "boolean", "true: fetch and read, and store nothing"},
    {"even_if_odd", "query", "boolean", "true: land another header, a much smaller or an older file too"},
});
constexpr Parameter kFeedRun{
    "run", "path", "string", "the run's number, as the feed's list of runs has it", 0, 0, "^[1-9][0-9]{0,17}$"};
constexpr auto kFeedReviewParameters = std::to_array<Parameter>({kId, kFeedRun, kIdempotency});
constexpr Parameter kImportRun{"run", "path", "string", "the run's number, as the import answered it", 0, 0, "^[1-9][0-9]{0,17}$"};
constexpr auto kImportListParameters = std::to_array<Parameter>({kLimit, kAfter});
constexpr auto kImportRunParameters = std::to_array<Parameter>({kImportRun});
constexpr auto kImportReviewParameters = std::to_array<Parameter>({kImportRun, kIdempotency});
constexpr auto kFeedReviewStatuses = std::to_array({404, 409});
constexpr auto kTestStatuses = std::to_array({202, 404, 409});

constexpr Parameter kBefore{"before", "query", "integer", "those with a lower number: `next` of the page before", 1, 1e15};
constexpr Parameter kRun{"run", "path", "string", "the recalculation's id", 0, 0, "^[1-9][0-9]{0,17}$"};
constexpr auto kRunListParameters = std::to_array<Parameter>({kLimit, kBefore});
constexpr auto kRunParameters = std::to_array<Parameter>({kRun});
constexpr auto kRunEventsParameters =
    std::to_array<Parameter>({kRun, {"Last-Event-ID", "header", "string", "ignored: events begin with how far the run is"}});
constexpr auto kResultListParameters = std::to_array<Parameter>({kId, kLimit, kBefore});
constexpr auto kResultParameters = std::to_array<Parameter>(
    {kId, {"number", "path", "string", "which of its results, or latest", 0, 0, "^(latest|[1-9][0-9]{0,17})$"}});

constexpr auto kStandingParameters = std::to_array<Parameter>({kId, kLimit, kAfter});

constexpr auto kDiffParameters = std::to_array<Parameter>(
    {kResultParameters[0],
     kResultParameters[1],
     {"against", "query", "integer", "the number of the older result; the one before where it is not said", 1, 1e15}});

constexpr auto kDiffStatuses = std::to_array({404, 409, 422});
constexpr auto kBegunStatuses = std::to_array({202, 400, 413, 415, 422});
constexpr auto kFoundStatuses = std::to_array({404, 422});
constexpr auto kCancelStatuses = std::to_array({404, 409, 422});
constexpr auto kListStatuses = std::to_array({422});
constexpr auto kGetStatuses = std::to_array({304, 404, 422});
constexpr auto kPutStatuses = std::to_array({201, 400, 412, 413, 415, 422});
constexpr auto kDeleteStatuses = std::to_array({204, 400, 404, 409, 412, 422});
constexpr auto kRevisionStatuses = std::to_array({404, 422});
constexpr auto kQuestionStatuses = std::to_array({400, 413, 415, 422});
constexpr auto kLongStatuses = std::to_array({200, 202, 400, 413, 415, 422});
constexpr auto kMcpStatuses = std::to_array({200, 202, 400, 413, 415});
constexpr auto kImportStatuses = std::to_array({400, 413, 422});

constexpr auto kEvaluationRoutes = std::to_array<Route>({
    {"POST", "/v1/evaluate", post_evaluate, Role::viewer, "what a scenario costs, with its ledger where asked", "evaluate_request",
     "result", "application/json", kQuestionParameters, kQuestionStatuses},
    {"POST", "/v1/evaluate/batch", post_batch, Role::viewer, "many scenarios, or variants of one: a line each, in order",
     "batch_request", "batch_line", "application/x-ndjson", kNoParameters, kQuestionStatuses},
});

constexpr auto kResultRoutes = std::to_array<Route>({
    {"POST", "/v1/recalculations", post_recalculations, Role::editor, "evaluate stored scenarios again, and keep the results",
     "recalculation_request", "recalculation", "application/json", kQuestionParameters, kBegunStatuses},
    {"GET", "/v1/recalculations", list_recalculations, Role::viewer, "newest first", "", "recalculation_list", "application/json",
     kRunListParameters, kListStatuses},
    {"GET", "/v1/recalculations/{run}", get_recalculation, Role::viewer, "how far it is, and what failed", "", "recalculation",
     "application/json", kRunParameters, kFoundStatuses},
    {"DELETE", "/v1/recalculations/{run}", delete_recalculation, Role::editor, "cancel it; what is stored stays", "",
     "recalculation", "application/json", kRunParameters, kCancelStatuses},
    {"GET", "/v1/recalculations/{run}/events", get_recalculation_events, Role::viewer, "its progress, until it ends", "",
     "recalculation_events", "text/event-stream", kRunEventsParameters, kFoundStatuses},
    {"GET", "/v1/scenarios/{id}/results", list_results, Role::viewer, "kept results of a scenario, newest first", "", "result_list",
     "application/json", kResultListParameters, kFoundStatuses},
    {"GET", "/v1/scenarios/{id}/results/{number}", get_result, Role::viewer, "one, as it was computed", "", "result",
     "application/json", kResultParameters, kDiffStatuses},
    {"GET", "/v1/scenarios/{id}/results/{number}/diff", get_result_diff, Role::viewer, "what changed since an older one, and why",
     "", "result_diff", "application/json", kDiffParameters, kDiffStatuses},
    {"GET", "/v1/comparisons/{id}/standings", list_standings, Role::viewer,
     "which of its scenarios was the cheapest after each recalculation, newest first", "", "standing_list", "application/json",
     kStandingParameters, kFoundStatuses, storage::Kind::comparison},
});

constexpr auto kServiceRoutes = std::to_array<Route>({
    {"GET", "/v1/jobs", list_jobs, Role::viewer, "the caller's jobs, for an admin everybody's, newest first", "", "job_list",
     "application/json", kRunListParameters, kListStatuses},
    {"GET", "/v1/jobs/{job}", get_job, Role::viewer, "how far it is, and its answer", "", "job", "application/json", kJobParameters,
     kFoundStatuses},
    {"DELETE", "/v1/jobs/{job}", delete_job, Role::viewer, "cancel it", "", "job", "application/json", kJobParameters,
     kCancelStatuses},
    {"GET", "/v1/offers/{id}/price", get_price, Role::viewer, "what it costs an hour on a day", "", "price", "application/json",
     kPriceParameters, kFoundStatuses},
    {"POST", "/mcp", post_mcp, Role::viewer, "tools for agents, by the Model Context Protocol", "rpc_request", "rpc_answer",
     "application/json", kMcpParameters, kMcpStatuses},
    {"POST", "/v1/telemetry", post_telemetry, Role::editor, "samples of sensors and counters", "telemetry_text",
     "telemetry_summary", "application/json", kTelemetryParameters, kQuestionStatuses, std::nullopt,
     "text/plain application/x-ndjson text/csv"},
    {"POST", "/v1/calibrations", post_calibrations, Role::editor, "curves fitted to telemetry, as new revisions",
     "calibration_request", "calibration", "application/json", kQuestionParameters, kQuestionStatuses},
});

constexpr auto kOtherRoutes = std::to_array<Route>({
    {"GET", "/v1/events", get_events, Role::viewer, "what happened, newest first", "", "events", "application/json",
     kEventParameters, kListStatuses},
    {"GET", "/v1/deliveries", get_deliveries, Role::viewer, "deliveries of events to webhooks, with their state", "", "deliveries",
     "application/json", kDeliveryParameters, kListStatuses},
    {"POST", "/v1/deliveries/{id}/retry", post_delivery_retry, Role::editor, "send one again that is dead or pending", "",
     "event_begun", "application/json", kTestParameters, kTestStatuses},
    {"POST", "/v1/webhooks/{id}/test", post_webhook_test, Role::editor, "send it a ping, whatever events it asks for", "",
     "event_begun", "application/json", kTestParameters, kTestStatuses, storage::Kind::webhook},
    {"GET", "/v1/feeds/{id}/runs", list_feed_runs, Role::viewer, "what a feed fetched, and what came of it, newest first", "",
     "feed_runs", "application/json", kStandingParameters, kFoundStatuses, storage::Kind::feed},
    {"POST", "/v1/feeds/{id}/run", post_feed_run, Role::editor, "fetch it now", "", "feed_run_begun", "application/json",
     kFeedRunParameters, kTestStatuses, storage::Kind::feed},
    {"POST", "/v1/feeds/{id}/runs/{run}/accept", post_feed_accept, Role::editor, "land what the run holds back", "", "feed_run",
     "application/json", kFeedReviewParameters, kFeedReviewStatuses, storage::Kind::feed},
    {"POST", "/v1/feeds/{id}/runs/{run}/reject", post_feed_reject, Role::editor, "drop what the run holds back", "", "feed_run",
     "application/json", kFeedReviewParameters, kFeedReviewStatuses, storage::Kind::feed},
    {"POST", "/v1/feeds/{id}/runs/{run}/undo", post_feed_undo, Role::editor, "take back what the run has landed", "", "feed_run",
     "application/json", kFeedReviewParameters, kFeedReviewStatuses, storage::Kind::feed},
    {"GET", "/v1/audit", get_audit, Role::admin, "every write, newest first", "", "audit", "application/json", kAuditParameters,
     kListStatuses},
    {"GET", "/v1/fields", get_fields, kOpen, "the field tables, for forms", "", "fields"},
    {"GET", "/v1/categories", get_categories, kOpen, "the categories of cost, with the labels and colours of charts", "",
     "category_styles"},
    {"GET", "/v1/examples", get_examples, kOpen, "paths of the example scenarios", "", "examples"},
    {"GET", "/openapi.json", get_openapi, kOpen, "this description", "", "openapi"},
    {"GET", "/healthz", get_healthz, kOpen, "alive", "", "health"},
    {"GET", "/readyz", get_readyz, kOpen, "migrated and writable", "", "readiness"},
    {"GET", "/metrics", get_metrics, Role::viewer, "for Prometheus", "", "", "text/plain"},
});

// The document routes of a kind: its paths and the names of its schemas.
struct KindRow {
    storage::Kind kind;
    std::string all;       ///< path of the list
    std::string one;       ///< path of a document
    std::string revisions; ///< path of its history
    std::string schema;
    std::string stored;
    std::string list;
};

// Names are built once, at the first use.
const std::vector<KindRow>& kind_rows() {
    static const std::vector<KindRow> rows = [] {
        std::vector<KindRow> made;
        for (std::size_t i = 0; i < storage::kind_names.size(); ++i) {
            const std::string name(storage::kind_names[i]);
            const std::string path = "/v1/" + storage::plural_of(name);
            made.push_back({static_cast<storage::Kind>(i), path, path + "/{id}", path + "/{id}/revisions", name, "stored_" + name,
                            name + "_list"});
        }
        return made;
    }();
    return rows;
}

constexpr std::size_t kRoutesOfAKind = 5;

std::array<Route, kRoutesOfAKind> routes_of(const KindRow& row) {
    std::span<const Parameter> list_parameters = kListParameters;
    if (row.kind == storage::Kind::offer) {
        list_parameters = kOfferListParameters;
    } else if (row.kind == storage::Kind::measurement) {
        list_parameters = kMeasurementListParameters;
    }
    return {{
        {"GET", row.all, list_documents, Role::viewer, "a page of them, by id", "", row.list, "application/json", list_parameters,
         kListStatuses, row.kind},
        {"GET", row.one, get_document, Role::viewer, "one, now or as it was known", "", row.stored, "application/json",
         kGetParameters, kGetStatuses, row.kind},
        {"PUT", row.one, put_document, Role::editor, "store it as its next revision", row.schema, row.stored, "application/json",
         kPutParameters, kPutStatuses, row.kind},
        {"DELETE", row.one, delete_document, Role::editor, "delete it, where none refers to it; its history stays", "", "",
         "application/json", kDeleteParameters, kDeleteStatuses, row.kind},
        {"GET", row.revisions, get_revisions, Role::viewer, "its history, newest first", "", "revisions", "application/json",
         kRevisionParameters, kRevisionStatuses, row.kind},
    }};
}

// The pattern "^(a|b)$" for rows named a and b.
std::string pattern_of(const auto& rows) {
    std::string names;
    for (const auto& row : rows) {
        names += (names.empty() ? "^(" : "|") + std::string(row.name);
    }
    return names + ")$";
}

constexpr auto kImportRunRoutes = std::to_array<Route>({
    {"GET", "/v1/imports", list_import_runs, Role::viewer, "what was imported, and what came of it, newest first", "",
     "import_runs", "application/json", kImportListParameters, kListStatuses},
    {"GET", "/v1/imports/{run}", get_import_run, Role::viewer, "one import", "", "import_run", "application/json",
     kImportRunParameters, kFoundStatuses},
    {"POST", "/v1/imports/{run}/accept", post_import_accept, Role::editor, "land what the import holds back", "", "import_run",
     "application/json", kImportReviewParameters, kFeedReviewStatuses},
    {"POST", "/v1/imports/{run}/reject", post_import_reject, Role::editor, "drop what the import holds back", "", "import_run",
     "application/json", kImportReviewParameters, kFeedReviewStatuses},
    {"POST", "/v1/imports/{run}/undo", post_import_undo, Role::editor, "take back what the import has landed", "", "import_run",
     "application/json", kImportReviewParameters, kFeedReviewStatuses},
});

// Parameters of imports, generated from the table of import settings.
std::vector<Parameter> import_parameters() {
    static const std::string formats = pattern_of(imports::formats());
    std::vector<Parameter> parameters = {
        {"format", "query", "string", "the file's format; without one it is recognised, and nothing is stored", 0, 0, formats},
        {"force", "query", "boolean", "true: also where the date is another than the file's name says, and a bill's days to come"},
        {"dry_run", "query", "boolean", "true: say what would change, and change nothing"},
        {"keep_stored", "query", "boolean", "true: what stored documents state stays; add what they lack, and dated prices"},
        {"name", "query", "string", "the file's name, where the body is one file: part of what `source` says, and of some ids"},
        {"changes", "query", "integer", "most documents whose changes are listed; default 100", 0, 10000},
    };
    for (const imports::OptionRow& row : imports::import_options()) {
        parameters.push_back({row.name, "query", "string", row.help});
    }
    parameters.push_back(kIdempotency);
    return parameters;
}

// Parameters of telemetry, generated from the table of metrics.
std::vector<Parameter> telemetry_parameters() {
    static const std::string metrics = pattern_of(imports::telemetry_metrics());
    return {
        kLimit,
        kAfter,
        {"source", "query", "string", "of this source"},
        {"device", "query", "string", "of sources of this device's id"},
        {"metric", "query", "string", "of this metric", 0, 0, metrics},
        {"from", "query", "string", "hours that start then or later, RFC 3339", 0, 0, "date-time"},
        {"to", "query", "string", "hours that start before, RFC 3339", 0, 0, "date-time"},
    };
}

void add_routes(std::vector<Route>& all, std::span<const Route> routes) { all.insert(all.end(), routes.begin(), routes.end()); }

// Shared fields of question routes: those answered at once, and those that a job may answer.
constexpr Route kQuestion{.method = "POST", .role = Role::viewer, .parameters = kQuestionParameters, .statuses = kQuestionStatuses};
constexpr Route kLaterQuestion{
    .method = "POST", .role = Role::viewer, .parameters = kLongParameters, .statuses = kLongStatuses, .later = "job"};

std::vector<Route> make_routes() {
    static const std::vector<Parameter> parameters_of_imports = import_parameters();
    static const std::vector<Parameter> parameters_of_telemetry = telemetry_parameters();
    std::vector<Route> all;
    for (const KindRow& row : kind_rows()) {
        add_routes(all, routes_of(row));
    }
    add_routes(all, kEvaluationRoutes);
    add_short_questions(all, kLaterQuestion);
    add_routes(all, kResultRoutes);
    add_result_questions(all, kLaterQuestion);
    add_long_questions(all, kLaterQuestion);
    add_stored_questions(all, kQuestion);
    add_routes(all, kServiceRoutes);
    add_measured_questions(all, kQuestion);
    add_runs_of_stored(all);
    add_routes(all, kOtherRoutes);
    all.push_back({"POST", "/v1/imports", post_imports, Role::editor, "a published file becomes documents", "import_file",
                   "import_summary", "application/json", parameters_of_imports, kImportStatuses, std::nullopt,
                   "application/octet-stream"});
    add_routes(all, kImportRunRoutes);
    all.push_back({"GET", "/v1/telemetry", get_telemetry, Role::viewer, "what samples come to by hour", "", "telemetry_hours",
                   "application/json", parameters_of_telemetry, kListStatuses});
    for (Route& route : all) {
        route.tables = tables_of(route.answer);
    }
    return all;
}

} // namespace

std::span<const Route> routes() {
    static const std::vector<Route> all = make_routes();
    return all;
}

} // namespace costcurve::api
