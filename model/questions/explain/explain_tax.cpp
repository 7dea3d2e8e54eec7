// Net present value after tax, and the effect of losses carried forward.
#include "model/categories/tax_losses.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

// Effect of carried losses by year: present value of the tax that they move, or the losses that remain.
Term moved_by_losses(const Question& question, bool is_tax) {
    const Compiled& compiled = question.compiled;
    std::vector<Term> terms;
    std::size_t number = 0;
    for (const TaxYear& year : tax_years(compiled, question.ledger)) {
        const double factor = is_tax ? compiled.tax_rate * compiled.discount[year.end] : 1.0;
        add_unless_zero(terms,
                        leaf(question, fmt::format("year {}", ++number),
                             fmt::format("{}(deducted beyond income {:.6g} − losses used {:.6g}); income {:.6g}, deducted {:.6g}",
                                         is_tax ? "τ / (1+d)^t × " : "", year.lost, year.used, year.income, year.deducted),
                             factor * year.beyond(), question.currency(),
                             {"/finance/taxable_income_per_year", "/finance/loss_offset_fraction", "/finance/tax_rate"}));
    }
    return sum(is_tax ? "tax that losses move to later years" : "losses carried beyond the horizon",
               is_tax ? "Σ years" : "Σ years: lost − used", question.currency(), std::move(terms));
}

} // namespace

Term tax_loss_left(const Question& question) { return moved_by_losses(question, false); }

Term after_tax(const Question& question) {
    const Compiled& compiled = question.compiled;
    const std::string& currency = question.currency();
    Term npv = renamed(total_amount(question, whole_horizon(question), View::present_value), "npv", question.summary.npv);
    if (compiled.tax_rate == 0.0) {
        return npv;
    }
    const auto capital = [&](double sign, const std::string& term) {
        return leaf(question, term, "Σ cash of hardware, own build and principal / (1+d)^t", sign * compiled.npv_capital, currency,
                    {"/finance/discount_rate"});
    };
    std::vector<Term> deductible;
    deductible.push_back(std::move(npv));
    deductible.push_back(capital(-1, "−npv of capital"));
    std::vector<Term> taxed;
    taxed.push_back(sum("npv of payments that are deducted", "npv − npv of capital", currency, std::move(deductible)));
    taxed.push_back(leaf(question, "1 − τ", "1 − tax_rate", 1 - compiled.tax_rate, "of 1", {"/finance/tax_rate"}));
    std::vector<Term> credit;
    credit.push_back(leaf(question, "−τ", "−tax_rate", -compiled.tax_rate, "of 1", {"/finance/tax_rate"}));
    credit.push_back(leaf(question, "npv of tax depreciation", "Σ depreciation, and tax book value less sale / (1+d)^t",
                          compiled.npv_tax_credit, currency,
                          {"/finance/tax_depreciation", "/finance/investment_credit_fraction", "/finance/discount_rate"}));
    std::vector<Term> terms;
    terms.push_back(product("payments after tax", "× (1 − τ)", currency, std::move(taxed)));
    terms.push_back(capital(1, "npv of capital"));
    terms.push_back(product("tax credit", "−τ × npv of tax depreciation", currency, std::move(credit)));
    add_unless_zero(terms, moved_by_losses(question, true));
    return sum("npv after tax", "payments × (1 − τ) + capital − τ × depreciation", currency, std::move(terms));
}

} // namespace costcurve::model::terms
