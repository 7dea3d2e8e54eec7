// Opens connections. Refuses servers that speak PostgreSQL's protocol but lack its locks, because two changes would get one number.
#include "server/storage/postgres/open.hpp"

#include <random>

#include <fmt/format.h>

#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/postgres/migrations.hpp"

namespace costcurve::storage::postgres {

namespace {

using Cause = StoreError::Cause;

constexpr std::int64_t kOldestServer = 140000;
constexpr int kMigrationLockMs = 5000; // a waiting migration must not block others for longer
constexpr std::int64_t kMaxNewer = 1;  // how many schema versions newer than this program it accepts

constexpr const char* kServer = R"(
    SELECT version(), current_setting('server_version_num')::bigint, current_setting('server_encoding'), pg_is_in_recovery(),
        current_setting($1, true))";
constexpr const char* kMissingRights = R"(
    SELECT string_agg(t.name || ' (' || t.rights || ')', ', ') FROM (VALUES
        ('change', 'SELECT, INSERT'), ('document', 'SELECT, INSERT'), ('body', 'SELECT, INSERT'), ('revision', 'SELECT, INSERT'),
        ('point', 'SELECT, INSERT'), ('pointer', 'SELECT, INSERT'), ('reference', 'SELECT, INSERT'),
        ('api_key', 'SELECT, INSERT, UPDATE'), ('api_secret', 'SELECT, INSERT, UPDATE'),
        ('answer', 'SELECT, INSERT, UPDATE, DELETE'), ('run', 'SELECT, INSERT, UPDATE'),
        ('result', 'SELECT, INSERT'), ('event', 'SELECT, INSERT'), ('delivery', 'SELECT, INSERT, UPDATE'),
        ('job', 'SELECT, INSERT, UPDATE, DELETE')) AS t (name, rights)
    WHERE EXISTS (SELECT 1 FROM unnest(string_to_array(t.rights, ', ')) AS r (wanted)
                  WHERE NOT has_table_privilege(t.name, r.wanted)))";
constexpr const char* kOwns = "SELECT count(*) FROM pg_class WHERE oid = 'change'::regclass AND pg_has_role(relowner, 'USAGE')";
constexpr const char* kLockKey = "SELECT hashtextextended(id::text, 0) FROM store";

[[noreturn]] void refuse(Cause cause, const Connection& connection, std::string_view why) {
    throw StoreError(cause, fmt::format("{}: {}", connection.target(), why));
}

void check_server(Connection& connection) {
    Rows rows(connection, kServer, kOptionsArrived);
    static_cast<void>(rows.next());
    const std::string_view version = rows.text(0);
    for (const std::string_view other : {"CockroachDB", "-YB-", "Redshift"}) {
        if (version.find(other) != std::string_view::npos) {
            refuse(
                Cause::unavailable, connection,
                fmt::format("this is {}, which speaks PostgreSQL's protocol without its locks; give a PostgreSQL of version 14 or "
                            "later; nothing was written",
                            other == "-YB-" ? "YugabyteDB" : other));
        }
    }
    if (rows.integer(1) < kOldestServer) {
        refuse(Cause::unavailable, connection,
               fmt::format("this is {}; costcurve needs PostgreSQL 14 or later; nothing was written", version.substr(0, 20)));
    }
    if (rows.text(2) != "UTF8") {
        refuse(Cause::unavailable, connection,
               fmt::format("the database's encoding is {}; create one with ENCODING 'UTF8'; nothing was written", rows.text(2)));
    }
    if (rows.text(4) != "on") {
        refuse(Cause::unavailable, connection,
               "the options of a connection, such as lock_timeout, don't arrive: a pooler stands before it; give the server's own "
               "address; nothing was written");
    }
    if (rows.integer(3) != 0) {
        refuse(Cause::read_only, connection,
               "this is a standby, which takes no writes; give the primary's address, or several hosts with "
               "target_session_attrs=read-write");
    }
}

// Checks that a lock held on one connection excludes another connection across statements. This detects stubs, and poolers that
// give each statement another session.
void check_locks(Connection& one, Connection& other) {
    std::random_device device;
    const auto key = static_cast<std::int64_t>((std::uint64_t{device()} << 32U) | device());
    Transaction first(one, Transaction::Kind::write);
    one.run("SELECT pg_advisory_xact_lock($1)", key);
    Transaction second(other, Transaction::Kind::write);
    if (other.number("SELECT pg_try_advisory_xact_lock($1)", key) != 0 ||
        one.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()") == 0) {
        refuse(Cause::unavailable, one,
               "its advisory locks don't keep two connections apart: this is no PostgreSQL, or a pooler in statement mode stands "
               "before "
               "it; give the server's own address; nothing was written");
    }
}

void check_rights(Connection& connection, const StoreSettings& settings) {
    Rows missing(connection, kMissingRights);
    if (missing.next() && !missing.is_null(0)) {
        refuse(Cause::read_only, connection,
               fmt::format("the role has no right to {}; grant them as docs/scaling.md says, or use the owner's role",
                           missing.text(0)));
    }
    if (settings.log && settings.is_daemons && connection.number(kOwns) != 0) {
        settings.log(
            fmt::format("{}: the role owns the tables and could take away what keeps history; docs/scaling.md has a role for "
                        "daemons",
                        connection.target()));
    }
}

void check_version(Connection& connection, std::int64_t version) {
    const std::int64_t known = migrations().back().version;
    if (version < known) {
        refuse(Cause::unavailable, connection,
               fmt::format("schema {}, this program's is {}; run costcurve migrate, then start the daemons", version, known));
    }
}

ConnectionSettings settings_for_migrations(const StoreSettings& settings) {
    ConnectionSettings changed = connection_settings(settings);
    changed.busy_timeout_ms = kMigrationLockMs;
    changed.statement_timeout_ms = 0;
    return changed;
}

} // namespace

ConnectionSettings connection_settings(const StoreSettings& settings) { return {.busy_timeout_ms = settings.busy_timeout_ms}; }

std::int64_t open_checked(const StoreSettings& settings, std::int64_t recorded_at) {
    const ConnectionSettings connecting = connection_settings(settings);
    Connection connection(settings.path, connecting);
    check_server(connection);
    {
        Connection other(settings.path, connecting);
        check_locks(connection, other);
    }
    const std::int64_t version = verified_version(connection, migrations(), kMaxNewer);
    if (version == 0) {
        migrate_checked(settings, recorded_at);
    } else {
        check_version(connection, version);
    }
    check_rights(connection, settings);
    return connection.number(kLockKey);
}

void migrate_checked(const StoreSettings& settings, std::int64_t recorded_at) {
    Connection connection(settings.path, settings_for_migrations(settings));
    check_server(connection);
    migrate(connection, migrations(), recorded_at, settings.log);
}

} // namespace costcurve::storage::postgres
