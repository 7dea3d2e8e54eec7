// Prices as offers and curves: what all price lists share. Points of a date, sources that later snapshots don't change,
// providers by one name. Knows no format.
#pragma once

#include <string>
#include <string_view>

#include "model/documents/documents.hpp"
#include "server/import/importer.hpp"

namespace costcurve::imports {

/// The day of the option `date`, in days since 1970-01-01. The options have been checked.
[[nodiscard]] double day_of_option(const Options& options);
/// The currency of a price list whose format defines that it is in US dollars: the option says another.
[[nodiscard]] std::string dollars_or_option(const Options& options);

/// Where a price is from, the same for every snapshot of one file: dates are taken out of the file's name.
[[nodiscard]] std::string price_source(const Options& options, std::string_view entry = "");

/// What became of a price.
enum class Point { added, same, conflict };
/// Puts a price at its day into a curve over date. A day that has another price keeps it.
[[nodiscard]] Point add_point(model::Curve& curve, double day, double price);
/// A step curve of prices over date.
[[nodiscard]] model::Curve price_curve();
/// A price since a day: a step curve of one point.
[[nodiscard]] model::Rate price_since(double day, double price);

/// A device that is stored elsewhere.
[[nodiscard]] model::Device device_reference(std::string_view id);

/// An offer on demand of so many of a device, without its id and its price.
[[nodiscard]] model::Offer offer_of(std::string provider, std::string sku, std::string_view device, int devices,
                                    std::string currency);

/// How an offer is bought, as ids end: "on-demand", "spot", "committed-36", "reserved-36-upfront".
[[nodiscard]] std::string purchase_word(const model::Offer& offer);
/// The id of an offer, by what identifies it: provider, SKU, `place` (a zone, or else a region, or nothing), how it is bought.
[[nodiscard]] std::string offer_id(const model::Offer& offer, std::string_view place);

/// One name for a provider that files name in several ways ("Amazon Web Services", "AWS"); a slug of other names.
[[nodiscard]] std::string provider_of(std::string_view name);

} // namespace costcurve::imports
