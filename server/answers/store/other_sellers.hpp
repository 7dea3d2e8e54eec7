// An imported price against what other sellers take for the same device: the floors of an auction and placeholders are no prices.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/import/report.hpp"
#include "server/storage/store.hpp"

namespace costcurve::answers {

/// Reads the stored offers of a device once, at its first price. Memory grows with devices and sellers.
class OtherSellers {
public:
    explicit OtherSellers(const storage::Store& store) : store_(store) {}

    /// Why the offer's last price is none; "" where it may be one. It is no price below a tenth of the median of the other sellers'
    /// medians of a device-hour of the same device, purchase and currency; where fewer than three sell it so, below a tenth of that
    /// on demand (spot: a hundredth). What a bill or a contract says is not judged, nor what has an upfront payment.
    [[nodiscard]] std::string wrong_with(const model::Offer& offer);
    /// What only all offers of an import tell: how many were refused, and that spot and on-demand prices are the same throughout.
    void warn(imports::Complaints& warnings) const;

private:
    using Prices = std::map<std::string, std::vector<double>>; // of a device-hour, by seller
    struct Reference {
        double price = 0.0; ///< 0: too few sell it
        std::size_t sellers = 0;
    };
    [[nodiscard]] const Prices& prices_of(const std::string& device, model::Purchase purchase, const std::string& currency);
    [[nodiscard]] Reference reference(const model::Offer& offer, model::Purchase purchase);
    void read(const std::string& device);
    void note_pair(const model::Offer& offer, double price);

    const storage::Store& store_;
    std::map<std::string, std::map<std::pair<model::Purchase, std::string>, Prices>> devices_;
    std::map<std::string, double> waiting_; ///< price on demand or as spot of a SKU in a place, until the other comes
    std::size_t judged_ = 0, refused_ = 0;
    std::size_t pairs_ = 0, same_ = 0;
};

} // namespace costcurve::answers
