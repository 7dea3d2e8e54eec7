// The store's calls around documents: telemetry, bills, events, runs and their results, jobs.
#include "server/storage/sqlite/store.hpp"

#include <condition_variable>
#include <mutex>

#include <fmt/format.h>

#include "server/storage/sqlite/bill.hpp"
#include "server/storage/sqlite/change.hpp"
#include "server/storage/sqlite/feeds.hpp"
#include "server/storage/sqlite/jobs.hpp"
#include "server/storage/sqlite/outbox.hpp"
#include "server/storage/sqlite/run_completion.hpp"
#include "server/storage/sqlite/runs.hpp"
#include "server/storage/sqlite/telemetry/telemetry.hpp"

namespace costcurve::storage::sqlite {

void TakenItems::give_back(std::int64_t run, std::span<const RunItem> items) {
    const std::lock_guard lock(mutex_);
    std::set<std::int64_t>& taken = taken_[run];
    for (const RunItem& item : items) {
        taken.erase(item.document);
    }
    if (taken.empty()) {
        taken_.erase(run);
    }
}

bool HeldKeys::hold(std::string_view author, std::string_view key) {
    const std::lock_guard lock(mutex_);
    return held_.emplace(author, key).second;
}

void HeldKeys::release(std::string_view author, std::string_view key) {
    const std::lock_guard lock(mutex_);
    held_.erase({std::string(author), std::string(key)});
}

SqliteShare::~SqliteShare() { store_.taken_items_.give_back(run_, items_); }

bool SqliteShare::finish(std::span<const RunOutcome> outcomes) { return store_.finish_items(run_, outcomes); }

AnswerClaim SqliteStore::claim_answer(std::string_view author_name, std::string_view idempotency_key,
                                      std::string_view /*request_hash*/) {
    if (!held_keys_.hold(author_name, idempotency_key)) {
        return {};
    }
    std::optional<StoredAnswer> kept;
    try {
        kept = kept_answer(author_name, idempotency_key);
    } catch (...) {
        held_keys_.release(author_name, idempotency_key);
        throw;
    }
    if (kept) {
        held_keys_.release(author_name, idempotency_key);
        return {false, std::move(kept)};
    }
    return {true, std::nullopt};
}

void SqliteStore::release_answer(std::string_view author_name, std::string_view idempotency_key) {
    held_keys_.release(author_name, idempotency_key);
}

TelemetryWindow SqliteStore::telemetry_window() const { return window_at(now(), settings_.telemetry_days); }

AddedSamples SqliteStore::add_samples(const Author& author, const SampleBatch& batch) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    AddedSamples outcome = sqlite::add_samples(*writer, batch, telemetry_window());
    const std::int64_t now = this->now();
    if (outcome.accepted > 0 && noted_sources_.is_first_of_hour(author, now)) {
        Change(*writer, author, "add_samples", fmt::format("in the hour of {}", format_time(now)), now).finish_as_action();
    }
    transaction.commit();
    return outcome;
}

HourPage SqliteStore::hours(const HourQuery& query) const {
    return read([&](Database& database) { return find_hours(database, query); });
}

void SqliteStore::visit_samples(const SampleQuery& query, const SampleVisitor& visit) const {
    read([&](Database& database) { sqlite::visit_samples(database, query, visit); });
}

BillOutcome SqliteStore::save_bill(const Author& author, std::span<const BillLine> lines, bool dry_run, std::string_view source) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    Change change(*writer, author, "save_bill", fmt::format("{} lines{}{}", lines.size(), source.empty() ? "" : " of ", source),
                  now());
    const BillOutcome outcome = save_bill_lines(*writer, change, lines);
    if (!dry_run && change.is_recorded()) {
        change.finish();
        transaction.commit();
    }
    return outcome;
}

std::vector<BillTotal> SqliteStore::bill(const BillQuery& query) const {
    return read([&](Database& database) { return total_bill(database, query); });
}

void SqliteStore::visit_bill(std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) const {
    read([&](Database& database) { sqlite::visit_bill(database, from_day, to_day, visit); });
}

std::int64_t SqliteStore::record_event(const Author& author, std::string_view action, const NewEvent& event) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    Change(*writer, author, action, event.subject, now()).finish_as_action();
    const std::int64_t id = sqlite::record_event(*writer, event, now());
    transaction.commit();
    return id;
}

std::vector<Event> SqliteStore::events(const EventQuery& query) const { return find_events(*readers_.lease(), query); }

std::vector<Delivery> SqliteStore::deliveries(const DeliveryQuery& query) const {
    return find_deliveries(*readers_.lease(), query);
}

bool SqliteStore::has_secret(std::string_view webhook) const { return sqlite::has_secret(*point_read_pool_.lease(), webhook); }

// One daemon delivers what stands in a file: nothing is to be leased.
std::vector<DueDelivery> SqliteStore::take_deliveries(std::size_t limit, std::chrono::seconds /*lease*/) {
    const std::int64_t now = this->now();
    if (has_future_tries(*point_read_pool_.lease(), now)) {
        const Lease writer = writer_.lease();
        Transaction transaction(*writer, Transaction::Kind::write);
        forget_future_tries(*writer, now);
        transaction.commit();
    }
    return find_due(*readers_.lease(), now, limit);
}

std::optional<std::int64_t> SqliteStore::next_delivery() const { return next_due(*point_read_pool_.lease()); }

void SqliteStore::save_attempt(const DeliveryAttempt& attempt) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    sqlite::save_attempt(*writer, attempt, now());
    transaction.commit();
}

std::optional<RetriedDelivery> SqliteStore::retry_delivery(const Author& author, std::string_view id) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::optional<RetriedDelivery> found = sqlite::retry_delivery(*writer, id, now());
    if (found && found->is_due()) {
        Change(*writer, author, "retry_delivery", fmt::format("delivery/{}", id), now()).finish_as_action();
        transaction.commit();
    }
    return found;
}

std::optional<std::int64_t> SqliteStore::ticked(const DocumentKey& key) const {
    return find_ticked(*point_read_pool_.lease(), key);
}

std::variant<std::int64_t, std::vector<std::string>> SqliteStore::begin_run(const Author& author, const RunRequest& request) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::int64_t now = this->now();
    auto outcome = insert_run(*writer, author, request, now);
    if (std::holds_alternative<std::int64_t>(outcome)) {
        if (!request.schedule.empty()) {
            save_ticked(*writer, {Kind::schedule, request.schedule}, now);
        }
        const std::string subject = fmt::format("recalculation/{}", std::get<std::int64_t>(outcome));
        Change(*writer, author, "begin_recalculation", subject, now).finish_as_action();
        transaction.commit();
    }
    return outcome;
}

std::optional<std::int64_t> SqliteStore::begin_tick(const Author& author, const RunRequest& request, std::int64_t tick) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::int64_t now = this->now();
    if (!do_tick(*writer, {Kind::schedule, request.schedule}, tick, now)) {
        return std::nullopt;
    }
    const auto outcome = insert_run(*writer, author, request, now);
    if (!std::holds_alternative<std::int64_t>(outcome)) {
        throw StoreError(StoreError::Cause::unreadable,
                         fmt::format("schedule/{} names scenarios that aren't there", request.schedule));
    }
    const std::int64_t run = std::get<std::int64_t>(outcome);
    Change(*writer, author, "begin_recalculation", fmt::format("recalculation/{}", run), now).finish_as_action();
    transaction.commit();
    return run;
}

std::optional<Run> SqliteStore::run(std::int64_t id) const { return find_run(*point_read_pool_.lease(), id); }

std::vector<Run> SqliteStore::runs(std::int64_t before, std::size_t limit) const {
    return find_runs(*readers_.lease(), before, limit);
}

std::optional<Run> SqliteStore::run_to_do() const { return find_run_to_do(*point_read_pool_.lease()); }

std::unique_ptr<Share> SqliteStore::take_items(std::int64_t run, std::string_view model_version, std::size_t limit) {
    const Lease reader = readers_.lease();
    std::vector<RunItem> items = taken_items_.take(
        run, [&](const std::set<std::int64_t>& taken) { return find_items(*reader, run, model_version, taken, limit); });
    return std::make_unique<SqliteShare>(*this, run, std::move(items));
}

bool SqliteStore::finish_items(std::int64_t run, std::span<const RunOutcome> outcomes) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const bool goes_on = sqlite::finish_items(*writer, run, outcomes, now());
    transaction.commit();
    return goes_on;
}

bool SqliteStore::set_run_state(std::int64_t run, RunState state, std::string_view model_version,
                                const OnRunCompleted& on_completed) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::int64_t now = this->now();
    const bool changed = set_state(*writer, run, state, model_version, now);
    if (changed && has_ended(state) && on_completed) {
        SqliteRunCompletion completion(*writer, find_run(*writer, run).value(), now);
        on_completed(completion);
    }
    transaction.commit();
    return changed;
}

std::vector<RunFailure> SqliteStore::run_failures(std::int64_t run, std::size_t limit) const {
    return find_failures(*readers_.lease(), run, limit);
}

std::optional<std::vector<Standing>> SqliteStore::standings(std::string_view comparison, std::int64_t before,
                                                            std::size_t limit) const {
    return read([&](Database& database) { return find_standings(database, comparison, before, limit); });
}

std::optional<std::int64_t> SqliteStore::queue_job(const Author& author, const NewJob& job) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::optional<std::int64_t> id = insert_job(*writer, author.name, job, settings_.jobs, now());
    transaction.commit();
    return id;
}

std::optional<Job> SqliteStore::job(std::int64_t id) const { return find_job(*point_read_pool_.lease(), id, now()); }

std::vector<Job> SqliteStore::jobs(std::string_view author_name, std::int64_t before, std::size_t limit) const {
    return find_jobs(*readers_.lease(), author_name, before, limit, now());
}

std::optional<Job> SqliteStore::begin_job() {
    if (!has_open_job(*point_read_pool_.lease())) {
        return std::nullopt;
    }
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    std::optional<Job> job = sqlite::begin_job(*writer, now());
    transaction.commit();
    return job;
}

void SqliteStore::put_job_back(std::int64_t id) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    sqlite::put_job_back(*writer, id);
    transaction.commit();
}

bool SqliteStore::end_job(std::int64_t id, JobState state, std::string_view answer) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const bool has_ended = sqlite::end_job(*writer, id, state, answer, now());
    transaction.commit();
    return has_ended;
}

std::optional<FeedBegun> SqliteStore::begin_feed(const Author& author, const FeedRequest& request) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::int64_t now = this->now();
    const std::optional<FeedBegun> begun = insert_feed_run(*writer, author.name, request, now);
    if (begun && begun->is_new) {
        Change(*writer, author, "run_feed", fmt::format("feed/{}", request.feed), now).finish_as_action();
        transaction.commit();
    }
    return begun;
}

std::optional<FeedRun> SqliteStore::start_feed(std::int64_t only) {
    if (!has_open_feed_run(*point_read_pool_.lease())) {
        return std::nullopt;
    }
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    std::optional<FeedRun> run = start_feed_run(*writer, only);
    transaction.commit();
    return run;
}

void SqliteStore::end_feed(const Author& author, const FeedEnd& end) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    end_feed_run(*writer, author, end, now());
    transaction.commit();
}

std::optional<std::vector<FeedRun>> SqliteStore::feed_runs(std::string_view feed, std::int64_t before, std::size_t limit) const {
    return find_feed_runs(*readers_.lease(), feed, before, limit);
}

std::optional<FeedRun> SqliteStore::last_good_feed_run(std::string_view feed) const {
    return find_good_feed_run(*readers_.lease(), feed);
}

std::optional<FeedRun> SqliteStore::landed_feed_run(std::string_view feed, std::string_view origin, std::string_view hash) const {
    return find_landed_feed_run(*readers_.lease(), feed, origin, hash);
}

std::string SqliteStore::feed_secret(std::string_view feed) const { return find_feed_secret(*point_read_pool_.lease(), feed); }

std::optional<std::vector<StoredResult>> SqliteStore::results(std::string_view scenario, std::int64_t before,
                                                              std::size_t limit) const {
    return read([&](Database& database) { return find_results(database, scenario, before, limit); });
}

// Other processes that write to the file are verbs of the command line, which do their work themselves.
bool SqliteStore::wait_for_others(std::chrono::milliseconds timeout, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, timeout, [] { return false; });
    return false;
}

std::string SqliteStore::result_body(const StoredResult& result) const { return load_result_body(*readers_.lease(), result.body); }

} // namespace costcurve::storage::sqlite
