// The store's calls about events, recalculations and their results, jobs and feeds, on top of those about documents. Included by a
// store's header; one file of the engine instantiates it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "server/storage/sql/document_calls.hpp"
#include "server/storage/sql/feeds.hpp"
#include "server/storage/sql/jobs.hpp"
#include "server/storage/sql/outbox.hpp"
#include "server/storage/sql/run_completion.hpp"
#include "server/storage/sql/runs.hpp"

namespace costcurve::storage::sql {

template <class Engine> class StoreCalls : public DocumentCalls<Engine> {
    using Base = DocumentCalls<Engine>;

protected:
    using Base::Base;
    using Base::engine;
    using Base::now;
    using Base::settings_;
    using Base::write;

    /// Makes deliveries due whose times are of a clock that was ahead.
    void forget_future_tries(std::int64_t now) {
        if (engine().read_once([&](auto& connection) { return has_future_tries(connection, now); })) {
            write([&](auto& connection) { sql::forget_future_tries(connection, now); });
        }
    }

public:
    std::int64_t record_event(const Author& author, std::string_view action, const NewEvent& event) override {
        return engine().write_marked([&](auto& connection, ChangeMark& mark) {
            lock_changes(connection);
            mark = sql::record_action(connection, author, action, event.subject, now());
            return Outcome<std::int64_t>{sql::record_event(connection, event, now())};
        });
    }
    [[nodiscard]] std::vector<Event> events(const EventQuery& query) const override {
        return engine().read_many([&](auto& connection) { return find_events(connection, query); });
    }
    [[nodiscard]] std::vector<Delivery> deliveries(const DeliveryQuery& query) const override {
        return engine().read_many([&](auto& connection) { return find_deliveries(connection, query); });
    }
    [[nodiscard]] bool has_secret(std::string_view webhook) const override {
        return engine().read_once([&](auto& connection) { return sql::has_secret(connection, webhook); });
    }
    [[nodiscard]] std::optional<std::int64_t> next_delivery() const override {
        return engine().read_once([&](auto& connection) { return next_due(connection, engine().holder(), now()); });
    }
    void save_attempt(const DeliveryAttempt& attempt) override {
        write([&](auto& connection) { sql::save_attempt(connection, attempt, now()); });
    }
    [[nodiscard]] std::optional<RetriedDelivery> retry_delivery(const Author& author, std::string_view id) override {
        return engine().write_marked([&](auto& connection, ChangeMark& mark) {
            lock_changes(connection);
            const std::optional<RetriedDelivery> found = sql::retry_delivery(connection, id, now());
            const bool is_due = found && found->is_due();
            if (is_due) {
                mark = sql::record_action(connection, author, "retry_delivery", fmt::format("delivery/{}", id), now());
            }
            return Outcome<std::optional<RetriedDelivery>>{found, is_due};
        });
    }
    [[nodiscard]] std::optional<std::int64_t> ticked(const DocumentKey& key) const override {
        return engine().read_once([&](auto& connection) { return find_ticked(connection, key); });
    }
    [[nodiscard]] std::variant<std::int64_t, std::vector<std::string>> begin_run(const Author& author,
                                                                                 const RunRequest& request) override {
        using Begun = std::variant<std::int64_t, std::vector<std::string>>;
        return engine().write_marked([&](auto& connection, ChangeMark& mark) {
            lock_changes(connection);
            const std::int64_t time = now();
            Outcome<Begun> outcome{insert_run(connection, author, request, time)};
            const auto* const run = std::get_if<std::int64_t>(&outcome.value);
            outcome.is_kept = run != nullptr;
            if (run != nullptr && !request.schedule.empty()) {
                save_ticked(connection, {Kind::schedule, request.schedule}, time);
            }
            if (run != nullptr) {
                mark = record_begun(connection, author, *run, time);
            }
            return outcome;
        });
    }
    [[nodiscard]] std::optional<std::int64_t> begin_tick(const Author& author, const RunRequest& request,
                                                         std::int64_t tick) override {
        return engine().write_marked([&](auto& connection, ChangeMark& mark) -> Outcome<std::optional<std::int64_t>> {
            lock_changes(connection);
            const std::int64_t time = now();
            if (!do_tick(connection, {Kind::schedule, request.schedule}, tick, time)) {
                return {std::nullopt, false};
            }
            const auto outcome = insert_run(connection, author, request, time);
            const auto* const run = std::get_if<std::int64_t>(&outcome);
            if (run == nullptr) {
                throw StoreError(StoreError::Cause::unreadable,
                                 fmt::format("schedule/{} names scenarios that aren't there", request.schedule));
            }
            mark = record_begun(connection, author, *run, time);
            return {*run};
        });
    }
    [[nodiscard]] std::optional<Run> run(std::int64_t id) const override {
        return engine().read_once([&](auto& connection) { return find_run(connection, id); });
    }
    [[nodiscard]] std::vector<Run> runs(std::int64_t before, std::size_t limit) const override {
        return engine().read_many([&](auto& connection) { return find_runs(connection, before, limit); });
    }
    [[nodiscard]] std::vector<Run> runs_to_do() const override {
        return engine().read_once([&](auto& connection) { return find_runs_to_do(connection); });
    }
    bool set_run_state(std::int64_t run, RunState state, std::string_view model_version,
                       const OnRunCompleted& on_completed) override {
        return engine().write_marked([&](auto& connection, ChangeMark&) {
            const std::int64_t time = now();
            const bool changed = set_state(connection, run, state, model_version, time);
            if (changed && has_ended(state)) {
                StoredRunCompletion completion(connection, *this, find_run(connection, run).value(), time);
                if (on_completed) {
                    on_completed(completion);
                }
                completion.seal();
            }
            return Outcome<bool>{changed, changed};
        });
    }
    [[nodiscard]] std::vector<RunFailure> run_failures(std::int64_t run, std::size_t limit) const override {
        return engine().read_many([&](auto& connection) { return find_failures(connection, run, limit); });
    }
    [[nodiscard]] std::optional<std::vector<Standing>> standings(std::string_view comparison, std::int64_t before,
                                                                 std::size_t limit) const override {
        return engine().read([&](auto& connection) { return find_standings(connection, comparison, before, limit); });
    }

    [[nodiscard]] std::optional<std::int64_t> queue_job(const Author& author, const NewJob& job) override {
        return engine().write_marked([&](auto& connection, ChangeMark&) {
            const std::optional<std::int64_t> id = insert_job(connection, author, job, settings_.jobs, now());
            return Outcome<std::optional<std::int64_t>>{id, id.has_value()};
        });
    }
    [[nodiscard]] std::optional<Job> job(std::int64_t id) const override {
        return engine().read_once([&](auto& connection) { return find_job(connection, id, now()); });
    }
    [[nodiscard]] std::vector<Job> jobs(std::string_view author_name, std::int64_t before, std::size_t limit) const override {
        return engine().read_many([&](auto& connection) { return find_jobs(connection, author_name, before, limit, now()); });
    }
    [[nodiscard]] std::optional<Job> begin_job(std::span<const std::int64_t> at_hand) override {
        if (!engine().read_once([&](auto& connection) { return has_open_job(connection, engine().holder(), at_hand); })) {
            return std::nullopt;
        }
        return take([&](auto& connection) { return take_job(connection, engine().holder(), at_hand, now()); });
    }
    void put_job_back(std::int64_t id) override {
        write([&](auto& connection) { sql::put_job_back(connection, id); });
    }
    bool end_job(std::int64_t id, JobState state, std::string_view answer) override {
        return engine().write_marked([&](auto& connection, ChangeMark&) {
            const bool has_ended = sql::end_job(connection, id, state, answer, now());
            return Outcome<bool>{has_ended, has_ended};
        });
    }

    [[nodiscard]] std::optional<FeedBegun> begin_feed(const Author& author, const FeedRequest& request) override {
        return engine().write_marked([&](auto& connection, ChangeMark& mark) {
            lock_changes(connection);
            const std::int64_t time = now();
            const std::optional<FeedBegun> begun = insert_feed_run(connection, author.name, request, time);
            const bool is_new = begun && begun->is_new;
            if (is_new) {
                mark = sql::record_action(connection, author, "run_feed", fmt::format("feed/{}", request.feed), time);
            }
            return Outcome<std::optional<FeedBegun>>{begun, is_new};
        });
    }
    [[nodiscard]] std::optional<FeedRun> start_feed(std::int64_t only, std::span<const std::int64_t> under_way) override {
        if (!engine().read_once([&](auto& connection) { return has_open_feed_run(connection, engine().holder()); })) {
            return std::nullopt;
        }
        return take([&](auto& connection) { return start_feed_run(connection, engine().holder(), only, under_way); });
    }
    void end_feed(const Author& author, const FeedEnd& end) override {
        const bool is_rejected = end.from != FeedState::running;
        engine().write_marked([&](auto& connection, ChangeMark& mark) {
            const bool is_new = end.run == 0;
            if (end.recalculation || is_rejected || is_new) {
                lock_changes(connection);
            }
            const std::int64_t time = now();
            if (is_rejected) {
                const FeedRun run = find_feed_run(connection, end.run).value_or(FeedRun());
                mark =
                    sql::record_action(connection, author, run.feed.empty() ? "reject_import" : "reject_feed", name_of(run), time);
            } else if (is_new) {
                mark = sql::record_action(connection, author, "import",
                                          fmt::format("{}: {} documents are held", end.import.format, end.held), time);
            }
            end_feed_run(connection, author, end, time);
            return Outcome<bool>{true};
        });
    }
    [[nodiscard]] std::optional<std::vector<FeedRun>> feed_runs(std::string_view feed, std::int64_t before,
                                                                std::size_t limit) const override {
        return engine().read_many([&](auto& connection) { return find_feed_runs(connection, feed, before, limit); });
    }
    [[nodiscard]] std::vector<FeedRun> import_runs(std::int64_t before, std::size_t limit) const override {
        return engine().read_many([&](auto& connection) { return find_import_runs(connection, before, limit); });
    }
    [[nodiscard]] std::optional<FeedRun> feed_run(std::int64_t run) const override {
        return engine().read_many([&](auto& connection) { return find_feed_run(connection, run); });
    }
    [[nodiscard]] std::vector<FeedRun> undone_runs() const override {
        return engine().read_many([&](auto& connection) { return find_undone_runs(connection); });
    }
    [[nodiscard]] std::optional<FeedRun> feed_run_of_file(std::string_view feed, std::string_view origin,
                                                          std::string_view hash) const override {
        return engine().read_many([&](auto& connection) { return find_feed_run_of_file(connection, feed, origin, hash); });
    }
    [[nodiscard]] std::string held_documents(std::int64_t run) const override {
        return engine().read_many([&](auto& connection) { return find_held_documents(connection, run); });
    }
    [[nodiscard]] std::string restated(std::int64_t run) const override {
        return engine().read_many([&](auto& connection) { return find_restated(connection, run); });
    }
    [[nodiscard]] std::vector<std::int64_t> restating_runs(std::int64_t after) const override {
        return engine().read_many([&](auto& connection) { return find_restating_runs(connection, after); });
    }
    [[nodiscard]] std::optional<FeedRun> last_good_feed_run(std::string_view feed) const override {
        return engine().read_many([&](auto& connection) { return find_good_feed_run(connection, feed); });
    }
    [[nodiscard]] std::string feed_secret(std::string_view feed) const override {
        return engine().read_once([&](auto& connection) { return find_feed_secret(connection, feed); });
    }

    [[nodiscard]] std::optional<std::vector<StoredResult>> results(std::string_view scenario, std::int64_t before,
                                                                   std::size_t limit) const override {
        return engine().read([&](auto& connection) { return find_results(connection, scenario, before, limit); });
    }
    [[nodiscard]] std::string result_body(const StoredResult& result) const override {
        return engine().read_many([&](auto& connection) { return load_result_body(connection, result.body); });
    }

private:
    // What `call(connection)` took, if anything, with a lease.
    template <class Call> auto take(const Call& call) {
        auto taken = engine().write_marked([&](auto& connection, ChangeMark&) {
            auto found = call(connection);
            const bool is_kept = found.has_value();
            return Outcome<decltype(found)>{std::move(found), is_kept};
        });
        if (taken) {
            engine().note_lease();
        }
        return taken;
    }
    static ChangeMark record_begun(auto& connection, const Author& author, std::int64_t run, std::int64_t now) {
        return sql::record_action(connection, author, "begin_recalculation", fmt::format("recalculation/{}", run), now);
    }
};

} // namespace costcurve::storage::sql
