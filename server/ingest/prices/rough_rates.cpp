// Rough prices, from the catalogue in November 2026. Per TB/s of memory bandwidth its 295 prices of 47 devices, K80 to GB300,
// are 0.15 to 5.1 times their median. Per active parameter, cheap hosts of models charge a sixth of the median.
#include "server/ingest/prices/rough_rates.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "server/documents/records.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kDeviceHour = 1.35; // USD a TB/s
constexpr double kAboveRough = 20.0; // a host may be sold with it
constexpr double kBelowRough = 15.0; // of old cards
constexpr double kSpotBelowRough = 20.0;
constexpr double kWellAboveRough = 6.0; // what bears a price out
constexpr double kWellBelowRough = 5.0;
constexpr double kBelowHosted = 30.0;   // published ones come to a nineteenth
constexpr double kBelowMixture = 10.0;  // to a seventh and a half
constexpr double kEstimatedHour = 0.35; // USD a TB/s, of SemiAnalysis's rentals: 0.24 to 0.62
constexpr double kBeyondEstimated = 5.5;

// USD of a million units a thousand million active parameters.
struct HostedRate {
    std::string_view sort;
    double price;
};
constexpr auto kHostedRates = std::to_array<HostedRate>({{"", 0.018}, {"input", 0.018}, {"output", 0.069}});

double bandwidth_of(const model::Device& device) { return device.memory_bandwidth_gb_per_s.value_or(0.0); }

std::string reason_of_device_hour(const JudgedPrice& price, double dollars, double bandwidth) {
    const double usual = kDeviceHour * bandwidth / 1000.0;
    const bool is_spot = price.sort == model::name_of(model::Purchase::spot);
    const double ratio = dollars / usual;
    if (price.seller == kEstimator && is_beyond(dollars / (kEstimatedHour * bandwidth / 1000.0), kBeyondEstimated)) {
        return fmt::format("a device-hour of {} is an estimate, and {:.3g} times what published ones come to about, {:.3g} USD",
                           said(price, price.per_device()), dollars / (kEstimatedHour * bandwidth / 1000.0),
                           kEstimatedHour * bandwidth / 1000.0);
    }
    return ratio > 1.0 / (is_spot ? kSpotBelowRough : kBelowRough) && ratio < kAboveRough
               ? ""
               : fmt::format("a device-hour of {} is {:.3g} times what {:g} GB/s of memory bandwidth cost about, {:.3g} USD",
                             said(price, price.per_device()), ratio, bandwidth, usual);
}

// Of a million units of a model; 0 of other classes.
double usual_of_units(const JudgedPrice& price, double parameters) {
    const auto* const rate = std::ranges::find(kHostedRates, price.sort, &HostedRate::sort);
    constexpr double kThousandMillion = 1e9;
    return rate == kHostedRates.end() ? 0.0 : rate->price * parameters / kThousandMillion;
}

std::string reason_of_million(const JudgedPrice& price, double dollars, double parameters, bool is_mixture) {
    const double usual = usual_of_units(price, parameters);
    return usual <= 0.0 || dollars > usual / (is_mixture ? kBelowMixture : kBelowHosted)
               ? ""
               : fmt::format(
                     "a million units of {} are {:.3g} times what models of {:.3g} active parameters cost about, {:.3g} USD",
                     said(price, price.price), dollars / usual, parameters, usual);
}

} // namespace

const RoughRates::Size& RoughRates::facts_of(storage::Kind kind, const std::string& id) {
    const auto [found, is_new] = sizes_.try_emplace({kind, id});
    const auto revision = is_new && !id.empty() ? snapshot_.load({kind, id}) : std::nullopt;
    const auto document = revision ? documents::decode_readable(*revision) : std::nullopt;
    if (document && kind == storage::Kind::device) {
        found->second.size = bandwidth_of(std::get<model::Device>(*document));
    } else if (document) {
        const auto& of_model = std::get<model::Model>(*document);
        found->second = {of_model.active_parameters, of_model.parameters > of_model.active_parameters};
    }
    return found->second;
}

bool RoughRates::knows(const JudgedPrice& price) {
    return price.per_device() * dollars_of(price.currency) > 0.0 &&
           size_of(is_of_offer(price) ? storage::Kind::device : storage::Kind::model, price.thing) > 0.0;
}

bool RoughRates::bears_out(const JudgedPrice& price) {
    if (!is_of_offer(price) || !knows(price)) {
        return false;
    }
    const double usual = kDeviceHour * size_of(storage::Kind::device, price.thing) / 1000.0;
    const double ratio = price.per_device() * dollars_of(price.currency) / usual;
    return ratio > 1.0 / kWellBelowRough && ratio < kWellAboveRough;
}

double RoughRates::ratio_of_hosted(const JudgedPrice& price) {
    if (is_of_offer(price) || !knows(price)) {
        return 0.0;
    }
    const double usual = usual_of_units(price, size_of(storage::Kind::model, price.thing));
    return usual > 0.0 ? price.price * dollars_of(price.currency) / usual : 0.0;
}

std::string RoughRates::reason(const JudgedPrice& price) {
    if (!knows(price)) {
        return "";
    }
    const double dollars = price.per_device() * dollars_of(price.currency);
    const Size& facts = facts_of(is_of_offer(price) ? storage::Kind::device : storage::Kind::model, price.thing);
    return is_of_offer(price) ? reason_of_device_hour(price, dollars, facts.size)
                              : reason_of_million(price, dollars, facts.size, facts.is_mixture);
}

} // namespace costcurve::ingest
