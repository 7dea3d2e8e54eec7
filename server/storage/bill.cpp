// Figures are compared exactly: the same bill twice changes nothing.
#include "server/storage/bill.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <tuple>

namespace costcurve::storage {

namespace {

auto names_of(const BillLine& line) {
    return std::tie(line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency, line.account);
}
struct ByNames {
    bool operator()(const BillLine& a, const BillLine& b) const { return names_of(a) < names_of(b); }
};

constexpr std::array kFigures = {&BillLine::hours, &BillLine::device_hours, &BillLine::billed_cost, &BillLine::effective_cost,
                                 &BillLine::list_cost};

} // namespace

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

bool all_name_accounts(std::span<const BillLine> lines) {
    return std::none_of(lines.begin(), lines.end(), [](const BillLine& line) { return line.account.empty(); });
}

bool same_figures(const BillLine& a, const BillLine& b) {
    return std::all_of(kFigures.begin(), kFigures.end(), [&](auto figure) { return a.*figure == b.*figure; });
}

void count_line(BillOutcome& outcome, const BillLine& line, const std::optional<BillLine>& stored) {
    ++(!stored ? outcome.added : same_figures(*stored, line) ? outcome.unchanged : outcome.changed);
}

} // namespace costcurve::storage
