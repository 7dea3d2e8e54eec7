// Each plan's months are written as they were answered; what is summed and discounted over them is a formula.
#include "server/answers/workbook/decision_workbook.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "model/categories/tax_losses.hpp"
#include "model/compile.hpp"
#include "model/documents/calendar.hpp"
#include "model/finance.hpp"
#include "server/answers/workbook/book_sheets.hpp"

namespace costcurve::answers {

namespace {

using model::Category;

/// Columns of a plan's sheet; cost by category follows, then cash by category.
enum PlanColumn : std::size_t {
    kPlanMonth,
    kPlanFactorAtStart,
    kPlanFactorAtEnd,
    kPlanCost,
    kPlanCash,
    kPlanAtStart,
    kPlanCapitalAtStart,
    kPlanCapitalAtEnd,
    kPlanDeducted,
    kFirstPlanCategory
};
/// Rows of the sheet that compares, from 0.
enum ComparisonRow : std::size_t { kPlanNames = 3, kDiscountRow, kTaxRow, kCostRow, kCashRow, kNpvRow, kAfterTaxRow, kAnnualRow };
constexpr std::size_t kFirstPlanColumn = 2; // after a figure and its unit

struct Plan {
    const Evaluated& evaluated;
    std::size_t index;
    model::Compiled compiled = model::compile(evaluated.scenario);
    std::vector<Category> categories = categories_with_money(evaluated.summary);
    bool has_losses = !model::tax_years(compiled, evaluated.ledger).empty(); ///< carried forward: year by year, by no formula

    [[nodiscard]] const model::ScenarioDocument& scenario() const { return evaluated.scenario.document(); }
    [[nodiscard]] const model::Summary& summary() const { return evaluated.summary; }
    [[nodiscard]] std::size_t months() const { return evaluated.ledger.months; }
    [[nodiscard]] std::size_t column() const { return kFirstPlanColumn + index; }
    [[nodiscard]] std::string sheet() const { return fmt::format("Plan{}", index + 1); }
    [[nodiscard]] std::string name() const { return scenario().name.empty() ? scenario().id : scenario().name; }
    /// A cell of its column on the sheet that compares, as its own sheet has it.
    [[nodiscard]] std::string compared(std::size_t row) const { return "Comparison!" + cell_address(row, column(), true); }
    /// All months of a column of its sheet.
    [[nodiscard]] std::string months_of(std::size_t of) const {
        return fmt::format("{}!{}:{}", sheet(), cell_address(sheet_row(0), of), cell_address(sheet_row(months()) - 1, of));
    }
    [[nodiscard]] std::optional<std::size_t> column_of(Category category) const {
        const auto found = std::find(categories.begin(), categories.end(), category);
        return found == categories.end() ? std::nullopt
                                         : std::optional(kFirstPlanCategory + static_cast<std::size_t>(found - categories.begin()));
    }
    [[nodiscard]] double cash_at_start(std::size_t month) const {
        double cash = 0.0;
        for (std::size_t p = 0; p <= evaluated.ledger.pools; ++p) {
            for (std::size_t c = 0; c < model::kCategories; ++c) {
                cash += compiled.flows.starts(month, p, c);
            }
        }
        return cash;
    }
    [[nodiscard]] double capital_at_end(std::size_t month) const {
        const double at_horizon = compiled.terminal.loan_balance - compiled.terminal.sale;
        return compiled.capital.principal[month] + compiled.capital.sold[month] + (month + 1 == months() ? at_horizon : 0.0);
    }
};

std::string discounted(const Plan& plan, std::size_t at_start, std::size_t at_end) {
    return fmt::format("SUMPRODUCT({},{})+SUMPRODUCT({},{})", plan.months_of(at_start), plan.months_of(kPlanFactorAtStart),
                       plan.months_of(at_end), plan.months_of(kPlanFactorAtEnd));
}

// Cash is paid at a month's start, and the rest of it at its end.
std::string formula_of_npv(const Plan& plan) {
    return fmt::format("={}-SUMPRODUCT({},{})", discounted(plan, kPlanAtStart, kPlanCash), plan.months_of(kPlanAtStart),
                       plan.months_of(kPlanFactorAtEnd));
}

// (npv − npv of capital) × (1 − τ) + npv of capital − τ × npv of what is deducted for it, as explain has it.
std::string formula_after_tax(const Plan& plan) {
    const std::string tax = cell_address(kTaxRow, plan.column());
    return fmt::format("={}-{}*({}-({})+SUMPRODUCT({},{}))", cell_address(kNpvRow, plan.column()), tax,
                       cell_address(kNpvRow, plan.column()), discounted(plan, kPlanCapitalAtStart, kPlanCapitalAtEnd),
                       plan.months_of(kPlanDeducted), plan.months_of(kPlanFactorAtEnd));
}

std::string formula_of_annual(const Plan& plan) {
    const std::string rate = cell_address(kDiscountRow, plan.column());
    return fmt::format("={}*IF({}=0,12/{},{}/(1-(1+{})^(-{}/12)))", cell_address(kNpvRow, plan.column()), rate, plan.months(), rate,
                       rate, plan.months());
}

void write_plan(const Plan& plan, Workbook& workbook) {
    Sheet sheet = workbook.add_sheet(plan.sheet());
    sheet.freeze(1);
    set_widths(sheet, {10, 14, 14, 18, 18, 18, 18, 18, 18});
    write_heading(sheet, 0,
                  {"month", "discount factor at its start", "at its end", "cost", "cash", "of it at the month's start",
                   "capital at its start", "capital at its end", "deducted for it at its end"});
    const std::size_t count = plan.categories.size();
    for (std::size_t i = 0; i < count; ++i) {
        sheet.text(0, kFirstPlanCategory + i, fmt::format("cost: {}", name_of(plan.categories[i])), CellStyle::heading);
        sheet.text(0, kFirstPlanCategory + count + i, fmt::format("cash: {}", name_of(plan.categories[i])), CellStyle::heading);
    }
    const double rate = plan.scenario().finance.discount_rate;
    for (std::size_t m = 0; m < plan.months(); ++m) {
        const std::size_t row = sheet_row(m);
        const model::YearMonth month = add_months(plan.scenario().start, static_cast<int>(m));
        const model::MonthSummary& of = plan.summary().months[m];
        const auto factor = [&](std::size_t column, std::size_t instant) {
            sheet.formula(row, column, fmt::format("=(1+{})^(-{}/12)", plan.compared(kDiscountRow), instant),
                          model::discount_factor(rate, static_cast<double>(instant)));
        };
        const auto sum = [&](std::size_t column, std::size_t first, double value) {
            const std::string cells = fmt::format("=SUM({}:{})", cell_address(row, first),
                                                  cell_address(row, first + std::max<std::size_t>(count, 1) - 1));
            sheet.formula(row, column, count == 0 ? "=0" : cells, value, CellStyle::money);
        };
        sheet.month(row, kPlanMonth, month.year, month.month);
        factor(kPlanFactorAtStart, m);
        factor(kPlanFactorAtEnd, m + 1);
        sum(kPlanCost, kFirstPlanCategory, of.total.cost);
        sum(kPlanCash, kFirstPlanCategory + count, of.total.cash);
        sheet.number(row, kPlanAtStart, plan.cash_at_start(m), CellStyle::money);
        sheet.number(row, kPlanCapitalAtStart, plan.compiled.capital.start[m], CellStyle::money);
        sheet.number(row, kPlanCapitalAtEnd, plan.capital_at_end(m), CellStyle::money);
        sheet.number(row, kPlanDeducted, plan.compiled.capital.tax_credit[m], CellStyle::money);
        for (std::size_t i = 0; i < count; ++i) {
            const model::Amounts& amounts = of.by_category[static_cast<std::size_t>(plan.categories[i])];
            sheet.number(row, kFirstPlanCategory + i, amounts.cost, CellStyle::money);
            sheet.number(row, kFirstPlanCategory + count + i, amounts.cash, CellStyle::money);
        }
    }
}

// A figure of all plans: a cell each, and what each has more than the baseline's.
struct ComparedFigure {
    std::string name;
    std::string unit;
    CellStyle style = CellStyle::money;
    std::vector<std::string> formulas = {}; ///< by plan; "" of a number
    std::vector<std::optional<double>> values = {};

    void add(std::string formula, std::optional<double> value) {
        formulas.push_back(std::move(formula));
        values.push_back(value);
    }
};

class ComparisonWriter {
public:
    ComparisonWriter(std::span<const Plan> plans, std::size_t baseline, Workbook& workbook)
        : plans_(plans), baseline_(baseline), sheet_(workbook.add_sheet("Comparison")) {}

    void write() {
        const std::string& currency = plans_.front().scenario().currency;
        sheet_.freeze(kPlanNames + 1);
        set_widths(sheet_, {36, 16});
        sheet_.text(0, 0, "Comparison", CellStyle::title);
        sheet_.text(
            1, 0,
            fmt::format("In {}. Change the coloured cells here, and amounts by category on the plans' sheets: totals follow. "
                        "Formulas of a plan's prices are in the workbook of its result.",
                        currency),
            CellStyle::note);
        write_heads({"figure", "unit"}, kPlanNames);
        write_rates();
        write_row(kCostRow, total("cost", currency, kPlanCost, [](const model::Summary& s) { return s.total.cost; }));
        write_row(kCashRow, total("cash", currency, kPlanCash, [](const model::Summary& s) { return s.total.cash; }));
        ComparedFigure npv{"npv", currency};
        ComparedFigure after_tax{"npv_after_tax", currency};
        ComparedFigure annual{"equivalent_annual_cost", fmt::format("{}/year", currency)};
        for (const Plan& plan : plans_) {
            npv.add(formula_of_npv(plan), plan.summary().npv);
            after_tax.add(plan.has_losses ? "" : formula_after_tax(plan), plan.summary().npv_after_tax);
            annual.add(formula_of_annual(plan), plan.summary().equivalent_annual_cost);
        }
        write_row(kNpvRow, npv);
        write_row(kAfterTaxRow, after_tax);
        write_row(kAnnualRow, annual);
        write_notes(write_units(write_categories(kAnnualRow + 2)));
    }

private:
    void write_heads(std::initializer_list<std::string_view> words, std::size_t row) {
        write_heading(sheet_, row, words);
        for (const Plan& plan : plans_) {
            sheet_.text(row, plan.column(), plan.name(), CellStyle::heading);
            if (plan.index != baseline_) {
                sheet_.text(row, difference_column(plan), fmt::format("{} less {}", plan.name(), plans_[baseline_].name()),
                            CellStyle::heading);
            }
            sheet_.width(plan.column(), 22);
            sheet_.width(difference_column(plan), 26);
        }
    }

    [[nodiscard]] std::size_t difference_column(const Plan& plan) const { return kFirstPlanColumn + plans_.size() + plan.index; }

    void write_rates() {
        sheet_.text(kDiscountRow, 0, "discount_rate");
        sheet_.text(kDiscountRow, 1, "1/year");
        for (const Plan& plan : plans_) {
            sheet_.number(kDiscountRow, plan.column(), plan.scenario().finance.discount_rate, CellStyle::input);
        }
        sheet_.text(kTaxRow, 0, "tax_rate");
        sheet_.text(kTaxRow, 1, "fraction");
        for (const Plan& plan : plans_) {
            sheet_.number(kTaxRow, plan.column(), plan.compiled.tax_rate,
                          plan.has_losses ? CellStyle::fixed_input : CellStyle::input);
        }
    }

    template <class Read> ComparedFigure total(std::string name, const std::string& unit, std::size_t column, Read read) const {
        ComparedFigure figure{std::move(name), unit};
        for (const Plan& plan : plans_) {
            figure.add(fmt::format("=SUM({})", plan.months_of(column)), read(plan.summary()));
        }
        return figure;
    }

    void write_row(std::size_t row, const ComparedFigure& figure) {
        sheet_.text(row, 0, figure.name);
        sheet_.text(row, 1, figure.unit);
        const std::optional<double> base = figure.values[baseline_];
        for (const Plan& plan : plans_) {
            const std::optional<double> value = figure.values[plan.index];
            if (value && figure.formulas[plan.index].empty()) {
                sheet_.number(row, plan.column(), *value, figure.style);
            } else if (value) {
                sheet_.formula(row, plan.column(), figure.formulas[plan.index], *value, figure.style);
            }
        }
        for (const Plan& plan : plans_) {
            const std::optional<double> value = figure.values[plan.index];
            if (plan.index != baseline_ && value && base) {
                sheet_.formula(
                    row, difference_column(plan),
                    fmt::format("={}-{}", cell_address(row, plan.column()), cell_address(row, plans_[baseline_].column())),
                    *value - *base, figure.style);
            }
        }
    }

    std::size_t write_categories(std::size_t row) {
        write_heads({"cost by category", "unit"}, row);
        for (std::size_t c = 0; c < model::kCategories; ++c) {
            const auto category = static_cast<Category>(c);
            ComparedFigure figure{std::string(name_of(category)), plans_.front().scenario().currency};
            bool has_money = false;
            for (const Plan& plan : plans_) {
                const auto column = plan.column_of(category);
                figure.add(column ? fmt::format("=SUM({})", plan.months_of(*column)) : "", plan.summary().by_category[c].cost);
                has_money = has_money || column;
            }
            if (has_money) {
                write_row(++row, figure);
            }
        }
        return row + 2;
    }

    // Cost of a million units: the plan's cost over them where one workload bears all of it, else a number.
    std::size_t write_units(std::size_t row) {
        write_heads({"cost per million units", "unit"}, row);
        std::vector<std::string> written;
        for (const Plan& plan : plans_) {
            for (const model::Workload& workload : plan.scenario().workloads) {
                if (std::find(written.begin(), written.end(), workload.id) == written.end()) {
                    written.push_back(workload.id);
                    write_row(++row, unit_cost(workload));
                }
            }
        }
        return row + 2;
    }

    [[nodiscard]] ComparedFigure unit_cost(const model::Workload& workload) const {
        ComparedFigure figure{workload.id, fmt::format("{}/million {}", plans_.front().scenario().currency, workload.unit),
                              CellStyle::price};
        for (const Plan& plan : plans_) {
            const auto& all = plan.scenario().workloads;
            const auto found =
                std::find_if(all.begin(), all.end(), [&](const model::Workload& of) { return of.id == workload.id; });
            if (found == all.end()) {
                figure.add("", std::nullopt);
                continue;
            }
            const model::WorkloadSummary& of = plan.summary().workloads[static_cast<std::size_t>(found - all.begin())];
            const bool bears_all = all.size() == 1 && is_whole(of.cost, plan.summary().total.cost);
            figure.add(bears_all ? fmt::format("={}/({}/10^6)", cell_address(kCostRow, plan.column()), cell_number(of.units_served))
                                 : "",
                       of.cost_per_million_units);
        }
        return figure;
    }

    void write_notes(std::size_t row) {
        write_heads({"about", ""}, row);
        const auto add = [&](std::string_view name, const auto& text_of) {
            sheet_.text(++row, 0, name);
            for (const Plan& plan : plans_) {
                sheet_.text(row, plan.column(), text_of(plan));
            }
        };
        add("sheet", [](const Plan& plan) { return plan.sheet(); });
        add("does its work", [](const Plan& plan) { return std::string(plan.summary().is_feasible() ? "yes" : "no"); });
        add("months", [](const Plan& plan) { return fmt::format("{} from {}", plan.months(), to_text(plan.scenario().start)); });
        add("inputs' hash", [](const Plan& plan) { return plan.evaluated.inputs_hash; });
    }

    std::span<const Plan> plans_;
    std::size_t baseline_;
    Sheet sheet_;
};

} // namespace

model::Result<std::string> encode_decision_workbook(std::span<const Evaluated> plans, std::size_t baseline) {
    const std::string& currency = plans.front().scenario.document().currency;
    std::vector<Plan> compared;
    compared.reserve(plans.size());
    for (const Evaluated& evaluated : plans) {
        const model::ScenarioDocument& scenario = evaluated.scenario.document();
        if (scenario.currency != currency) {
            return tl::unexpected(
                model::Failure{{"", model::Code::not_allowed,
                                fmt::format("{} is in {}, {} in {}: a comparison is in one currency",
                                            plans.front().scenario.document().id, currency, scenario.id, scenario.currency)}});
        }
        compared.push_back(Plan{evaluated, compared.size()});
    }
    Workbook workbook("Comparison", currency);
    ComparisonWriter(compared, baseline, workbook).write();
    for (const Plan& plan : compared) {
        write_plan(plan, workbook);
    }
    return workbook.finish();
}

} // namespace costcurve::answers
