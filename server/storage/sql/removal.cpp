// Deletes documents: a revision marks the deletion, and rows of earlier ones stay.
#include "server/storage/sql/removal.hpp"

#include <optional>
#include <variant>

#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/feeds.hpp"
#include "server/storage/sql/outbox.hpp"

namespace costcurve::storage::sql {

namespace {

// The current documents, except itself, that refer to a document.
InUse users_of(Connection& connection, std::int64_t document) {
    constexpr std::int64_t kMaxListedUsers = 100;
    InUse in_use;
    in_use.count = connection.number(
        "SELECT count(*) FROM reference WHERE target = $1 AND until = 9223372036854775807 AND source <> $1", document);
    if (in_use.count > 0) {
        in_use.users = read_all(Rows(connection, R"(
            SELECT d.kind, d.id FROM reference f JOIN document d ON d.document = f.source
            WHERE f.target = $1 AND f.until = 9223372036854775807 AND f.source <> $1 ORDER BY d.kind, d.id LIMIT $2)",
                                     document, kMaxListedUsers),
                                [](const Row& row) { return read_document_key(row); });
    }
    return in_use;
}

} // namespace

RemoveOutcome remove_document(Connection& connection, Change& change, const Stored& current) {
    InUse in_use = users_of(connection, current.document);
    if (in_use.count > 0) {
        return in_use;
    }
    connection.engine().add_deletion(connection, change, current);
    const Kind kind = current.revision.record.key.kind;
    if (kind == Kind::webhook) {
        remove_webhook(connection, current.document);
    }
    if (kind == Kind::feed) {
        remove_feed(connection, current.document);
    }
    return Removed{current.revision.revision + 1};
}

void remove_documents(Connection& connection, Change& change, const SaveOptions& options) {
    for (const Removal& removal : options.removals) {
        const std::optional<Stored> current = connection.engine().find_current(connection, removal.key);
        const bool is_it = current && !current->revision.deleted && current->revision.revision == removal.revision;
        const bool is_removed = is_it && std::holds_alternative<Removed>(remove_document(connection, change, *current));
        if (!is_removed && options.on_kept) {
            options.on_kept(removal.key);
        }
    }
}

} // namespace costcurve::storage::sql
