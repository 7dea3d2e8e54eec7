// How prices of offers moved by what was merged into them, rolled up by device and purchase.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/storage/record.hpp"

namespace costcurve::ingest {

/// Offers of one device and purchase whose newest price is another than it was.
struct PriceMove {
    std::string device;
    std::string purchase;
    std::size_t offers = 0;       ///< that moved by more than the threshold
    std::size_t seen = 0;         ///< that have a newer price
    double median_fraction = 0.0; ///< of those that moved: 0.08 is 8 % up
};

/// Notes one offer after another. The price of what an offer rents, an instance or a slice, is compared with itself.
class PriceMoves {
public:
    /// An offer as it was stored, and as it is with a newer price. Anything else is passed over.
    void add(const storage::Record& before, const storage::Record& now);
    /// Those that moved by more than `threshold_fraction` of what they were, the largest number of offers first.
    [[nodiscard]] std::vector<PriceMove> by_device(double threshold_fraction) const;

private:
    struct Move {
        std::string device;
        std::string purchase;
        double fraction = 0.0;
    };
    std::vector<Move> moves_;
};

} // namespace costcurve::ingest
