// The price of an offer on a day, as of a state of the store (/v1/offers/{id}/price).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/prices.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/records.hpp"
#include "server/documents/references.hpp"
#include "server/ingest/prices/price.hpp"

namespace costcurve::api {

namespace {

constexpr double kSecondsPerDay = 86400.0;
constexpr double kMicrosecondsPerSecond = 1e6;

// Today in UTC, as the number of days since 1970.
double today(const Service& service) {
    return std::floor(static_cast<double>(service.store.now()) / kMicrosecondsPerSecond / kSecondsPerDay);
}

// The day from which the price in force applies; "" if it has none.
std::string day_in_force(const model::Rate& price, double day) {
    if (!price.curve) {
        return "";
    }
    const std::vector<double>& days = price.curve->x;
    const auto after = std::upper_bound(days.begin(), days.end(), day);
    return after == days.begin() ? "" : model::date_text(*(after - 1));
}

} // namespace

Attempt<http::Response> get_price(Service& service, const Call& call) {
    const auto as_of = as_of_parameter(call);
    if (!as_of) {
        return tl::unexpected(as_of.error());
    }
    double day = today(service);
    const std::string_view date = parameter(call, "date");
    if (!date.empty() && !model::parse_date(date, day)) {
        return tl::unexpected(invalid("/date", model::Code::bad_format, "a date is YYYY-MM-DD"));
    }
    documents::Source source(service.store, *as_of);
    const std::string& id = call.arguments.front();
    const std::optional<storage::Revision> revision = source.load({storage::Kind::offer, id});
    if (!revision) {
        return tl::unexpected(Refusal{404, fmt::format("no offer has the id {}", shortened(id, 130))});
    }
    documents::AnyDocument document = documents::decode_revision(*revision);
    if (model::Failure unresolved = documents::resolve(document, "", source); !unresolved.empty()) {
        return refused(std::move(unresolved));
    }
    const auto& offer = std::get<model::Offer>(document);
    const double price = offer.hourly_price.curve ? model::read(*offer.hourly_price.curve, day) : offer.hourly_price.number;
    return json_answer(
        answers::encode_answer(ingest::PriceAnswer{.offer = revision->record.key.id,
                                                   .date = model::date_text(day),
                                                   .hourly_price = price,
                                                   .hourly_price_per_device = price / offer.devices,
                                                   .currency = model::currency_of(offer.hourly_price, offer.currency),
                                                   .priced_on = day_in_force(offer.hourly_price, day),
                                                   .source = offer.source}));
}

} // namespace costcurve::api
