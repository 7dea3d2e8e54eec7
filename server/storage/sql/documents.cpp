// Calls about documents and about the store as a whole.
#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/removal.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sql {

std::unique_ptr<Snapshot> SqlStore::snapshot(std::optional<std::string> as_of) const {
    const std::optional<Moment> moment = as_of ? std::optional(moment_of(*as_of)) : std::nullopt;
    // A write in progress already has its time: wait for it, because its change may belong to this moment.
    if (moment && !moment->is_sequence && parse_time(open_snapshot(std::nullopt)->as_of()).value_or(0) < moment->value) {
        wait_for_writes();
    }
    return open_snapshot(moment);
}

RemoveOutcome SqlStore::remove(const Author& author, const DocumentKey& key, const Condition& condition) {
    return write_change(author, "remove", subject_of(key), [&](Connection& connection, Change& change) -> Outcome<RemoveOutcome> {
        const auto current = connection.engine().find_current(connection, key);
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

void SqlStore::record_action(const Author& author, std::string_view action, std::string_view subject) {
    write_marked([&](Connection& connection, ChangeMark& mark) -> Outcome<bool> {
        connection.engine().lock_changes(connection);
        mark = sql::record_action(connection, author, action, std::string(subject), now());
        return {true};
    });
}

bool SqlStore::is_upgrade_due(std::string_view name) const {
    return read(Reading::once, [&](Connection& connection) {
        return connection.number("SELECT count(*) FROM upgrade_due WHERE name = $1", name) != 0;
    });
}

void SqlStore::end_upgrade(std::string_view name) {
    write([&](Connection& connection) { connection.post("DELETE FROM upgrade_due WHERE name = $1", name); });
}

std::int64_t SqlStore::sequence() const {
    return read(Reading::once, [](Connection& connection) {
        return connection.number("SELECT coalesce((SELECT sequence FROM change WHERE content IS NOT NULL "
                                 "ORDER BY sequence DESC LIMIT 1), 0)");
    });
}

StoreCounts SqlStore::counts() const {
    return read(Reading::moment, [](Connection& connection) {
        StoreCounts counts;
        counts.documents.resize(kind_names.size());
        {
            Rows rows(connection, "SELECT kind, count(*) FROM revision "
                                  "WHERE until = 9223372036854775807 AND deleted = 0 GROUP BY kind");
            while (rows.next()) {
                counts.documents[static_cast<std::size_t>(kind_of(rows->text(0)))] = rows->integer(1);
            }
        }
        counts.revisions = connection.number("SELECT count(*) FROM revision");
        counts.points = connection.number("SELECT count(*) FROM point");
        counts.bytes = connection.number(connection.engine().dialect().database_bytes);
        return counts;
    });
}

} // namespace costcurve::storage::sql
