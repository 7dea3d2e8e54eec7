// The store's calls about documents, keys, telemetry and bills: each takes a connection, begins, does what other files of this room
// or of the engine's do, and commits.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "server/storage/sql/access.hpp"
#include "server/storage/sql/bill.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/pool.hpp"
#include "server/storage/sql/removal.hpp"
#include "server/storage/sql/store_base.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/telemetry.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::sql {

[[nodiscard]] inline std::string subject_of(const DocumentKey& key) { return fmt::format("{}/{}", name_of(key.kind), key.id); }

// A visitor that has seen something is not called again from the start.
inline void refuse_second_visit(bool has_begun) {
    if (has_begun) {
        throw StoreError(StoreError::Cause::unavailable, "the connection to the database broke in the middle of a read: try again");
    }
}

template <class Engine> class DocumentCalls : public StoreBase<Engine> {
    using Base = StoreBase<Engine>;

protected:
    [[nodiscard]] AnswerRoom answer_room(std::string_view author_name) const {
        return engine().read_once([&](auto& connection) { return sql::answer_room(connection, author_name, now()); });
    }
    using Base::Base;
    using Base::engine;
    using Base::now;
    using Base::settings_;
    using Base::write;
    using Base::write_change;

public:
    [[nodiscard]] std::unique_ptr<Snapshot> snapshot(std::optional<std::string> as_of) const override {
        const std::optional<Moment> moment = as_of ? std::optional(moment_of(*as_of)) : std::nullopt;
        // A write that is under way has its time already: what it writes belongs to this moment, or else to a later one.
        if (moment && !moment->is_sequence &&
            parse_time(engine().open_snapshot(std::nullopt)->as_of()).value_or(0) < moment->value) {
            engine().wait_for_writes();
        }
        return engine().open_snapshot(moment);
    }
    [[nodiscard]] RemoveOutcome remove(const Author& author, const DocumentKey& key, const Condition& condition) override {
        return write_change(author, "remove", subject_of(key), [&](auto& connection, auto& change) -> Outcome<RemoveOutcome> {
            const auto current = find_current(connection, key);
            if (!current || current->revision.deleted) {
                return {NotFound{}, false};
            }
            if (const auto failed = failing(condition, &current->revision)) {
                return {*failed, false};
            }
            RemoveOutcome outcome = remove_document(connection, change, *current);
            const bool is_kept = std::holds_alternative<Removed>(outcome);
            return {std::move(outcome), is_kept};
        });
    }
    void record_action(const Author& author, std::string_view action, std::string_view subject) override {
        engine().write_marked([&](auto& connection, ChangeMark& mark) -> Outcome<bool> {
            lock_changes(connection);
            mark = sql::record_action(connection, author, action, std::string(subject), now());
            return {true};
        });
    }

    [[nodiscard]] bool add_key(const Author& author, const ApiKey& key, std::string_view hash,
                               std::optional<std::int64_t> days) override {
        return write_change(author, "add_key", key.name, [&](auto& connection, auto& change) -> Outcome<bool> {
            const bool added = insert_key(connection, change, key, hash, days);
            return {added, added};
        });
    }
    [[nodiscard]] std::optional<ApiKey> rotate_key(const Author& author, std::string_view name, std::string_view hash,
                                                   const KeyRotation& rotation) override {
        return write_change(author, "rotate_key", std::string(name),
                            [&](auto& connection, auto& change) -> Outcome<std::optional<ApiKey>> {
                                if (!replace_secret(connection, change, name, hash, rotation)) {
                                    return {std::nullopt, false};
                                }
                                return {find_keys(connection, name, now()).front()};
                            });
    }
    [[nodiscard]] bool revoke_key(const Author& author, std::string_view name) override {
        return write_change(author, "revoke_key", std::string(name), [&](auto& connection, auto& change) -> Outcome<bool> {
            const bool ended = end_key(connection, change, name);
            return {ended, ended};
        });
    }
    [[nodiscard]] std::vector<ApiKey> keys() const override {
        return engine().read_once([&](auto& connection) { return find_keys(connection, "", now()); });
    }
    [[nodiscard]] std::optional<ApiKey> find_key(std::string_view hash) const override {
        return engine().read_once([&](auto& connection) { return key_of(connection, hash, now()); });
    }
    [[nodiscard]] bool has_expired(std::string_view hash) const override {
        return engine().read_once([&](auto& connection) { return sql::has_expired(connection, hash, now()); });
    }
    void keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer) override {
        write([&](auto& connection) { insert_answer(connection, keeper_of(author), idempotency_key, answer, now()); });
    }
    [[nodiscard]] std::optional<StoredAnswer> kept_answer(std::string_view author_name,
                                                          std::string_view idempotency_key) const override {
        return engine().read_once([&](auto& connection) { return answer_of(connection, author_name, idempotency_key, now()); });
    }

    [[nodiscard]] bool is_upgrade_due(std::string_view name) const override {
        return engine().read_once(
            [&](auto& connection) { return connection.number("SELECT count(*) FROM upgrade_due WHERE name = $1", name) != 0; });
    }
    void end_upgrade(std::string_view name) override {
        write([&](auto& connection) { connection.post("DELETE FROM upgrade_due WHERE name = $1", name); });
    }

    [[nodiscard]] TelemetryWindow telemetry_window() const override { return window_at(now(), settings_.telemetry_days); }
    [[nodiscard]] AddedSamples add_samples(const Author& author, const SampleBatch& batch) override {
        std::optional<bool> is_first; // of the hour: asked once, however often the transaction is done
        return engine().write_marked([&](auto& connection, ChangeMark& mark) {
            Outcome<AddedSamples> outcome{insert_samples(connection, batch, telemetry_window())};
            const std::int64_t time = now();
            if (outcome.value.accepted > 0 && !is_first) {
                const std::lock_guard lock(sources_mutex_);
                is_first = noted_sources_.is_first_of_hour(author, time);
            }
            if (is_first.value_or(false)) { // the lock is the last that is waited for
                lock_changes(connection);
                mark = sql::record_action(connection, author, "add_samples", fmt::format("in the hour of {}", format_time(time)),
                                          time);
            }
            return outcome;
        });
    }
    [[nodiscard]] HourPage hours(const HourQuery& query) const override {
        return engine().read([&](auto& connection) { return find_hours(connection, query); });
    }
    void visit_samples(const SampleQuery& query, const SampleVisitor& visit) const override {
        bool has_begun = false;
        const auto visit_all = [&](auto& connection) {
            refuse_second_visit(has_begun);
            read_samples(connection, query, [&](const SeriesKey& series, std::int64_t time_ms, double value) {
                has_begun = true;
                return visit(series, time_ms, value);
            });
        };
        engine().read(visit_all, ReadSize::large);
    }
    [[nodiscard]] BillOutcome save_bill(const Author& author, std::span<const BillLine> lines, bool dry_run,
                                        std::string_view source) override {
        std::string subject = fmt::format("{} lines{}{}", lines.size(), source.empty() ? "" : " of ", source);
        return write_change(author, "save_bill", std::move(subject), [&](auto& connection, auto& change) {
            const BillOutcome outcome = save_bill_lines(connection, change, lines);
            return Outcome<BillOutcome>{outcome, !dry_run && change.is_recorded()};
        });
    }
    [[nodiscard]] std::vector<BillTotal> bill(const BillQuery& query) const override {
        return engine().read([&](auto& connection) { return total_bill(connection, query); });
    }
    void visit_bill(std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) const override {
        bool has_begun = false;
        const auto visit_all = [&](auto& connection) {
            refuse_second_visit(has_begun);
            sql::read_bill(connection, from_day, to_day, [&](const BillSum& sum) {
                has_begun = true;
                visit(sum);
            });
        };
        engine().read(visit_all, ReadSize::large);
    }

    [[nodiscard]] std::int64_t sequence() const override {
        return engine().read_once([](auto& connection) {
            return connection.number("SELECT coalesce((SELECT sequence FROM change WHERE content IS NOT NULL "
                                     "ORDER BY sequence DESC LIMIT 1), 0)");
        });
    }
    [[nodiscard]] StoreCounts counts() const override {
        return engine().read([]<class Connection>(Connection& connection) {
            StoreCounts counts;
            counts.documents.resize(kind_names.size());
            {
                RowsOf<Connection> rows(connection, "SELECT kind, count(*) FROM revision "
                                                    "WHERE until = 9223372036854775807 AND deleted = 0 GROUP BY kind");
                while (rows.next()) {
                    counts.documents[static_cast<std::size_t>(kind_of(rows.text(0)))] = rows.integer(1);
                }
            }
            counts.revisions = connection.number("SELECT count(*) FROM revision");
            counts.points = connection.number("SELECT count(*) FROM point");
            counts.bytes = connection.number(Dialect<Connection>::kDatabaseBytes);
            return counts;
        });
    }

private:
    std::mutex sources_mutex_; // guards the next one
    NotedSources noted_sources_;
};

} // namespace costcurve::storage::sql
