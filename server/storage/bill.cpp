// A line that is the same as the stored one writes nothing, so that the same bill twice changes nothing.
#include "server/storage/bill.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace costcurve::storage {

namespace {

constexpr const char* kFind = R"(
    SELECT hours, device_hours, billed_cost, effective_cost, list_cost FROM bill_line
    WHERE day = ? AND provider = ? AND region = ? AND sku = ? AND purchase = ? AND device = ? AND currency = ? AND account = ?)";
// Of another write: a line without an account, where this one has one or the other way round, or of a part of the same account.
constexpr const char* kFindBeside = R"(
    SELECT 1 FROM bill_line
    WHERE day = ?1 AND provider = ?2 AND region = ?3 AND sku = ?4 AND purchase = ?5 AND device = ?6 AND currency = ?7
        AND account <> ?8 AND since <> ?9 AND (?8 = '' OR account = '' OR instr(account, ?8 || '/') = 1
            OR instr(?8, account || '/') = 1) LIMIT 1)";
constexpr const char* kRemove = R"(
    DELETE FROM bill_line
    WHERE day = ? AND provider = ? AND region = ? AND sku = ? AND purchase = ? AND device = ? AND currency = ? AND account = ?)";
constexpr const char* kPut = R"(
    INSERT OR REPLACE INTO bill_line (day, provider, region, sku, purchase, device, currency, account, hours, device_hours,
        billed_cost, effective_cost, list_cost, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))";
constexpr const char* kTotal = R"(
    SELECT currency, count(*), sum(hours), sum(device_hours), sum(billed_cost), sum(effective_cost), sum(list_cost) FROM bill_line
    WHERE day >= ?1 AND day < ?2 AND (?3 = '' OR provider = ?3) AND (?4 = '' OR region = ?4) AND (?5 = '' OR sku = ?5)
        AND (?6 = '' OR purchase = ?6) AND (?7 = '' OR device = ?7)
    GROUP BY currency ORDER BY currency)";

auto names_of(const BillLine& line) {
    return std::tie(line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency, line.account);
}
struct ByNames {
    bool operator()(const BillLine& a, const BillLine& b) const { return names_of(a) < names_of(b); }
};

constexpr std::array kFigures = {&BillLine::hours, &BillLine::device_hours, &BillLine::billed_cost, &BillLine::effective_cost,
                                 &BillLine::list_cost};

std::vector<BillLine> added_up(std::span<const BillLine> lines) {
    std::map<BillLine, std::size_t, ByNames> places;
    std::vector<BillLine> sums;
    for (const BillLine& line : lines) {
        const auto [place, is_new] = places.try_emplace(line, sums.size());
        if (is_new) {
            sums.push_back(line);
            continue;
        }
        for (const auto figure : kFigures) {
            sums[place->second].*figure += line.*figure;
        }
    }
    return sums;
}

enum class Found { nothing, same, different };

Found find(Database& database, const BillLine& line) {
    Rows rows(database, kFind, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency,
              line.account);
    if (!rows.next()) {
        return Found::nothing;
    }
    int column = 0;
    for (const auto figure : kFigures) {
        if (rows.real(column++) != line.*figure) {
            return Found::different;
        }
    }
    return Found::same;
}

bool stands_beside_another(Database& database, const BillLine& line, std::int64_t sequence) {
    return Rows(database, kFindBeside, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency,
                line.account, sequence)
        .next();
}

void remove(Database& database, const BillLine& line) {
    Rows(database, kRemove, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency, line.account)
        .run();
}

void put(Database& database, const BillLine& line, std::int64_t sequence) {
    Rows(database, kPut, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency, line.account,
         line.hours, line.device_hours, line.billed_cost, line.effective_cost, line.list_cost, sequence)
        .run();
}

} // namespace

BillOutcome save_bill_lines(Database& database, Change& change, std::span<const BillLine> lines) {
    BillOutcome outcome;
    const bool all_name_accounts =
        std::none_of(lines.begin(), lines.end(), [](const BillLine& line) { return line.account.empty(); });
    for (const BillLine& line : added_up(lines)) {
        const Found exact = find(database, line);
        Found found = exact;
        if (exact == Found::nothing && all_name_accounts) { // lines of before accounts were kept give way
            BillLine nameless = line;
            nameless.account = "";
            found = find(database, nameless);
            if (found != Found::nothing) {
                remove(database, nameless);
            }
        }
        ++(found == Found::nothing ? outcome.added : found == Found::same ? outcome.unchanged : outcome.changed);
        if (exact == Found::same) {
            continue;
        }
        outcome.beside += found == Found::nothing && stands_beside_another(database, line, change.sequence()) ? 1U : 0U;
        put(database, line, change.sequence());
    }
    return outcome;
}

std::vector<BillTotal> total_bill(Database& database, const BillQuery& query) {
    std::vector<BillTotal> totals;
    Rows rows(database, kTotal, query.from_day, query.to_day, query.provider, query.region, query.sku, query.purchase,
              query.device);
    while (rows.next()) {
        totals.push_back(
            {std::string(rows.text(0)), rows.integer(1), rows.real(2), rows.real(3), rows.real(4), rows.real(5), rows.real(6)});
    }
    return totals;
}

} // namespace costcurve::storage
