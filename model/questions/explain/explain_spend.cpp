// Spend commitments: the part that no pool uses, and what is settled at the horizon's end.
#include "model/categories/spend_commitments.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

Term spend_owed(const Question& question, bool discounted) {
    return leaf(question, "owed at the horizon's end",
                discounted ? "Σ hourly_spend × hours of the k-th month left / (1+d)^(k/12)" : "Σ hourly_spend × hours left",
                spend_left(question.document, discounted), question.currency(), {"/spend_commitments", "/months"});
}

// The part of spend commitments that no pool uses, and the payments left at the horizon's end.
std::vector<Term> spend_of_nobody(const Question& question, const Scope& scope) {
    const double due = question.document.finance.at_end == AtEnd::exit ? spend_left(question.document, true) : 0.0;
    std::vector<Term> causes;
    add_unless_zero(causes, over_months(question, scope,
                                        {"unused of commitments to spend",
                                         "Σ hours: hourly_spend − what instances on demand take of it",
                                         question.currency(),
                                         [&question, due](std::size_t m) {
                                             const double all = question.ledger.cost(
                                                 m, question.document.pools.size(), static_cast<std::size_t>(Category::commitment));
                                             return all - (m + 1 == question.compiled.months ? due : 0.0);
                                         },
                                         {"/spend_commitments"}}));
    if (holds(scope, question.document.months - 1) && due > 0.0) {
        causes.push_back(spend_owed(question, true));
    }
    return causes;
}

namespace {

std::vector<Term> obligations_of(const Question& question, std::size_t p) {
    return question.document.finance.at_end == AtEnd::exit ? payments_left(question, p, true) : std::vector<Term>();
}

} // namespace

Term obligations_at_end(const Question& question) {
    Term of_pools = sum_over_pools(question, obligations_of);
    if (!question.document.spend_commitments.empty() && question.document.finance.at_end == AtEnd::exit) {
        std::vector<Term> terms = std::move(of_pools.terms);
        add_unless_zero(terms, renamed(spend_owed(question, true), "commitments to spend", spend_left(question.document, true)));
        return sum("", "Σ over pools, and commitments to spend", question.currency(), std::move(terms));
    }
    return of_pools;
}

} // namespace costcurve::model::terms
