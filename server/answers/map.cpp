// A map of the cheapest scenario: axes as lists of values or as steps, and the answer.
#include "server/answers/map.hpp"

#include <cmath>

#include <fmt/format.h>

#include "model/questions/ranking.hpp"
#include "model/questions/turns.hpp"
#include "server/answers/compare.hpp"

namespace costcurve::answers {

namespace {

using model::Code;

void fill_axis(AxisRequest& axis, const std::string& at, const QuestionLimits& limits, model::Failure& issues) {
    if (!axis.values.empty()) {
        const auto refuse = [&](bool is_given, const char* name) {
            if (is_given) {
                issues.push_back({fmt::format("{}/{}", at, name), Code::inconsistent, "give values, or from, to and steps"});
            }
        };
        refuse(axis.from.has_value(), "from");
        refuse(axis.to.has_value(), "to");
        refuse(axis.steps.has_value(), "steps");
        refuse(axis.spacing.has_value(), "spacing");
        return;
    }
    const auto require = [&](bool is_given, const char* name) {
        if (!is_given) {
            issues.push_back({fmt::format("{}/{}", at, name), Code::missing,
                              fmt::format("{} is required: give values, or from, to and steps", name)});
        }
    };
    require(axis.from.has_value(), "from");
    require(axis.to.has_value(), "to");
    require(axis.steps.has_value(), "steps");
    if (!axis.from || !axis.to || !axis.steps) {
        return;
    }
    const bool is_log = axis.spacing == Spacing::log;
    if (static_cast<std::size_t>(*axis.steps) > limits.cells) {
        issues.push_back({at + "/steps", Code::out_of_range,
                          fmt::format("steps is {}; allowed 2 to {}, the setting --max-cells", *axis.steps, limits.cells)});
    } else if (is_log && (*axis.from <= 0 || *axis.to <= 0)) {
        issues.push_back({at + "/from", Code::inconsistent,
                          fmt::format("log spacing from {} to {}: both must be above 0", *axis.from, *axis.to)});
    } else {
        axis.values = spaced(*axis.from, *axis.to, static_cast<std::size_t>(*axis.steps), is_log);
    }
}

} // namespace

std::vector<double> spaced(double from, double to, std::size_t steps, bool is_log) {
    std::vector<double> values(steps, to);
    for (std::size_t i = 0; i + 1 < steps; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(steps - 1);
        values[i] = is_log ? from * std::pow(to / from, share) : from + share * (to - from);
    }
    return values;
}

std::optional<model::Issue> check_cells(std::size_t x, std::size_t y, std::size_t scenarios, const QuestionLimits& limits) {
    const std::size_t values = x * y * scenarios;
    if (values <= limits.cells) {
        return std::nullopt;
    }
    return model::Issue{"", Code::too_large,
                        fmt::format("{} x times {} y times {} scenarios is {} values; allowed up to {}, the setting --max-cells", x,
                                    y, scenarios, values, limits.cells)};
}

void check(MapRequest& request, const QuestionLimits& limits, model::Failure& issues) {
    check_deadline(request.deadline_s, limits, issues);
    fill_axis(request.x, "/x", limits, issues);
    fill_axis(request.y, "/y", limits, issues);
    if (auto issue = check_cells(request.x.values.size(), request.y.values.size(), request.scenarios.size(), limits)) {
        issues.push_back(std::move(*issue));
    }
}

std::string encode_map(const model::CheapestMap& map, const model::MapQuestion& question,
                       const std::vector<model::Placed>& scenarios) {
    MapAnswer answer;
    answer.output = question.output;
    answer.unit = map.output_unit;
    answer.x = {question.x.pointer, map.x_unit, question.x.values};
    answer.y = {question.y.pointer, map.y_unit, question.y.values};
    answer.cheapest = map.cheapest;
    answer.values = map.values;
    answer.failed = map.failed;
    answer.first_failure = map.first_failure;
    static_cast<Comparable&>(answer) = comparable_of(map.differences, question.ignore_unserved);
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        answer.scenarios.push_back(name_of_scenario(scenarios[s].document, s));
        auto& feasible = answer.feasible.emplace_back();
        for (const std::vector<char>& row : map.feasible[s]) {
            feasible.emplace_back(row.begin(), row.end());
        }
    }
    for (const std::vector<char>& row : map.same_work) {
        answer.same_work.emplace_back(row.begin(), row.end());
    }
    for (const model::BoundaryPoint& point : map.boundary) {
        answer.boundary.push_back({point.x, point.y, {point.between[0], point.between[1]}});
    }
    for (const model::MapTurn& turn : map.turns) {
        answer.notes.push_back(fmt::format("{} of {} both rises and falls along {}, first at x {:g}, y {:g}: {}. Between values of "
                                           "the map it may turn again",
                                           question.output, answer.scenarios[turn.scenario], turn.is_along_x ? "x" : "y", turn.x,
                                           turn.y, model::kWhyOutagesTurn));
    }
    return encode_answer(answer);
}

model::Result<std::string> answer(const MapRequest& request, const std::vector<model::Placed>& scenarios,
                                  const model::Runner& runner) {
    const model::MapQuestion question{{request.x.pointer, "/x", request.x.values},
                                      {request.y.pointer, "/y", request.y.values},
                                      output_or_deciding(request.output, scenarios.front().document),
                                      request.ignore_unserved};
    return map_cheapest(scenarios, question, runner).map([&](const model::CheapestMap& map) {
        return encode_map(map, question, scenarios);
    });
}

} // namespace costcurve::answers
