// The list of tables, and the copy between two stores.
#include "server/storage/copy.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/storage/error.hpp"
#include "server/storage/hash.hpp"

namespace costcurve::storage {

namespace {

constexpr auto kCopiedTables = std::to_array<CopiedTable>({
    {"change", "sequence", ""},
    {"document", "document", ""},
    {"body", "body", ""},
    {"pointer", "pointer", ""},
    {"revision", "document, since", ""},
    {"point", "document, pointer, x, since", ""},
    {"reference", "source, target, since", ""},
    {"api_key", "name", ""},
    {"api_secret", "hash", ""},
    {"seal", "subject, since", ""},
    {"answer", "author, idempotency_key", ""},
    {"telemetry_series", "series", "series"},
    {"telemetry_sample", "minute, series, millisecond", ""},
    {"telemetry_counter", "series, time", ""},
    {"telemetry_hour", "hour, series", ""},
    {"telemetry_cleared", "hour", ""},
    {"bill_item", "item", "item"},
    {"bill_line", "day, item", ""},
    {"replaced_bill_line", "day, item, change", ""},
    {"run", "run", "run"},
    {"run_item", "run, scenario", ""},
    {"recalculated", "one", ""},
    {"result_body", "body", "body"},
    {"result", "scenario, number", ""},
    {"webhook", "webhook", ""},
    {"event", "event", "event"},
    {"delivery", "delivery", "delivery"},
    {"schedule_tick", "schedule", ""},
    {"standing", "standing", "standing"},
    {"job", "job", "job"},
    {"feed_secret", "feed", ""},
    {"feed_run", "run", "run"},
    {"upgrade_due", "name", ""},
});
// A new store already has a row in this table.
constexpr std::string_view kOwnRow = "telemetry_cleared";

struct Adding {
    HashInput& input;
    void operator()(std::monostate /*null*/) const { input.add(std::int64_t{0}); }
    void operator()(std::int64_t value) const { input.add(std::int64_t{1}).add(value); }
    void operator()(double value) const { input.add(std::int64_t{2}).add(value); }
    void operator()(std::string_view value) const { input.add(std::int64_t{3}).add(value); }
    void operator()(const Blob& value) const { input.add(std::int64_t{4}).add(value.value); }
};

// Running hash of a table: each step hashes the previous hash and the next row.
class RowsHash {
public:
    void add(CopiedRow row) {
        input_.add(text_of(hash_));
        for (const CopiedCell& cell : row) {
            std::visit(Adding{input_}, cell);
        }
        hash_ = input_.take();
        ++rows_;
    }
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::string hex() const { return hex_of(text_of(hash_)); }

private:
    HashInput input_;
    Hash hash_{};
    std::int64_t rows_ = 0;
};

void check_is_empty(CopyEnd& to) {
    for (const CopiedTable& table : kCopiedTables) {
        const std::int64_t rows = table.name == kOwnRow ? 0 : to.count(table);
        if (rows > 0) {
            throw StoreError(StoreError::Cause::unavailable,
                             fmt::format("the target is not empty: its table {} has {} row{}; copy to a new file or database",
                                         table.name, rows, rows == 1 ? "" : "s"));
        }
    }
}

std::vector<CopiedColumn> same_columns(const CopiedTable& table, CopyEnd& from, CopyEnd& to) {
    std::vector<CopiedColumn> columns = from.columns(table);
    const bool same = std::ranges::equal(columns, to.columns(table), [](const CopiedColumn& left, const CopiedColumn& right) {
        return left.name == right.name && left.type == right.type;
    });
    if (!same || columns.empty()) {
        throw StoreError(StoreError::Cause::corrupt, fmt::format("table {} has other columns in the source than in the target; "
                                                                 "bring both to this version's schema with costcurve migrate",
                                                                 table.name));
    }
    return columns;
}

CopyReport::Table copy_table(const CopiedTable& table, CopyEnd& from, CopyEnd& to, const CopyProgress& progress) {
    const std::vector<CopiedColumn> columns = same_columns(table, from, to);
    if (table.name == kOwnRow) {
        to.clear(table);
    }
    progress(table.name, "copied");
    RowsHash source;
    to.begin_table(table, columns);
    from.visit(table, columns, [&](CopiedRow row) {
        source.add(row);
        to.add(row);
    });
    to.end_table(table.ids.empty() ? 0 : from.last_id(table));
    progress(table.name, "verified");
    RowsHash target;
    to.visit(table, columns, [&](CopiedRow row) { target.add(row); });
    if (source.rows() != target.rows() || source.hex() != target.hex()) {
        throw StoreError(StoreError::Cause::corrupt,
                         fmt::format("table {}: {} rows were read ({}) and {} are in the target ({}); nothing is written",
                                     table.name, source.rows(), source.hex(), target.rows(), target.hex()));
    }
    return {std::string(table.name), source.rows(), source.hex()};
}

} // namespace

std::span<const CopiedTable> copied_tables() { return kCopiedTables; }

std::int64_t CopyReport::rows() const {
    std::int64_t sum = 0;
    for (const Table& table : tables) {
        sum += table.rows;
    }
    return sum;
}

CopyReport copy_all(CopyEnd& from, CopyEnd& to, const CopyProgress& progress) {
    const CopyProgress silent = [](std::string_view /*table*/, std::string_view /*step*/) {};
    check_is_empty(to);
    CopyReport report;
    for (const CopiedTable& table : kCopiedTables) {
        report.tables.push_back(copy_table(table, from, to, progress ? progress : silent));
    }
    to.commit();
    return report;
}

} // namespace costcurve::storage
