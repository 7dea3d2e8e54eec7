// Numbers are found by the tables of fields, also of parts such as provisioned.tokens_per_minute.
#include "server/ingest/plausible/stated_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "model/documents/fields.hpp"
#include "model/documents/walk.hpp"
#include "server/documents/records.hpp"
#include "server/import/identity/boards.hpp"
#include "server/ingest/plausible/bought_devices.hpp"
#include "server/ingest/prices/every_document.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kBeyondServers = 3.0;

struct FieldOfKind {
    std::string_view kind, field;
};
// Fields that other guards judge, with what is below them.
constexpr auto kJudgedElsewhere = std::to_array<FieldOfKind>({
    {"offer", "hourly_price"},
    {"offer", "devices"},
    {"endpoint", "price_per_million_units"},
    {"endpoint", "cache"},
    {"endpoint", "fees"},
    {"endpoint", "service_tiers"},
    {"endpoint", "batch_price_fraction"},
    {"endpoint", "ttft_s"},
    {"endpoint", "itl_s"},
    {"endpoint", "e2e_s"},
    {"performance", "units_per_s"},
    {"performance", "ttft_s"},
    {"performance", "itl_s"},
    {"performance", "measured"},
});

// What lists may move by more: chances change by the week, limits by the account.
constexpr auto kMovesByMore =
    std::to_array<std::string_view>({"interruptions_per_hour", "latency_percentile", "concurrency", "max_units_per_s"});

constexpr auto kPlace = std::to_array<std::string_view>({"region", "country", "provider", "model", "time_zone"});

struct UsualRange {
    std::string_view kind, field;
    double least, most;
    bool is_money = false; // then in US dollars, by rough rates
};
// Of the catalogue's 303 offers, 16 servers and 18 sites and of published tariffs, widened by two to three times.
constexpr auto kUsual = std::to_array<UsualRange>({
    {"offer", "price_growth_rate", -0.05, 0.1},
    {"offer", "interruptions_per_hour", 0, 0.6},
    {"offer", "host_max_w", 0, 20000},
    {"offer", "availability_fraction", 0.5, 1},
    {"offer", "replacement_s", 0, 7200},
    {"offer", "boot_s", 0, 7200},
    {"offer", "idle_timeout_s", 0, 7200},
    {"offer", "minimum_seconds", 0, 7200},
    {"offer", "egress_per_gb", 0, 0.3, true},
    {"offer", "storage_per_gb_month", 0, 0.5, true},
    {"endpoint", "max_units_per_s", 10, 1e7}, // limits of accounts go from 1,000 to 150 million tokens a minute
    {"server", "price_change_rate", -0.2, 0.1},
    {"server", "life_months", 24, 96},
    {"server", "residual_fraction", 0, 0.4},
    {"server", "maintenance_rate", 0, 0.15},
    {"server", "software_per_device_year", 0, 10000, true},
    {"server", "spares_fraction", 0, 0.3},
    {"server", "failures_per_hour", 0, 0.001},
    {"server", "repair_hours", 0, 2000},
    {"server", "rack_units", 0.5, 50},
    {"server", "host_max_w", 0, 20000},
    {"server", "embodied_kg", 0, 20000},
    {"site", "pue", 1, 2.5},
    {"site", "energy_price_growth_rate", -0.05, 0.1},
    {"site", "carbon_g_per_kwh", 0, 1500},
    {"site", "energy_price", 0.015, 0.6, true},
    {"site", "demand_charge_per_kw_month", 0, 60, true},
    {"site", "reactive.per_kvar_month", 0, 20, true},
    {"site", "reactive.per_kvarh", 0, 0.1, true},
    {"site", "space_per_kw_month", 60, 500, true},
    {"site", "space_per_rack_month", 150, 5000, true},
    {"site", "facility_price_per_w", 4, 30, true},
    {"site", "facility_life_months", 96, 480},
    {"site", "salary_per_year", 15000, 400000, true},
    {"site", "fte", 0, 20},
    {"site", "fte_per_server", 0, 0.1},
    {"site", "rack_kw", 2, 400},
    {"site", "rack_units_per_rack", 20, 60},
    {"site", "network_per_month", 0, 30000, true},
    {"site", "storage_per_month", 0, 30000, true},
    {"site", "minimum_bill.per_month", 0, 50000, true},
    {"site", "minimum_bill.per_kw_month", 0, 60, true},
    {"site", "max_kw", 50, 1e6},
});

template <class M> inline constexpr bool is_optional_number = false;
template <class M> inline constexpr bool is_optional_number<std::optional<M>> = true;

struct NumberFact {
    std::string name;
    double number;
    bool is_default; // not stated
};
using NumberFacts = std::vector<NumberFact>;

bool is_judged_elsewhere(std::string_view kind, std::string_view field) {
    return std::ranges::any_of(kJudgedElsewhere, [&](const FieldOfKind& row) { return row.kind == kind && row.field == field; });
}

// A number, or the mean of a curve that is part of the document.
std::optional<double> level_of(const model::Rate& rate) {
    if (!rate.curve) {
        return rate.number;
    }
    const std::vector<double>& y = rate.curve->y;
    return y.empty() ? std::nullopt : std::optional(std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size()));
}

template <class T> void add_numbers(const T& document, const std::string& of, NumberFacts& facts);

template <class M> void add_member(const M& member, const std::string& name, bool is_default, NumberFacts& facts) {
    if constexpr (is_optional_number<M>) {
        if (member) {
            add_member(*member, name, is_default, facts);
        }
    } else if constexpr (std::is_same_v<M, model::Rate>) {
        if (const std::optional<double> level = level_of(member)) {
            facts.push_back({name, *level, is_default});
        }
    } else if constexpr (std::is_same_v<M, double> || std::is_same_v<M, int>) {
        facts.push_back({name, static_cast<double>(member), is_default});
    } else if constexpr (model::has_fields<M> && !model::is_stored<M> && !std::is_same_v<M, model::Curve>) {
        add_numbers(member, name + ".", facts);
    }
}

template <class T> void add_numbers(const T& document, const std::string& of, NumberFacts& facts) {
    model::for_each_field<T>([&](const auto& field) {
        using M = std::decay_t<decltype(document.*field.member)>;
        if (!is_judged_elsewhere(model::document_name<T>, field.name)) {
            add_member<M>(document.*field.member, fmt::format("{}{}", of, field.name), !model::is_stated(document, field), facts);
        }
    });
}

template <class T> NumberFacts numbers_of(const T& document) {
    NumberFacts facts;
    add_numbers(document, "", facts);
    return facts;
}

std::string reason_of_move(const NumberFact& fact, double before) {
    const bool moves_by_more = std::ranges::find(kMovesByMore, fact.name) != kMovesByMore.end();
    if (fact.number == 0.0 || fact.number * before < 0.0) {
        return fmt::format("its {} is {:.4g}, and was {:.4g}", fact.name, fact.number, before);
    }
    return is_beyond(fact.number / before, moves_by_more ? kSpotJump : kJump)
               ? fmt::format("its {} of {:.4g} is {:.3g} times what it was, {:.4g}", fact.name, fact.number, fact.number / before,
                             before)
               : "";
}

// `dollars` that a unit of its currency is; 0 where that is not known.
std::string reason_of_range(std::string_view kind, const NumberFact& fact, double dollars) {
    for (const UsualRange& range : kUsual) {
        const double number = range.is_money ? fact.number * dollars : fact.number;
        if (range.kind == kind && range.field == fact.name && (number < range.least || number > range.most) &&
            (!range.is_money || dollars > 0.0)) {
            return fmt::format("its {} of {:.4g} is out of {:g} to {:g}{}", fact.name, fact.number, range.least, range.most,
                               range.is_money ? " USD" : "");
        }
    }
    return "";
}

template <class T> double dollars_of_currency(const T& document) {
    if constexpr (requires { document.currency; }) {
        return dollars_of(document.currency);
    } else {
        return 0.0;
    }
}

// Where a site is, and of what model a rate; a document of another one has another id. Prices are judged with their documents'.
template <class T> std::string reason_of_place(const T& before, const T& now) {
    std::string reason;
    if constexpr (std::is_same_v<T, model::Offer> || std::is_same_v<T, model::Endpoint>) {
        return reason;
    }
    model::for_each_field<T>([&](const auto& field) {
        if constexpr (std::is_same_v<std::decay_t<decltype(now.*field.member)>, std::string>) {
            const std::string& was = before.*field.member;
            const std::string& is = now.*field.member;
            if (std::ranges::find(kPlace, field.name) != kPlace.end() && !was.empty() && model::is_stated(now, field) &&
                was != is) {
                reason = fmt::format("its {} is {}, and was {}", field.name, is, was);
            }
        }
    });
    return reason;
}

template <class T> std::optional<T> stored_of(const storage::Snapshot& snapshot, const std::string& id) {
    const auto revision = snapshot.load({model::kind_of<T>, id});
    const auto stored = revision ? documents::decode_readable(*revision) : std::nullopt;
    return stored ? std::optional(std::get<T>(*stored)) : std::nullopt;
}

template <class T> std::string reason_of_numbers(const T* stored, const T& document) {
    const NumberFacts before = stored != nullptr ? numbers_of(*stored) : NumberFacts();
    for (const NumberFact& fact : numbers_of(document)) {
        const auto was = std::ranges::find(before, fact.name, &NumberFact::name);
        if (fact.is_default || (was != before.end() && was->number == fact.number)) {
            continue;
        }
        std::string reason = was != before.end() && was->number != 0.0 ? reason_of_move(fact, was->number) : "";
        reason = reason.empty() ? reason_of_range(model::document_name<T>, fact, dollars_of_currency(document)) : reason;
        if (!reason.empty()) {
            return reason;
        }
    }
    return "";
}

// By the device, in USD, of those with boards of its chip.
std::vector<double> prices_of_kin(const storage::Snapshot& snapshot, const model::Server& server) {
    std::vector<double> prices;
    for_each_document<model::Server>(snapshot, storage::Kind::server, [&](const model::Server& other) {
        const double price = other.price * dollars_of(other.currency) / other.devices;
        if (price > 0.0 && imports::family_name(other.device.id) == imports::family_name(server.device.id)) {
            prices.push_back(price);
        }
    });
    return prices;
}

std::string reason_of_new(const storage::Snapshot& snapshot, const model::Server& server) {
    const double dollars = dollars_of(server.currency);
    if (dollars <= 0.0) {
        return fmt::format("no rate of exchange is known of {}, by which its price could be compared", server.currency);
    }
    const double price = server.price * dollars / server.devices;
    std::vector<double> others = prices_of_kin(snapshot, server);
    if (!others.empty()) {
        const double median = median_of(std::move(others));
        return is_beyond(price / median, kBeyondServers)
                   ? fmt::format("its price by the device of {:.4g} USD is {:.3g} times what others with such boards cost, {:.4g}",
                                 price, price / median, median)
                   : "";
    }
    const auto device = stored_of<model::Device>(snapshot, server.device.id);
    const UsualPurchase usual = device ? usual_purchase(*device) : UsualPurchase();
    return usual.dollars > 0.0 && is_beyond(price / usual.dollars, usual.factor)
               ? fmt::format("its price by the device of {:.4g} USD is {:.3g} times what {} cost about, {:.4g}", price,
                             price / usual.dollars, usual.by, usual.dollars)
               : "";
}

// Storage and network of a server cost no more than the server, mostly a tenth of it.
std::string reason_of_capital(const model::Server& server) {
    constexpr double kOfPrice = 0.5;
    for (const auto& [name, price] :
         {std::pair("network_price", server.network_price), std::pair("storage_price", server.storage_price)}) {
        if (price > kOfPrice * server.price) {
            return fmt::format("its {} of {:g} is above half of its price, {:g}", name, price, server.price);
        }
    }
    return "";
}

double newest_of(const model::Rate& rate) { return rate.curve && !rate.curve->y.empty() ? rate.curve->y.back() : rate.number; }

// What a unit of provisioned throughput takes in an hour, at the price by the token: of the class of which that is the most.
double tokens_of_unit_hour(const model::Endpoint& endpoint) {
    double most = 0.0;
    for (std::size_t c = 0; c < model::kUnitClasses; ++c) {
        const auto unit_class = static_cast<model::UnitClass>(c);
        const auto& price = (*endpoint.price_per_million_units)[unit_class];
        const double by_class = endpoint.price_per_million_units->split ? (price ? newest_of(*price) : 0.0)
                                                                        : newest_of(endpoint.price_per_million_units->total);
        const double per_minute = (*endpoint.provisioned->tokens_per_minute)[unit_class].value_or(0.0);
        constexpr double kMinutes = 60.0;
        constexpr double kMillion = 1e6;
        most = std::max(most, per_minute * kMinutes / kMillion * by_class);
    }
    return most;
}

// Units cost about what the tokens do that they take when they are full: Azure's from a third of it on.
std::string reason_of_units_bought(const std::optional<model::Endpoint>& stored, const model::Endpoint& endpoint) {
    constexpr double kBeyondTokens = 4.0;
    const auto& bought = endpoint.provisioned;
    if (!bought || (stored && stored->provisioned == bought)) {
        return "";
    }
    if (!bought->price_per_unit_hour || !bought->tokens_per_minute || !endpoint.price_per_million_units) {
        return "it sells units, which can't be compared with its price by the token";
    }
    const double unit = newest_of(*bought->price_per_unit_hour);
    const double tokens = tokens_of_unit_hour(endpoint);
    return unit <= 0.0 || tokens / unit >= kBeyondTokens
               ? fmt::format("a unit of {:g} an hour takes tokens of {:.4g} at its price by the token", unit, tokens)
               : "";
}

template <class T> std::string reason_of(const storage::Snapshot& snapshot, const T& document) {
    const std::optional<T> stored = stored_of<T>(snapshot, document.id);
    if constexpr (requires { document.currency; }) {
        if (stored && !stored->currency.empty() && !document.currency.empty() && stored->currency != document.currency) {
            return fmt::format("it is in {}, and was in {}", document.currency, stored->currency);
        }
    }
    std::string reason = reason_of_numbers(stored ? &*stored : nullptr, document);
    reason = reason.empty() && stored ? reason_of_place(*stored, document) : reason;
    if constexpr (std::is_same_v<T, model::Offer>) {
        if (stored && stored->upfront == 0.0 && document.upfront > 0.0) {
            return fmt::format("its upfront is {:g}, and was none", document.upfront);
        }
    }
    if constexpr (std::is_same_v<T, model::Endpoint>) {
        return reason.empty() ? reason_of_units_bought(stored, document) : reason;
    }
    if constexpr (std::is_same_v<T, model::Server>) {
        reason = reason.empty() ? reason_of_capital(document) : reason;
        if (stored && (stored->device.id != document.device.id || stored->devices != document.devices)) {
            return fmt::format("it has {}x {}, and had {}x {}", document.devices, document.device.id, stored->devices,
                               stored->device.id);
        }
        return reason.empty() && !stored ? reason_of_new(snapshot, document) : reason;
    }
    return reason;
}

} // namespace

template <class T> void StatedNumbers::add(const T& document) {
    if (!std::ranges::all_of(numbers_of(document), &NumberFact::is_default)) {
        documents_.insert_or_assign({model::kind_of<T>, document.id}, document);
    }
}
template void StatedNumbers::add(const model::Offer&);
template void StatedNumbers::add(const model::Endpoint&);
template void StatedNumbers::add(const model::Server&);
template void StatedNumbers::add(const model::Site&);
template void StatedNumbers::add(const model::Performance&);

std::map<storage::DocumentKey, std::string> StatedNumbers::reasons(const storage::Snapshot& snapshot) const {
    std::map<storage::DocumentKey, std::string> reasons;
    for (const auto& [key, document] : documents_) {
        std::string reason = std::visit([&](const auto& it) { return reason_of(snapshot, it); }, document);
        if (!reason.empty()) {
            reasons.emplace(key, std::move(reason));
        }
    }
    return reasons;
}

std::string StatedNumbers::reason_since(const model::AnyDocument& before) const {
    return std::visit(
        [&]<class T>(const T& was) -> std::string {
            const auto now = documents_.find({model::kind_of<T>, was.id});
            return now == documents_.end() ? "" : reason_of_numbers(&was, std::get<T>(now->second));
        },
        before);
}

} // namespace costcurve::ingest
