// Providers by the names that files give them, and points of a date in curves.
#include "server/import/prices/prices.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/curves.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

struct PriceProviderRow {
    std::string_view name; // in lower case
    std::string_view provider;
};
// As FOCUS bills, Epoch AI's price list, SkyPilot and gpu-price-feed name them.
constexpr auto kProviders = std::to_array<PriceProviderRow>({
    {"amazon", "aws"},
    {"amazon web services", "aws"},
    {"amazon web services, inc.", "aws"},
    {"aws", "aws"},
    {"azure", "azure"},
    {"google", "gcp"},
    {"google cloud", "gcp"},
    {"google cloud platform", "gcp"},
    {"lambda labs", "lambda"},
    {"lambdalabs", "lambda"},
    {"microsoft", "azure"},
    {"microsoft azure", "azure"},
    {"oblivus cloud", "oblivus"},
    {"oci", "oracle"},
    {"oracle cloud", "oracle"},
    {"oracle cloud infrastructure", "oracle"},
});

bool is_date(std::string_view text) {
    constexpr std::string_view kPattern = "dddd-dd-dd";
    return text.size() == kPattern.size() && std::equal(text.begin(), text.end(), kPattern.begin(), [](char c, char pattern) {
               return pattern == 'd' ? c >= '0' && c <= '9' : c == pattern;
           });
}

// "gcp_vms_2026-04-02.csv" is the file "gcp_vms.csv" of one day.
std::string undated(std::string_view name) {
    constexpr std::size_t kDate = 10;
    std::string text(name);
    for (std::size_t i = 0; i + kDate <= text.size(); ++i) {
        if (is_date(std::string_view(text).substr(i, kDate))) {
            const bool separated = i > 0 && std::string_view("_-. ").find(text[i - 1]) != std::string_view::npos;
            text.erase(i - (separated ? 1 : 0), kDate + (separated ? 1 : 0));
        }
    }
    return text;
}

} // namespace

double day_of_option(const Options& options) {
    double day = 0.0;
    static_cast<void>(model::parse_date(options.date, day));
    return day;
}

std::string dollars_or_option(const Options& options) { return options.currency.empty() ? "USD" : options.currency; }

std::string price_source(const Options& options, std::string_view entry) {
    Options of_any_day;
    of_any_day.source = options.source;
    of_any_day.name = undated(options.name);
    return source_of(of_any_day, entry);
}

Point add_point(model::Curve& curve, double day, double price) {
    const auto place = std::lower_bound(curve.x.begin(), curve.x.end(), day);
    const auto index = place - curve.x.begin();
    if (place != curve.x.end() && *place == day) {
        return curve.y[static_cast<std::size_t>(index)] == price ? Point::same : Point::conflict;
    }
    curve.x.insert(place, day);
    curve.y.insert(curve.y.begin() + index, price);
    return Point::added;
}

model::Curve price_curve() {
    model::Curve curve = empty_curve(model::CurveKind::price, model::Axis::date);
    curve.interpolation = model::Interpolation::step;
    return curve;
}

model::Rate price_since(double day, double price) {
    model::Rate rate;
    rate.curve = price_curve();
    append_point(*rate.curve, day, price);
    return rate;
}

model::Device device_reference(std::string_view id) {
    model::Device device;
    device.id = id;
    device.stored.is_reference = true;
    return device;
}

model::Offer offer_of(std::string provider, std::string sku, std::string_view device, int devices, std::string currency) {
    model::Offer offer;
    offer.provider = std::move(provider);
    offer.sku = std::move(sku);
    offer.device = device_reference(device);
    offer.devices = devices;
    offer.currency = std::move(currency);
    return offer;
}

std::string purchase_word(const model::Offer& offer) {
    if (offer.purchase == model::Purchase::on_demand) {
        return "on-demand";
    }
    std::string word(model::name_of(offer.purchase));
    if (offer.term_months) {
        word += fmt::format("-{}", *offer.term_months);
    }
    if (offer.term_days) {
        word += fmt::format("-{}-days", *offer.term_days);
    }
    return offer.upfront > 0.0 ? word + "-upfront" : word;
}

std::string offer_id(const model::Offer& offer, std::string_view place) {
    return make_id({offer.provider, offer.sku, place, purchase_word(offer)});
}

std::string provider_of(std::string_view name) {
    const std::string text = lower(name);
    const auto found = std::ranges::find(kProviders, text, &PriceProviderRow::name);
    return found == kProviders.end() ? make_id({name}) : std::string(found->provider);
}

} // namespace costcurve::imports
