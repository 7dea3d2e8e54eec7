// Choices of the optimizer as what-if sets, one for each combination of values.
#include "server/answers/optimize/choices.hpp"

#include <algorithm>
#include <deque>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/text.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/patch.hpp"

namespace costcurve::answers {

namespace {

using model::Code;
using nlohmann::json;

/// Maximum size of all combinations as text; they take several times as much in memory.
constexpr std::size_t kMaxCombinedBytes = std::size_t{32} << 20U;

Choice choice_of(const DecideInput& input, const std::string& at, model::Failure& issues) {
    Choice choice{input.pointer, at, {}};
    for (const JsonValue& value : input.values.value->entries()) {
        std::string text = value.dump();
        if (std::find(choice.values.begin(), choice.values.end(), text) != choice.values.end()) {
            issues.push_back(
                {fmt::format("{}/values/{}", at, choice.values.size()), Code::duplicate, shortened(text, 60) + " stands twice"});
        }
        choice.values.push_back(std::move(text));
    }
    return choice;
}

// Replaces pointers into the scenario by the value's place in the request.
model::Failure at_value(const model::Failure& issues, const std::string& place, const std::string& at_choice, std::size_t number) {
    model::Failure moved;
    for (model::Issue issue : issues) {
        if (issue.pointer.starts_with(place)) {
            issue.pointer.replace(0, place.size(), fmt::format("{}/values/{}", at_choice, number));
        } else if (issue.pointer.starts_with(at_choice)) { // the scenario has no such place
            issue.pointer = at_choice + "/pointer";
        }
        moved.push_back(std::move(issue));
    }
    return moved;
}

// Checks each value by itself, so that its errors are reported once instead of once per combination.
model::Failure check_values(const model::Placed& scenario, const std::vector<Choice>& choices, documents::Source& source) {
    model::Failure issues;
    for (const Choice& choice : choices) {
        for (std::size_t v = 0; v < choice.values.size(); ++v) {
            const json set = {{choice.pointer, *parse_json(choice.values[v])}};
            const auto patched = documents::patched(scenario.document, *ParsedJson(set), scenario.at, choice.at, source);
            if (!patched) {
                issues.add_all(at_value(patched.error(), scenario.at + choice.pointer, choice.at, v));
            }
        }
    }
    return issues;
}

std::size_t combinations_of(const std::vector<Choice>& choices) {
    std::size_t count = 1;
    for (const Choice& choice : choices) {
        count = std::min(kMaxCombinations + 1, count * choice.values.size());
    }
    return count;
}

// POINTER=min:max, or POINTER=[values as JSON]. `values` holds what it points into.
std::optional<DecideInput> read_decide(std::string_view text, std::deque<ParsedJson>& values) {
    if (const std::size_t list = text.find("=["); list != std::string_view::npos) {
        auto parsed = parse(text.substr(list + 1));
        if (!parsed || (*parsed)->empty()) {
            return std::nullopt;
        }
        const ParsedJson& kept = values.emplace_back(std::move(*parsed));
        return DecideInput{std::string(text.substr(0, list)), std::nullopt, std::nullopt, {&*kept}};
    }
    const std::size_t equals = text.rfind('=');
    const std::size_t colon = text.rfind(':');
    if (equals == std::string_view::npos || colon == std::string_view::npos || colon < equals) {
        return std::nullopt;
    }
    const auto min = model::read_number<int>(text.substr(equals + 1, colon - equals - 1));
    const auto max = model::read_number<int>(text.substr(colon + 1));
    return min && max ? std::optional(DecideInput{std::string(text.substr(0, equals)), min, max, {}}) : std::nullopt;
}

} // namespace

void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec,
                   ChoiceValues& values) {
    static const JsonValue nothing{
        std::span<const JsonValue>()}; // placeholder for an unreadable value, so that it still counts as a choice
    values.value = &nothing;
    if (!value.is_array()) {
        decoder.wrong_type(value, pointer, "an array of values");
    } else if (value.empty() || static_cast<double>(value.size()) > spec.max) {
        decoder.add(pointer, Code::out_of_range,
                    fmt::format("{} has {} entries; allowed {} to {}", pointer.last(), value.size(), spec.min, spec.max));
    } else {
        values.value = &value;
    }
}

const std::string& Combinations::value(std::size_t number, std::size_t k) const {
    for (std::size_t other = choices.size() - 1; other > k; --other) {
        number /= choices[other].values.size();
    }
    return choices[k].values[number % choices[k].values.size()];
}

model::Result<Decisions> split_decisions(const std::vector<DecideInput>& decide) {
    Decisions decisions;
    model::Failure issues;
    for (std::size_t i = 0; i < decide.size(); ++i) {
        const DecideInput& input = decide[i];
        const std::string at = fmt::format("/decide/{}", i);
        const bool is_chosen = input.values.value != nullptr;
        if (is_chosen ? input.min || input.max : !input.min || !input.max) {
            issues.push_back({at, Code::inconsistent, "give min and max, or values: one of which is chosen"});
            continue;
        }
        const auto same = [&](const DecideInput& other) { return other.pointer == input.pointer; };
        if (is_chosen && std::count_if(decide.begin(), decide.end(), same) > 1) {
            issues.push_back({at + "/pointer", Code::duplicate, fmt::format("{} is decided twice", input.pointer)});
            continue;
        }
        if (is_chosen) {
            decisions.choices.push_back(choice_of(input, at, issues));
        } else {
            decisions.ranges.push_back({input.pointer, *input.min, *input.max, at});
        }
    }
    if (combinations_of(decisions.choices) > kMaxCombinations) {
        issues.push_back({"/decide", Code::too_large,
                          fmt::format("the choices have more than {} combinations of values; state fewer values, or decide some of "
                                      "them in a request of their own",
                                      kMaxCombinations)});
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return decisions;
}

model::Result<Decisions> read_decisions(const std::vector<std::string>& texts) {
    std::deque<ParsedJson> values;
    std::vector<DecideInput> inputs;
    for (const std::string& text : texts) {
        auto input = read_decide(text, values);
        if (!input) {
            return tl::unexpected(model::Failure{
                {"--decide", model::Code::bad_format,
                 fmt::format("'{}': give POINTER=min:max, whole numbers, or POINTER=[values], a list in JSON", text)}});
        }
        inputs.push_back(std::move(*input));
    }
    return split_decisions(inputs);
}

model::Result<Combinations> combine(const model::Placed& scenario, std::vector<Choice> choices, documents::Source& source) {
    Combinations combinations{std::move(choices), {}};
    if (combinations.choices.empty()) {
        return combinations;
    }
    if (model::Failure issues = check_values(scenario, combinations.choices, source); !issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    std::size_t bytes = 0;
    const std::size_t count = combinations_of(combinations.choices);
    for (std::size_t number = 0; number < count; ++number) {
        json set = json::object();
        for (std::size_t k = 0; k < combinations.choices.size(); ++k) {
            set[combinations.choices[k].pointer] = *parse_json(combinations.value(number, k));
        }
        auto patched = documents::patched(scenario.document, *ParsedJson(set), scenario.at, "/decide", source);
        if (!patched) {
            return tl::unexpected(std::move(patched.error()));
        }
        bytes += documents::encode_scenario(*patched).size();
        if (bytes > kMaxCombinedBytes) {
            return tl::unexpected(model::Failure{
                {"/decide", Code::too_large,
                 fmt::format("{} combinations of this scenario are more than {} MiB of documents; state fewer values, or shorter "
                             "curves",
                             count, kMaxCombinedBytes >> 20U)}});
        }
        combinations.scenarios.push_back({std::move(*patched), scenario.at});
    }
    return combinations;
}

} // namespace costcurve::answers
