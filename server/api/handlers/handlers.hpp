// The handlers, by method and noun. The route table documents their parameters and answers.
#pragma once

#include "server/api/route.hpp"

namespace costcurve::api {

Attempt<http::Response> list_documents(Service& service, const Call& call);
Attempt<http::Response> get_document(Service& service, const Call& call);
Attempt<http::Response> put_document(Service& service, const Call& call);
Attempt<http::Response> delete_document(Service& service, const Call& call);
Attempt<http::Response> get_price(Service& service, const Call& call);
Attempt<http::Response> get_revisions(Service& service, const Call& call);

Attempt<http::Response> post_evaluate(Service& service, const Call& call);
Attempt<http::Response> post_batch(Service& service, const Call& call);

Attempt<http::Response> post_mcp(Service& service, const Call& call);

Attempt<http::Response> post_recalculations(Service& service, const Call& call);
Attempt<http::Response> list_recalculations(Service& service, const Call& call);
Attempt<http::Response> get_recalculation(Service& service, const Call& call);
Attempt<http::Response> get_recalculation_events(Service& service, const Call& call);
Attempt<http::Response> delete_recalculation(Service& service, const Call& call);
Attempt<http::Response> list_jobs(Service& service, const Call& call);
Attempt<http::Response> get_job(Service& service, const Call& call);
Attempt<http::Response> delete_job(Service& service, const Call& call);
Attempt<http::Response> list_results(Service& service, const Call& call);
Attempt<http::Response> get_result(Service& service, const Call& call);
Attempt<http::Response> get_result_diff(Service& service, const Call& call);
Attempt<http::Response> list_standings(Service& service, const Call& call);

Attempt<http::Response> post_imports(Service& service, const Call& call);

Attempt<http::Response> post_telemetry(Service& service, const Call& call);
Attempt<http::Response> get_telemetry(Service& service, const Call& call);
Attempt<http::Response> post_calibrations(Service& service, const Call& call);

Attempt<http::Response> get_events(Service& service, const Call& call);
Attempt<http::Response> get_deliveries(Service& service, const Call& call);
Attempt<http::Response> list_feed_runs(Service& service, const Call& call);
Attempt<http::Response> post_feed_run(Service& service, const Call& call);
Attempt<http::Response> post_feed_accept(Service& service, const Call& call);
Attempt<http::Response> post_feed_reject(Service& service, const Call& call);
Attempt<http::Response> post_feed_undo(Service& service, const Call& call);
Attempt<http::Response> list_import_runs(Service& service, const Call& call);
Attempt<http::Response> get_import_run(Service& service, const Call& call);
Attempt<http::Response> post_import_accept(Service& service, const Call& call);
Attempt<http::Response> post_import_reject(Service& service, const Call& call);
Attempt<http::Response> post_import_undo(Service& service, const Call& call);
Attempt<http::Response> post_delivery_retry(Service& service, const Call& call);
Attempt<http::Response> post_webhook_test(Service& service, const Call& call);

Attempt<http::Response> get_audit(Service& service, const Call& call);
Attempt<http::Response> get_fields(Service& service, const Call& call);
Attempt<http::Response> get_categories(Service& service, const Call& call);
Attempt<http::Response> get_examples(Service& service, const Call& call);
Attempt<http::Response> get_openapi(Service& service, const Call& call);
Attempt<http::Response> get_healthz(Service& service, const Call& call);
Attempt<http::Response> get_readyz(Service& service, const Call& call);
Attempt<http::Response> get_metrics(Service& service, const Call& call);

} // namespace costcurve::api
