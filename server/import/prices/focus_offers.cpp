// Prices paid, as offers: EffectiveCost over hours, so that commitments are spread over their usage.
#include "server/import/prices/focus_offers.hpp"

#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

// What a line is for, whoever pays for it.
std::string names_of(const BillLine& line) {
    return fmt::format("{:08}\n{}\n{}\n{}\n{}\n{}", line.day, line.provider, line.region, lower(line.sku), line.purchase,
                       line.currency);
}

model::Offer paid_offer(const BillLine& line, int devices, const Options& options) {
    model::Offer offer = offer_of(line.provider, line.sku, line.device, devices, line.currency);
    offer.source = price_source(options, line.sku);
    offer.note = "What was paid: EffectiveCost over hours of use, by day; commitments are spread over what they cover.";
    offer.region = line.region;
    offer.purchase = line.purchase == "spot"        ? model::Purchase::spot
                     : line.purchase == "committed" ? model::Purchase::committed
                                                    : model::Purchase::on_demand;
    offer.hourly_price.curve = price_curve();
    return offer;
}

} // namespace

void PaidPrices::add(const BillLine& line, int devices, std::size_t row, bool is_correction) {
    Paid& paid = paid_[names_of(line)];
    paid.line = line;
    paid.devices = devices;
    paid.row = paid.row == 0 ? row : paid.row;
    paid.has_usage = paid.has_usage || !is_correction;
    paid.cost += line.effective_cost;
    paid.hours += line.hours;
}

void PaidPrices::give(const Options& options, Report& report) const {
    std::map<std::string, model::Offer> offers;
    for (const auto& [names, paid] : paid_) {
        const BillLine& line = paid.line;
        const auto day = static_cast<double>(line.day);
        if (!paid.has_usage || paid.hours <= 0.0) {
            report.warnings.add(
                paid.row, fmt::format("{} {} {}, {}, {}: {} of {} in {:.6g} hours, with which the price paid that day is not "
                                      "corrected; give the bill of that day with its corrections in one call",
                                      line.provider, line.sku, line.region, line.purchase, model::date_text(day),
                                      paid.has_usage ? "corrections leave" : "there is a correction alone", paid.cost, paid.hours));
            continue;
        }
        const double price = paid.cost / paid.hours;
        if (price <= 0.0) {
            report.rejected.add(paid.row,
                                fmt::format("{} {} {}, {}, {}: EffectiveCost is {} in {} hours; zero is not a price", line.provider,
                                            line.sku, line.region, line.purchase, model::date_text(day), paid.cost, paid.hours));
            continue;
        }
        const std::string word = line.purchase == "on_demand" ? "on-demand" : line.purchase;
        const std::string id = make_id({"paid", line.provider, line.sku, line.region, word});
        auto [found, added] = offers.try_emplace(id);
        if (added) {
            found->second = paid_offer(line, paid.devices, options);
            found->second.id = id;
        }
        if (add_point(*found->second.hourly_price.curve, day, price) == Point::conflict) {
            report.rejected.add(paid.row, fmt::format("{} has two prices on one day: names that differ in punctuation alone", id));
        }
    }
    report.add_all(offers);
}

} // namespace costcurve::imports
