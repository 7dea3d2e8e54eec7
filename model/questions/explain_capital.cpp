// What is bought or paid ahead: servers, facilities and commitments, generation by generation.
#include <algorithm>

#include "model/assets.hpp"
#include "model/finance.hpp"
#include "model/questions/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

/// Generations that are told apart; those beyond are one term.
constexpr std::size_t kMostGenerations = 100;

// One asset and where it comes from.
struct Bought {
    const Question& question;
    std::size_t pool;
    std::size_t purchase;
    Category category; ///< hardware or facility
    Asset asset;

    [[nodiscard]] const ServerPurchase& of() const { return question.document.pools[pool].purchases[purchase]; }
    [[nodiscard]] std::string at(std::string_view rest) const { return pool_at(pool, rest); }
    [[nodiscard]] std::string purchase_at(std::string_view rest) const {
        return at(fmt::format("purchases/{}/{}", purchase, rest));
    }
    [[nodiscard]] int from() const { return std::max(asset.start, 0); }
    [[nodiscard]] int to() const { return std::min(asset.retirement, static_cast<int>(question.compiled.months)); }
    [[nodiscard]] bool is_hardware() const { return category == Category::hardware; }
    [[nodiscard]] Pointers life() const { return {at(is_hardware() ? "server/life_months" : "site/facility_life_months")}; }
};

template <class F> void for_each_asset(const Question& question, std::size_t p, Category category, const F& visit) {
    const Pool& pool = question.document.pools[p];
    const auto assets = category == Category::hardware ? hardware_assets : facility_assets;
    for (std::size_t i = 0; i < pool.purchases.size(); ++i) {
        for (const Asset& asset : assets(pool, pool.purchases[i], question.document.months)) {
            visit(Bought{question, p, i, category, asset});
        }
    }
}

std::string name_of(const Bought& bought) {
    const Question& question = bought.question;
    const int since = bought.asset.start;
    const std::string month = name_of_month(question, 0);
    return fmt::format("{}{} bought {}", bought.is_hardware() ? "" : "facility of ", count_of(bought.of().servers, "server"),
                       since >= 0 ? name_of_month(question, static_cast<std::size_t>(since))
                                  : fmt::format("{} before {}", count_of(-since, "month"), month));
}

Term price(const Bought& bought) {
    const Question& question = bought.question;
    std::vector<Term> terms;
    terms.push_back(stated(question, "servers", bought.purchase_at("servers")));
    if (bought.is_hardware()) {
        const Server& server = *question.document.pools[bought.pool].server;
        Pointers inputs = {bought.of().price ? bought.purchase_at("price") : bought.at("server/price")};
        for (const std::string_view field : {"server/network_price", "server/storage_price", "server/price_change_rate"}) {
            inputs.push_back(bought.at(field));
        }
        terms.push_back(leaf(question, "price of a server", "(price + network_price + storage_price) × (1 + price_change_rate)^t",
                             server_price(server, bought.of(), bought.asset.start), question.per("server"), inputs));
    } else {
        terms.push_back(leaf(question, "nameplate of a server", "host_max_w + devices × tdp_w",
                             server_nameplate_w(*question.document.pools[bought.pool].server), "W/server",
                             {bought.at("server/host_max_w"), bought.at("server/devices"), bought.at("server/device/tdp_w")}));
        terms.push_back(stated(question, "price of a watt", bought.at("site/facility_price_per_w")));
    }
    return product("P", bought.is_hardware() ? "servers × price of a server" : "servers × nameplate × facility_price_per_w",
                   question.currency(), std::move(terms));
}

// What is left to be capitalised: P − R, or P − R (1+r)^−L under the annuity rule.
Term capitalised(const Bought& bought, double residual_factor) {
    std::vector<Term> terms;
    terms.push_back(price(bought));
    const bool discounted = residual_factor != 1.0;
    if (bought.asset.residual != 0.0) {
        terms.push_back(leaf(bought.question, discounted ? "−R (1+r)^−L" : "−R",
                             discounted ? "−P × residual_fraction × (1+r)^−L" : "−P × residual_fraction",
                             -bought.asset.residual * residual_factor, bought.question.currency(),
                             {bought.at("server/residual_fraction")}));
    }
    return sum(discounted ? "P − R (1+r)^−L" : "P − R", "price less residual", bought.question.currency(), std::move(terms));
}

Term charge(const Bought& bought) {
    const Question& question = bought.question;
    const Finance& finance = question.document.finance;
    const Asset& asset = bought.asset;
    const std::string unit = question.per("month");
    Term life = leaf(question, "L", "as stated", asset.life, "months", bought.life());
    if (finance.capital == Capital::straight_line || finance.discount_rate == 0.0) {
        return quotient("charge of a month", "(P − R) / L", unit, capitalised(bought, 1.0), std::move(life));
    }
    const Months months{static_cast<double>(asset.life)};
    const double recovery = monthly_capital_cost(Capital::annuity, finance.discount_rate, Money{1.0}, Money{0.0}, months).value;
    Pointers inputs = bought.life();
    inputs.push_back("/finance/discount_rate");
    std::vector<Term> terms;
    terms.push_back(capitalised(bought, discount_factor(finance.discount_rate, asset.life)));
    terms.push_back(
        leaf(question, "capital recovery factor", "r / (1 − (1+r)^−L), r = (1+d)^(1/12) − 1", recovery, "1/month", inputs));
    return product("charge of a month", "(P − R (1+r)^−L) · r / (1 − (1+r)^−L)", unit, std::move(terms));
}

Term months_in_service(const Bought& bought, const Scope& scope, double per, const std::string& unit) {
    return leaf(bought.question, unit + " in service", per == 1 ? "in these months" : "in these months / 12",
                months_within(scope, bought.from(), bought.to()) / per, unit, {bought.purchase_at("month")});
}

Term cost_of(const Bought& bought, const Scope& scope) {
    std::vector<Term> terms;
    terms.push_back(charge(bought));
    terms.push_back(months_in_service(bought, scope, 1, "months"));
    return product(name_of(bought), "charge of a month × months", bought.question.currency(), std::move(terms));
}

Term cash_of(const Bought& bought, const Scope& scope) {
    const Asset& asset = bought.asset;
    const std::string& currency = bought.question.currency();
    std::vector<Term> terms;
    if (holds(scope, bought.from())) {
        Term paid = price(bought);
        if (asset.start < 0) {
            paid = leaf(bought.question, "book value at the horizon's start", "P − (P − R) × age / L",
                        book_value(asset, bought.from()), currency, bought.life());
        }
        terms.push_back(std::move(paid));
    }
    if (holds(scope, bought.to() - 1)) {
        const bool whole_life = bought.to() == asset.start + asset.life;
        add_unless_zero(terms, leaf(bought.question, whole_life ? "−R at the end of life" : "−book value when it leaves",
                                    whole_life ? "−P × residual_fraction" : "−(P − (P − R) × age / L)",
                                    -book_value(asset, bought.to()), currency, bought.life()));
    }
    return sum(name_of(bought), "bought − sold", currency, std::move(terms));
}

Term maintenance_of(const Bought& bought, const Scope& scope) {
    std::vector<Term> terms;
    terms.push_back(price(bought));
    terms.push_back(stated(bought.question, "maintenance rate", bought.at("server/maintenance_rate")));
    terms.push_back(months_in_service(bought, scope, 12, "years"));
    return product(name_of(bought), "P × maintenance_rate × years", bought.question.currency(), std::move(terms));
}

// What a month bears of an asset, or pays for it; and the term that says so for the months of a scope.
struct AssetRule {
    double (*value)(const Bought& bought, const Scope& scope);
    Term (*make)(const Bought& bought, const Scope& scope);
};
constexpr AssetRule kCost = {[](const Bought& bought, const Scope& scope) {
                                 return monthly_cost(bought.asset, bought.question.document.finance) *
                                        months_within(scope, bought.from(), bought.to());
                             },
                             cost_of};
constexpr AssetRule kCash = {[](const Bought& bought, const Scope& scope) {
                                 return (holds(scope, bought.from()) ? book_value(bought.asset, bought.from()) : 0.0) -
                                        (holds(scope, bought.to() - 1) ? book_value(bought.asset, bought.to()) : 0.0);
                             },
                             cash_of};
constexpr AssetRule kMaintenance = {[](const Bought& bought, const Scope& scope) {
                                        return bought.asset.price *
                                               bought.question.document.pools[bought.pool].server->maintenance_rate *
                                               months_within(scope, bought.from(), bought.to()) / 12;
                                    },
                                    maintenance_of};

std::vector<Term> of_assets(const Question& question, std::size_t p, Category category, const Scope& scope, const AssetRule& rule) {
    std::vector<Term> terms;
    double others = 0.0;
    for_each_asset(question, p, category, [&](const Bought& bought) {
        if (terms.size() < kMostGenerations && !question.is_full()) {
            add_unless_zero(terms, rule.make(bought, scope));
        } else {
            others += rule.value(bought, scope);
        }
    });
    if (others != 0.0) {
        terms.push_back(leaf(question, "further generations", "likewise", others, question.currency(), {pool_at(p, "purchases")}));
    }
    return terms;
}

void add_space(const Question& question, std::size_t p, const Scope& scope, std::vector<Term>& terms) {
    const Server& server = *question.document.pools[p].server;
    const std::vector<double>& racks = question.compiled.pools[p].racks;
    std::vector<Term> by_kw;
    by_kw.push_back(server_months(question, p, scope, 1, "server-months"));
    by_kw.push_back(leaf(question, "nameplate of a server", "(host_max_w + devices × tdp_w) / 1000",
                         server_nameplate_w(server) / 1000, "kW/server",
                         {pool_at(p, "server/host_max_w"), pool_at(p, "server/devices"), pool_at(p, "server/device/tdp_w")}));
    by_kw.push_back(stated(question, "price of a kW", pool_at(p, "site/space_per_kw_month")));
    add_unless_zero(
        terms, product("space by power", "servers × nameplate kW × space_per_kw_month", question.currency(), std::move(by_kw)));
    if (!racks.empty()) {
        std::vector<Term> by_rack;
        by_rack.push_back(over_months(question, scope,
                                      {"rack-months",
                                       "⌈ servers / servers per rack ⌉",
                                       "rack-months",
                                       [&](std::size_t m) { return racks[m]; },
                                       {pool_at(p, "site/rack_kw"), pool_at(p, "server/rack_units")}}));
        by_rack.push_back(stated(question, "price of a rack", pool_at(p, "site/space_per_rack_month")));
        add_unless_zero(terms,
                        product("space by the rack", "racks × space_per_rack_month", question.currency(), std::move(by_rack)));
    }
}

} // namespace

std::vector<double> assets_bought(const Question& question, std::size_t p, Category category) {
    std::vector<double> paid(question.compiled.months, 0.0);
    for_each_asset(question, p, category, [&](const Bought& bought) {
        paid[static_cast<std::size_t>(bought.from())] += book_value(bought.asset, bought.from());
    });
    return paid;
}

std::vector<Term> hardware_cost(const Question& question, std::size_t p, const Scope& scope) {
    return of_assets(question, p, Category::hardware, scope, kCost);
}

std::vector<Term> hardware_cash(const Question& question, std::size_t p, const Scope& scope) {
    return of_assets(question, p, Category::hardware, scope, kCash);
}

std::vector<Term> maintenance(const Question& question, std::size_t p, const Scope& scope) {
    return of_assets(question, p, Category::hardware, scope, kMaintenance);
}

std::vector<Term> facility_cost(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms = of_assets(question, p, Category::facility, scope, kCost);
    add_space(question, p, scope, terms);
    return terms;
}

std::vector<Term> facility_cash(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms = of_assets(question, p, Category::facility, scope, kCash);
    add_space(question, p, scope, terms);
    return terms;
}

std::vector<Term> commitment_cost(const Question& question, std::size_t p, const Scope& scope) {
    const Offer& offer = *question.document.pools[p].offer;
    const double term = offer.term_months.value_or(1);
    std::vector<Term> terms;
    terms.push_back(stated(question, "upfront of an instance", pool_at(p, "offer/upfront")));
    terms.push_back(stated(question, "instances", pool_at(p, "max_instances")));
    terms.push_back(leaf(question, "terms borne", "months / term_months", static_cast<double>(scope.months.size()) / term, "terms",
                         {pool_at(p, "offer/term_months")}));
    std::vector<Term> causes;
    causes.push_back(product("upfront", "upfront × instances × months / term", question.currency(), std::move(terms)));
    return causes;
}

std::vector<Term> commitment_cash(const Question& question, std::size_t p, const Scope& scope) {
    const Pool& pool = question.document.pools[p];
    const std::size_t term = static_cast<std::size_t>(pool.offer->term_months.value_or(1));
    const auto starts = std::count_if(scope.months.begin(), scope.months.end(), [&](std::size_t m) { return m % term == 0; });
    std::vector<Term> terms;
    terms.push_back(stated(question, "upfront of an instance", pool_at(p, "offer/upfront")));
    terms.push_back(stated(question, "instances", pool_at(p, "max_instances")));
    terms.push_back(leaf(question, "terms begun", "one every term_months", static_cast<double>(starts), "terms",
                         {pool_at(p, "offer/term_months")}));
    std::vector<Term> causes;
    add_unless_zero(causes, product("upfront", "upfront × instances × terms begun", question.currency(), std::move(terms)));
    const std::size_t months = question.compiled.months;
    if (holds(scope, static_cast<int>(months) - 1)) {
        const double unspent = static_cast<double>((term - months % term) % term) / static_cast<double>(term);
        add_unless_zero(causes, leaf(question, "unspent at the horizon's end", "−upfront × instances × months left / term",
                                     -pool.offer->upfront * pool.max_instances * unspent, question.currency(),
                                     {pool_at(p, "offer/upfront"), pool_at(p, "offer/term_months")}));
    }
    return causes;
}

} // namespace costcurve::model::terms
