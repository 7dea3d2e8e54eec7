// Terms of purchase loans: interest, principal and the balance at the horizon's end, each as a part of the amount lent.
#include <algorithm>

#include "model/assets.hpp"
#include "model/finance.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

// A loan for a generation of servers. Its payments with index in [past, due) fall into the horizon.
struct Borrowed {
    const Question& question;
    std::size_t pool;
    std::size_t purchase;
    const Loan& loan;
    Asset asset;
    int past;
    int due;

    [[nodiscard]] double amount() const { return loan.fraction * asset.price; }
    [[nodiscard]] double balance(int payments) const { return loan_balance(loan, amount(), payments); }
    [[nodiscard]] std::string at(std::string_view rest) const {
        const bool is_own = question.document.pools[pool].purchases[purchase].loan.has_value();
        return pool_at(pool, is_own ? fmt::format("purchases/{}/loan/{}", purchase, rest) : fmt::format("loan/{}", rest));
    }
    [[nodiscard]] Pointers terms() const { return {at("rate"), at("term_months"), at("kind")}; }
};
template <class F> void for_each_loan(const Question& question, std::size_t p, const F& visit) {
    const Pool& pool = question.document.pools[p];
    for (std::size_t i = 0; i < pool.purchases.size(); ++i) {
        const Loan* const loan = loan_of(pool, pool.purchases[i]);
        if (loan == nullptr) {
            continue;
        }
        for (const Asset& asset : hardware_assets(pool, pool.purchases[i], question.document.months)) {
            const int past = std::max(0, -asset.start);
            if (past < loan->term_months && loan->fraction * asset.price != 0.0) {
                visit(Borrowed{question, p, i, *loan, asset, past,
                               std::min(loan->term_months, question.document.months - asset.start)});
            }
        }
    }
}

std::string loan_name(const Borrowed& borrowed) {
    const int start = borrowed.asset.start;
    return fmt::format("loan of purchase {} from {}", borrowed.purchase,
                       start >= 0 ? name_of_month(borrowed.question, static_cast<std::size_t>(start))
                                  : fmt::format("{} before {}", count_of(-start, "month"), name_of_month(borrowed.question, 0)));
}

// An amount as B × part, where B is the amount lent. If the tree is full, a leaf with the amount alone.
Term part_of_loan(const Borrowed& borrowed, const std::string& name, const std::string& formula, double amount) {
    const Question& question = borrowed.question;
    if (question.is_full() || amount == 0.0) {
        return leaf(question, name, formula, amount, question.currency(), borrowed.terms());
    }
    std::vector<Term> lent;
    lent.push_back(stated(question, "fraction", borrowed.at("fraction")));
    lent.push_back(hardware_price(question, borrowed.pool, borrowed.purchase, borrowed.asset));
    std::vector<Term> terms;
    terms.push_back(product("B", "fraction × P", question.currency(), std::move(lent)));
    terms.push_back(leaf(question, "part", formula, amount / borrowed.amount(), "of 1", borrowed.terms()));
    return product(name, "B × part", question.currency(), std::move(terms));
}

Term interest_of(const Borrowed& borrowed, const Scope& scope) {
    double interest = 0.0;
    for (int k = borrowed.past; k < borrowed.due; ++k) {
        interest += holds(scope, borrowed.asset.start + k) ? loan_interest(borrowed.loan, borrowed.amount(), k) : 0.0;
    }
    return part_of_loan(borrowed, "interest", "Σ rate / 12 × balance / B", interest);
}

// One sum for each loan, of the terms that `add` gives. Once the tree is full, the remaining loans share one leaf.
template <class F> std::vector<Term> by_loan(const Question& question, std::size_t p, const std::string& formula, const F& add) {
    std::vector<Term> causes;
    double others = 0.0;
    for_each_loan(question, p, [&](const Borrowed& borrowed) {
        std::vector<Term> terms;
        add(borrowed, terms);
        if (terms.empty()) {
            return;
        }
        Term loan = sum(loan_name(borrowed), formula, question.currency(), std::move(terms));
        if (question.is_full()) {
            others += loan.value;
        } else {
            causes.push_back(std::move(loan)); // kept even if payout and repayment cancel
        }
    });
    if (others != 0.0) {
        causes.push_back(leaf(question, "further loans", "likewise", others, question.currency(), {pool_at(p, "purchases")}));
    }
    return causes;
}

} // namespace

std::vector<Term> financing_cost(const Question& question, std::size_t p, const Scope& scope) {
    return by_loan(question, p, "interest", [&](const Borrowed& borrowed, std::vector<Term>& terms) {
        add_unless_zero(terms, interest_of(borrowed, scope));
    });
}

std::vector<Term> financing_cash(const Question& question, std::size_t p, const Scope& scope) {
    const auto add_flows = [&](const Borrowed& borrowed, std::vector<Term>& terms) {
        double repaid = 0.0;
        for (int k = borrowed.past; k < borrowed.due; ++k) {
            repaid += holds(scope, borrowed.asset.start + k) ? borrowed.balance(k) - borrowed.balance(k + 1) : 0.0;
        }
        add_unless_zero(terms, interest_of(borrowed, scope));
        if (holds(scope, std::max(borrowed.asset.start, 0))) {
            add_unless_zero(terms, part_of_loan(borrowed, "−paid out", "−balance at the purchase, or the horizon's start, / B",
                                                -borrowed.balance(borrowed.past)));
        }
        add_unless_zero(terms, part_of_loan(borrowed, "principal", "(balance before − balance after) / B", repaid));
        if (holds(scope, question.document.months - 1)) {
            add_unless_zero(terms,
                            part_of_loan(borrowed, "balance at the horizon's end", "balance / B", borrowed.balance(borrowed.due)));
        }
    };
    return by_loan(question, p, "interest − paid out + principal + balance at the horizon's end", add_flows);
}

std::vector<Term> loan_balances(const Question& question, std::size_t p) {
    return by_loan(question, p, "balance", [&](const Borrowed& borrowed, std::vector<Term>& terms) {
        add_unless_zero(terms,
                        part_of_loan(borrowed, "balance at the horizon's end", "balance / B", borrowed.balance(borrowed.due)));
    });
}

} // namespace costcurve::model::terms
