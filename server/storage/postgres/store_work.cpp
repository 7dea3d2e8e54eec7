// The store's calls around documents: telemetry, bills, events, runs and their results, jobs, feeds.
#include "server/storage/postgres/store.hpp"

#include <fmt/format.h>

#include "server/storage/postgres/answer_claims.hpp"
#include "server/storage/postgres/bill.hpp"
#include "server/storage/postgres/daemons/feeds.hpp"
#include "server/storage/postgres/daemons/jobs.hpp"
#include "server/storage/postgres/daemons/outbox.hpp"
#include "server/storage/postgres/daemons/run_completion.hpp"
#include "server/storage/postgres/daemons/runs.hpp"
#include "server/storage/postgres/telemetry/telemetry.hpp"

namespace costcurve::storage::postgres {

namespace {

// A visitor that has seen something is not called again from the start.
void refuse_second_visit(bool has_begun) {
    if (has_begun) {
        throw StoreError(StoreError::Cause::unavailable, "the connection to PostgreSQL broke in the middle of a read: try again");
    }
}

} // namespace

TelemetryWindow PostgresStore::telemetry_window() const { return window_at(now(), settings_.telemetry_days); }

AddedSamples PostgresStore::add_samples(const Author& author, const SampleBatch& batch) {
    std::optional<bool> is_first; // of the hour: asked once, however often the transaction is done
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        Outcome<AddedSamples> outcome{postgres::add_samples(connection, batch, telemetry_window())};
        const std::int64_t now = this->now();
        if (outcome.value.accepted > 0 && !is_first) {
            const std::lock_guard lock(mutex_);
            is_first = noted_sources_.is_first_of_hour(author, now);
        }
        if (is_first.value_or(false)) { // the lock is the last that is waited for
            lock_changes(connection);
            mark =
                postgres::record_action(connection, author, "add_samples", fmt::format("in the hour of {}", format_time(now)), now);
        }
        return outcome;
    });
}

HourPage PostgresStore::hours(const HourQuery& query) const {
    return read([&](Connection& connection) { return find_hours(connection, query); });
}

void PostgresStore::visit_samples(const SampleQuery& query, const SampleVisitor& visit) const {
    bool has_begun = false;
    read([&](Connection& connection) {
        refuse_second_visit(has_begun);
        postgres::visit_samples(connection, query, [&](const SeriesKey& series, std::int64_t time_ms, double value) {
            has_begun = true;
            return visit(series, time_ms, value);
        });
    });
}

BillOutcome PostgresStore::save_bill(const Author& author, std::span<const BillLine> lines, bool dry_run, std::string_view source) {
    std::string subject = fmt::format("{} lines{}{}", lines.size(), source.empty() ? "" : " of ", source);
    return write_change(author, "save_bill", subject, [&](Connection& connection, Change& change) {
        const BillOutcome outcome = save_bill_lines(connection, change, lines);
        return Outcome<BillOutcome>{outcome, !dry_run && change.is_recorded()};
    });
}

std::vector<BillTotal> PostgresStore::bill(const BillQuery& query) const {
    return read([&](Connection& connection) { return total_bill(connection, query); });
}

void PostgresStore::visit_bill(std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) const {
    bool has_begun = false;
    read([&](Connection& connection) {
        refuse_second_visit(has_begun);
        postgres::visit_bill(connection, from_day, to_day, [&](const BillSum& sum) {
            has_begun = true;
            visit(sum);
        });
    });
}

std::int64_t PostgresStore::record_event(const Author& author, std::string_view action, const NewEvent& event) {
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        lock_changes(connection);
        mark = postgres::record_action(connection, author, action, event.subject, now());
        return Outcome<std::int64_t>{postgres::record_event(connection, event, now())};
    });
}

std::vector<Event> PostgresStore::events(const EventQuery& query) const {
    return with_connection(readers_, [&](Connection& connection) { return find_events(connection, query); });
}

std::vector<Delivery> PostgresStore::deliveries(const DeliveryQuery& query) const {
    return with_connection(readers_, [&](Connection& connection) { return find_deliveries(connection, query); });
}

bool PostgresStore::has_secret(std::string_view webhook) const {
    return read_once([&](Connection& connection) { return postgres::has_secret(connection, webhook); });
}

std::vector<DueDelivery> PostgresStore::take_deliveries(std::size_t limit, std::chrono::seconds lease) {
    const std::int64_t now = this->now();
    if (read_once([&](Connection& connection) { return has_future_tries(connection, now); })) {
        static_cast<void>(write([&](Connection& connection) {
            forget_future_tries(connection, now);
            return Outcome<bool>{true};
        }));
    }
    if (!read_once([&](Connection& connection) { return has_due(connection, holder_, now); })) {
        return {};
    }
    return write([&](Connection& connection) {
        TakenDeliveries taken = take_due(connection, holder_, now, limit, lease);
        if (taken.has_new_lease) {
            has_leased_ = true;
        }
        return Outcome<std::vector<DueDelivery>>{std::move(taken.deliveries), taken.has_new_lease};
    });
}

std::optional<std::int64_t> PostgresStore::next_delivery() const {
    return read_once([&](Connection& connection) { return next_due(connection, holder_, now()); });
}

void PostgresStore::save_attempt(const DeliveryAttempt& attempt) {
    static_cast<void>(write([&](Connection& connection) {
        postgres::save_attempt(connection, attempt, now());
        return Outcome<bool>{true};
    }));
}

std::optional<RetriedDelivery> PostgresStore::retry_delivery(const Author& author, std::string_view id) {
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        lock_changes(connection);
        const std::optional<RetriedDelivery> found = postgres::retry_delivery(connection, id, now());
        const bool is_due = found && found->is_due();
        if (is_due) {
            mark = postgres::record_action(connection, author, "retry_delivery", fmt::format("delivery/{}", id), now());
        }
        return Outcome<std::optional<RetriedDelivery>>{found, is_due};
    });
}

std::optional<std::int64_t> PostgresStore::ticked(const DocumentKey& key) const {
    return read_once([&](Connection& connection) { return find_ticked(connection, key); });
}

std::variant<std::int64_t, std::vector<std::string>> PostgresStore::begin_run(const Author& author, const RunRequest& request) {
    using Begun = std::variant<std::int64_t, std::vector<std::string>>;
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        lock_changes(connection);
        const std::int64_t now = this->now();
        Outcome<Begun> outcome{insert_run(connection, author, request, now)};
        const auto* const run = std::get_if<std::int64_t>(&outcome.value);
        outcome.is_kept = run != nullptr;
        if (run != nullptr && !request.schedule.empty()) {
            save_ticked(connection, {Kind::schedule, request.schedule}, now);
        }
        if (run != nullptr) {
            mark = postgres::record_action(connection, author, "begin_recalculation", fmt::format("recalculation/{}", *run), now);
        }
        return outcome;
    });
}

std::optional<std::int64_t> PostgresStore::begin_tick(const Author& author, const RunRequest& request, std::int64_t tick) {
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        lock_changes(connection);
        const std::int64_t now = this->now();
        if (!do_tick(connection, {Kind::schedule, request.schedule}, tick, now)) {
            return Outcome<std::optional<std::int64_t>>{std::nullopt, false};
        }
        const auto outcome = insert_run(connection, author, request, now);
        const auto* const run = std::get_if<std::int64_t>(&outcome);
        if (run == nullptr) {
            throw StoreError(StoreError::Cause::unreadable,
                             fmt::format("schedule/{} names scenarios that aren't there", request.schedule));
        }
        mark = postgres::record_action(connection, author, "begin_recalculation", fmt::format("recalculation/{}", *run), now);
        return Outcome<std::optional<std::int64_t>>{*run};
    });
}

std::optional<Run> PostgresStore::run(std::int64_t id) const {
    return read_once([&](Connection& connection) { return find_run(connection, id); });
}

std::vector<Run> PostgresStore::runs(std::int64_t before, std::size_t limit) const {
    return with_connection(readers_, [&](Connection& connection) { return find_runs(connection, before, limit); });
}

std::optional<Run> PostgresStore::run_to_do() const {
    return read_once([&](Connection& connection) { return find_run_to_do(connection); });
}

bool PostgresStore::set_run_state(std::int64_t run, RunState state, std::string_view model_version,
                                  const OnRunCompleted& on_completed) {
    return write([&](Connection& connection) {
        const std::int64_t now = this->now();
        const bool changed = set_state(connection, run, state, model_version, now);
        if (changed && has_ended(state) && on_completed) {
            PostgresRunCompletion completion(connection, *this, find_run(connection, run).value(), now);
            on_completed(completion);
        }
        return Outcome<bool>{changed, changed};
    });
}

std::vector<RunFailure> PostgresStore::run_failures(std::int64_t run, std::size_t limit) const {
    return with_connection(readers_, [&](Connection& connection) { return find_failures(connection, run, limit); });
}

std::optional<std::vector<Standing>> PostgresStore::standings(std::string_view comparison, std::int64_t before,
                                                              std::size_t limit) const {
    return read([&](Connection& connection) { return find_standings(connection, comparison, before, limit); });
}

std::optional<std::int64_t> PostgresStore::queue_job(const Author& author, const NewJob& job) {
    return write([&](Connection& connection) {
        const std::optional<std::int64_t> id = insert_job(connection, author.name, job, settings_.jobs, now());
        return Outcome<std::optional<std::int64_t>>{id, id.has_value()};
    });
}

std::optional<Job> PostgresStore::job(std::int64_t id) const {
    return read_once([&](Connection& connection) { return find_job(connection, id, now()); });
}

std::vector<Job> PostgresStore::jobs(std::string_view author_name, std::int64_t before, std::size_t limit) const {
    return with_connection(readers_,
                           [&](Connection& connection) { return find_jobs(connection, author_name, before, limit, now()); });
}

std::optional<Job> PostgresStore::begin_job() {
    if (!read_once([&](Connection& connection) { return has_open_job(connection, holder_); })) {
        return std::nullopt;
    }
    std::optional<Job> job = write([&](Connection& connection) {
        std::optional<Job> begun = postgres::begin_job(connection, holder_, now());
        const bool is_begun = begun.has_value();
        return Outcome<std::optional<Job>>{std::move(begun), is_begun};
    });
    if (job) {
        has_leased_ = true;
        watch_.hold();
    }
    return job;
}

void PostgresStore::put_job_back(std::int64_t id) {
    static_cast<void>(write([&](Connection& connection) {
        postgres::put_job_back(connection, id);
        return Outcome<bool>{true};
    }));
}

bool PostgresStore::end_job(std::int64_t id, JobState state, std::string_view answer) {
    return write([&](Connection& connection) {
        const bool has_ended = postgres::end_job(connection, id, state, answer, now());
        return Outcome<bool>{has_ended, has_ended};
    });
}

std::optional<FeedBegun> PostgresStore::begin_feed(const Author& author, const FeedRequest& request) {
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        lock_changes(connection);
        const std::int64_t now = this->now();
        const std::optional<FeedBegun> begun = insert_feed_run(connection, author.name, request, now);
        const bool is_new = begun && begun->is_new;
        if (is_new) {
            mark = postgres::record_action(connection, author, "run_feed", fmt::format("feed/{}", request.feed), now);
        }
        return Outcome<std::optional<FeedBegun>>{begun, is_new};
    });
}

std::optional<FeedRun> PostgresStore::start_feed(std::int64_t only) {
    if (!read_once([&](Connection& connection) { return has_open_feed_run(connection, holder_); })) {
        return std::nullopt;
    }
    std::optional<FeedRun> run = write([&](Connection& connection) {
        std::optional<FeedRun> started = start_feed_run(connection, holder_, only);
        const bool is_started = started.has_value();
        return Outcome<std::optional<FeedRun>>{std::move(started), is_started};
    });
    if (run) {
        has_leased_ = true;
        watch_.hold();
    }
    return run;
}

void PostgresStore::end_feed(const Author& author, const FeedEnd& end) {
    static_cast<void>(write([&](Connection& connection) {
        if (end.recalculation) {
            lock_changes(connection);
        }
        end_feed_run(connection, author, end, now());
        return Outcome<bool>{true};
    }));
}

std::optional<std::vector<FeedRun>> PostgresStore::feed_runs(std::string_view feed, std::int64_t before, std::size_t limit) const {
    return with_connection(readers_, [&](Connection& connection) { return find_feed_runs(connection, feed, before, limit); });
}

std::optional<FeedRun> PostgresStore::last_good_feed_run(std::string_view feed) const {
    return with_connection(readers_, [&](Connection& connection) { return find_good_feed_run(connection, feed); });
}

std::optional<FeedRun> PostgresStore::landed_feed_run(std::string_view feed, std::string_view origin, std::string_view hash) const {
    return with_connection(readers_, [&](Connection& connection) { return find_landed_feed_run(connection, feed, origin, hash); });
}

std::string PostgresStore::feed_secret(std::string_view feed) const {
    return read_once([&](Connection& connection) { return find_feed_secret(connection, feed); });
}

std::optional<std::vector<StoredResult>> PostgresStore::results(std::string_view scenario, std::int64_t before,
                                                                std::size_t limit) const {
    return read([&](Connection& connection) { return find_results(connection, scenario, before, limit); });
}

std::string PostgresStore::result_body(const StoredResult& result) const {
    return with_connection(readers_, [&](Connection& connection) { return load_result_body(connection, result.body); });
}

} // namespace costcurve::storage::postgres
