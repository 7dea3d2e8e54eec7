// What names a line stands once for all of its days.
#include "server/import/prices/bill_sums.hpp"

#include <array>
#include <cmath>

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr std::array kItemNames = {&BillLine::provider,
                                   &BillLine::account,
                                   &BillLine::region,
                                   &BillLine::purchase,
                                   &BillLine::device,
                                   &BillLine::currency,
                                   &BillLine::category,
                                   &BillLine::resource,
                                   &BillLine::tags,
                                   &BillLine::commitment,
                                   &BillLine::commitment_status,
                                   &BillLine::consumed_unit,
                                   &BillLine::priced_unit,
                                   &BillLine::virtual_currency};
constexpr std::array kSummed = {
    &BillLine::hours,     &BillLine::device_hours,      &BillLine::billed_cost,     &BillLine::effective_cost,
    &BillLine::list_cost, &BillLine::consumed_quantity, &BillLine::priced_quantity, &BillLine::virtual_currency_cost,
    &BillLine::tokens};

std::string item_key(const BillLine& line) {
    std::string key = lower(line.sku);
    for (const auto name : kItemNames) {
        key.append(1, '\0').append(line.*name);
    }
    return key;
}

} // namespace

bool BillSums::add(const BillLine& line) {
    const auto [number, is_new] = numbers_.try_emplace(item_key(line), static_cast<std::uint32_t>(items_.size()));
    if (is_new) {
        BillLine& item = items_.emplace_back(line);
        for (const auto figure : kSummed) {
            item.*figure = 0.0;
        }
    }
    constexpr int kDayBits = 32;
    const auto day = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(line.day)));
    const std::uint64_t place = (static_cast<std::uint64_t>(number->second) << kDayBits) | day;
    const auto [found, is_first] = places_.try_emplace(place, sums_.size());
    if (is_first) {
        sums_.push_back({number->second, line.day, {}});
    }
    for (std::size_t i = 0; i < kSummed.size(); ++i) {
        sums_[found->second].figures[i] += line.*kSummed[i];
    }
    return sums_.size() <= kMax;
}

void BillSums::give(const Report& report) const {
    for (const Sum& sum : sums_) {
        BillLine line = items_[sum.item];
        line.day = sum.day;
        for (std::size_t i = 0; i < kSummed.size(); ++i) {
            line.*kSummed[i] = sum.figures[i];
        }
        report.add(line);
    }
}

} // namespace costcurve::imports
