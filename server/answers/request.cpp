// Decodes scenarios, what-ifs, moments and choices of a request's body.
#include "server/answers/request.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "server/answers/evaluate_request.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::answers {

using model::Code;

void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& /*spec*/,
                   ScenarioInput& scenario) {
    if (!value.is_object() && !value.is_string()) {
        decoder.wrong_type(value, pointer, "a scenario, or the id of a stored one");
    }
    scenario = {&value, pointer};
}

void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& /*spec*/,
                   WhatIf& what_if) {
    if (!value.is_object()) {
        decoder.wrong_type(value, pointer, "an object {JSON Pointer: value}");
    }
    what_if = {&value, pointer};
}

void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec,
                   Scaling& scaling) {
    std::map<std::string, double> factors;
    decoder.decode(value, pointer, spec, factors);
    scaling = {&value, pointer};
}

void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& /*spec*/,
                   Moment& moment) {
    if (value.is_null()) {
        return;
    }
    if (!value.is_string()) {
        decoder.wrong_type(value, pointer, "a time of RFC 3339, or null");
        return;
    }
    model::Result<std::string> as_of = read_as_of(value.text(), pointer);
    if (as_of) {
        moment.as_of = std::move(*as_of);
    } else {
        decoder.issues.add_all(std::move(as_of.error()));
    }
}

void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& /*spec*/,
                   BaselineChoice& choice) {
    if (value.is_string()) {
        choice.which = std::string(value.text());
    } else if (value.is_whole()) {
        choice.which = static_cast<std::size_t>(value.whole());
    } else {
        decoder.wrong_type(value, pointer, "the number of one of the scenarios, from 0, or an id in the list");
    }
}

model::Result<std::string> read_as_of(std::string_view text, const std::string& pointer) {
    const auto wrong = [&](Code code, std::string message) {
        return tl::unexpected(model::Failure{{pointer, code, std::move(message)}});
    };
    if (const auto sequence = storage::parse_sequence(text)) {
        return storage::format_sequence(*sequence);
    }
    const std::optional<std::int64_t> time = storage::parse_time(text);
    if (!time) {
        return wrong(
            Code::bad_format,
            fmt::format("as_of is \"{}\"; give a time of RFC 3339, such as 2026-11-21T10:00:00Z, or @ and a change's number, "
                        "such as @42",
                        shortened(text, 60)));
    }
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch());
    if (*time > now.count()) {
        return wrong(Code::out_of_range, fmt::format("as_of is {}, which has yet to come: what will be known then is not known now",
                                                     storage::format_time(*time)));
    }
    return storage::format_time(*time);
}

void check(BatchRequest& request, const QuestionLimits& /*limits*/, model::Failure& issues) {
    const bool is_listed = !request.scenarios.empty() && !request.scenario && request.sets.empty();
    const bool is_varied = request.scenarios.empty() && request.scenario && !request.sets.empty();
    if (!is_listed && !is_varied) {
        issues.push_back({"", Code::inconsistent, "give {scenarios: […]}, or {scenario, sets: […]}"});
    }
}

void check_deadline(const std::optional<double>& deadline_s, const QuestionLimits& limits, model::Failure& issues) {
    if (deadline_s && *deadline_s > limits.seconds) {
        issues.push_back({"/deadline_s", Code::out_of_range,
                          fmt::format("deadline_s is {} s; allowed 0.001 to {} s, the setting", *deadline_s, limits.seconds)});
    }
}

void add_consequent(model::Failure& issues, model::Failure broken) {
    const auto is_unread = [&](const std::string& pointer) {
        return std::any_of(issues.begin(), issues.end(), [&](const model::Issue& issue) {
            return pointer.starts_with(issue.pointer) &&
                   (pointer.size() == issue.pointer.size() || pointer[issue.pointer.size()] == '/');
        });
    };
    model::Failure added;
    for (model::Issue& issue : broken) {
        const bool is_of_all = issue.pointer.empty() && !issues.empty();
        if (!is_of_all && !is_unread(issue.pointer)) {
            added.push_back(std::move(issue));
        }
    }
    issues.add_all(std::move(added));
}

void check_each_once(const std::vector<std::string>& texts, const std::string& pointer, model::Failure& issues) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (std::find(texts.begin(), texts.end(), texts[i]) != texts.begin() + static_cast<std::ptrdiff_t>(i)) {
            issues.push_back(
                {fmt::format("{}/{}", pointer, i), Code::duplicate, fmt::format("{} stands twice", shortened(texts[i], 60))});
        }
    }
}

model::Result<ParsedJson> parse_body(std::string_view text) {
    auto body = parse(text);
    if (!body) {
        return tl::unexpected(model::Failure{{"", Code::bad_format, body.error().message}});
    }
    return std::move(*body);
}

} // namespace costcurve::answers
