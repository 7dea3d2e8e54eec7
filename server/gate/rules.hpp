// The file of a gate: budgets and rules on figures of scenarios, and when nothing is reported.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/answers/request.hpp"
#include "server/answers/uncertainty.hpp"

namespace costcurve::gate {

/// The figure that a rule limits.
enum class Figure {
    cost_per_month,
    highest_month_cost,
    highest_month_cash,
    cost_per_million_units,
    cost_per_epoch,
    probability_within_budget,
    carbon_kg_per_month,
    peak_utilization,
    evidence,
    price_age_days,
    cost_increase,
    cost_increase_fraction,
    does_its_work,
    read_whole,
};

/// Whether a broken rule fails the gate.
enum class Level { fail, warn };

/// Which parts of a scenario have the figure.
enum class Part { scenario, workload, pool };

/// What a figure is, and what a rule on it states.
struct FigureRow {
    std::string_view unit; ///< `currency` is that of the rule's unit
    Part part = Part::scenario;
    bool takes_max = false;
    bool takes_min = false;
    bool needs_base = false;
    std::string_view help;
};
[[nodiscard]] const FigureRow& row_of(Figure figure);

struct Rule {
    Figure figure = Figure::cost_per_month;
    std::optional<double> max;
    std::optional<double> min;
    std::string unit; ///< of max and min; of the budget, where there is one
    std::optional<double> budget;
    std::optional<model::Evidence> weakest; ///< evidence
    std::string workload;                   ///< this alone; "" for every one
    std::string pool;
    Level level = Level::fail;

    /// The currency of a rule on money, with which its unit begins; "" for other rules.
    [[nodiscard]] std::string currency() const;
};

/// A change of cost a month that is smaller is not reported where no rule is broken.
struct SilentBelow {
    std::optional<double> amount;   ///< currency/month
    std::optional<double> fraction; ///< of the base's cost
};

struct GateFile {
    std::vector<Rule> rules;
    std::optional<answers::UncertaintyInputs> uncertainty;
    std::optional<SilentBelow> silent_below;
};

/// Rules between members: what each figure takes, its unit, no rule twice.
void check(GateFile& file, const answers::QuestionLimits& limits, model::Failure& issues);

/// The file of a YAML or JSON text; every issue at once.
[[nodiscard]] model::Result<GateFile> read_gate_file(std::string_view text);

} // namespace costcurve::gate

namespace costcurve::model {

template <>
inline constexpr auto enum_names<gate::Figure> = std::to_array<std::string_view>(
    {"cost_per_month", "highest_month_cost", "highest_month_cash", "cost_per_million_units", "cost_per_epoch",
     "probability_within_budget", "carbon_kg_per_month", "peak_utilization", "evidence", "price_age_days", "cost_increase",
     "cost_increase_fraction", "does_its_work", "read_whole"});
template <> inline constexpr auto enum_names<gate::Level> = std::to_array<std::string_view>({"fail", "warn"});

template <> inline constexpr std::string_view document_name<gate::Rule> = "rule";
template <>
inline constexpr auto fields<gate::Rule> = Rows{
    Field{"figure", &gate::Rule::figure, {.required = true, .help = "what the rule is about"}},
    Field{"max", &gate::Rule::max, {.min = 0, .max = kLargest, .help = "the figure is at most this"}},
    Field{"min", &gate::Rule::min, {.min = 0, .max = kLargest, .help = "the figure is at least this"}},
    Field{"unit", &gate::Rule::unit, {.format = Format::name, .help = "of the numbers, such as USD/month; required of money"}},
    Field{"budget", &gate::Rule::budget, {.min = 0, .max = kLargest, .help = "cost a month that is to be kept, by chance `min`"}},
    Field{"weakest", &gate::Rule::weakest, {.help = "the weakest evidence of a rate that is good enough"}},
    Field{"workload", &gate::Rule::workload, {.format = Format::slug, .help = "this workload alone; else every one"}},
    Field{"pool", &gate::Rule::pool, {.format = Format::slug, .help = "this pool alone; else every one"}},
    Field{"level", &gate::Rule::level, {.help = "fail, or warn: reported, and the gate stays open"}}};
template <> inline constexpr std::string_view document_name<gate::SilentBelow> = "silent_below";
template <>
inline constexpr auto fields<gate::SilentBelow> = Rows{
    Field{"amount",
          &gate::SilentBelow::amount,
          {.unit = "currency/month", .min = 0, .max = kLargest, .help = "smaller changes are not reported"}},
    Field{"fraction", &gate::SilentBelow::fraction, {.unit = "fraction", .min = 0, .max = 1, .help = "the same, of the base"}}};
template <> inline constexpr std::string_view document_name<gate::GateFile> = "gate_file";
template <>
inline constexpr auto fields<gate::GateFile> = Rows{
    Field{"rules", &gate::GateFile::rules, {.min = 1, .max = 200, .required = true, .help = "each is judged for each scenario"}},
    Field{"uncertainty",
          &gate::GateFile::uncertainty,
          {.help = "inputs with their distributions, as of a simulation; probability_within_budget needs it"}},
    Field{"silent_below",
          &gate::GateFile::silent_below,
          {.help = "nothing is reported where every rule is kept and cost changes by less"}}};

} // namespace costcurve::model
