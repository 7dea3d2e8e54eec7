// The table of figures, and the rules between the members of a rule.
#include "server/gate/rules.hpp"

#include <array>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "server/gate/yaml_text.hpp"

namespace costcurve::gate {

namespace {

using model::Code;

constexpr std::string_view kMoney = "currency";

// By Figure.
constexpr auto kFigures = std::to_array<FigureRow>({
    {"currency/month", Part::scenario, true, false, false, "cost over the horizon's months"},
    {"currency/month", Part::scenario, true, false, false, "cost of the dearest month"},
    {"currency/month", Part::scenario, true, false, false, "payments of the month with the most"},
    {"currency/million units", Part::workload, true, false, false, "cost a million units, tokens mostly"},
    {"currency/epoch", Part::workload, true, false, false, "cost an epoch of training"},
    {"currency/month", Part::scenario, false, true, false, "how likely the cost a month keeps the budget"},
    {"kg/month", Part::scenario, true, false, false, "CO2e over the horizon's months"},
    {"fraction", Part::pool, true, true, false, "busy share of the devices there in the busiest hour of any month's week"},
    {"", Part::workload, false, false, false, "what the rates rest on"},
    {"days", Part::pool, true, false, false, "from the price's day to today"},
    {"currency/month", Part::scenario, true, false, true, "cost a month above the base's"},
    {"fraction", Part::scenario, true, false, true, "the same as a share of the base's"},
    {"", Part::scenario, false, false, false, "no work is left undone, no site overloaded, no run late"},
    {"", Part::scenario, false, false, false, "a plan or a manifest was understood as a whole"},
});
static_assert(kFigures.size() == model::enum_names<Figure>.size());

bool is_money(const FigureRow& row) { return row.unit.starts_with(kMoney); }

bool is_currency(std::string_view text) {
    return text.size() == 3 && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
}

// A unit as a rule has it: with a currency where the figure is money.
bool is_unit(std::string_view unit, const FigureRow& row) {
    if (!is_money(row)) {
        return unit == row.unit;
    }
    return unit.size() > 3 && is_currency(unit.substr(0, 3)) && unit.substr(3) == row.unit.substr(kMoney.size());
}

std::string example_of(const FigureRow& row) {
    return is_money(row) ? "USD" + std::string(row.unit.substr(kMoney.size())) : std::string(row.unit);
}

class RuleCheck {
public:
    RuleCheck(const Rule& rule, std::string at, model::Failure& issues)
        : rule_(rule), row_(row_of(rule.figure)), name_(model::name_of(rule.figure)), at_(std::move(at)), issues_(issues) {}

    void check() {
        const bool has_budget = rule_.figure == Figure::probability_within_budget;
        const bool has_evidence = rule_.figure == Figure::evidence;
        check_stated("max", rule_.max.has_value(), row_.takes_max);
        check_stated("min", rule_.min.has_value(), row_.takes_min);
        check_stated("budget", rule_.budget.has_value(), has_budget);
        check_stated("weakest", rule_.weakest.has_value(), has_evidence);
        check_stated("workload", !rule_.workload.empty(), row_.part == Part::workload);
        check_stated("pool", !rule_.pool.empty(), row_.part == Part::pool);
        if ((row_.takes_max || row_.takes_min) && !rule_.max && !rule_.min) {
            add(row_.takes_max ? "/max" : "/min", Code::missing, fmt::format("{} needs a limit", name_));
        }
        if (has_budget && !rule_.budget) {
            add("/budget", Code::missing, fmt::format("{} needs a budget, {}", name_, example_of(row_)));
        }
        if (has_budget && rule_.min.value_or(0.0) > 1.0) {
            add("/min", Code::out_of_range, fmt::format("min is {}; a probability is 0 to 1", *rule_.min));
        }
        if (has_evidence && !rule_.weakest) {
            add("/weakest", Code::missing, "evidence needs the weakest that is good enough, such as estimated");
        }
        check_share();
        check_unit();
    }

private:
    // 90 is meant as per cent, and would never be exceeded.
    void check_share() {
        const bool is_share = rule_.figure == Figure::peak_utilization || rule_.figure == Figure::cost_increase_fraction;
        for (const auto& [member, limit] : {std::pair("max", rule_.max), std::pair("min", rule_.min)}) {
            if (is_share && limit.value_or(0.0) > 1.0) {
                add(fmt::format("/{}", member), Code::out_of_range,
                    fmt::format("{} is {}; {} is a fraction up to 1: 0.05 is 5 %", member, *limit, name_));
            }
        }
    }
    void check_stated(std::string_view member, bool is_stated, bool is_taken) {
        if (is_stated && !is_taken) {
            add("/" + std::string(member), Code::not_allowed, fmt::format("{} has no {}; leave it out", name_, member));
        }
    }
    void check_unit() {
        if (rule_.unit.empty()) {
            if (is_money(row_)) {
                add("/unit", Code::missing, fmt::format("{} is money; state its unit, such as {}", name_, example_of(row_)));
            }
        } else if (row_.unit.empty()) {
            add("/unit", Code::not_allowed, fmt::format("{} has no unit; leave it out", name_));
        } else if (!is_unit(rule_.unit, row_)) {
            add("/unit", Code::unknown_value,
                fmt::format("unit is {}; {} is in {}", rule_.unit, name_,
                            is_money(row_) ? "a currency in capitals, such as " + example_of(row_) : example_of(row_)));
        }
    }
    void add(const std::string& member, Code code, std::string message) {
        issues_.push_back({at_ + member, code, std::move(message)});
    }

    const Rule& rule_;
    const FigureRow& row_;
    std::string_view name_;
    std::string at_;
    model::Failure& issues_;
};

} // namespace

const FigureRow& row_of(Figure figure) { return kFigures[static_cast<std::size_t>(figure)]; }

std::string Rule::currency() const { return is_money(row_of(figure)) ? unit.substr(0, 3) : std::string(); }

void check(GateFile& file, const answers::QuestionLimits& limits, model::Failure& issues) {
    std::set<std::tuple<Figure, std::string, std::string>> seen;
    for (std::size_t i = 0; i < file.rules.size(); ++i) {
        const Rule& rule = file.rules[i];
        const std::string at = fmt::format("/rules/{}", i);
        RuleCheck(rule, at, issues).check();
        if (rule.figure == Figure::probability_within_budget && !file.uncertainty) {
            issues.push_back(
                {"/uncertainty", Code::missing,
                 "probability_within_budget needs inputs with their distributions: {inputs: [{pointer, distribution}]}"});
        }
        const bool may_repeat = rule.figure == Figure::probability_within_budget; // of several budgets
        if (!may_repeat &&
            !seen.emplace(rule.figure, rule.workload + "/" + rule.pool, std::string(model::name_of(rule.level))).second) {
            issues.push_back(
                {at, Code::duplicate, fmt::format("{} has a rule of this level already", model::name_of(rule.figure))});
        }
    }
    if (file.silent_below && !file.silent_below->amount && !file.silent_below->fraction) {
        issues.push_back({"/silent_below", Code::missing, "silent_below needs an amount, a fraction of the base's cost, or both"});
    }
    if (file.uncertainty) {
        answers::check_uncertainty(*file.uncertainty, "/uncertainty", 1, model::Uncertainty().samples, limits, issues);
    }
}

model::Result<GateFile> read_gate_file(std::string_view text) {
    return json_of_yaml(text).and_then([](const std::vector<std::string>& documents) -> model::Result<GateFile> {
        if (documents.size() != 1) {
            return tl::unexpected(model::Failure{
                {"", Code::bad_format, fmt::format("the file has {} documents; give one, {{rules: […]}}", documents.size())}});
        }
        return answers::parse_request<GateFile>(documents.front(), {});
    });
}

} // namespace costcurve::gate
