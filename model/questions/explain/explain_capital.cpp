// Terms of what is bought or paid ahead: servers, facilities and commitments, by generation.
#include <algorithm>

#include "model/assets.hpp"
#include "model/categories/exchange.hpp"
#include "model/finance.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

/// Most generations that get a term of their own; the rest share one term.
constexpr std::size_t kMaxGenerations = 100;

// One asset, with the pool and purchase that it comes from.
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
    [[nodiscard]] bool serves_in(std::size_t m) const { return from() <= static_cast<int>(m) && static_cast<int>(m) < to(); }
    /// Whether the asset is still in service at the horizon's end.
    [[nodiscard]] bool is_settled() const { return asset.retirement > static_cast<int>(question.compiled.months); }
    [[nodiscard]] bool is_hardware() const { return category == Category::hardware; }
    [[nodiscard]] Pointers life() const {
        Pointers inputs = {at(is_hardware() ? "server/life_months" : "site/facility_life_months")};
        if (asset.is_bought_out()) {
            inputs.push_back(purchase_at("lease/term_months"));
        }
        return inputs;
    }
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
    return fmt::format("{}{} bought {}{}", bought.is_hardware() ? "" : "facility of ", count_of(bought.of().servers, "server"),
                       bought.asset.is_bought_out() ? "out of their lease " : "",
                       since >= 0 ? name_of_month(question, static_cast<std::size_t>(since))
                                  : fmt::format("{} before {}", count_of(-since, "month"), month));
}

double buyout_of(const Bought& bought) {
    LeaseRun run;
    run.end = bought.asset.start;
    return buyout_price(*bought.question.document.pools[bought.pool].server, *bought.of().lease, run);
}

Term price(const Bought& bought) {
    const Question& question = bought.question;
    std::vector<Term> terms;
    terms.push_back(stated(question, "servers", bought.purchase_at("servers")));
    if (bought.asset.is_bought_out()) {
        terms.push_back(leaf(question, "buy-out price of a server", "at the lease's end", buyout_of(bought), question.per("server"),
                             {bought.purchase_at("lease/buyout_per_server")}));
        return product("P", "servers × buyout_per_server", question.currency(), std::move(terms));
    }
    if (bought.is_hardware()) {
        const Server& server = *question.document.pools[bought.pool].server;
        Pointers inputs = {bought.of().price ? bought.purchase_at("price") : bought.at("server/price")};
        for (const std::string_view field :
             {"server/network_price", "server/storage_price", "server/price_change_rate", "server/spares_fraction"}) {
            inputs.push_back(bought.at(field));
        }
        terms.push_back(leaf(question, "price of a server",
                             "(price × (1 + spares_fraction) + network_price + storage_price) × (1 + price_change_rate)^t",
                             server_price(server, bought.of(), bought.asset.start), question.per("server"), inputs));
    } else {
        terms.push_back(leaf(question, "nameplate of a server", "host_max_w + devices × tdp_w",
                             server_nameplate_w(*question.document.pools[bought.pool].server), "W/server",
                             {bought.at("server/host_max_w"), bought.at("server/devices"), bought.at("server/device/tdp_w")}));
        terms.push_back(stated(question, "price of a watt", bought.at("site/facility_price_per_w")));
        const std::vector<double>& index = question.document.pools[bought.pool].site->stored.exchange_index;
        if (!index.empty()) {
            terms.push_back(leaf(question, "exchange rate", "of the month of purchase, over the first month's",
                                 at_rate_of(index, bought.asset.start), "of 1", {"/exchange_forwards"}));
        }
    }
    return product("P", bought.is_hardware() ? "servers × price of a server" : "servers × nameplate × facility_price_per_w",
                   question.currency(), std::move(terms));
}

// A worth as a part of the price: P × part. Assets bought out of a lease can't be written this way.
Term part_of_price(const Bought& bought, std::string name, std::string formula, double worth, const Pointers& inputs) {
    Term whole = price(bought);
    if (bought.asset.is_bought_out() || whole.value == 0.0) {
        return leaf(bought.question, std::move(name), std::move(formula), worth, bought.question.currency(), inputs);
    }
    const double part = worth / whole.value;
    std::vector<Term> terms;
    terms.push_back(std::move(whole));
    terms.push_back(leaf(bought.question, "part of P", formula + ", as a part of P", part, "of 1", inputs));
    return renamed(product("", std::move(formula), bought.question.currency(), std::move(terms)), std::move(name), worth);
}

// Amount to be capitalised: P − R, or P − R (1+r)^−L under the annuity rule.
Term capitalised(const Bought& bought, double residual_factor) {
    std::vector<Term> terms;
    terms.push_back(price(bought));
    const bool discounted = residual_factor != 1.0;
    if (bought.asset.residual != 0.0) {
        terms.push_back(
            leaf(bought.question, discounted ? "−R (1+r)^−L" : "−R",
                 (bought.asset.is_bought_out() ? "−min(P, price when new × residual_fraction)" : "−P × residual_fraction") +
                     std::string(discounted ? " × (1+r)^−L" : ""),
                 -bought.asset.residual * residual_factor, bought.question.currency(), {bought.at("server/residual_fraction")}));
    }
    return sum(discounted ? "P − R (1+r)^−L" : "P − R", "price less residual", bought.question.currency(), std::move(terms));
}

Term charge(const Bought& bought) {
    const Question& question = bought.question;
    const Finance& finance = question.document.finance;
    const Asset& asset = bought.asset;
    const std::string unit = question.per("month");
    const std::string length = asset.is_bought_out() ? "life_months − term_months" : "as stated";
    Term life = leaf(question, "L", length, asset.life, "months", bought.life());
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

double sale_of(const Bought& bought) {
    return sale_value(bought.asset, bought.question.document.finance.at_end, bought.question.document.months);
}

// Proceeds of the asset's sale, at its retirement or at the horizon's end.
Term sale(const Bought& bought) {
    const Asset& asset = bought.asset;
    const bool whole_life = bought.to() == asset.start + asset.life;
    Pointers inputs = bought.life();
    inputs.emplace_back("/finance/at_end");
    if (bought.is_hardware()) {
        inputs.push_back(bought.at("server/residual_fraction"));
    }
    const bool by_market = bought.is_settled() && asset.resale != nullptr && bought.question.document.finance.at_end == AtEnd::exit;
    return part_of_price(
        bought,
        whole_life  ? "−R at the end of life"
        : by_market ? "−market value at the horizon's end"
                    : "−book value when it leaves",
        whole_life  ? asset.is_bought_out() ? "−min(P, price when new × residual_fraction)" : "−P × residual_fraction"
        : by_market ? fmt::format("−{} × residual_fraction at {} months", asset.is_bought_out() ? "price when new" : "P",
                                  bought.to() - asset.start + asset.age)
                    : "−(P − (P − R) × age / L)",
        -sale_of(bought), inputs);
}

double disposal_in(const Bought& bought, const Scope& scope) {
    const bool is_here = bought.is_settled() && holds(scope, bought.to() - 1);
    return is_here ? book_value(bought.asset, bought.to()) - sale_of(bought) : 0.0;
}

Term disposal_of(const Bought& bought, const Scope& scope) {
    std::vector<Term> terms;
    if (disposal_in(bought, scope) != 0.0) {
        terms.push_back(part_of_price(bought, "book value at the horizon's end", "P − (P − R) × age / L",
                                      book_value(bought.asset, bought.to()), bought.life()));
        terms.push_back(sale(bought));
    }
    return sum(name_of(bought), "book value − sale", bought.question.currency(), std::move(terms));
}

// Fraction of the price that is paid within the scope, at the order and in the month in which service begins.
double fraction_paid(const Bought& bought, const Scope& scope) {
    const Asset& asset = bought.asset;
    if (asset.start < 0) {
        return holds(scope, 0) ? 1.0 : 0.0;
    }
    return (holds(scope, std::max(0, asset.start - asset.lead)) ? asset.at_order : 0.0) +
           (holds(scope, asset.start) ? 1 - asset.at_order : 0.0);
}

Term cash_of(const Bought& bought, const Scope& scope) {
    const Asset& asset = bought.asset;
    const std::string& currency = bought.question.currency();
    std::vector<Term> terms;
    const double fraction = fraction_paid(bought, scope);
    if (fraction > 0.0) {
        Term paid = price(bought);
        if (asset.start < 0) {
            paid = part_of_price(bought, "book value at the horizon's start", "P − (P − R) × age / L",
                                 book_value(asset, bought.from()), bought.life());
        }
        if (fraction != 1.0) {
            std::vector<Term> factors;
            factors.push_back(std::move(paid));
            factors.push_back(leaf(bought.question, "paid in these months", "at the order, or the rest when the servers come",
                                   fraction, "of 1",
                                   {bought.purchase_at("paid_at_order_fraction"), bought.purchase_at("lead_months")}));
            paid = product("paid", "P × fraction", currency, std::move(factors));
        }
        terms.push_back(std::move(paid));
    }
    if (holds(scope, bought.to() - 1)) {
        add_unless_zero(terms, sale(bought));
    }
    return sum(name_of(bought), "bought − sold", currency, std::move(terms));
}

Term maintenance_of(const Bought& bought, const Scope& scope) {
    std::vector<Term> terms;
    if (bought.asset.is_bought_out()) {
        return sum(name_of(bought), "with its lease's", bought.question.currency(), std::move(terms));
    }
    terms.push_back(price(bought));
    terms.push_back(stated(bought.question, "maintenance rate", bought.at("server/maintenance_rate")));
    terms.push_back(months_in_service(bought, scope, 12, "years"));
    add_growth(
        bought.question, Category::maintenance, scope, [&](std::size_t m) { return bought.serves_in(m) ? 1.0 : 0.0; }, terms,
        bought.question.document.pools[bought.pool].server->stored.exchange_index, bought.asset.start);
    return product(name_of(bought), "P × maintenance_rate × years", bought.question.currency(), std::move(terms));
}

double maintenance_growth(const Question& question, std::size_t m) {
    return question.compiled.growth(static_cast<std::size_t>(Category::maintenance), m);
}

// One kind of amount of an asset, cost or cash: its value in a scope of months, and the term that explains the value.
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
                                 return fraction_paid(bought, scope) * book_value(bought.asset, bought.from()) -
                                        (holds(scope, bought.to() - 1) ? sale_of(bought) : 0.0);
                             },
                             cash_of};
// Worth of an asset that is still in service at the horizon's end: resale value (kBySale) or book value. 0 for other assets.
template <bool kBySale> double worth_in(const Bought& bought, const Scope& /*whole*/) {
    return !bought.is_settled() ? 0.0 : kBySale ? sale_of(bought) : book_value(bought.asset, bought.to());
}
template <bool kBySale> Term worth_of(const Bought& bought, const Scope& scope) {
    const Question& question = bought.question;
    const double worth = worth_in<kBySale>(bought, scope);
    std::vector<Term> terms;
    if (worth == 0.0) {
        return sum(name_of(bought), "has left", question.currency(), std::move(terms));
    }
    const int age = bought.to() - bought.asset.start + bought.asset.age;
    terms.push_back(price(bought));
    if (kBySale && bought.asset.resale != nullptr && question.document.finance.at_end == AtEnd::exit) {
        if (bought.asset.is_bought_out()) {
            terms.front() = leaf(question, "price when new", "of the month in which the lease began", bought.asset.new_price,
                                 question.currency(), {bought.at("server/price")});
        }
        terms.push_back(leaf(question, "resale value", fmt::format("residual_fraction at {} months", age),
                             read(*bought.asset.resale, age), "of 1", {bought.at("server/residual_fraction")}));
        const std::string rule =
            fmt::format("{} × residual_fraction at its age", bought.asset.is_bought_out() ? "price when new" : "P");
        return product(name_of(bought), rule, question.currency(), std::move(terms));
    }
    Pointers inputs = bought.life();
    if (bought.is_hardware()) {
        inputs.push_back(bought.at("server/residual_fraction"));
    }
    add_unless_zero(terms, leaf(question, "−written off", fmt::format("−(P − R) × {} months / L", age - bought.asset.age),
                                worth - bought.asset.price, question.currency(), inputs));
    return sum(name_of(bought), "P − (P − R) × age / L", question.currency(), std::move(terms));
}
constexpr AssetRule kSold = {worth_in<true>, worth_of<true>};
constexpr AssetRule kBooked = {worth_in<false>, worth_of<false>};
constexpr AssetRule kDisposal = {disposal_in, disposal_of};
constexpr AssetRule kMaintenance = {
    [](const Bought& bought, const Scope& scope) {
        return (bought.asset.is_bought_out() ? 0.0 : bought.asset.price) * // the lease bears a bought-out asset's
               bought.question.document.pools[bought.pool].server->maintenance_rate / 12 *
               sum_of(scope, [&](std::size_t m) { return bought.serves_in(m) ? maintenance_growth(bought.question, m) : 0.0; });
    },
    maintenance_of};

std::vector<Term> of_assets(const Question& question, std::size_t p, Category category, const Scope& scope, const AssetRule& rule) {
    std::vector<Term> terms;
    double others = 0.0;
    for_each_asset(question, p, category, [&](const Bought& bought) {
        if (terms.size() < kMaxGenerations && !question.is_full()) {
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

std::vector<Term> in_service_at_end(const Question& question, std::size_t p, const AssetRule& rule) {
    std::vector<Term> terms;
    if (question.document.pools[p].kind == PoolKind::owned) {
        const Scope all = whole_horizon(question);
        terms = of_assets(question, p, Category::hardware, all, rule);
        for (Term& facility : of_assets(question, p, Category::facility, all, rule)) {
            terms.push_back(std::move(facility));
        }
    }
    return terms;
}

} // namespace

std::vector<Term> hardware_cost(const Question& question, std::size_t p, const Scope& scope) {
    return of_assets(question, p, Category::hardware, scope, kCost);
}

std::vector<Term> hardware_cash(const Question& question, std::size_t p, const Scope& scope) {
    return of_assets(question, p, Category::hardware, scope, kCash);
}

Term hardware_price(const Question& question, std::size_t p, std::size_t purchase, const Asset& asset) {
    return price({question, p, purchase, Category::hardware, asset});
}

std::vector<Term> assets_sold(const Question& question, std::size_t p) { return in_service_at_end(question, p, kSold); }
std::vector<Term> assets_booked(const Question& question, std::size_t p) { return in_service_at_end(question, p, kBooked); }

std::vector<Term> disposal(const Question& question, std::size_t p, const Scope& scope) {
    return of_assets(question, p, Category::hardware, scope, kDisposal);
}
std::vector<Term> no_cash(const Question& /*question*/, std::size_t /*pool*/, const Scope& /*scope*/) { return {}; }

std::vector<Term> maintenance(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms = of_assets(question, p, Category::hardware, scope, kMaintenance);
    for (Term& term : leased_maintenance(question, p, scope)) {
        terms.push_back(std::move(term));
    }
    return terms;
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

} // namespace costcurve::model::terms
