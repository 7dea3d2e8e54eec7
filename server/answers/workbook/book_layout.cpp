// Rows are counted before any is written: a sheet may refer to one that is written later.
#include "server/answers/workbook/book_layout.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "model/documents/pointer.hpp"
#include "model/documents/text.hpp"
#include "server/answers/workbook/sheets.hpp"

namespace costcurve::answers {

namespace {

constexpr std::size_t kMaxName = 200; // of 255, so that a number fits behind it

template <class Documents> std::string id_at(const Documents& documents, const std::string& index) {
    const auto at = model::index_of(index, documents.size());
    return at ? documents[*at].id : index;
}

// "/pools/0/server/price" of the pool own-a: pools_own_a_server_price. Letters, digits and underscores, which every spreadsheet
// takes.
std::string name_of_input(const std::string& pointer, const model::ScenarioDocument& scenario) {
    std::vector<std::string> parts = model::split_pointer(pointer).value_or(std::vector<std::string>());
    if (parts.size() > 1 && parts[0] == "pools") {
        parts[1] = id_at(scenario.pools, parts[1]);
    } else if (parts.size() > 1 && parts[0] == "workloads") {
        parts[1] = id_at(scenario.workloads, parts[1]);
    }
    std::string name = parts.size() > 1 ? "" : "scenario";
    for (const std::string& part : parts) {
        name += (name.empty() ? "" : "_") + part;
    }
    for (char& c : name) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        c = is_plain ? c : '_';
    }
    return name.substr(0, kMaxName);
}

} // namespace

std::size_t count_terms(const BookTerm& term) {
    return std::accumulate(term.parts.begin(), term.parts.end(), std::size_t{1},
                           [](std::size_t sum, const BookTerm& part) { return sum + count_terms(part); });
}

BookLayout layout_of(const CostBook& book, const model::ScenarioDocument& scenario) {
    BookLayout layout{book};
    layout.order.resize(book.inputs.size());
    std::iota(layout.order.begin(), layout.order.end(), std::size_t{0});
    std::stable_sort(layout.order.begin(), layout.order.end(),
                     [&](std::size_t one, std::size_t other) { return book.inputs[one].is_live && !book.inputs[other].is_live; });
    std::set<std::string> taken;
    for (const BookInput& input : book.inputs) {
        const std::string name = name_of_input(input.input.name, scenario);
        std::string unique = name;
        for (int n = 2; !taken.insert(model::lower(unique)).second; ++n) { // Excel compares names without case
            unique = fmt::format("{}_{}", name, n);
        }
        layout.names.push_back(unique);
    }
    for (const BookTree& tree : book.trees) {
        layout.root_rows.push_back(sheet_row(layout.terms));
        layout.terms += count_terms(tree.root);
    }
    for (std::size_t m = 0, row = 0; m <= book.months; ++m) {
        while (row < book.rows.size() && book.rows[row].month < m) {
            ++row;
        }
        layout.first_rows.push_back(row);
    }
    return layout;
}

std::string text_of_input(const BookLayout& layout, std::size_t input, double factor) {
    const BookInput& of = layout.book.inputs[input];
    if (!of.is_live) {
        return cell_number(factor * of.value);
    }
    return factor == 1.0 ? layout.names[input] : fmt::format("({}*{})", cell_number(factor), layout.names[input]);
}

std::string formula_of(const BookLayout& layout, const BookTerm& term, const std::vector<std::size_t>& part_rows,
                       const std::vector<std::size_t>& sibling_rows) {
    constexpr std::size_t kValueColumn = 1;
    if (term.rule == model::Rule::leaf) {
        bool is_number = true;
        for (const auto& [name, reference] : term.references) {
            is_number = is_number && (reference.to == BookReference::To::number ||
                                      (reference.to == BookReference::To::input && !layout.book.inputs[reference.index].is_live));
        }
        if (!term.expression || is_number) {
            return "";
        }
        return "=" + cell_formula(*term.expression, [&](const std::string& name) {
                   const BookReference& reference = term.references.at(name);
                   return reference.to == BookReference::To::input     ? text_of_input(layout, reference.index, reference.factor)
                          : reference.to == BookReference::To::sibling ? cell_address(sibling_rows[reference.index], kValueColumn)
                                                                       : cell_number(reference.factor);
               });
    }
    std::vector<std::string> cells;
    cells.reserve(part_rows.size());
    for (const std::size_t row : part_rows) {
        cells.push_back(cell_address(row, kValueColumn));
    }
    if (term.rule == model::Rule::sum) {
        return sum_formula(cells);
    }
    return fmt::format("={}", fmt::join(cells, term.rule == model::Rule::product ? "*" : "/"));
}

std::string formula_of_tree(const BookLayout& layout, std::size_t tree) {
    return tree == BookRow::kNoTree ? "" : fmt::format("=Terms!{}", cell_address(layout.root_rows[tree], 1));
}

std::string formula_of_factor(const BookLayout& layout, std::size_t month) {
    return fmt::format("=(1+{})^(-{}/12)", text_of_input(layout, layout.book.discount_rate), month);
}

} // namespace costcurve::answers
