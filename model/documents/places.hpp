// Where pools are and where work may run: regions of sellers, countries by ISO 3166, and groups of countries.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Words for many countries that work may be bound to.
inline constexpr auto kCountryGroups = std::to_array<std::string_view>({"apac", "eea", "eu", "uk", "us"});

/// The country (ISO 3166-1 alpha-2) in which a seller's region is, by the lists that AWS, Google Cloud, Azure and RunPod publish of
/// their regions; "" where it is not known. A region that begins with the code of a country, such as NL-1, is there.
[[nodiscard]] std::string_view country_of(std::string_view region);

struct Place {
    std::string_view region;  ///< "" where it is not known
    std::string_view country; ///< likewise
    [[nodiscard]] bool is_known() const { return !region.empty() || !country.empty(); }
};
[[nodiscard]] Place place_of(const Offer& offer);
[[nodiscard]] Place place_of(const Site& site);
[[nodiscard]] Place place_of(const Endpoint& endpoint);
[[nodiscard]] Place place_of(const Pool& pool);

/// Whether a place is `where`: its region, its country, or one of a group's countries. What is not known is nowhere.
[[nodiscard]] bool lies_in(const Place& place, std::string_view where);
/// The same for one of many; nothing asked is everywhere.
[[nodiscard]] bool lies_in_one(const Place& place, const std::vector<std::string>& regions);
/// Whether it is a group, two letters of a country, or a region of the list above.
[[nodiscard]] bool is_somewhere(std::string_view where);

} // namespace costcurve::model
