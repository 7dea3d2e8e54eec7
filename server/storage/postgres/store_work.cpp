// The store's calls around documents: telemetry, bills, events, runs and their results, jobs, feeds.
#include "server/storage/postgres/store.hpp"

namespace costcurve::storage::postgres {

AddedSamples PostgresStore::add_samples(const Author& /*author*/, const SampleBatch& /*batch*/) { not_there_yet("add_samples"); }
TelemetryWindow PostgresStore::telemetry_window() const { not_there_yet("telemetry_window"); }
HourPage PostgresStore::hours(const HourQuery& /*query*/) const { not_there_yet("hours"); }
void PostgresStore::visit_samples(const SampleQuery& /*query*/, const SampleVisitor& /*visit*/) const {
    not_there_yet("visit_samples");
}
BillOutcome PostgresStore::save_bill(const Author& /*author*/, std::span<const BillLine> /*lines*/, bool /*dry_run*/,
                                     std::string_view /*source*/) {
    not_there_yet("save_bill");
}
std::vector<BillTotal> PostgresStore::bill(const BillQuery& /*query*/) const { not_there_yet("bill"); }
void PostgresStore::visit_bill(std::int64_t /*from_day*/, std::int64_t /*to_day*/, const BillVisitor& /*visit*/) const {
    not_there_yet("visit_bill");
}
std::int64_t PostgresStore::record_event(const Author& /*author*/, std::string_view /*action*/, const NewEvent& /*event*/) {
    not_there_yet("record_event");
}
std::vector<Event> PostgresStore::events(const EventQuery& /*query*/) const { not_there_yet("events"); }
std::vector<Delivery> PostgresStore::deliveries(const DeliveryQuery& /*query*/) const { not_there_yet("deliveries"); }
bool PostgresStore::has_secret(std::string_view /*webhook*/) const { not_there_yet("has_secret"); }
std::vector<DueDelivery> PostgresStore::due_deliveries(std::size_t /*limit*/) const { not_there_yet("due_deliveries"); }
std::optional<std::int64_t> PostgresStore::next_delivery() const { not_there_yet("next_delivery"); }
void PostgresStore::save_attempt(const DeliveryAttempt& /*attempt*/) { not_there_yet("save_attempt"); }
std::optional<RetriedDelivery> PostgresStore::retry_delivery(const Author& /*author*/, std::string_view /*id*/) {
    not_there_yet("retry_delivery");
}
std::optional<std::int64_t> PostgresStore::ticked(const DocumentKey& /*key*/) const { not_there_yet("ticked"); }
std::variant<std::int64_t, std::vector<std::string>> PostgresStore::begin_run(const Author& /*author*/,
                                                                              const RunRequest& /*request*/) {
    not_there_yet("begin_run");
}
std::optional<Run> PostgresStore::run(std::int64_t /*id*/) const { not_there_yet("run"); }
std::vector<Run> PostgresStore::runs(std::int64_t /*before*/, std::size_t /*limit*/) const { not_there_yet("runs"); }
std::optional<Run> PostgresStore::run_to_do() const { not_there_yet("run_to_do"); }
std::vector<RunItem> PostgresStore::run_items(std::int64_t /*run*/, std::string_view /*model_version*/, std::int64_t /*after*/,
                                              std::size_t /*limit*/) const {
    not_there_yet("run_items");
}
bool PostgresStore::finish_items(std::int64_t /*run*/, std::span<const RunOutcome> /*outcomes*/) { not_there_yet("finish_items"); }
bool PostgresStore::set_run_state(std::int64_t /*run*/, RunState /*state*/, std::string_view /*model_version*/,
                                  const OnRunCompleted& /*on_completed*/) {
    not_there_yet("set_run_state");
}
std::vector<RunFailure> PostgresStore::run_failures(std::int64_t /*run*/, std::size_t /*limit*/) const {
    not_there_yet("run_failures");
}
std::optional<std::vector<Standing>> PostgresStore::standings(std::string_view /*comparison*/, std::int64_t /*before*/,
                                                              std::size_t /*limit*/) const {
    not_there_yet("standings");
}
std::optional<std::int64_t> PostgresStore::queue_job(const Author& /*author*/, const NewJob& /*job*/) {
    not_there_yet("queue_job");
}
std::optional<Job> PostgresStore::job(std::int64_t /*id*/) const { not_there_yet("job"); }
std::vector<Job> PostgresStore::jobs(std::string_view /*author_name*/, std::int64_t /*before*/, std::size_t /*limit*/) const {
    not_there_yet("jobs");
}
std::optional<Job> PostgresStore::begin_job() { not_there_yet("begin_job"); }
void PostgresStore::put_job_back(std::int64_t /*id*/) { not_there_yet("put_job_back"); }
bool PostgresStore::end_job(std::int64_t /*id*/, JobState /*state*/, std::string_view /*answer*/) { not_there_yet("end_job"); }
std::optional<FeedBegun> PostgresStore::begin_feed(const Author& /*author*/, const FeedRequest& /*request*/) {
    not_there_yet("begin_feed");
}
std::optional<FeedRun> PostgresStore::start_feed(std::int64_t /*only*/) { not_there_yet("start_feed"); }
void PostgresStore::end_feed(const Author& /*author*/, const FeedEnd& /*end*/) { not_there_yet("end_feed"); }
std::optional<std::vector<FeedRun>> PostgresStore::feed_runs(std::string_view /*feed*/, std::int64_t /*before*/,
                                                             std::size_t /*limit*/) const {
    not_there_yet("feed_runs");
}
std::optional<FeedRun> PostgresStore::last_good_feed_run(std::string_view /*feed*/) const { not_there_yet("last_good_feed_run"); }
std::optional<FeedRun> PostgresStore::landed_feed_run(std::string_view /*feed*/, std::string_view /*origin*/,
                                                      std::string_view /*hash*/) const {
    not_there_yet("landed_feed_run");
}
std::string PostgresStore::feed_secret(std::string_view /*feed*/) const { not_there_yet("feed_secret"); }
std::optional<std::vector<StoredResult>> PostgresStore::results(std::string_view /*scenario*/, std::int64_t /*before*/,
                                                                std::size_t /*limit*/) const {
    not_there_yet("results");
}
std::string PostgresStore::result_body(const StoredResult& /*result*/) const { not_there_yet("result_body"); }

} // namespace costcurve::storage::postgres
