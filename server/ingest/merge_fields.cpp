// Merges two versions of a document by field: curves by point, lists by name, otherwise the later value.
#include "server/ingest/merge_fields.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/walk.hpp"
#include "model/hosted/joined_endpoints.hpp"
#include "server/ingest/plausible/other_measurement.hpp"

namespace costcurve::ingest {

namespace {

using Warnings = std::vector<std::string>;

bool keeps_stored_points(const Points& stored, const Points& given) {
    return !std::includes(given.x.begin(), given.x.end(), stored.x.begin(), stored.x.end());
}

bool is_over_date(const model::Curve& curve) { return curve.axis == model::Axis::date && !curve.stored.is_reference; }

// ---- days ----

using Day = std::optional<double>;

Day later(Day a, Day b) { return !a || (b && *b > *a) ? b : a; }

Day newest_day(const model::Curve& curve) { return is_over_date(curve) && !curve.x.empty() ? Day(curve.x.back()) : std::nullopt; }
Day newest_day(const model::Rate& rate) { return rate.curve ? newest_day(*rate.curve) : std::nullopt; }
Day newest_day(const model::Offer& offer) { return newest_day(offer.hourly_price); }
Day newest_day(const model::Endpoint& endpoint) {
    Day newest;
    if (const std::optional<model::UnitPrice>& price = endpoint.price_per_million_units) {
        newest = newest_day(price->total);
        for (std::size_t c = 0; price->split && c < model::kUnitClasses; ++c) {
            if (const std::optional<model::Rate>& of_class = (*price)[static_cast<model::UnitClass>(c)]) {
                newest = later(newest, newest_day(*of_class));
            }
        }
    }
    return newest;
}
template <class T> Day newest_day(const T& /*document*/) { return std::nullopt; }

// ---- fields, struct to struct ----

class FieldMerge {
public:
    bool keeps_stored = false;   ///< what the stored document states stays
    bool dates_constants = true; ///< a stored price that is a number can stand beside given dated ones
    std::string stored_currency; ///< of the documents; "" where they state none
    std::string given_currency;
    /// Of amounts that would stand on one curve, where they are two: of the stored ones and of the given.
    std::optional<std::pair<std::string, std::string>> currencies;
    bool had_constant = false; ///< a price that was a number is now a curve

    template <class T> void merge_fields(T& stored, T&& given) {
        model::for_each_field<T>([&](const auto& field) {
            if (!model::applies(field.spec, given) || !model::is_stated(given, field)) {
                return;
            }
            if (keeps_stored && model::is_stated(stored, field)) {
                keep(stored.*field.member, std::move(given.*field.member));
            } else {
                merge(stored.*field.member, std::move(given.*field.member));
            }
        });
    }
    // A document of its own: what it doesn't state stays.
    void merge_curve(model::Curve& stored, model::Curve&& given) {
        model::Curve curve = stored;
        merge_fields(curve, model::Curve(given));
        if (keeps_stored) {
            keep(stored, std::move(given));
        } else {
            merge(stored, std::move(given));
        }
        curve.x = std::move(stored.x);
        curve.y = std::move(stored.y);
        stored = std::move(curve);
    }

private:
    template <class M> void merge(M& stored, std::type_identity_t<M>&& given) { stored = std::move(given); }
    void merge(model::Curve& stored, model::Curve&& given) {
        if (is_over_date(stored) && is_over_date(given)) {
            join(stored, given);
        }
        stored = std::move(given);
    }
    void merge(model::Rate& stored, model::Rate&& given) {
        if (stored.curve && given.curve) {
            merge(*stored.curve, std::move(*given.curve));
            return;
        }
        const bool gets_dated =
            !stored.curve && given.curve && is_over_date(*given.curve) && given.curve->kind == model::CurveKind::price;
        had_constant = had_constant || gets_dated;
        if (gets_dated && dates_constants) {
            model::Curve constant = *given.curve;
            constant.currency.clear(); // it is in the document's
            constant.x = {kUndatedPriceDay};
            constant.y = {stored.number};
            join(constant, *given.curve);
        }
        stored = std::move(given);
    }
    void merge(model::UnitPrice& stored, model::UnitPrice&& given) {
        if (stored.split && given.split) {
            merge_fields(stored, std::move(given));
        } else if (!stored.split && !given.split) {
            merge(stored.total, std::move(given.total));
        } else {
            stored = std::move(given);
        }
    }
    void merge(model::HostedFees& stored, model::HostedFees&& given) { merge_fields(stored, std::move(given)); }
    void merge(model::HostedCache& stored, model::HostedCache&& given) { merge_fields(stored, std::move(given)); }
    void merge(model::Interconnect& stored, model::Interconnect&& given) {
        merge_fields(stored, std::move(given)); // NOLINT(performance-move-const-arg): as of the others
    }
    void merge(model::ServiceTiers& stored, model::ServiceTiers&& given) { merge_fields(stored, std::move(given)); }
    // A factor gives way to prices, and these to a factor.
    void merge(model::TierPrices& stored, model::TierPrices&& given) {
        if (stored.price_factor.has_value() != given.price_factor.has_value()) {
            stored = {};
        }
        merge_fields(stored, std::move(given));
    }
    // Thresholds are those of the newest list; the history of each that stays is joined.
    void merge(std::vector<model::PriceAbove>& stored, std::vector<model::PriceAbove>&& given) {
        for (model::PriceAbove& above : given) {
            const auto before = std::ranges::find(stored, above.input_tokens, &model::PriceAbove::input_tokens);
            if (before != stored.end()) {
                merge_fields(*before, std::move(above));
                above = std::move(*before);
            }
        }
        stored = std::move(given);
    }
    template <class M> void merge(std::optional<M>& stored, std::optional<M>&& given) {
        if (stored && given) {
            merge(*stored, std::move(*given));
        } else {
            stored = std::move(given);
        }
    }
    template <class Value> void merge(std::map<std::string, Value>& stored, std::map<std::string, Value>&& given) {
        given.merge(stored);
        stored = std::move(given);
    }
    void merge(std::vector<std::string>& stored, std::vector<std::string>&& given) { // NOLINT(*-rvalue-reference-param-not-moved)
        std::copy_if(given.begin(), given.end(), std::back_inserter(stored),
                     [&](const std::string& name) { return std::find(stored.begin(), stored.end(), name) == stored.end(); });
    }

    // What the stored document states stays: points and names join it.
    template <class M> void keep(M& /*stored*/, std::type_identity_t<M>&& /*given*/) {}
    void keep(model::Curve& stored, model::Curve&& given) {
        if (is_over_date(stored) && is_over_date(given)) {
            join(stored, given);
            stored.x = std::move(given.x);
            stored.y = std::move(given.y);
        }
    }
    void keep(model::Rate& stored, model::Rate&& given) {
        if (stored.curve && given.curve) {
            keep(*stored.curve, std::move(*given.curve));
        }
    }
    void keep(model::UnitPrice& stored, model::UnitPrice&& given) {
        if (stored.split && given.split) {
            merge_fields(stored, std::move(given));
        } else if (!stored.split && !given.split) {
            keep(stored.total, std::move(given.total));
        }
    }
    template <class M> void keep(std::optional<M>& stored, std::optional<M>&& given) {
        if (stored && given) {
            keep(*stored, std::move(*given));
        }
    }
    template <class Value> void keep(std::map<std::string, Value>& stored, std::map<std::string, Value>&& given) {
        stored.merge(given);
    }
    void keep(std::vector<std::string>& stored, std::vector<std::string>&& given) { merge(stored, std::move(given)); }

    // The points of both curves become those of `given`.
    void join(const model::Curve& stored, model::Curve& given) {
        const std::string& before = stored.currency.empty() ? stored_currency : stored.currency;
        const std::string& now = given.currency.empty() ? given_currency : given.currency;
        if (model::is_money(given.kind) && before != now && keeps_stored_points({stored.x, stored.y}, {given.x, given.y})) {
            currencies = {before, now};
        }
        std::vector<double> x;
        std::vector<double> y;
        join_points({stored.x, stored.y}, {given.x, given.y}, x, y);
        given.x = std::move(x);
        given.y = std::move(y);
    }
};

// ---- what is odd ----

/// Bytes of a gigabyte over those of a gibibyte, and what rounding of a published figure may take off.
constexpr double kGigabyte = 1e9 / 1073741824.0;
constexpr double kRounding = 0.005;

// Tables of hardware count the gigabytes of a board's name in powers of ten, which no board has: 80 GB become 74.5 GiB.
void keep_memory(const model::Device& stored, model::Device& given) {
    if (stored.memory_gib && given.memory_gib &&
        *given.memory_gib<*stored.memory_gib&& * given.memory_gib> * stored.memory_gib * kGigabyte * (1.0 - kRounding)) {
        given.memory_gib = stored.memory_gib;
    }
}

void warn_of_facts(const model::Device& before, const model::Device& after, Warnings& warnings) {
    const auto warn = [&](std::string_view what, std::string_view unit, double same, double from,
                          double to) { // same: of the stored
        if (from > 0.0 && std::fabs(to - from) > same * from) {
            warnings.push_back(fmt::format("{}: its {} of {} {} becomes {} {}; import with keep_stored to keep what is stored",
                                           before.id, what, from, unit, to, unit));
        }
    };
    warn("tdp_w", "W", 0.01, before.tdp_w, after.tdp_w);
    warn("memory_gib", "GiB", 0.1, before.memory_gib.value_or(0.0), after.memory_gib.value_or(0.0));
    warn("memory_bandwidth_gb_per_s", "GB/s", 0.1, before.memory_bandwidth_gb_per_s.value_or(0.0),
         after.memory_bandwidth_gb_per_s.value_or(0.0));
}

// The same SKU with another number of devices is another thing to buy: prices of both are on one curve.
void warn_of_devices(const model::Offer& before, int given, Day day, bool keeps, Warnings& warnings) {
    if (before.devices == given) {
        return;
    }
    const std::string since = day ? " of " + model::date_text(*day) : "";
    warnings.push_back(keeps ? fmt::format("{}: the import{} has {} devices, {} are stored and stay; its price is of {}", before.id,
                                           since, given, before.devices, given)
                             : fmt::format("{}: the import{} has {} devices, {} were stored; its earlier prices are of {}",
                                           before.id, since, given, before.devices, before.devices));
}

void drop_growth(const model::Offer& before, model::Offer& after, bool had_constant, Warnings& warnings) {
    if (had_constant && before.price_growth_rate != 0.0) {
        after.price_growth_rate = 0.0;
        warnings.push_back(fmt::format("{}: its price was a number that grew by {} a year; what it costs is now observed, and "
                                       "price_growth_rate becomes 0",
                                       before.id, before.price_growth_rate));
    }
}

// Two sources that have other prices of one day: which one holds is a matter of the order of imports.
bool warn_of_source(std::string_view id, const model::Rate& before, const std::string& stored_source, const model::Rate& given,
                    const std::string& given_source, Warnings& warnings) {
    constexpr double kSame = 0.05; // of the stored price
    if (!before.curve || !given.curve || !is_over_date(*before.curve) || !is_over_date(*given.curve) ||
        stored_source == given_source || stored_source.empty() || given_source.empty()) {
        return false;
    }
    for (std::size_t i = 0; i < given.curve->x.size(); ++i) {
        const auto found = std::find(before.curve->x.begin(), before.curve->x.end(), given.curve->x[i]);
        if (found == before.curve->x.end()) {
            continue;
        }
        const double stored = before.curve->y[static_cast<std::size_t>(found - before.curve->x.begin())];
        if (std::fabs(given.curve->y[i] - stored) > kSame * std::fabs(stored)) {
            warnings.push_back(fmt::format("{}: {} of {} takes the place of {} of {}, both of {}; which of the two is right?", id,
                                           given.curve->y[i], given_source, stored, stored_source,
                                           model::date_text(given.curve->x[i])));
            return true;
        }
    }
    return false;
}
void warn_of_source(const model::Offer& before, const model::Offer& given, Warnings& warnings) {
    warn_of_source(before.id, before.hourly_price, before.source, given.hourly_price, given.source, warnings);
}
void warn_of_source(const model::Endpoint& before, const model::Endpoint& given, Warnings& warnings) {
    const auto& stored = before.price_per_million_units;
    const auto& price = given.price_per_million_units;
    if (!stored || !price || warn_of_source(before.id, stored->total, before.source, price->total, given.source, warnings)) {
        return;
    }
    for (std::size_t c = 0; stored->split && price->split && c < model::kUnitClasses; ++c) {
        const auto unit_class = static_cast<model::UnitClass>(c);
        const std::optional<model::Rate>& a = (*stored)[unit_class];
        const std::optional<model::Rate>& b = (*price)[unit_class];
        if (a && b && warn_of_source(before.id, *a, before.source, *b, given.source, warnings)) {
            return;
        }
    }
}
template <class T> void warn_of_source(const T& /*before*/, const T& /*given*/, Warnings& /*warnings*/) {}

std::string refusal_of(const std::pair<std::string, std::string>& currencies) {
    return fmt::format("its stored prices are in {}, the import in {}; delete it first, or import the same currency",
                       currencies.first, currencies.second);
}

// Of one side that states no currency the values are taken for the other's.
std::string merge_into(model::Curve& stored, model::Curve&& given, FieldMerge& merge, Warnings& warnings) {
    const std::string before = stored.currency;
    const std::string currency = given.currency;
    merge.merge_curve(stored, std::move(given));
    if (before.empty() != currency.empty() && (before.empty() ? merge.currencies.has_value() : !merge.keeps_stored)) {
        warnings.push_back(fmt::format("{}: its {} values state no currency and are taken for {}", stored.id,
                                       before.empty() ? "stored" : "new", stored.currency));
    }
    return merge.currencies && !before.empty() && !currency.empty() ? refusal_of(*merge.currencies) : "";
}

template <class T> std::string merge_into(T& stored, std::type_identity_t<T>&& given, bool keeps_stored, Warnings& warnings) {
    const Day day = newest_day(given);
    const Day stored_day = newest_day(stored);
    const bool is_older = day && stored_day && *day < *stored_day;
    FieldMerge merge;
    merge.keeps_stored = keeps_stored || is_older;
    if constexpr (std::is_same_v<T, model::Curve>) {
        return merge_into(stored, std::move(given), merge, warnings);
    } else if constexpr (std::is_same_v<T, model::Device>) {
        const model::Device before = stored;
        keep_memory(before, given);
        merge.merge_fields(stored, std::move(given));
        warn_of_facts(before, stored, warnings);
    } else if constexpr (requires { stored.currency; }) {
        const T before = stored;
        const std::string currency = given.currency;
        if (before.currency == currency && !merge.keeps_stored) {
            warn_of_source(before, given, warnings);
        }
        merge.stored_currency = before.currency;
        merge.given_currency = currency;
        merge.dates_constants = !before.currency.empty() || currency.empty();
        if constexpr (std::is_same_v<T, model::Offer>) {
            warn_of_devices(before, given.devices, day, merge.keeps_stored, warnings);
        } else if constexpr (std::is_same_v<T, model::Endpoint>) {
            model::keep_one_batch(stored, given, merge.keeps_stored);
            if (is_older) {
                model::drop_withdrawn(stored, given);
            } else if (!keeps_stored) {
                model::drop_withdrawn(given, stored);
            }
        }
        merge.merge_fields(stored, std::move(given));
        if (merge.currencies) {
            return refusal_of(*merge.currencies);
        }
        if constexpr (std::is_same_v<T, model::Offer>) {
            drop_growth(before, stored, merge.had_constant, warnings);
        }
    } else {
        merge.merge_fields(stored, std::move(given));
    }
    return "";
}

} // namespace

// A given point replaces a stored one of the same x.
void join_points(const Points& other, const Points& first, std::vector<double>& x, std::vector<double>& y) {
    x.reserve(other.x.size() + first.x.size());
    y.reserve(other.x.size() + first.x.size());
    std::size_t o = 0;
    std::size_t f = 0;
    while (o < other.x.size() || f < first.x.size()) {
        const bool from_other = f == first.x.size() || (o < other.x.size() && other.x[o] < first.x[f]);
        o += !from_other && o < other.x.size() && other.x[o] == first.x[f] ? 1U : 0U;
        const Points& source = from_other ? other : first;
        std::size_t& at = from_other ? o : f;
        x.push_back(source.x[at]);
        y.push_back(source.y[at++]);
    }
}

tl::expected<model::AnyDocument, Refused> merge_documents(model::AnyDocument stored, model::AnyDocument&& given, bool keeps_stored,
                                                          std::vector<std::string>* warnings) {
    if (std::string other = other_measurement(stored, given); !other.empty()) {
        return tl::unexpected(Refused{std::move(other)});
    }
    Warnings found;
    std::string refused = std::visit(
        [&]<class T>(T& before) { return merge_into(before, std::move(std::get<T>(given)), keeps_stored, found); }, stored);
    if (!refused.empty()) {
        return tl::unexpected(Refused{std::move(refused)});
    }
    if (warnings != nullptr) {
        warnings->insert(warnings->end(), found.begin(), found.end());
    }
    return stored;
}

} // namespace costcurve::ingest
