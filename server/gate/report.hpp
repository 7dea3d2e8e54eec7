// Findings of a gate: each rule's verdict on each scenario, changes against a base, and unknown parts of a deployment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/answers/answer.hpp"
#include "server/gate/rules.hpp"

namespace costcurve::gate {

/// Verdict on a rule; one that can't be judged is never kept.
enum class Verdict { kept, broken, unknown };

struct Finding {
    std::string scenario;
    std::string file;
    std::string part; ///< the workload or pool; "" of the scenario as a whole
    Figure figure = Figure::cost_per_month;
    Level level = Level::fail;
    Verdict verdict = Verdict::kept;
    std::optional<double> value;
    bool is_at_least = false; ///< of a value of which some is not known
    std::optional<double> limit;
    bool is_min = false; ///< the limit is the least that is allowed
    std::string unit;
    std::string evidence; ///< found
    std::string weakest;  ///< allowed
    std::string why;      ///< of what is not known, or what work is not done
    std::string message;  ///< all of it as a sentence
};

/// Cost a month of a scenario and of its base.
struct Change {
    std::string scenario;
    std::string currency;
    double cost_per_month = 0.0;
    bool is_at_least = false; ///< of a deployment of which some is not known
    std::optional<double> base_cost_per_month;
    std::optional<double> change;
    std::optional<double> change_fraction;
    std::vector<std::string> differs; ///< what of the work is another than the base's
};

/// A question that a plan or manifest leaves open, and its weight.
struct Question {
    std::string file;
    std::string subject; ///< the resource
    std::string what;
    double devices = 0.0; ///< accelerators that it is about; 0 of what moves no price
};

/// Content of a plan or manifest that no reader supports.
struct NotRead {
    std::string file;
    std::string what;
    std::size_t count = 0;
    std::string why;
};

/// How the gate ends: a broken rule before one that can't be judged.
enum class Outcome { pass, warn, fail, unknown };

struct Report {
    Outcome outcome = Outcome::pass;
    bool is_silent = false; ///< nothing is worth a comment
    std::vector<Finding> findings;
    std::vector<Change> changes;
    std::vector<Question> questions;
    std::vector<NotRead> not_read;
};

/// The outcome of the findings, and whether the changes are below what is reported.
void conclude(Report& report, const std::optional<SilentBelow>& silent_below);

} // namespace costcurve::gate

namespace costcurve::model {

template <> inline constexpr auto enum_names<gate::Verdict> = std::to_array<std::string_view>({"kept", "broken", "unknown"});
template <> inline constexpr auto enum_names<gate::Outcome> = std::to_array<std::string_view>({"pass", "warn", "fail", "unknown"});

template <>
inline constexpr auto fields<gate::Finding> = Rows{
    Field{"scenario", &gate::Finding::scenario, {}},
    Field{"file", &gate::Finding::file, {}},
    Field{"part", &gate::Finding::part, {.null_if_empty = true}},
    Field{"figure", &gate::Finding::figure, {}},
    Field{"level", &gate::Finding::level, {}},
    Field{"verdict", &gate::Finding::verdict, {}},
    Field{"value", &gate::Finding::value, {}},
    Field{"is_at_least", &gate::Finding::is_at_least, {}},
    Field{"limit", &gate::Finding::limit, {}},
    Field{"is_min", &gate::Finding::is_min, {}},
    Field{"unit", &gate::Finding::unit, {}},
    Field{"evidence", &gate::Finding::evidence, {.null_if_empty = true}},
    Field{"weakest", &gate::Finding::weakest, {.null_if_empty = true}},
    Field{"why", &gate::Finding::why, {.null_if_empty = true}},
    Field{"message", &gate::Finding::message, {}},
};
template <>
inline constexpr auto fields<gate::Change> = Rows{
    Field{"scenario", &gate::Change::scenario, {}},
    Field{"currency", &gate::Change::currency, {}},
    Field{"cost_per_month", &gate::Change::cost_per_month, {}},
    Field{"is_at_least", &gate::Change::is_at_least, {}},
    Field{"base_cost_per_month", &gate::Change::base_cost_per_month, {}},
    Field{"change", &gate::Change::change, {}},
    Field{"change_fraction", &gate::Change::change_fraction, {}},
    Field{"differs", &gate::Change::differs, {}},
};
template <>
inline constexpr auto fields<gate::Question> = Rows{
    Field{"file", &gate::Question::file, {}},
    Field{"subject", &gate::Question::subject, {}},
    Field{"what", &gate::Question::what, {}},
    Field{"devices", &gate::Question::devices, {}},
};
template <>
inline constexpr auto fields<gate::NotRead> = Rows{
    Field{"file", &gate::NotRead::file, {}},
    Field{"what", &gate::NotRead::what, {}},
    Field{"count", &gate::NotRead::count, {}},
    Field{"why", &gate::NotRead::why, {}},
};
template <>
inline constexpr auto fields<gate::Report> = Rows{
    Field{"outcome", &gate::Report::outcome, {}},     Field{"is_silent", &gate::Report::is_silent, {}},
    Field{"findings", &gate::Report::findings, {}},   Field{"changes", &gate::Report::changes, {}},
    Field{"questions", &gate::Report::questions, {}}, Field{"not_read", &gate::Report::not_read, {}},
};

} // namespace costcurve::model
