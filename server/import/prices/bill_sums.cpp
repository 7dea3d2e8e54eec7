// Sums of a bill's lines while a file is read. Names are kept once for all days of a line.
#include "server/import/prices/bill_sums.hpp"

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

std::string item_key(const BillLine& line) {
    std::string key;
    for (const auto& [name, member] : kBillNames) {
        key.append(member == &BillLine::sku ? lower(line.sku) : line.*member).append(1, '\0');
    }
    return key;
}

} // namespace

bool BillSums::add(const BillLine& line) {
    const auto [number, is_new] = numbers_.try_emplace(item_key(line), static_cast<std::uint32_t>(items_.size()));
    if (is_new) {
        BillLine& item = items_.emplace_back(line);
        for (const auto& [name, member] : kBillFigures) {
            item.*member = 0.0;
        }
    }
    constexpr int kDayBits = 32;
    const auto day = static_cast<std::uint32_t>(static_cast<std::int32_t>(line.day));
    const std::uint64_t place = (static_cast<std::uint64_t>(number->second) << kDayBits) | day;
    const auto [found, is_first] = places_.try_emplace(place, sums_.size());
    if (is_first) {
        sums_.push_back({number->second, line.day, {}});
    }
    for (std::size_t i = 0; i < kBillFigures.size(); ++i) {
        sums_[found->second].figures[i] += line.*kBillFigures[i].member;
    }
    return sums_.size() <= kMax;
}

void BillSums::give(const Report& report) const {
    for (const Sum& sum : sums_) {
        BillLine line = items_[sum.item];
        line.day = sum.day;
        for (std::size_t i = 0; i < kBillFigures.size(); ++i) {
            line.*kBillFigures[i].member = sum.figures[i];
        }
        report.add(line);
    }
}

} // namespace costcurve::imports
