// What hours of instances really cost, by day: offers at the effective price of a bill's lines.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "server/import/importer.hpp"

namespace costcurve::imports {

class PaidPrices {
public:
    /// Adds a bill's row of an instance with `devices` of a known device. Hours are above 0; a correction, which changes the
    /// price paid for hours of other rows, may have any number. All accounts count together.
    void add(const BillLine& line, int devices, std::size_t row, bool is_correction = false);
    /// Gives an offer for each thing that was paid; what cost nothing is a complaint of its first row.
    void give(const Options& options, Report& report) const;

private:
    struct Paid {
        BillLine line; ///< what is paid for, and when
        int devices = 0;
        double cost = 0.0;
        double hours = 0.0;
        bool has_usage = false; ///< not only corrections, of what another bill has
        std::size_t row = 0;    ///< the first one
    };
    std::map<std::string, Paid> paid_;
};

} // namespace costcurve::imports
