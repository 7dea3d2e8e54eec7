// Lines of a bill added up by day and names while they are read: memory goes by how many different ones there are, not by rows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/import/report.hpp"

namespace costcurve::imports {

class BillSums {
public:
    /// Lines that one call may have: of a day, account, thing, resource and tags each.
    static constexpr std::size_t kMax = 250'000;

    /// False where that were too many.
    [[nodiscard]] bool add(const BillLine& line);
    /// Gives all of them, in the order of their first.
    void give(const Report& report) const;

private:
    struct Sum {
        std::uint32_t item = 0;
        std::int64_t day = 0;
        std::array<double, kBillFigures.size()> figures{};
    };

    std::unordered_map<std::string, std::uint32_t> numbers_; ///< of items, by their names
    std::vector<BillLine> items_;                            ///< names alone
    std::unordered_map<std::uint64_t, std::size_t> places_;  ///< by item and day
    std::vector<Sum> sums_;
};

} // namespace costcurve::imports
