// Differences between the engines that the shared statements need.
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

/// SQL fragments that differ between engines.
struct Dialect {
    const char* notice = "";        ///< additional RETURNING column that wakes other daemons at the commit
    const char* return_notice = ""; ///< RETURNING clause with this column only
    std::string is_free;            ///< condition: no holder other than $1 has leased the row
    std::string is_over;            ///< condition: nobody has leased the row
    const char* end_lease = "";     ///< additional assignments that end a lease
    const char* numbered = "$";     ///< parameter prefix if other parameters are left out
    const char* position = "";      ///< function that finds a part in a text
    const char* differs = "";       ///< `<>` that treats NULL as a value
    const char* random_id = "";
    const char* url_of_body = "";    ///< URL of a document whose body row is b
    const char* database_bytes = ""; ///< statement for the size of the database
    const char* lock = "";           ///< clause that locks the selected rows of table {}
    const char* skip_locked = "";    ///< like `lock`, but skips locked rows
};

/// Fills a table into `lock` or `skip_locked`.
[[nodiscard]] inline std::string locking(const char* clause, std::string_view table) {
    return fmt::format(fmt::runtime(clause), table);
}

/// Statements about bills. Columns are in the order of kBillGroupNames, kBillLineNames and kBillFigures.
struct BillStatements {
    std::string find_group;  ///< for a group's names and day: each line's row, names, figures, and the change that last stated it
    std::string find_beside; ///< similar lines of other writes: exactly one of both lines has an account, or one account is a part
                             ///< of the other
    std::string total;
    std::string visit;
};

/// Stateless. All connections passed to it must belong to this engine.
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
    /// Leases row `row` of `table` to a holder; column `key` has the row's number.
    virtual void lease_row(Connection& /*connection*/, std::string_view /*table*/, std::string_view /*key*/, std::int64_t /*row*/,
                           std::string_view /*holder*/) const {}
    /// Deletes the start counts of the items of an ended run.
    virtual void remove_attempts(Connection& /*connection*/, std::int64_t /*run*/) const {}

    /// When the next delivery that the holder may take is due, in microseconds; nothing if none is pending.
    [[nodiscard]] virtual std::optional<std::int64_t> next_due(Connection& connection, std::string_view holder,
                                                               std::int64_t now) const = 0;
    /// The ids that name no stored scenario.
    [[nodiscard]] virtual std::vector<std::string> missing_scenarios(Connection& connection,
                                                                     std::span<const std::string> ids) const = 0;
    /// Adds the existing ones of these scenarios to a run.
    virtual void add_scenarios(Connection& connection, std::int64_t run, std::span<const std::string> ids) const = 0;

    /// The newest revision of a document, which may be a deletion; nothing if the document never existed.
    [[nodiscard]] virtual std::optional<Stored> find_current(Connection& connection, const DocumentKey& key) const = 0;
    /// Adds a deletion as the next revision, and ends the current revision and its references.
    virtual void add_deletion(Connection& connection, Change& change, const Stored& current) const = 0;

    // Removes bill lines of one day.
    virtual void remove_lines(Connection& connection, std::int64_t day, std::span<const std::int64_t> items) const = 0;
    virtual void put_lines(Connection& connection, std::span<const BillLine* const> lines, std::int64_t sequence) const = 0;

    // Adds samples, and their sums to the hours.
    [[nodiscard]] virtual AddedSamples insert_samples(Connection& connection, const SampleBatch& batch,
                                                      const TelemetryWindow& window) const = 0;
    [[nodiscard]] virtual HourPage find_hours(Connection& connection, const HourQuery& query) const = 0;
    virtual void read_samples(Connection& connection, const SampleQuery& query, const SampleVisitor& visit) const = 0;
};

} // namespace costcurve::storage::sql
