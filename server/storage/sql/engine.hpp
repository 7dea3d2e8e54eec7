// What the statements of this room leave to an engine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "server/storage/measurement.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sql/connection.hpp"
#include "server/storage/telemetry.hpp"

namespace costcurve::storage::sql {

class Change;
struct Stored;

/// Words of statements.
struct Dialect {
    const char* notice = "";        ///< a column of RETURNING, behind another one, that wakes other daemons at the commit
    const char* return_notice = ""; ///< the clause of it alone
    std::string is_free;            ///< whether no other holder than $1 has a lease of a row
    std::string is_over;            ///< whether nobody has one any more
    const char* end_lease = "";     ///< assignments, behind others, that end it
    const char* numbered = "$";     ///< before the number of a parameter where others are left out
    const char* position = "";      ///< the function of a text and a part of it
    const char* differs = "";       ///< `<>` that takes NULL as a value
    const char* random_id = "";
    const char* url_of_body = "";    ///< of a document whose row of body is b
    const char* database_bytes = ""; ///< a statement
    const char* lock = "";           ///< a clause that locks the rows of a SELECT of a table, {}
    const char* skip_locked = "";    ///< the same, without those that are locked
};

/// A clause of the two last ones, of a table.
[[nodiscard]] inline std::string locking(const char* clause, std::string_view table) {
    return fmt::format(fmt::runtime(clause), table);
}

/// Statements about bills. Columns are in the order of kBillGroupNames, kBillLineNames and kBillFigures.
struct BillStatements {
    std::string find_group;  ///< of its names and day: each line's row, names, figures, and the change that it is since
    std::string find_beside; ///< of another write: lines without an account, where this one has one or the other way round, or
                             ///< of a part of the same account
    std::string total;
    std::string visit;
};

/// Stateless. The connections that it is given are its own.
class Engine {
public:
    Engine() = default;
    virtual ~Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    [[nodiscard]] virtual const Dialect& dialect() const = 0;
    [[nodiscard]] virtual const BillStatements& bill() const = 0;

    // What an engine with one writer and one daemon does without.
    /// Takes the lock under which changes are numbered, until the transaction's end.
    virtual void lock_changes(Connection& /*connection*/) const {}
    /// Lets one transaction at a time queue jobs.
    virtual void lock_jobs(Connection& /*connection*/) const {}
    /// Gives a holder a lease of a row of `table`, whose number is in `key`.
    virtual void lease_row(Connection& /*connection*/, std::string_view /*table*/, std::string_view /*key*/, std::int64_t /*row*/,
                           std::string_view /*holder*/) const {}
    /// Forgets how often the items of a run that has ended were begun.
    virtual void remove_attempts(Connection& /*connection*/, std::int64_t /*run*/) const {}

    /// When the next delivery is due that the holder may take, in microseconds; nothing where none is pending.
    [[nodiscard]] virtual std::optional<std::int64_t> next_due(Connection& connection, std::string_view holder,
                                                               std::int64_t now) const = 0;
    /// The ids of scenarios that aren't there.
    [[nodiscard]] virtual std::vector<std::string> missing_scenarios(Connection& connection,
                                                                     std::span<const std::string> ids) const = 0;
    /// Adds scenarios that are there to a run.
    virtual void add_scenarios(Connection& connection, std::int64_t run, std::span<const std::string> ids) const = 0;

    /// The newest revision of a document, a deletion too; nothing where there never was one.
    [[nodiscard]] virtual std::optional<Stored> find_current(Connection& connection, const DocumentKey& key) const = 0;
    /// Adds the revision behind it that deletes the document, and ends that and its references.
    virtual void add_deletion(Connection& connection, Change& change, const Stored& current) const = 0;

    // Lines of a bill, of one day.
    virtual void remove_lines(Connection& connection, std::int64_t day, std::span<const std::int64_t> items) const = 0;
    virtual void put_lines(Connection& connection, std::span<const BillLine* const> lines, std::int64_t sequence) const = 0;

    // Samples and their hours.
    [[nodiscard]] virtual AddedSamples insert_samples(Connection& connection, const SampleBatch& batch,
                                                      const TelemetryWindow& window) const = 0;
    [[nodiscard]] virtual HourPage find_hours(Connection& connection, const HourQuery& query) const = 0;
    virtual void read_samples(Connection& connection, const SampleQuery& query, const SampleVisitor& visit) const = 0;
};

} // namespace costcurve::storage::sql
