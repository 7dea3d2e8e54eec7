// Gathers prices by instant into whole years of a zone's local time, and makes tariffs of them. Knows no files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/documents/curve.hpp"

namespace costcurve::imports {

/// The quarter-hours of a local year from its first instant; NaN: no price.
struct PriceYear {
    int number = 0;
    std::int64_t start = 0; ///< Unix seconds
    std::vector<double> quarters;
    std::string filled = {}; ///< what was filled, in words
};

/// Texts for the ids, sources and notes of tariffs.
struct TariffText {
    std::string id; ///< the year is appended: "-2022"
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
    /// Adds a price that applies from a time in Unix seconds, which must be the start of a quarter-hour.
    [[nodiscard]] Added add(std::int64_t when, double price);

    /// If an hour occurs twice in local time but has only one price, both occurrences get that price. Calls `say` for each.
    void share_repeated(const std::function<void(std::string text)>& say);

    /// Calls `make` for each complete year, and `lacks` with the reason for each incomplete one. Up to 14 missing hours, at most
    /// three in a row within the year, are filled from adjacent hours, such as those that a download in another time zone cuts off.
    /// `PriceYear::filled` describes them.
    void each(const std::function<void(const PriceYear&)>& make, const std::function<void(std::string why)>& lacks) const;

    /// Tariff over the hour of the year. 29 February is left out, since the model reads the 28th there. The hour that a clock
    /// change skips has no point; the hour that it repeats has the mean.
    [[nodiscard]] model::Curve year_tariff(const PriceYear& year, const TariffText& text) const;
    /// Tariff over the hour of the week: the mean of each hour.
    [[nodiscard]] model::Curve week_tariff(const PriceYear& year, const TariffText& text) const;

private:
    std::string zone_;
    std::map<int, PriceYear> years_;
};

} // namespace costcurve::imports
