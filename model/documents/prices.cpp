// One walk over the pools.
#include "model/documents/prices.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/fields.hpp"

namespace costcurve::model {

namespace {

void add_prices(const std::optional<UnitPrice>& stated, const std::string& at, std::string_view currency,
                std::vector<PriceRead>& prices) {
    if (!stated) {
        return; // an issue of its own
    }
    if (!stated->split) {
        prices.push_back({at, &stated->total, currency});
        return;
    }
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        const auto unit_class = static_cast<UnitClass>(c);
        if (const std::optional<Rate>& of_class = (*stated)[unit_class]) {
            prices.push_back({fmt::format("{}/{}", at, name_of(unit_class)), &*of_class, currency});
        }
    }
}

// Adds the prices of a hosted model, or of one of its tiers, with those above thresholds.
template <class Prices>
void add_prices_above(const Prices& model, const std::string& at, std::string_view currency, std::vector<PriceRead>& prices) {
    add_prices(model.price_per_million_units, at + "/price_per_million_units", currency, prices);
    for (std::size_t i = 0; i < model.above.size(); ++i) {
        add_prices(model.above[i].price_per_million_units, fmt::format("{}/above/{}/price_per_million_units", at, i), currency,
                   prices);
    }
}

void add_fees(const HostedModel& model, const std::string& at, std::string_view currency, std::vector<PriceRead>& prices) {
    for_each_field<HostedFees>([&](const auto& field) {
        if (model.fees && (*model.fees).*field.member) {
            prices.push_back({fmt::format("{}/fees/{}", at, field.name), &*((*model.fees).*field.member), currency});
        }
    });
}

void add_prices(const HostedModel& model, const std::string& at, std::string_view currency, std::vector<PriceRead>& prices) {
    add_prices_above(model, at, currency, prices);
    add_fees(model, at, currency, prices);
    for_each_field<ServiceTiers>([&](const auto& field) {
        if (model.service_tiers && (*model.service_tiers).*field.member) {
            add_prices_above(*((*model.service_tiers).*field.member), fmt::format("{}/service_tiers/{}", at, field.name), currency,
                             prices);
        }
    });
}

// What a pool buys units for: by the hour, or for a term, whose prices are numbers.
void add_unit_price(const Pool& pool, const std::string& at, std::string_view currency, std::vector<PriceRead>& prices) {
    const Provisioned& provisioned = *hosted(pool).provisioned;
    if (pool.provisioned_term_months) {
        prices.push_back({at + "/provisioned/terms", nullptr, currency});
    } else if (provisioned.price_per_unit_hour) {
        prices.push_back({at + "/provisioned/price_per_unit_hour", &*provisioned.price_per_unit_hour, currency});
    }
}

// A price that was a number when dated ones came stands at 1970-01-01, before them: no day is known of it.
bool is_of_no_day(const PriceRead& read, double start) {
    if (!read.is_dated() || read.day) {
        return !read.is_dated();
    }
    const std::vector<double>& days = read.price->curve->x;
    return days.front() == 0.0 && (days.size() == 1 || start < days[1]);
}

// A server's, which purchases without a price or a lease of their own are made at.
void add_server_price(const Pool& pool, const std::string& at, std::vector<PriceRead>& prices) {
    const auto is_at_it = [](const ServerPurchase& purchase) { return !purchase.price && !purchase.lease; };
    if (pool.server && std::ranges::any_of(pool.purchases, is_at_it)) {
        double day = 0.0;
        const bool is_dated = parse_date(pool.server->price_date.text, day);
        prices.push_back({at + "/server/price", nullptr, pool.server->currency, is_dated ? std::optional(day) : std::nullopt});
    }
}

} // namespace

std::vector<PriceRead> prices_read(const Pool& pool, const std::string& at) {
    std::vector<PriceRead> prices;
    if (pool.kind == PoolKind::cloud && pool.offer) {
        prices.push_back({at + "/offer/hourly_price", &pool.offer->hourly_price, pool.offer->currency});
    } else if (pool.kind == PoolKind::api) {
        const std::string of_model = at + (pool.endpoint ? "/endpoint" : "");
        const std::string_view currency = pool.endpoint ? std::string_view(pool.endpoint->currency) : std::string_view();
        if (pool.provisioned_units && hosted(pool).provisioned) {
            add_unit_price(pool, of_model, currency, prices);
            add_fees(hosted(pool), of_model, currency, prices);
        } else {
            add_prices(hosted(pool), of_model, currency, prices);
        }
    } else if (pool.kind == PoolKind::owned) {
        add_server_price(pool, at, prices);
    }
    return prices;
}

std::vector<PriceRead> prices_read(const ScenarioDocument& scenario) {
    std::vector<PriceRead> prices;
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        std::ranges::move(prices_read(scenario.pools[p], fmt::format("/pools/{}", p)), std::back_inserter(prices));
    }
    return prices;
}

std::optional<std::string> price_day(const std::vector<PriceRead>& prices, YearMonth start) {
    const double first = days_since_epoch(start.year, start.month, 1);
    double oldest = HUGE_VAL;
    for (const PriceRead& read : prices) {
        if (is_of_no_day(read, first)) {
            return std::nullopt;
        }
        const std::vector<double> days = read.day ? std::vector{*read.day} : read.price->curve->x;
        const auto after = std::upper_bound(days.begin(), days.end(), first);
        oldest = std::min(oldest, after == days.begin() ? days.front() : *(after - 1));
    }
    return prices.empty() ? std::nullopt : std::optional(date_text(oldest));
}

PriceOrigin price_origin(const Pool& pool, YearMonth start) {
    const std::vector<PriceRead> prices = prices_read(pool, "");
    PriceOrigin origin{price_day(prices, start), ""};
    origin.source = pool.offer      ? pool.offer->source
                    : pool.endpoint ? pool.endpoint->source
                    : pool.server   ? pool.server->source
                                    : pool.source;
    for (const PriceRead& read : prices) {
        if (origin.source.empty() && read.price != nullptr && read.price->curve) {
            origin.source = read.price->curve->source;
        }
    }
    return origin;
}

bool lacks_currency(const Rate& rate) { return rate.curve && rate.curve->stored.revision > 0 && rate.curve->currency.empty(); }

const std::string& currency_of(const Rate& price, const std::string& of_document) {
    return price.curve && !price.curve->currency.empty() ? price.curve->currency : of_document;
}

bool has_unknown_currency(const Pool& pool) {
    switch (pool.kind) {
    case PoolKind::cloud:
        return pool.offer && lacks_currency(pool.offer->hourly_price);
    case PoolKind::owned:
        return pool.site && lacks_currency(pool.site->energy_price);
    case PoolKind::api:
        break;
    }
    std::vector<PriceRead> prices;
    add_prices(hosted(pool), "", "", prices);
    return std::ranges::any_of(prices, [](const PriceRead& read) { return lacks_currency(*read.price); });
}

std::vector<Issue> currency_warnings(const ScenarioDocument& scenario) {
    std::vector<Issue> warnings;
    const auto check = [&](const std::string& pointer, const Rate& rate, std::string_view currency) {
        if (lacks_currency(rate)) {
            warnings.push_back({pointer, Code::currency_unknown,
                                fmt::format("curve {} states no currency: its values are taken for {}; give it currency",
                                            rate.curve->id, currency.empty() ? scenario.currency : currency)});
        }
    };
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const Pool& pool = scenario.pools[p];
        if (pool.kind == PoolKind::owned && pool.site) {
            check(fmt::format("/pools/{}/site/energy_price", p), pool.site->energy_price, pool.site->currency);
        }
    }
    for (const PriceRead& read : prices_read(scenario)) {
        if (read.price != nullptr) {
            check(read.pointer, *read.price, read.currency);
        }
    }
    return warnings;
}

std::optional<std::string> oldest_price(const ScenarioDocument& scenario) {
    std::optional<double> oldest;
    for (const PriceRead& read : prices_read(scenario)) {
        if (read.is_dated()) {
            oldest = std::min(oldest.value_or(read.last_day()), read.last_day());
        }
    }
    return oldest ? std::optional(date_text(*oldest)) : std::nullopt;
}

std::vector<Issue> price_warnings(const ScenarioDocument& scenario) {
    constexpr double kMaxAgeDays = 365;
    const double start = days_since_epoch(scenario.start.year, scenario.start.month, 1);
    std::vector<Issue> warnings;
    std::vector<std::string> undated;
    for (const PriceRead& read : prices_read(scenario)) {
        if (is_of_no_day(read, start)) {
            undated.push_back(read.pointer);
            continue;
        }
        const double last = read.last_day();
        const double first = read.first_day();
        if (start - last > kMaxAgeDays) {
            warnings.push_back({read.pointer, Code::stale_price,
                                fmt::format("its last price is of {}, {} days before the start", date_text(last), start - last)});
        }
        if (first > start) {
            warnings.push_back({read.pointer, Code::price_before_history,
                                fmt::format("its first price is of {}, {} days after the start", date_text(first), first - start)});
        }
    }
    if (!undated.empty()) {
        warnings.push_back({undated.front(), Code::undated_price,
                            undated.size() == 1
                                ? "it is a number: nothing says of which day"
                                : fmt::format("one of {} prices that are numbers: nothing says of which day", undated.size())});
    }
    return warnings;
}

} // namespace costcurve::model
