// A line that is the same as the stored one writes nothing, so that the same bill twice changes nothing.
#include "server/storage/bill.hpp"

#include <array>
#include <map>
#include <tuple>

namespace costcurve::storage {

namespace {

// A line that names no account, as those of before migration 7, gives way to the first that does.
constexpr const char* kFind = R"(
    SELECT hours, device_hours, billed_cost, effective_cost, list_cost, account = ?8 FROM bill_line
    WHERE day = ?1 AND provider = ?2 AND region = ?3 AND sku = ?4 AND purchase = ?5 AND device = ?6 AND currency = ?7
        AND account IN (?8, '') ORDER BY account DESC LIMIT 1)";
constexpr const char* kRemoveWithoutAccount = R"(
    DELETE FROM bill_line
    WHERE day = ? AND provider = ? AND region = ? AND sku = ? AND purchase = ? AND device = ? AND currency = ? AND account = '')";
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

enum class Found { nothing, same, different, without_account };

Found find(Database& database, const BillLine& line) {
    Rows rows(database, kFind, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency,
              line.account);
    if (!rows.next()) {
        return Found::nothing;
    }
    if (rows.integer(kFigures.size()) == 0) {
        return Found::without_account;
    }
    int column = 0;
    for (const auto figure : kFigures) {
        if (rows.real(column++) != line.*figure) {
            return Found::different;
        }
    }
    return Found::same;
}

} // namespace

BillOutcome save_bill_lines(Database& database, Change& change, std::span<const BillLine> lines) {
    BillOutcome outcome;
    for (const BillLine& line : added_up(lines)) {
        const Found found = find(database, line);
        ++(found == Found::nothing ? outcome.added : found == Found::same ? outcome.unchanged : outcome.changed);
        if (found == Found::without_account) {
            Rows(database, kRemoveWithoutAccount, line.day, line.provider, line.region, line.sku, line.purchase, line.device,
                 line.currency)
                .run();
        }
        if (found != Found::same) {
            Rows(database, kPut, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency,
                 line.account, line.hours, line.device_hours, line.billed_cost, line.effective_cost, line.list_cost,
                 change.sequence())
                .run();
        }
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
