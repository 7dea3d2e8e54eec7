// Google's TPU prices as gpuhunt keeps them: generation, region, and a price of one chip for an hour by way to pay.
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

constexpr int kMonthsPerYear = 12;
constexpr int kMaxTermYears = 100;

// How a price is paid, as its key says: "On Demand (USD)", "3-year Commitment (USD)".
struct TpuWay {
    model::Purchase purchase = model::Purchase::on_demand;
    int term_months = 0;
    std::string word; // in ids
    std::string currency;
};

std::optional<TpuWay> way_of(std::string_view key) {
    const std::string text = lower(key);
    TpuWay way;
    const std::size_t open = text.find('(');
    if (open != std::string::npos && text.find(')') == open + 4) {
        way.currency = std::string(key.substr(open + 1, 3));
    }
    int years = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), years);
    if (error == std::errc() && std::string_view(end).starts_with("-year commitment") && years >= 1 && years <= kMaxTermYears) {
        way.purchase = model::Purchase::committed;
        way.term_months = years * kMonthsPerYear;
        way.word = fmt::format("committed-{}", way.term_months);
        return way;
    }
    if (text.starts_with("on demand") || text.starts_with("on-demand")) {
        way.word = "on-demand";
        return way;
    }
    if (text.starts_with("spot") || text.starts_with("preemptible")) {
        way.purchase = model::Purchase::spot;
        way.word = "spot";
        return way;
    }
    return std::nullopt;
}

// "TPU v3 pod" and "TPU v3 device" are the same chip sold in two ways.
std::optional<std::string> chip_of(std::string_view name) {
    for (const std::string_view end : {" pod", " device"}) {
        if (name.ends_with(end)) {
            return device_of(name.substr(0, name.size() - end.size()));
        }
    }
    return device_of(name);
}

struct Place {
    std::string_view generation;
    std::string_view region;
    std::string device;
};

// The prices of a chip in a region that are compared; 0: it has none.
struct TpuPrices {
    double on_demand = 0.0;
    double spot = 0.0;
};

// False where the member is no price at all (Location).
bool add_offer(const Place& place, const simdjson::dom::key_value_pair& entry, const Options& options, Report& report,
               TpuPrices& prices) {
    const auto way = way_of(entry.key);
    if (!way) {
        return false;
    }
    note_read(entry.key);
    const auto complain = [&](Complaints& complaints, std::string_view why) {
        complaints.add(report.rows, fmt::format("{} {}: {} {}", place.generation, place.region, entry.key, why));
    };
    double price = 0.0;
    if (entry.value.is_null()) {
        return true; // not sold so
    }
    if (entry.value.get(price) != simdjson::SUCCESS || price < 0.0) {
        complain(report.rejected, "is no price; a number above 0 is needed, or null");
        return true;
    }
    if (price <= 0.0) {
        complain(report.rejected, "is 0; zero is not a price");
        return true;
    }
    if (way->purchase != model::Purchase::committed) {
        (way->purchase == model::Purchase::spot ? prices.spot : prices.on_demand) = price;
    }
    model::Offer offer = offer_of("gcp", make_id({place.generation}) + "-chip", place.device, 1,
                                  way->currency.empty() ? dollars_or_option(options) : way->currency);
    offer.id = make_id({"gcp", offer.sku, place.region, way->word});
    offer.source = price_source(options, fmt::format("{} {} {}", place.generation, place.region, entry.key));
    offer.note = "Of one chip; Google rents slices of several.";
    offer.region = place.region;
    offer.purchase = way->purchase;
    offer.term_months = way->term_months > 0 ? std::optional(way->term_months) : std::nullopt;
    offer.hourly_price = price_since(day_of_option(options), price);
    report.add(std::move(offer));
    return true;
}

void read_region(const Place& place, const Json& prices, const Options& options, Report& report) {
    const auto object = object_of(prices);
    if (!object) {
        report.rejected.add(report.rows, fmt::format("{} {} is no object of prices", place.generation, place.region));
        return;
    }
    bool any = false;
    TpuPrices compared;
    for (const auto entry : *object) {
        any = add_offer(place, entry, options, report, compared) || any;
    }
    if (compared.on_demand > 0.0 && compared.spot > compared.on_demand) {
        report.warnings.add(report.rows, fmt::format("{} {}: spot, {}, is above on demand, {}", place.generation, place.region,
                                                     compared.spot, compared.on_demand));
    }
    if (!any) {
        report.rejected.add(report.rows,
                            fmt::format("{} {} has no price on demand, committed or spot", place.generation, place.region));
    }
}

} // namespace

HardError read_tpu_prices(Bytes& bytes, const Options& options, Report& report) {
    const JsonFile file(bytes);
    if (!file.root()) {
        return file.error();
    }
    const auto generations = object_of(*file.root());
    if (!generations || generations->size() == 0) {
        return hard_error(model::Code::bad_format, 0, "an object of TPU generations is needed, of regions, of prices");
    }
    for (const auto generation : *generations) {
        const auto regions = object_of(generation.value);
        if (!regions) {
            return hard_error(model::Code::bad_format, 0, fmt::format("{} is no object of regions", generation.key));
        }
        const auto device = chip_of(generation.key);
        for (const auto region : *regions) {
            ++report.rows;
            if (!device) {
                report.rejected.add(report.rows,
                                    fmt::format("{} is a chip that no alias knows; store one (/v1/aliases)", generation.key));
                continue;
            }
            read_region({generation.key, region.key, *device}, region.value, options, report);
        }
    }
    return std::nullopt;
}

} // namespace costcurve::imports
