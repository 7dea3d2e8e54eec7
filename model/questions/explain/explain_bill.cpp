// The bill of a site's utility in a month, line by line: volume times price.
#include <algorithm>
#include <iterator>
#include <map>

#include "model/bills/charge_bill.hpp"
#include "model/categories/exchange.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/evaluate.hpp"
#include "model/questions/explain/explain_parts.hpp"
#include "model/sites.hpp"

namespace costcurve::model::terms {

namespace {

constexpr std::size_t kMaxPrices = 48; // most energy lines, one for each price; with more prices, one line at the mean price

// Data from which the lines of a site's monthly bill are built.
struct Billed {
    const Question& question;
    std::size_t site; ///< index into the compiled scenario's sites
    MeteredMonth metered;

    [[nodiscard]] const CompiledSite& compiled() const { return question.compiled.sites[site]; }
    [[nodiscard]] const Site& document() const { return *question.document.pools[compiled().pools.front()].site; }
    [[nodiscard]] std::string at(std::string_view rest) const {
        return pool_at(compiled().pools.front(), fmt::format("site/{}", rest));
    }
    [[nodiscard]] double growth() const {
        return question.compiled.growth(static_cast<std::size_t>(Category::demand_charge), metered.month) * rate();
    }
    // Exchange rate of the month over that of the first month.
    [[nodiscard]] double rate() const { return later_rate(document(), metered.month); }
    void add(std::vector<Term>& lines, const std::string& name, Term volume, Term price) const {
        std::vector<Term> factors;
        const std::string formula = fmt::format("{} × {}", volume.term, price.term);
        factors.push_back(std::move(volume));
        factors.push_back(std::move(price));
        add_unless_zero(lines, product(name, formula, question.currency(), std::move(factors)));
    }
    [[nodiscard]] Term volume(std::string term, std::string formula, double value, std::string unit,
                              const Pointers& inputs = {}) const {
        return leaf(question, std::move(term), std::move(formula), value, std::move(unit), inputs);
    }
    [[nodiscard]] Term kwh() const { return volume("kWh", "Σ over the site's pools", metered.kwh, "kWh"); }
    [[nodiscard]] Term kw() const { return volume("kW", "largest facility power of the month", metered.peak_kw, "kW"); }
    [[nodiscard]] Term price(double value, std::string_view unit, const std::string& pointer, bool grows) const {
        const std::string formula = std::string("as stated") + (grows ? " × (1+g)^(m/12)" : "") +
                                    (document().stored.exchange_index.empty() ? "" : ", at the month's exchange rate");
        return leaf(question, "price", formula, value, question.per(unit), {at(pointer)});
    }
};

// Energy of the month in kWh by price. Needs the hours of the month, so the month is dispatched again.
std::map<double, double> kwh_by_price(const Billed& billed) {
    const Compiled& compiled = billed.question.compiled;
    const std::size_t m = billed.metered.month;
    Workspace work(compiled);
    work.keeps_hours = true;
    work.ledger = compiled.fixed;
    for (std::size_t before = 0; before <= m; ++before) { // earlier months may carry work over to this one
        evaluate_month(compiled, before, work);
    }
    const MonthView month = view_month(compiled, m);
    std::map<double, double> by_price;
    for (const std::size_t p : billed.compiled().pools) {
        const Signal& signal = compiled.pools[p].energy_price;
        const double* const values = month.values(signal);
        for (std::size_t h = 0; h < month.distinct; ++h) {
            by_price[signal.monthly[m] * (values == nullptr ? 1.0 : values[h])] += month.weights[h] * work.pools[p].kw[h];
        }
    }
    return by_price;
}

// Cost of energy at the hourly prices alone, from the ledger. Requires that riders don't take off the whole bill.
double energy_before_lines(const Billed& billed) {
    const Question& question = billed.question;
    const CompiledBill& bill = billed.compiled().bill;
    const std::size_t m = billed.metered.month;
    double cost = 0.0;
    for (const std::size_t p : billed.compiled().pools) {
        cost += question.ledger.cost(m, p, static_cast<std::size_t>(Category::energy));
    }
    cost /= 1 + bill.fraction[m];
    for (std::size_t t = 0; t < bill.tiers.size(); ++t) {
        const EnergyTier& tier = bill.tiers[t];
        const double kw = kw_of_tier(billed.compiled(), tier, billed.metered, question.ledger);
        cost -= tier_price(bill, t, m) * kwh_beyond(tier, billed.metered, kw);
    }
    return cost - bill.per_kwh[m] * billed.metered.kwh;
}

void add_energy(const Billed& billed, std::vector<Term>& lines) {
    const auto price_of = [&](double price, std::string_view formula) {
        return leaf(billed.question, "price", std::string(formula), price, billed.question.per("kWh"),
                    {billed.at("energy_price"), billed.at("energy_price_growth_rate"), billed.at("energy_price_index")});
    };
    const bool by_ledger = billed.question.open_months && billed.compiled().bill.fraction[billed.metered.month] > -1.0;
    const std::map<double, double> by_price = by_ledger ? std::map<double, double>() : kwh_by_price(billed);
    if (by_ledger || by_price.size() > kMaxPrices) {
        double cost = by_ledger ? energy_before_lines(billed) : 0.0;
        for (const auto& [price, kwh] : by_price) {
            cost += price * kwh;
        }
        billed.add(lines, "energy", billed.kwh(),
                   price_of(billed.metered.kwh == 0.0 ? 0.0 : cost / billed.metered.kwh, "mean of the hours, weighted by energy"));
        return;
    }
    for (const auto& [price, kwh] : by_price) {
        billed.add(lines, by_price.size() == 1 ? "energy" : fmt::format("energy at {:.6g}", price),
                   billed.volume("kWh", "in hours of this price", kwh, "kWh"),
                   price_of(price, "energy_price × index × (1 + energy_price_growth_rate)^(m/12)"));
    }
}

void add_tiers(const Billed& billed, std::vector<Term>& lines) {
    const CompiledBill& bill = billed.compiled().bill;
    for (std::size_t t = 0; t < bill.tiers.size(); ++t) {
        const EnergyTier& tier = bill.tiers[t];
        if (bill.tier_holds[billed.metered.month * bill.tiers.size() + t] == 0) {
            continue;
        }
        const double kw = kw_of_tier(billed.compiled(), tier, billed.metered, billed.question.ledger);
        const double above = tier.above_kwh_month + tier.above_kwh_day * billed.metered.days + tier.above_kwh_per_kw * kw;
        const std::string at = fmt::format("energy_tiers/{}", t);
        billed.add(lines, fmt::format("energy beyond {:.6g} kWh", above),
                   billed.volume(
                       "kWh", "max(0, kWh − above_kwh_month − above_kwh_day × days − above_kwh_per_kw × kW)",
                       kwh_beyond(tier, billed.metered, kw), "kWh",
                       {billed.at(at + "/above_kwh_month"), billed.at(at + "/above_kwh_day"), billed.at(at + "/above_kwh_per_kw")}),
                   billed.price(tier_price(bill, t, billed.metered.month), "kWh", at + "/add_per_kwh", false));
    }
}

// Name of the billing basis of charge `c` that gives the largest kW.
std::string basis_of(const Billed& billed, std::size_t c, double kw) {
    const CompiledCharge& charge = billed.compiled().charges[c];
    const std::size_t index = billed.compiled().first_charge + c;
    const std::size_t m = billed.metered.month;
    const Cube& measured = billed.question.ledger.charge_kw;
    if (kw == measured(m, index) * charge.prices.adjust) {
        const std::string_view which = charge.is_mean ? "mean facility power" : "largest facility power";
        return fmt::format("{} in the charge's hours{}", which,
                           charge.prices.adjust == 1.0 ? "" : fmt::format(" × {:.6g} for power factor", charge.prices.adjust));
    }
    if (kw == charge.prices.min_kw) {
        return "min_kw, as contracted";
    }
    for (std::size_t back = m - std::min(m, charge.ratchet_months); back < m; ++back) {
        if (charge.is_peak_month[back] != 0 && kw == charge.ratchet_fraction * measured(back, index) * charge.prices.adjust) {
            return fmt::format("ratchet: {:.6g} × {:.6g} kW of {}", charge.ratchet_fraction,
                               measured(back, index) * charge.prices.adjust, name_of_month(billed.question, back));
        }
    }
    return "ratchet";
}

void add_charges(const Billed& billed, std::vector<Term>& lines) {
    const std::vector<DemandCharge> stated_charges = demand_charges_of(billed.document());
    const bool is_plain = billed.document().demand_charges.empty();
    const std::size_t m = billed.metered.month;
    for (std::size_t c = 0; c < stated_charges.size(); ++c) {
        const ChargePrices& prices = billed.compiled().charges[c].prices;
        const double kw = billed_kw(billed.compiled().charges[c], billed.compiled().first_charge + c, m, billed.question.ledger);
        const std::string at = fmt::format("demand_charges/{}", c);
        const std::string name = stated_charges[c].name.empty() ? fmt::format("demand charge {}", c + 1) : stated_charges[c].name;
        const bool is_by_year = stated_charges[c].per_kw_month == 0.0 && stated_charges[c].per_kw_year > 0.0;
        const std::string price_at = is_by_year ? "per_kw_year" : "per_kw_month";
        billed.add(lines, name, billed.volume("kW", basis_of(billed, c, kw), kw, "kW"),
                   billed.price(prices.per_kw[m], "kW",
                                is_plain ? "demand_charge_per_kw_month" : fmt::format("{}/{}", at, price_at), true));
        for (std::size_t t = 0; t < prices.tiers.size(); ++t) {
            const DemandTier& tier = prices.tiers[t];
            billed.add(lines, fmt::format("{} beyond {:.6g} kW", name, tier.above_kw),
                       billed.volume("kW", "max(0, kW − above_kw)", std::max(0.0, kw - tier.above_kw), "kW",
                                     {billed.at(fmt::format("{}/tiers/{}/above_kw", at, t))}),
                       billed.price(tier.add_per_kw_month * prices.factor[m], "kW",
                                    fmt::format("{}/tiers/{}/add_per_kw_month", at, t), true));
        }
    }
}

void add_reactive(const Billed& billed, std::vector<Term>& lines) {
    const Site& site = billed.document();
    if (!site.reactive) {
        return;
    }
    const double kvar = kvar_per_kw(site);
    const Pointers inputs = {billed.at("power_factor"), billed.at("reactive/target_power_factor")};
    const std::string beyond = " × (tan(acos(power factor)) − tan(acos(target)))";
    billed.add(lines, "reactive power", billed.volume("kvar", "kW" + beyond, billed.metered.peak_kw * kvar, "kvar", inputs),
               billed.price(site.reactive->per_kvar_month * billed.growth(), "kvar", "reactive/per_kvar_month", true));
    billed.add(lines, "reactive energy", billed.volume("kvarh", "kWh" + beyond, billed.metered.kwh * kvar, "kvarh", inputs),
               billed.price(site.reactive->per_kvarh * billed.rate(), "kvarh", "reactive/per_kvarh", false));
}

// Calls visit(rider, its path in the site) for each rider that applies in the month.
template <class F> void for_each_rider(const Billed& billed, const F& visit) {
    const std::vector<Rider>& riders = billed.document().riders;
    for (std::size_t r = 0; r < riders.size(); ++r) {
        if (holds(riders[r], billed.question.document, billed.metered.month)) {
            visit(riders[r], fmt::format("riders/{}", r));
        }
    }
}

void add_riders_of_energy(const Billed& billed, std::vector<Term>& lines) {
    for_each_rider(billed, [&](const Rider& rider, const std::string& at) {
        billed.add(lines, rider.name, billed.kwh(), billed.price(rider.per_kwh * billed.rate(), "kWh", at + "/per_kwh", false));
    });
}

void add_riders_of_demand(const Billed& billed, std::vector<Term>& lines) {
    for_each_rider(billed, [&](const Rider& rider, const std::string& at) {
        billed.add(lines, rider.name, billed.kw(), billed.price(rider.per_kw * billed.growth(), "kW", at + "/per_kw", true));
        billed.add(lines, rider.name, stated(billed.question, "places", billed.at("places")),
                   billed.price(rider.per_month * billed.growth(), "month", at + "/per_month", true));
    });
}

double sum_of_lines(const std::vector<Term>& lines) {
    double amount = 0.0;
    for (const Term& line : lines) {
        amount += line.value;
    }
    return amount;
}

void add_minimum(const Billed& billed, double others, std::vector<Term>& lines) {
    if (!billed.document().minimum_bill) {
        return;
    }
    const CompiledBill& bill = billed.compiled().bill;
    const double kw = kw_of_place(billed.compiled(), bill.minimum_charge, billed.metered, billed.question.ledger);
    const double missing = short_of_minimum(bill, billed.metered.month, kw, others);
    add_unless_zero(lines,
                    leaf(billed.question, "minimum bill", fmt::format("minimum of {:.2f} less the lines above", others + missing),
                         missing, billed.question.currency(),
                         {billed.at("minimum_bill/per_month"), billed.at("minimum_bill/per_kw_month")}));
}

void add_fractions(const Billed& billed, std::vector<Term>& lines) {
    const double others = sum_of_lines(lines);
    for_each_rider(billed, [&](const Rider& rider, const std::string& at) {
        if (rider.fraction_of_bill != 0.0) {
            billed.add(lines, rider.name, billed.volume("bill", "the lines above", others, billed.question.currency()),
                       stated(billed.question, "fraction", billed.at(at + "/fraction_of_bill")));
        }
    });
}

Billed billed_of(const Question& question, std::size_t site, std::size_t m) {
    return {question, site, metered_month(question.compiled, site, m, question.ledger)};
}

std::vector<Term> lines_of_energy(const Billed& billed) {
    std::vector<Term> lines;
    add_energy(billed, lines);
    add_tiers(billed, lines);
    add_riders_of_energy(billed, lines);
    return lines;
}

// Bill lines of demand. `energy` is the total of the energy lines, which counts towards the bill's minimum.
std::vector<Term> lines_of_demand(const Billed& billed, double energy) {
    std::vector<Term> lines;
    if (billed.compiled().nameplate_kw[billed.metered.month] <= 0.0) {
        return lines;
    }
    add_charges(billed, lines);
    add_reactive(billed, lines);
    add_riders_of_demand(billed, lines);
    add_minimum(billed, energy + sum_of_lines(lines), lines);
    return lines;
}

Term month_of_category(const Question& question, std::size_t site, Category category, std::size_t m) {
    const Billed billed = billed_of(question, site, m);
    std::vector<Term> lines = lines_of_energy(billed);
    if (category == Category::demand_charge) {
        lines = lines_of_demand(billed, sum_of_lines(lines));
    }
    add_fractions(billed, lines);
    return sum("", "Σ lines of the bill", question.currency(), std::move(lines));
}

} // namespace

std::size_t index_of_site(const Question& question, std::size_t pool) {
    return static_cast<std::size_t>(site_of(question, pool) - question.compiled.sites.data());
}

bool has_bill_lines(const CompiledSite& site) {
    const bool is_one_price = site.charges.size() <= 1 && (site.charges.empty() || site.charges.front().prices.tiers.empty());
    return site.pools.size() == 1 && (!is_one_price || site.bill.is_stated || !site.bill.tiers.empty());
}

Term bill_of_category(const Question& question, std::size_t pool, Category category, const Scope& scope) {
    const std::size_t site = index_of_site(question, pool);
    return over_months(question, scope,
                       {category == Category::energy ? "energy" : "demand charges",
                        "lines of the bill",
                        question.currency(),
                        [&](std::size_t m) { return question.ledger.cost(m, pool, static_cast<std::size_t>(category)); },
                        {pool_at(pool, "site/energy_price"), pool_at(pool, "site/demand_charges")},
                        [&](std::size_t m) { return month_of_category(question, site, category, m); }});
}

Term bill_of_month(const Question& question, std::size_t pool, std::size_t month) {
    const Billed billed = billed_of(question, index_of_site(question, pool), month);
    std::vector<Term> lines = lines_of_energy(billed);
    std::vector<Term> demand = lines_of_demand(billed, sum_of_lines(lines));
    std::move(demand.begin(), demand.end(), std::back_inserter(lines));
    add_fractions(billed, lines);
    return sum("", "Σ lines of the bill", question.currency(), std::move(lines));
}

} // namespace costcurve::model::terms
