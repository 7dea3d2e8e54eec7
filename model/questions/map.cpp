// A task is a few cells, one after another in a row.
#include "model/questions/map.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "model/questions/ranking.hpp"
#include "model/questions/turns.hpp"

namespace costcurve::model {

namespace {

// State that each worker keeps for itself.
struct CellBound {
    CellBound(const std::vector<Placed>& placed, const MapQuestion& question, Failure& issues)
        : scenarios(placed, question.ignore_unserved) {
        const auto bind_axis = [&](const MapAxis& axis) {
            const Result<std::size_t> input = scenarios.bind(axis.pointer, axis.at + "/pointer");
            if (!input) {
                issues.add_all(input.error());
            }
            return input.value_or(0);
        };
        x = bind_axis(question.x);
        y = bind_axis(question.y);
        scenarios.rank_by(question.output);
        auto bound = scenarios.bind_output(question.output, "/output");
        if (bound) {
            figures = std::move(*bound);
            scenarios.want(figures.front().wanted);
        } else {
            issues.add_all(bound.error());
        }
    }
    Alternatives scenarios;
    std::size_t x = 0;
    std::size_t y = 0;
    std::vector<BoundFigure> figures;
};

// Adds an issue for every value of an axis that is outside its input's range.
void check_axis(CellBound& bound, std::size_t input, const MapAxis& axis, Failure& issues) {
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
        if (auto issue = bound.scenarios.set(input, axis.values[i], fmt::format("{}/values/{}", axis.at, i))) {
            issues.push_back(std::move(*issue));
        }
    }
    bound.scenarios.reset(input);
}

struct Failures {
    std::size_t count = 0;
    std::optional<Issue> first;
    std::vector<char> outages; // by scenario: whether any of its replicas fail in a cell
};

// Evaluates one cell. The axes' values were checked before, so setting them can't fail.
void evaluate_cell(CellBound& bound, const MapQuestion& question, std::size_t row, std::size_t column, CheapestMap& map,
                   Failures& failures) {
    std::ignore = bound.scenarios.set(bound.y, question.y.values[row], "");
    std::ignore = bound.scenarios.set(bound.x, question.x.values[column], "");
    std::vector<Candidate> candidates(bound.scenarios.size());
    std::vector<const Summary*> summaries(bound.scenarios.size(), nullptr);
    for (std::size_t s = 0; s < bound.scenarios.size(); ++s) {
        const Result<const Evaluation*> evaluated = bound.scenarios.evaluate(s);
        if (!evaluated) {
            ++failures.count;
            failures.first = failures.first ? failures.first : evaluated.error().front();
            continue;
        }
        const Summary& summary = (*evaluated)->summary;
        summaries[s] = &summary;
        if (has_outages((*evaluated)->compiled)) {
            failures.outages.resize(bound.scenarios.size(), 0);
            failures.outages[s] = 1;
        }
        candidates[s] = {bound.figures[s].read(summary), bound.scenarios.may_rank(summary)};
        map.values[s][row][column] = candidates[s].figure;
        map.feasible[s][row][column] = summary.is_feasible() ? 1 : 0;
        map.eligible[s][row][column] = candidates[s].is_eligible ? 1 : 0;
    }
    map.same_work[row][column] = bound.scenarios.do_same_work(summaries) ? 1 : 0;
    if (map.same_work[row][column] != 0) {
        map.cheapest[row][column] = cheapest_of(candidates);
    }
}

// The fraction of the way between two neighbours at which a and b cost the same; empty if nowhere.
std::optional<double> crossing(const std::optional<double>& a0, const std::optional<double>& b0, const std::optional<double>& a1,
                               const std::optional<double>& b1) {
    if (!a0 || !b0 || !a1 || !b1) {
        return std::nullopt;
    }
    const double before = *b0 - *a0; // not below 0, because a is the cheapest at the first cell
    const double behind = *a1 - *b1; // not below 0 either, because b is the cheapest at the second cell
    return before + behind > 0 ? std::optional(before / (before + behind)) : std::nullopt;
}

void add_boundary(const MapQuestion& question, CheapestMap& map) {
    const auto add = [&](std::size_t row, std::size_t column, std::size_t next_row, std::size_t next_column) {
        const auto a = map.cheapest[row][column];
        const auto b = map.cheapest[next_row][next_column];
        if (!a || !b || *a == *b) {
            return;
        }
        const auto is_eligible = [&](std::size_t s) {
            return map.eligible[s][row][column] && map.eligible[s][next_row][next_column];
        };
        if (!is_eligible(*a) || !is_eligible(*b)) { // the boundary of what a scenario can do is not a boundary of cost
            return;
        }
        const auto& of_a = map.values[*a];
        const auto& of_b = map.values[*b];
        const auto share = crossing(of_a[row][column], of_b[row][column], of_a[next_row][next_column], of_b[next_row][next_column]);
        if (share) {
            const auto between = [&](const std::vector<double>& values, std::size_t first, std::size_t second) {
                return values[first] + *share * (values[second] - values[first]);
            };
            map.boundary.push_back(
                {between(question.x.values, column, next_column), between(question.y.values, row, next_row), {*a, *b}});
        }
    };
    for (std::size_t row = 0; row < question.y.values.size(); ++row) {
        for (std::size_t column = 0; column < question.x.values.size(); ++column) {
            if (column + 1 < question.x.values.size()) {
                add(row, column, row, column + 1);
            }
            if (row + 1 < question.y.values.size()) {
                add(row, column, row + 1, column);
            }
        }
    }
}

// Notes where a scenario's output first turns along an axis, by the values of each row or column.
void add_turns(const MapQuestion& question, std::size_t scenario, CheapestMap& map) {
    const auto& values = map.values[scenario];
    const auto add = [&](bool is_along_x) {
        const MapAxis& along = is_along_x ? question.x : question.y;
        const MapAxis& across = is_along_x ? question.y : question.x;
        for (std::size_t line = 0; line < across.values.size(); ++line) {
            std::vector<Seen> seen;
            for (std::size_t i = 0; i < along.values.size(); ++i) {
                if (const auto& value = is_along_x ? values[line][i] : values[i][line]) {
                    seen.push_back({along.values[i], *value});
                }
            }
            if (const auto turn = first_turn(std::move(seen))) {
                map.turns.push_back(
                    {scenario, is_along_x, is_along_x ? *turn : across.values[line], is_along_x ? across.values[line] : *turn});
                return;
            }
        }
    };
    add(true);
    add(false);
}

// The differences in the first cell, if in no cell all scenarios do the same work.
std::vector<ScenarioDifference> first_differences(CellBound& bound, const MapQuestion& question, const CheapestMap& map) {
    std::optional<std::pair<std::size_t, std::size_t>> first;
    for (std::size_t row = 0; row < question.y.values.size(); ++row) {
        for (std::size_t column = 0; column < question.x.values.size(); ++column) {
            const bool is_same = map.same_work[row][column] != 0;
            if (is_same && std::any_of(map.values.begin(), map.values.end(), [&](const auto& of) { return of[row][column]; })) {
                return {};
            }
            first = first || is_same ? first : std::optional(std::pair(row, column));
        }
    }
    std::vector<ScenarioDifference> differences;
    if (first) {
        (void)bound.scenarios.set(bound.y, question.y.values[first->first], "");
        (void)bound.scenarios.set(bound.x, question.x.values[first->second], "");
    }
    for (std::size_t from = 0; first && differences.empty() && from < bound.scenarios.size(); ++from) {
        differences = bound.scenarios.differences(from); // empty if scenario `from` breaks a rule there
    }
    return differences;
}

bool failed_everywhere(const std::vector<std::vector<std::optional<double>>>& values) {
    return std::all_of(values.begin(), values.end(), [](const auto& row) {
        return std::none_of(row.begin(), row.end(), [](const auto& value) { return value.has_value(); });
    });
}

// The issues of scenarios that break a rule in every cell.
Failure broken_everywhere(CellBound& bound, const CheapestMap& map) {
    Failure issues;
    bound.scenarios.reset(bound.x);
    bound.scenarios.reset(bound.y);
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        if (failed_everywhere(map.values[i])) {
            if (const auto evaluated = bound.scenarios.evaluate(i); !evaluated) {
                issues.add_all(evaluated.error());
            }
        }
    }
    return issues;
}

} // namespace

Result<CheapestMap> map_cheapest(const std::vector<Placed>& scenarios, const MapQuestion& question, const Runner& runner) {
    Failure issues;
    std::vector<std::unique_ptr<CellBound>> workers;
    workers.push_back(std::make_unique<CellBound>(scenarios, question, issues));
    CellBound& first = *workers.front();
    if (issues.empty()) {
        check_axis(first, first.x, question.x, issues);
        check_axis(first, first.y, question.y, issues);
    }
    if (question.x.pointer == question.y.pointer) {
        issues.push_back({question.y.at + "/pointer", Code::duplicate, "x and y are the same input; give two"});
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    while (workers.size() < runner.workers) {
        workers.push_back(std::make_unique<CellBound>(scenarios, question, issues));
    }
    const std::size_t rows = question.y.values.size();
    const std::size_t columns = question.x.values.size();
    CheapestMap map;
    map.x_unit = first.scenarios.input(first.x).unit;
    map.y_unit = first.scenarios.input(first.y).unit;
    map.output_unit = first.figures.front().unit;
    map.cheapest.assign(rows, std::vector<std::optional<std::size_t>>(columns));
    map.values.assign(scenarios.size(), {rows, std::vector<std::optional<double>>(columns)});
    map.feasible.assign(scenarios.size(), {rows, std::vector<char>(columns, 0)});
    map.eligible = map.feasible;
    map.same_work.assign(rows, std::vector<char>(columns, 0));
    constexpr std::size_t kCells = 16; // cells per task
    const std::size_t cells = rows * columns;
    std::vector<Failures> failures((cells + kCells - 1) / kCells);
    const bool whole = runner.run(failures.size(), [&](std::size_t worker, std::size_t task) {
        for (std::size_t cell = task * kCells; cell < std::min((task + 1) * kCells, cells); ++cell) {
            evaluate_cell(*workers[worker], question, cell / columns, cell % columns, map, failures[task]);
        }
    });
    if (!whole) {
        return tl::unexpected(Failure{});
    }
    for (Failures& of_task : failures) {
        map.failed += of_task.count;
        map.first_failure = map.first_failure ? map.first_failure : std::move(of_task.first);
    }
    issues = broken_everywhere(first, map);
    if (issues.empty() && map.failed == cells * scenarios.size()) {
        issues.push_back(*map.first_failure);
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    map.differences = first_differences(first, question, map);
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        if (std::any_of(failures.begin(), failures.end(),
                        [s](const Failures& task) { return !task.outages.empty() && task.outages[s]; })) {
            add_turns(question, s, map);
        }
    }
    add_boundary(question, map);
    return map;
}

} // namespace costcurve::model
