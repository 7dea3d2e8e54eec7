// POST /v1/map: axes as lists of values or as steps, and the grid's text.
#include "server/api/map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/asked.hpp"
#include "server/api/compare.hpp"
#include "server/api/encode_questions.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using nlohmann::json;

constexpr double kMost = 1e15;
constexpr auto kSpacings = std::to_array<std::string_view>({"linear", "log"});

std::vector<double> read_steps(Members& members, std::size_t most) {
    for (const std::string_view name : {"from", "to", "steps"}) {
        members.require(name, "give values, or from, to and steps");
    }
    const auto from = members.number("from", -kMost, kMost, "");
    const auto to = members.number("to", -kMost, kMost, "");
    const auto steps = members.whole("steps", 2, static_cast<std::int64_t>(most));
    const bool is_log = members.choice("spacing", kSpacings).value_or(0) == 1;
    if (!from || !to || !steps) {
        return {};
    }
    if (is_log && (*from <= 0 || *to <= 0)) {
        members.add("from", Code::inconsistent, fmt::format("log spacing from {} to {}: both must be above 0", *from, *to));
        return {};
    }
    return spaced(*from, *to, static_cast<std::size_t>(*steps), is_log);
}

model::MapAxis read_axis(Members& question, std::string_view name, std::size_t most) {
    question.require(name, "an object {pointer, values}");
    const json* const value = question.find(name);
    if (value == nullptr) {
        return {};
    }
    Members members(*value, question.at(name), {"pointer", "values", "from", "to", "steps", "spacing"});
    members.require("pointer", "a JSON Pointer");
    model::MapAxis axis{members.text("pointer").value_or(""), question.at(name), {}};
    if (members.find("values") == nullptr) {
        axis.values = read_steps(members, most);
    } else {
        axis.values = members.numbers("values", most);
        for (const std::string_view other : {"from", "to", "steps", "spacing"}) {
            if (members.find(other) != nullptr) {
                members.add(other, Code::inconsistent, "give values, or from, to and steps");
            }
        }
    }
    question.add_all(std::move(members.issues));
    return axis;
}

void write_axis(JsonWriter& out, std::string_view name, const model::MapAxis& axis, const std::string& unit) {
    out.key(name).begin_object().member("pointer", axis.pointer).member("unit", unit).key("values").begin_array();
    for (const double value : axis.values) {
        out.value(value);
    }
    out.end_array().end_object();
}

void write_grid(JsonWriter& out, const auto& rows, const auto& write) {
    out.begin_array();
    for (const auto& row : rows) {
        out.begin_array();
        for (const auto& cell : row) {
            cell ? write(*cell) : static_cast<void>(out.null());
        }
        out.end_array();
    }
    out.end_array();
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

std::optional<model::Issue> check_cells(const model::MapQuestion& question, std::size_t scenarios, const QuestionLimits& limits) {
    const std::size_t values = question.x.values.size() * question.y.values.size() * scenarios;
    if (values <= limits.cells) {
        return std::nullopt;
    }
    return model::Issue{"", Code::too_large,
                        fmt::format("{} x times {} y times {} scenarios is {} values; allowed up to {}, the setting --max-cells",
                                    question.x.values.size(), question.y.values.size(), scenarios, values, limits.cells)};
}

std::string encode_map(const model::CheapestMap& map, const model::MapQuestion& question,
                       const std::vector<model::Placed>& scenarios) {
    const std::string& currency = scenarios.front().document.currency;
    JsonWriter out;
    const auto write_index = [&](std::size_t index) { out.value(static_cast<int>(index)); };
    out.begin_object().member("output", question.output).member("unit", map.output_unit);
    write_axis(out, "x", question.x, with_currency(map.x_unit, currency));
    write_axis(out, "y", question.y, with_currency(map.y_unit, currency));
    out.key("scenarios").begin_array();
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        out.value(name_of_scenario(scenarios[s].document, s));
    }
    out.end_array().key("cheapest");
    write_grid(out, map.cheapest, write_index);
    out.key("values").begin_array();
    for (const auto& grid : map.values) {
        write_grid(out, grid, [&](double value) { out.value(value); });
    }
    out.end_array().key("boundary").begin_array();
    for (const model::BoundaryPoint& point : map.boundary) {
        out.begin_object().member("x", point.x).member("y", point.y).key("between").begin_array();
        write_index(point.between[0]);
        write_index(point.between[1]);
        out.end_array().end_object();
    }
    out.end_array().member("failed", static_cast<double>(map.failed));
    write_first_failure(out, map.first_failure);
    return out.end_object().take();
}

Attempt<http::Response> post_map(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    Members members(*body, "", {"scenarios", "x", "y", "output", "deadline_s", "set", "as_of"});
    Asked asked;
    ask_several(members, "scenarios", 1, asked);
    ask_moment(members, asked);
    const double deadline_s = read_deadline(members, service.questions);
    const std::size_t most = service.questions.cells;
    model::MapQuestion question{read_axis(members, "x", most), read_axis(members, "y", most),
                                members.text("output").value_or("/total/cost")};
    if (auto issue = check_cells(question, asked.scenarios.size(), service.questions)) {
        members.issues.push_back(std::move(*issue));
    }
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    auto scenarios = resolve_asked(service, asked);
    if (!scenarios) {
        return tl::unexpected(scenarios.error());
    }
    return answer_long(service, call, deadline_s, "cells",
                       [scenarios = std::move(*scenarios), question = std::move(question)](const model::Runner& runner) {
                           return map_cheapest(scenarios, question, runner)
                               .map([&](const model::CheapestMap& map) { return encode_map(map, question, scenarios); })
                               .map_error([](model::Failure issues) { return refused(std::move(issues)).value(); });
                       });
}

} // namespace costcurve::api
