// Binds names in a leaf's formula: to inputs of the scenario, to sibling terms, or to a number that only the model knows.
#pragma once

#include <span>
#include <vector>

#include "model/questions/variant.hpp"
#include "server/answers/workbook/cost_book.hpp"

namespace costcurve::answers {

/// The inputs of a book, found by their pointers.
class BookInputs {
public:
    /// The scenario's money must already be converted.
    explicit BookInputs(const model::ScenarioDocument& scenario) : variant_(scenario) {}

    /// Index of an input, which is added if new. A curve with a single value counts as that number.
    std::size_t index_of(const model::TermInput& input);
    /// Index of the input at a pointer of the scenario.
    std::size_t index_of(const std::string& pointer);
    [[nodiscard]] const BookInput& operator[](std::size_t index) const { return list_[index]; }
    [[nodiscard]] const std::vector<BookInput>& list() const { return list_; }

private:
    model::Variant variant_;
    std::vector<BookInput> list_;
};

/// Gives the leaf the formula that its words are, where that has the leaf's value; inputs that it reads are added to `inputs`.
/// `before` are the terms of the same sum, product or quotient that stand before it, `month` the ledger's.
void bind_leaf(const model::Term& leaf, std::span<const BookTerm> before, std::size_t month, BookInputs& inputs, BookTerm& bound);

} // namespace costcurve::answers
