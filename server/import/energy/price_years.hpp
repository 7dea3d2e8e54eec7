// Prices of instants, gathered into whole years of a zone's local time, and the tariffs made of these. Knows no files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/documents/curve.hpp"

namespace costcurve::imports {

/// A local year's quarters of an hour, from its first instant; NaN where there is no price.
struct PriceYear {
    int number = 0;
    std::int64_t start = 0; ///< Unix seconds
    std::vector<double> quarters;
    std::string filled = {}; ///< what was filled, in words
};

/// What the ids, sources and notes of tariffs are made of.
struct TariffText {
    std::string id; ///< "-2022" follows
    std::string source;
    std::string zone;     ///< in whose local time the tariff is read
    std::string currency; ///< "" where a year is no prices
};

/// Not thread-safe. 280 kB a year.
class PriceYears {
public:
    /// The zone must exist.
    explicit PriceYears(std::string zone) : zone_(std::move(zone)) {}

    enum class Added { yes, again, other_price, no_quarter, too_many_years };
    /// A price that begins to hold at Unix seconds, which must be the start of a quarter of an hour.
    [[nodiscard]] Added add(std::int64_t when, double price);

    /// Gives an hour that comes twice in local time and has one price that price both times; calls `say` of each.
    void share_repeated(const std::function<void(std::string text)>& say);

    /// Calls `make` with each complete year, and `lacks` with the text of what each other one lacks. Up to 14
    /// missing hours, no more than three in a row within the year, are filled from the hours beside them: such as those at an end
    /// of the year that the zone of a download cuts off. `PriceYear::filled` says which.
    void each(const std::function<void(const PriceYear&)>& make, const std::function<void(std::string why)>& lacks) const;

    /// Over the hour of the year: 29 February is left out, since the model reads the 28th there; the hour that a clock change
    /// skips has no point, the one that it repeats has the mean.
    [[nodiscard]] model::Curve year_tariff(const PriceYear& year, const TariffText& text) const;
    /// Over the hour of the week: the mean of each.
    [[nodiscard]] model::Curve week_tariff(const PriceYear& year, const TariffText& text) const;

private:
    std::string zone_;
    std::map<int, PriceYear> years_;
};

} // namespace costcurve::imports
