// Collects the options: over offers, over servers and sites, over endpoints.
#include "model/questions/rank/options.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "model/categories/seller_tiers.hpp"
#include "model/documents/calendar.hpp"
#include "model/documents/places.hpp"
#include "model/documents/prices.hpp"
#include "model/documents/text.hpp"
#include "model/finance.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/performance/classes.hpp"
#include "model/questions/rank/fleet.hpp"
#include "model/questions/rank/usual_prices.hpp"

namespace costcurve::model {

namespace {

template <class T> bool allows(const std::vector<T>& limit, const T& value) {
    return limit.empty() || std::find(limit.begin(), limit.end(), value) != limit.end();
}

bool is_fixed(Purchase purchase) { return purchase != Purchase::on_demand && purchase != Purchase::spot; }

/// Reason to leave an offer out of comparisons: the currency of an amount is unknown.
constexpr std::string_view kUnknownCurrency = "currency_unknown";

bool has_room_price(const Site& site) {
    return site.space_per_kw_month > 0.0 || site.space_per_rack_month > 0.0 || site.facility_price_per_w > 0.0;
}

// Providers whose offers only estimate rental costs; they sell none (docs/imports.md, inferencex_costs).
constexpr auto kEstimators = std::to_array<std::string_view>({"semianalysis"});

bool is_estimate(const Offer& offer) {
    return std::find(kEstimators.begin(), kEstimators.end(), offer.provider) != kEstimators.end();
}

// Whether an offer's price comes from a bill (docs/imports.md, focus), which includes commitments. Nobody sells at it.
bool is_paid(const Offer& offer) { return offer.id.starts_with("paid.") && !lower(offer.provider).starts_with("paid"); }

// The price if it is constant over the horizon; nothing if it changes.
std::optional<double> constant_price(const Rate& price, double start) {
    if (!price.curve) {
        return price.number;
    }
    const bool is_past = price.curve->axis == Axis::date && price.curve->outside == Outside::hold && price.curve->x.back() <= start;
    return is_past ? std::optional(price.curve->y.back()) : std::nullopt;
}

class Options {
public:
    Options(const RankQuestion& question, Fitting& fitting, Exclusions& excluded, Assumed& assumed)
        : question_(question), fitting_(fitting), excluded_(excluded), assumed_(assumed),
          start_(days_since_epoch(question.work.start.year, question.work.start.month, 1)) {}

    void add_offers(const std::vector<Offer>& offers) {
        std::vector<const Offer*> allowed;
        for (const Offer& offer : offers) {
            if (!is_included(way_of(offer))) {
                if (way_of(offer) == Way::market && question_.include.empty()) {
                    excluded_.add("market_level", offer.id);
                }
                continue;
            }
            const std::string_view reason = reason_against(offer);
            if (reason.empty()) {
                allowed.push_back(&offer);
            } else {
                excluded_.add(reason, offer.id);
            }
        }
        drop_dearer_regions(allowed);
        for (const Offer* const offer : allowed) {
            Option option;
            option.way = way_of(*offer);
            option.name = name_of_offer(*offer);
            option.is_fixed = is_fixed(offer->purchase);
            option.pool.id = offer->id;
            option.pool.kind = PoolKind::cloud;
            option.pool.offer = *offer;
            if (offer->purchase == Purchase::spot) {
                option.pool.offer->hourly_price = usual_price(offer->hourly_price);
            }
            option.pool.discount_fraction = discount(offer->provider);
            begin_block(option.pool, question_.work);
            add(std::move(option));
        }
    }

    void add_servers(const std::vector<Server>& servers, const std::vector<Site>& sites) {
        if (!is_included(Way::owned)) {
            return;
        }
        for (const Site& site : sites) {
            if (is_elsewhere(place_of(site))) {
                excluded_.add("region", site.id);
                continue;
            }
            if (!question_.limits.sites.empty() ? !allows(question_.limits.sites, site.id) : !has_room_price(site)) {
                excluded_.add(question_.limits.sites.empty() ? "no_room_price" : "site", site.id);
                continue;
            }
            for (const Server& server : servers) {
                const std::string name = fmt::format("{} at {}", server.id, site.id);
                if (const std::string_view reason = reason_against(server.device); !reason.empty()) {
                    excluded_.add(reason, name);
                    continue;
                }
                Option option;
                option.way = Way::owned;
                option.name = name;
                option.is_fixed = true;
                option.pool.id = server.id;
                option.pool.kind = PoolKind::owned;
                option.pool.server = server;
                option.price_is_assumed = lacks_recent_price(server);
                assumed_.server_price |= option.price_is_assumed;
                assume_resale(*option.pool.server, assumed_);
                option.pool.site = site;
                option.pool.refresh = server.life_months < question_.work.months;
                option.pool.purchases.emplace_back();
                add(std::move(option));
            }
        }
    }

    void add_endpoints(const std::vector<Endpoint>& endpoints) {
        if (!is_included(Way::api)) {
            return;
        }
        for (const Endpoint& endpoint : endpoints) {
            if (const std::string_view reason = reason_against(endpoint); !reason.empty()) {
                excluded_.add(reason, endpoint.id);
                continue;
            }
            Option option;
            option.way = Way::api;
            assumed_.hosts = true;
            option.name = fmt::format("{} of {}{}", endpoint.model, endpoint.provider,
                                      endpoint.region.empty() ? "" : " in " + endpoint.region);
            option.pool.id = endpoint.id;
            option.pool.kind = PoolKind::api;
            option.pool.endpoint = endpoint;
            option.context_is_unknown =
                std::ranges::any_of(question_.work.workloads, [&](const Workload& of) { return fitting_.may_exceed_context(of); });
            assumed_.context |= option.context_is_unknown;
            option.pool.discount_fraction = discount(endpoint.provider);
            add_provisioned(endpoint, option);
            options.push_back(std::move(option));
        }
    }

    std::vector<Option> options;

private:
    [[nodiscard]] double discount(const std::string& provider) const {
        const auto found = question_.discounts.find(provider);
        return found == question_.discounts.end() ? 0.0 : found->second;
    }

    // Adds provisioned units of a hosted model, by the hour and per term within the horizon, as a base beside paid tokens.
    void add_provisioned(const Endpoint& endpoint, const Option& by_token) {
        if (!endpoint.provisioned) {
            return;
        }
        const Provisioned& provisioned = *endpoint.provisioned;
        const std::vector<Workload>& workloads = question_.work.workloads;
        const bool is_known = has_classes(workloads.front()) && units_per_s_of_unit(provisioned, workloads.front()) > 0.0;
        const auto add_term = [&](std::optional<int> months) {
            Option option = by_token;
            option.name += months ? fmt::format(", provisioned for {} months", *months) : ", provisioned by the hour";
            option.is_fixed = true;
            option.pool.id += months ? fmt::format(".provisioned-{}", *months) : ".provisioned";
            option.pool.provisioned_units = 0;
            option.pool.provisioned_term_months = months;
            if (is_known && workloads.size() == 1) {
                options.push_back(std::move(option));
            } else {
                excluded_.add(is_known ? "serves_one_workload" : "unknown_unit_rate", option.name);
            }
        };
        if (provisioned.price_per_unit_hour && !is_old(*provisioned.price_per_unit_hour)) {
            add_term(std::nullopt);
        }
        for (const ProvisionedTerm& term : provisioned.terms) {
            if (term.months <= question_.work.months) {
                add_term(term.months);
            }
        }
    }

    // Adds the option if every workload fits its device. Adds servers a second time, bought in stages, if demand grows.
    void add(Option option) {
        if (const std::string_view reason = fit_workloads(question_.work.workloads, fitting_, option); !reason.empty()) {
            excluded_.add(reason, option.name);
            return;
        }
        if (question_.outages.assumes) {
            if (std::ranges::any_of(question_.work.workloads, is_training)) {
                assume_gangs(option.pool, assumed_);
            }
            assume_failures(option.pool, assumed_);
            assume_storage(option.pool, question_.work, assumed_);
            assume_bursts(option.pool, question_.work.workloads, assumed_);
        }
        take_gangs_of_fleet(question_.work, fitting_, option);
        const auto grows = [](const Workload& workload) { return workload.demand.growth_per_month > 0.0; };
        if (option.way == Way::owned && std::any_of(question_.work.workloads.begin(), question_.work.workloads.end(), grows)) {
            Option& staged = options.emplace_back(option);
            staged.is_staged = true;
            staged.name += ", staged";
        }
        options.push_back(std::move(option));
    }

    // Whether the place is outside the regions of the request or of any workload. All workloads share the pool.
    [[nodiscard]] bool is_elsewhere(const Place& place) const {
        const std::vector<Workload>& workloads = question_.work.workloads;
        return !lies_in_one(place, question_.limits.regions) ||
               std::any_of(workloads.begin(), workloads.end(),
                           [&](const Workload& workload) { return !lies_in_one(place, workload.regions); });
    }
    [[nodiscard]] std::string_view reason_against(const Device& device) const {
        const RankLimits& limits = question_.limits;
        return !allows(limits.kinds, device.kind) ? "kind" : !allows(limits.devices, device.id) ? "device" : "";
    }
    [[nodiscard]] bool is_unwanted_spot(const Offer& offer) const {
        return offer.purchase == Purchase::spot && question_.outages.spot == SpotUse::never &&
               std::ranges::any_of(question_.work.workloads,
                                   [](const Workload& workload) { return workload.kind != WorkloadKind::batch; });
    }
    [[nodiscard]] std::string_view reason_against_purchase(const Offer& offer) const {
        return !allows(question_.limits.purchases, offer.purchase) ? "purchase" : is_unwanted_spot(offer) ? "spot" : "";
    }
    [[nodiscard]] std::string_view reason_against_sort(const Offer& offer) const {
        const bool is_block = offer.purchase == Purchase::block;
        return is_block && !may_take_block(offer, question_.work) ? kBlockOfDays
               : is_estimate(offer)                               ? "estimate_only"
               : is_paid(offer)                                   ? "paid_price"
                                                                  : "";
    }
    [[nodiscard]] std::string_view reason_against(const Offer& offer) const {
        const std::string_view purchase = reason_against_purchase(offer);
        const std::string_view sort = reason_against_sort(offer);
        return !sort.empty()                                         ? sort
               : !allows(question_.limits.providers, offer.provider) ? "provider"
               : is_elsewhere(place_of(offer))                       ? "region"
               : !purchase.empty()                                   ? purchase
               : is_old(offer.hourly_price)                          ? "old_price"
                                                                     : reason_against(offer.device);
    }
    [[nodiscard]] std::string_view reason_against(const Endpoint& endpoint) const {
        const RankLimits& limits = question_.limits;
        const UnitPrice& price = *endpoint.price_per_million_units;
        const std::string_view reason = reason_of_work(endpoint.model);
        return !reason.empty()                                                   ? reason
               : !allows(limits.providers, endpoint.provider)                    ? "provider"
               : is_elsewhere(place_of(endpoint))                                ? "region"
               : is_old(price.split && price.input ? *price.input : price.total) ? "old_price"
                                                                                 : unknown_of_hosts();
    }
    // Why a host of the model can't serve some workload; "" if it can.
    [[nodiscard]] std::string_view reason_of_work(const std::string& model) const {
        const auto any = [&](const auto& is_so) { return std::ranges::any_of(question_.work.workloads, is_so); };
        return std::ranges::all_of(question_.work.workloads, is_training)                       ? kServesOnly
               : any([&](const Workload& of) { return !is_training(of) && of.model != model; }) ? "other_model"
               : any([&](const Workload& of) { return fitting_.exceeds_context(of); })          ? "exceeds_context"
                                                                                                : "";
    }
    // A requirement of the request that no host states, so that it can't be checked; "" if there is none.
    [[nodiscard]] std::string_view unknown_of_hosts() const {
        const std::vector<Workload>& workloads = question_.work.workloads;
        const bool states_precision =
            question_.limits.precision || std::ranges::any_of(workloads, [](const Workload& of) { return !of.precision.empty(); });
        return states_precision                                                                               ? "unknown_precision"
               : std::ranges::any_of(workloads, [](const Workload& of) { return of.memory_gib.has_value(); }) ? "unknown_memory"
               : question_.limits.evidence < Evidence::assumed                                                ? "evidence"
                                                                                                              : "";
    }
    [[nodiscard]] bool is_old(const Rate& price) const {
        return price.curve && price.curve->axis == Axis::date &&
               start_ - price.curve->x.back() > question_.limits.max_price_age_days;
    }

    // Whether a server's price is undated or old. It is used as assumed, as makers rarely update prices of older servers.
    [[nodiscard]] bool lacks_recent_price(const Server& server) const {
        double day = 0.0;
        return !parse_date(server.price_date.text, day) || start_ - day > question_.limits.max_price_age_days;
    }

    static Way way_of(const Offer& offer) { return offer.provider == kMarket ? Way::market : Way::cloud; }
    // Whether options of this way are needed. Hybrids use rented, owned and hosted ones, mixes rented and owned ones (hosted if
    // included by name), pairs rented ones.
    [[nodiscard]] bool is_included(Way way) const {
        return way == Way::market ? !question_.include.empty() && allows(question_.include, way)
                                  : allows(question_.include, way) || allows(question_.include, Way::hybrid) ||
                                        (way != Way::api && allows(question_.include, Way::mix)) ||
                                        (way == Way::cloud && allows(question_.include, Way::pair));
    }

    static std::string name_of_offer(const Offer& offer) {
        std::string name = offer.provider == kMarket ? "level of the market, no seller: " : "";
        name += fmt::format("{} {}", offer.provider, offer.sku.empty() ? offer.device.id : offer.sku);
        const std::string& place = offer.zone.empty() ? offer.region : offer.zone;
        name += place.empty() ? "" : " in " + place;
        name += fmt::format(", {}", offer.purchase == Purchase::on_demand ? "on demand" : model::name_of(offer.purchase));
        const std::optional<int> term = offer.term_months ? offer.term_months : offer.term_days;
        return name +
               (term && is_fixed(offer.purchase) ? fmt::format(" for {} {}", *term, offer.term_months ? "months" : "days") : "");
    }

    // Keeps the cheapest region of offers with equal terms. The others can't rank above it if money decides and carbon has no
    // price.
    void drop_dearer_regions(std::vector<const Offer*>& offers) {
        const Objective objective = decide_by(question_.work.finance);
        if (question_.in_each_region || objective == Objective::energy_kwh || objective == Objective::carbon_kg ||
            question_.work.finance.carbon_price_per_tonne != 0.0) {
            return;
        }
        std::unordered_map<std::string, std::size_t> seen;
        std::vector<const Offer*> kept;
        kept.reserve(offers.size());
        for (const Offer* const offer : offers) {
            const std::optional<double> price = constant_price(offer->hourly_price, start_);
            if (!price) {
                kept.push_back(offer);
                continue;
            }
            const std::string terms = fmt::format(
                "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", offer->provider, offer->device.id, offer->devices,
                name_of(offer->purchase), offer->term_months.value_or(0), offer->upfront,
                offer->interruptions_per_hour.value_or(-1.0), offer->replacement_s.value_or(-1.0),
                offer->availability_fraction.value_or(-1.0), offer->boot_s.value_or(-1.0), offer->idle_timeout_s.value_or(-1.0),
                offer->billing_step_s.value_or(-1.0), offer->minimum_seconds.value_or(0.0), offer->egress_per_gb,
                offer->price_growth_rate, charges_text(*offer),
                lacks_currency(offer->hourly_price) ? kUnknownCurrency : currency_of(offer->hourly_price, offer->currency));
            const auto [place, is_new] = seen.try_emplace(terms, kept.size());
            if (is_new) {
                kept.push_back(offer);
                continue;
            }
            const Offer*& least = kept[place->second];
            const bool is_cheaper = *price < *constant_price(least->hourly_price, start_);
            excluded_.add("dearer_region", (is_cheaper ? least : offer)->id);
            least = is_cheaper ? offer : least;
        }
        offers.swap(kept);
    }

    const RankQuestion& question_;
    Fitting& fitting_;
    Exclusions& excluded_;
    Assumed& assumed_;
    double start_;
};

} // namespace

// Engineer-weeks to port the workloads to the device's kind, unless they run there already. The slowest framework counts.
Porting porting_of(const Option& option, const RankQuestion& question, Assumed& assumed) {
    const Device* const device = device_of(option.pool);
    Porting porting;
    if (device == nullptr || !question.porting.assumes || std::ranges::count(question.porting.ported, device->kind) > 0) {
        return porting;
    }
    for (const Workload& workload : question.work.workloads) {
        porting.engineer_weeks = std::max(porting.engineer_weeks, porting_weeks(device->kind, workload.framework));
    }
    assumed.porting |= porting.engineer_weeks > 0.0;
    return porting;
}

std::vector<Option> options_of(const RankQuestion& question, const Catalog& catalog, Fitting& fitting, Exclusions& excluded,
                               Assumed& assumed) {
    Options found(question, fitting, excluded, assumed);
    found.add_offers(catalog.offers);
    found.add_servers(catalog.servers, catalog.sites);
    found.add_endpoints(catalog.endpoints);
    std::erase_if(found.options, [&](const Option& option) {
        const bool is_unknown = has_unknown_currency(option.pool);
        if (is_unknown) {
            excluded.add(kUnknownCurrency, option.name);
        }
        return is_unknown;
    });
    for (Option& option : found.options) {
        option.porting = porting_of(option, question, assumed);
    }
    return std::move(found.options);
}

} // namespace costcurve::model
