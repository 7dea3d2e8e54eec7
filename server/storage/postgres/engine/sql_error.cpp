// The table of SQLSTATEs and their causes; a class is a prefix.
#include "server/storage/postgres/engine/sql_error.hpp"

#include <fmt/format.h>

namespace costcurve::storage::postgres {

namespace {

using Cause = StoreError::Cause;

struct SqlMeaning {
    std::string_view prefix;
    Cause cause;
    std::string_view advice;
};
constexpr std::string_view kReport = "this should not happen: please report it";
// The first matching entry counts.
constexpr SqlMeaning kSqlMeanings[] = {
    {"08P01", Cause::unavailable, "a pooler that takes no options of a connection stands before it: give the server's own address"},
    {"08", Cause::unavailable, "the connection to PostgreSQL broke: check that it runs and can be reached"},
    {"57P01", Cause::unavailable, "PostgreSQL is being stopped or restarted: try again"},
    {"57P02", Cause::unavailable, "PostgreSQL crashed and restarts: try again"},
    {"57P03", Cause::unavailable, "PostgreSQL is starting, stopping or recovering: try again"},
    {"57P05", Cause::unavailable, "PostgreSQL ended an idle connection: try again"},
    {"57", Cause::busy, "the statement was cancelled or took too long: try again"},
    {"55P03", Cause::busy, "another write holds the store for longer than the busy timeout: try again"},
    {"55", Cause::busy, "another session uses what this needs: try again"},
    {"40", Cause::busy, "other writes came first several times: try again"},
    {"53300", Cause::unavailable,
     "PostgreSQL has as many connections as max_connections allows: allow more, or run fewer daemons or smaller pools"},
    {"53", Cause::full, "PostgreSQL has no disk space or memory left: free some or allow more"},
    {"54000", Cause::full, "a text is longer than an index takes: give offers providers and regions of at most 256 bytes"},
    {"54", Cause::full, "a limit of PostgreSQL is reached"},
    {"25006", Cause::read_only,
     "the server takes no writes (a standby, or default_transaction_read_only): give the address of the primary, for several hosts "
     "with target_session_attrs=read-write"},
    {"25P03", Cause::unavailable, "a transaction was idle for too long and is undone: try again"},
    {"28P01", Cause::unavailable, "the password or the user is wrong: check both in the address, or PGPASSWORD or ~/.pgpass"},
    {"28", Cause::unavailable, "PostgreSQL refuses this user from here: check the user, and pg_hba.conf"},
    {"3D000", Cause::unavailable, "there is no such database: create it (createdb), or give another name"},
    {"3F000", Cause::unavailable, "there is no such schema: create it, or give another search_path"},
    {"42501", Cause::read_only, "the role lacks a right: grant it as docs/scaling.md says, or use the owner's role"},
    {"42P01", Cause::foreign_file, "a table is missing: this is no costcurve store of this version; costcurve migrate makes one"},
    {"42703", Cause::foreign_file, "a column is missing: this is no costcurve store of this version"},
    {"42883", Cause::foreign_file, "a function is missing: this server is no PostgreSQL of version 14 or later"},
    {"26000", Cause::unavailable, "a pooler lost a prepared statement: give the server's own address"},
    {"42P05", Cause::unavailable, "a pooler mixed up prepared statements: give the server's own address"},
    {"58", Cause::unavailable, "PostgreSQL's disk failed: check its log"},
    {"XX001", Cause::corrupt, "a table is damaged: restore PostgreSQL's backup"},
    {"XX002", Cause::corrupt, "an index is damaged: REINDEX it, and check the disk"},
    {"F0", Cause::unavailable, "PostgreSQL's configuration is wrong: check its log"},
    {"22021", Cause::unavailable, "a text has the character U+0000 or is no UTF-8, which PostgreSQL can't store"},
    {"23", Cause::corrupt, "rows that belong together don't: costcurve check says which; restore a backup"},
};

// The server's text without the line feeds at its end, and its details.
std::string one_line(std::string_view message) {
    std::string line(message);
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) {
        line.pop_back();
    }
    for (char& character : line) {
        character = character == '\n' ? ' ' : character;
    }
    return line;
}

} // namespace

bool SqlError::may_be_retried() const { return sqlstate_ == "40001" || sqlstate_ == "40P01" || sqlstate_ == "26000"; }

SqlError sql_error(const SqlProblem& problem) {
    Cause cause = Cause::unavailable;
    std::string_view advice =
        problem.is_lost ? "the connection to PostgreSQL broke: check that it runs and can be reached" : kReport;
    for (const SqlMeaning& meaning : kSqlMeanings) {
        if (!problem.sqlstate.empty() && problem.sqlstate.starts_with(meaning.prefix)) {
            cause = meaning.cause;
            advice = meaning.advice;
            break;
        }
    }
    std::string text = fmt::format("{}: {}", problem.target, one_line(problem.message));
    text += problem.sqlstate.empty() ? "" : fmt::format(" ({})", problem.sqlstate);
    return {cause, fmt::format("{}; {}", text, advice), problem.sqlstate, problem.constraint, problem.is_lost};
}

} // namespace costcurve::storage::postgres
