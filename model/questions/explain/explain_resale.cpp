// Proceeds of selling the rest of a committed term if the horizon ends within the term.
#include "model/categories/exchange.hpp"
#include "model/categories/term_resale.hpp"
#include "model/commitment.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

// Proceeds of selling the months left of a cut term. With `sign` -1 they are subtracted.
Term sold_term(const Question& question, std::size_t p, double sign) {
    const TermSale sale = term_sale(question.document, question.compiled, p);
    const Pool& pool = question.document.pools[p];
    if (sale.income == 0.0) {
        return leaf(question, "sold at the horizon's end", "", 0.0, question.currency());
    }
    std::vector<Term> terms;
    const double left = term_left(pool, question.document).months * later_rate(*pool.offer, question.compiled.months - 1);
    terms.push_back(upfront_term(question, p, sign * left / *pool.offer->term_months, "terms left",
                                 sign > 0 ? "months left / term_months" : "−months left / term_months"));
    terms.push_back(stated(question, "price fraction", pool_at(p, "offer/resale/price_fraction")));
    terms.push_back(leaf(question, "1 − fee", "1 − fee_fraction", 1 - pool.offer->resale->fee_fraction, "of 1",
                         {pool_at(p, "offer/resale/fee_fraction")}));
    terms.push_back(leaf(question, "sold", "sales_limit / what all pools at the seller would sell, at most 1", sale.sold, "of 1",
                         {pool_at(p, "offer/resale/sales_limit")}));
    return product("sold at the horizon's end", "upfront of the months left × price_fraction × (1 − fee_fraction) × sold",
                   question.currency(), std::move(terms));
}

std::vector<Term> commitments_sold(const Question& question, std::size_t p) {
    std::vector<Term> causes;
    add_unless_zero(causes, sold_term(question, p, 1));
    return causes;
}

} // namespace costcurve::model::terms
