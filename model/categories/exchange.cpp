// Converts all amounts of a scenario's documents to its currency, by their field tables.
#include "model/categories/exchange.hpp"

#include <algorithm>

#include "model/documents/calendar.hpp"
#include "model/documents/walk.hpp"

namespace costcurve::model {

namespace {

const ExchangeForward* forward_of(const std::string& currency, const ScenarioDocument& scenario) {
    const auto found = std::ranges::find(scenario.exchange_forwards, currency, &ExchangeForward::currency);
    return found == scenario.exchange_forwards.end() ? nullptr : &*found;
}

double first_day_of(const ScenarioDocument& scenario, int month) {
    const YearMonth at = add_months(scenario.start, month);
    return days_since_epoch(at.year, at.month, 1);
}

double rate_in_month(const ExchangeForward& forward, const ScenarioDocument& scenario, int month) {
    return read(forward.rates, first_day_of(scenario, month));
}

} // namespace

std::optional<double> exchange_rate(const std::string& currency, const ScenarioDocument& scenario) {
    if (currency.empty() || currency == scenario.currency) {
        return 1.0;
    }
    if (const ExchangeForward* const forward = forward_of(currency, scenario)) {
        return rate_in_month(*forward, scenario, 0);
    }
    const auto rate = scenario.exchange_rates.find(currency);
    return rate == scenario.exchange_rates.end() ? std::nullopt : std::optional(rate->second);
}

namespace {

// Each month's rate / the first month's rate; empty without forwards.
std::vector<double> exchange_index(const std::string& currency, const ScenarioDocument& scenario) {
    std::vector<double> index;
    if (const ExchangeForward* const forward = forward_of(currency, scenario)) {
        const double first = rate_in_month(*forward, scenario, 0);
        for (int m = 0; m < scenario.months; ++m) {
            index.push_back(rate_in_month(*forward, scenario, m) / first);
        }
    }
    return index;
}

/// Converts the amounts of one document. A curve that states its own currency is converted at that currency's rate.
struct Exchange {
    const ScenarioDocument& scenario;
    double rate = 1.0;
    bool lacks_rate = false; ///< a curve's currency has no rate
};

void convert(double& value, Exchange& exchange) { value *= exchange.rate; }
void convert(Curve& curve, Exchange& exchange) {
    double factor = exchange.rate;
    if (!curve.currency.empty()) {
        const std::optional<double> rate = exchange_rate(curve.currency, exchange.scenario);
        if (!rate) {
            exchange.lacks_rate = true;
            return;
        }
        factor = *rate;
        if (curve.currency != exchange.scenario.currency) {
            curve.stored.exchanged_from = curve.currency;
            curve.currency = exchange.scenario.currency;
        }
    }
    for (double& y : curve.y) {
        y *= factor;
    }
}
void convert(Rate& rate, Exchange& exchange) {
    rate.number *= exchange.rate;
    if (rate.curve) {
        convert(*rate.curve, exchange);
    }
}
void convert(UnitPrice& price, Exchange& exchange) {
    convert(price.total, exchange);
    for_each_field<UnitPrice>([&](const auto& field) {
        if (price.*field.member) {
            convert(*(price.*field.member), exchange);
        }
    });
}
template <class Other> void convert(Other& /*not money*/, Exchange& /*exchange*/) {}
template <class M> void convert(std::optional<M>& value, Exchange& exchange);
// A nested part of a document, without a currency of its own.
template <class T> constexpr bool is_part = has_fields<T> && !is_stored<T>;
template <class M> constexpr bool has_money_inside = is_list_of_fields<M>;
template <class T> constexpr bool has_money_inside<std::optional<T>> = is_part<T> && !std::is_same_v<T, UnitPrice>;
template <class T>
requires has_fields<T>
void convert(std::vector<T>& parts, Exchange& exchange);
// Converts the fields whose unit begins with "currency", and nested parts by the units of their fields.
template <class T>
requires is_part<T>
void convert(T& part, Exchange& exchange) {
    for_each_field<T>([&](const auto& field) {
        using M = std::remove_cvref_t<decltype(part.*field.member)>;
        if (field.spec.unit.starts_with("currency") || has_money_inside<M>) {
            convert(part.*field.member, exchange);
        }
    });
}
template <class M> void convert(std::optional<M>& value, Exchange& exchange) {
    if (value) {
        convert(*value, exchange);
    }
}
template <class T>
requires has_fields<T>
void convert(std::vector<T>& parts, Exchange& exchange) {
    for (T& part : parts) {
        convert(part, exchange);
    }
}

std::string missing_rate(const std::string& currency, const ScenarioDocument& scenario) {
    return fmt::format("currency is {}; give exchange_rates {{\"{}\": {} for one {}}}", currency, currency, scenario.currency,
                       currency);
}

// Converts every field whose unit begins with `unit`, and nested parts by the units of their fields.
template <class T>
void convert_all(T& document, std::string_view unit, Exchange& exchange, const std::string& pointer, Rules& rules) {
    for_each_field<T>([&](const auto& field) {
        using M = std::remove_cvref_t<decltype(document.*field.member)>;
        if (field.spec.unit.starts_with(unit) || has_money_inside<M>) {
            convert(document.*field.member, exchange);
        }
    });
    if (!exchange.lacks_rate) {
        return;
    }
    std::string at = pointer;
    walk(document, at, {}, [&]<class P>(const P& part, const std::string& where, const FieldSpec& /*spec*/) {
        if constexpr (std::is_same_v<P, Curve>) {
            if (!exchange_rate(part.currency, exchange.scenario)) {
                rules.add(where + "/currency", Code::missing_exchange_rate, missing_rate(part.currency, exchange.scenario));
            }
        }
    });
}

// Checks curves in another currency than their document's: such a curve has one rate, so neither currency may have forwards.
template <class T> void check_curves(T& document, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    std::string at = pointer;
    walk(document, at, {}, [&]<class P>(const P& part, const std::string& where, const FieldSpec& /*spec*/) {
        if constexpr (std::is_same_v<P, Curve>) {
            const bool differs = !part.currency.empty() && part.currency != document.currency;
            if (differs && (forward_of(part.currency, scenario) != nullptr || forward_of(document.currency, scenario) != nullptr)) {
                rules.add(
                    where + "/currency", Code::not_allowed,
                    fmt::format("a curve of {} in a document of {} beside exchange_forwards: state it in the document's currency",
                                part.currency, document.currency));
            }
        }
    });
}

// Amounts of a document that stay at the first month's rate; others use the rate of the month in which they are paid.
template <class T> constexpr std::string_view kHeld = "";
template <> constexpr std::string_view kHeld<Offer> = " egress_per_gb egress_tiers ";

template <class M> bool is_stated(const M& value) {
    if constexpr (std::is_same_v<M, double>) {
        return value != 0.0;
    } else if constexpr (is_optional<M>) {
        return value.has_value();
    } else if constexpr (is_list_of_fields<M>) {
        return !value.empty();
    }
    return false;
}

template <class T> void warn_of_first_rate(const T& document, const std::string& pointer, Rules& rules) {
    std::vector<std::string_view> held;
    for_each_field<T>([&](const auto& field) {
        const bool is_held = kHeld<T>.find(" " + std::string(field.name) + " ") != std::string_view::npos;
        if (is_held && is_stated(document.*field.member)) {
            held.push_back(field.name);
        }
    });
    if (!held.empty()) {
        rules.warn(
            pointer + "/currency", Code::exchange_rate_held,
            fmt::format("{} of the document {} of the first month's rate, whatever exchange_forwards have later; give {} in the "
                        "scenario's currency where that matters",
                        fmt::join(held, ", "), held.size() > 1 ? "are" : "is", held.size() > 1 ? "them" : "it"));
    }
}

// Converts every field whose unit begins with "currency" from the document's own currency. A document that nothing is paid by
// (`is_paid` false) needs no rate.
template <class T>
void exchange(T& document, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules, bool is_paid = true) {
    const std::optional<double> rate = exchange_rate(document.currency, scenario);
    if (!rate && is_paid) {
        rules.add(pointer + "/currency", Code::missing_exchange_rate, missing_rate(document.currency, scenario));
    }
    if (!scenario.exchange_forwards.empty()) {
        check_curves(document, pointer, scenario, rules);
    }
    Exchange exchange{scenario, rate.value_or(is_paid ? 1.0 : 0.0)};
    convert_all(document, "currency", exchange, pointer, rules);
    if (!document.currency.empty() &&
        document.currency != scenario.currency) { // otherwise it needs no conversion, or is converted already
        document.stored.exchanged_from = document.currency;
        document.stored.exchange_index = exchange_index(document.currency, scenario);
        if (!document.stored.exchange_index.empty() && is_paid) {
            warn_of_first_rate(document, pointer, rules);
        }
    }
    document.currency = scenario.currency;
}

// Checks a forward curve. Warns if it doesn't cover the horizon, as its first and last rates are then assumed beyond its points.
void check_forward(const ScenarioDocument& scenario, std::size_t i, Rules& rules) {
    const ExchangeForward& forward = scenario.exchange_forwards[i];
    const std::string at = fmt::format("/exchange_forwards/{}", i);
    const auto same = [&](const ExchangeForward& other) { return other.currency == forward.currency; };
    const double last = first_day_of(scenario, scenario.months - 1);
    check_dates({0.0, forward.rates}, at + "/rates", &scenario, rules);
    if (forward.currency == scenario.currency) {
        rules.add(at + "/currency", Code::not_allowed,
                  fmt::format("currency is {}, the scenario's own; give rates of other currencies", forward.currency));
    }
    if (scenario.exchange_rates.contains(forward.currency)) {
        rules.add(at + "/currency", Code::duplicate,
                  fmt::format("{} has exchange_rates {} too; give one of the two", forward.currency,
                              scenario.exchange_rates.at(forward.currency)));
    }
    if (std::ranges::count_if(scenario.exchange_forwards, same) > 1) {
        rules.add(at + "/currency", Code::duplicate, fmt::format("{} has several forwards; give one", forward.currency));
    }
    if (std::ranges::any_of(forward.rates.y, [](double rate) { return rate <= 0.0; })) {
        rules.add(at + "/rates/points", Code::out_of_range, "a rate is 0; give what one of the currency costs, above 0");
    }
    const double first = first_day_of(scenario, 0);
    const bool is_held = forward.rates.outside == Outside::hold;
    if (is_held && forward.rates.x.front() > first) {
        rules.warn(
            at + "/rates", Code::exchange_rate_held,
            fmt::format("the forwards of {} begin {:.0f} days after the start: {} is assumed until then; give a point of the "
                        "first month",
                        forward.currency, forward.rates.x.front() - first, forward.rates.y.front()));
    }
    if (is_held && forward.rates.x.back() < last) {
        rules.warn(
            at + "/rates", Code::exchange_rate_held,
            fmt::format("the forwards of {} end {:.0f} days before the horizon's last month: {} is assumed from then on; give "
                        "points up to it",
                        forward.currency, last - forward.rates.x.back(), forward.rates.y.back()));
    }
}

// Converts the stated server prices of purchases, which are in the server's currency.
void exchange_purchases(Pool& pool, double rate) {
    for (ServerPurchase& purchase : pool.purchases) {
        purchase.price = purchase.price ? std::optional(*purchase.price * rate) : std::nullopt;
        if (purchase.lease) {
            purchase.lease->payment_per_server_month *= rate;
            purchase.lease->upfront_per_server *= rate;
            if (purchase.lease->buyout_per_server) {
                *purchase.lease->buyout_per_server *= rate;
            }
        }
    }
}

} // namespace

void exchange_all(ScenarioDocument& scenario, Rules& rules) {
    for (std::size_t i = 0; i < scenario.exchange_forwards.size(); ++i) {
        check_forward(scenario, i, rules);
    }
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        Pool& pool = scenario.pools[p];
        const std::string at = fmt::format("/pools/{}", p);
        if (pool.offer) {
            exchange(*pool.offer, at + "/offer", scenario, rules);
            if (pool.offer->site) {
                exchange(*pool.offer->site, at + "/offer/site", scenario, rules, false); // the renter doesn't pay its energy
            }
        }
        if (pool.server) {
            exchange_purchases(pool, exchange_rate(pool.server->currency, scenario).value_or(1.0));
            exchange(*pool.server, at + "/server", scenario, rules);
        }
        if (pool.site) {
            exchange(*pool.site, at + "/site", scenario, rules);
        }
        if (pool.endpoint) {
            exchange(*pool.endpoint, at + "/endpoint", scenario, rules);
        } else if (pool.kind == PoolKind::api) {
            Exchange of_curves{scenario}; // a pool's own fields are in the scenario's currency; only their curves may have another
            convert_all(pool, "scenario currency", of_curves, at, rules);
        }
    }
}

double at_rate_of(const std::vector<double>& exchange_index, int month) {
    const int last = static_cast<int>(exchange_index.size()) - 1;
    return last < 0 ? 1.0 : exchange_index[static_cast<std::size_t>(std::clamp(month, 0, last))];
}

void exchange_by_month(const std::vector<double>& exchange_index, std::vector<double>& amounts) {
    for (std::size_t m = 0; m < amounts.size() && !exchange_index.empty(); ++m) {
        amounts[m] *= at_rate_of(exchange_index, static_cast<int>(m));
    }
}

} // namespace costcurve::model
