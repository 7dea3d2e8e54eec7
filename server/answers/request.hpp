// Requests as structs: members that are more than plain values, and decoding by field tables. No HTTP.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "model/documents/field.hpp"
#include "server/answers/limits.hpp"
#include "server/documents/decoder.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::answers {

/// Names of a question: its path, and its request and answer in the API description. A request type has it as `names` and its
/// answer type as `Answer`; a long question also has `stage`, the name of its work for progress.
struct QuestionNames {
    std::string_view path;
    std::string_view help;
    std::string_view request;
    std::string_view answer;
    std::string_view answer_help = "";
    std::string_view request_help = "";
};

/// A scenario, or the id of a stored one. Refers to the request's body, which must outlive it.
struct ScenarioInput {
    const JsonValue* value = nullptr;
    std::string pointer; ///< its place in the request
};

/// {JSON Pointer into the resolved scenario: value}. Refers to the request's body, which outlives it.
struct WhatIf {
    const JsonValue* value = nullptr; ///< null: nothing is changed
    std::string pointer;
};

/// {JSON Pointer into the resolved scenario, * for any index or name: factor}. Refers to the request's body, which outlives it.
struct Scaling {
    const JsonValue* value = nullptr; ///< null: nothing is scaled
    std::string pointer;
};

/// A moment `as_of` in the store's form; empty for now.
struct Moment {
    std::optional<std::string> as_of;
};

/// One of the scenarios of a list: its number, or its id.
struct BaselineChoice {
    std::variant<std::size_t, std::string> which = std::size_t{0};
};

using documents::Decoder;
using documents::Pointer;
void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec,
                   ScenarioInput& scenario);
void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec, WhatIf& what_if);
void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec,
                   Scaling& scaling);
void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec, Moment& moment);
void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec,
                   BaselineChoice& choice);

/// Converts `as_of` to the store's form: a past time, or "@" and the number of a change.
[[nodiscard]] model::Result<std::string> read_as_of(std::string_view text, const std::string& pointer);

/// Rows that requests about scenarios share.
inline constexpr model::FieldSpec kScenarioSpec{.required = true, .help = "a scenario, or the id of a stored one"};
inline constexpr model::FieldSpec kMomentSpec{
    .help = "the store as it was known then: a time of RFC 3339, or @ and a change's number; else now"};
template <class R>
inline constexpr auto what_if_fields = model::Rows{
    model::Field<R, WhatIf>{"set", &R::set, {.help = "{JSON Pointer into the resolved scenario: value}: what if"}},
    model::Field<R, Scaling>{"scale",
                             &R::scale,
                             {.min = 0,
                              .max = model::kLargest,
                              .format = model::Format::pointer,
                              .help =
                                  "{JSON Pointer into the resolved scenario, where * is any index or name: factor of all numbers "
                                  "and curves there}; after set"}},
    model::Field<R, Moment>{"as_of", &R::as_of, kMomentSpec},
};
template <class R>
inline constexpr auto deadline_field = model::Rows{model::Field<R, std::optional<double>>{
    "deadline_s",
    &R::deadline_s,
    {.unit = "s", .min = 0.001, .max = 86400, .help = "seconds that the answer may take; the setting where absent"}}};
/// Field spec of a number that is an input's or output's value.
inline constexpr model::FieldSpec bounded(std::string_view help, bool required) {
    return {.min = -model::kLargest, .max = model::kLargest, .required = required, .help = help};
}
inline constexpr model::FieldSpec pointer_to(std::string_view help, bool required) {
    return {.required = required, .format = model::Format::pointer, .help = help};
}

/// Rules between a request's members, and the service's limits; a request without any has no overload of its own.
template <class R> void check(R& /*request*/, const QuestionLimits& /*limits*/, model::Failure& /*issues*/) {}

/// 422 issue if the deadline exceeds the setting.
void check_deadline(const std::optional<double>& deadline_s, const QuestionLimits& limits, model::Failure& issues);

/// Adds broken rules to the issues, except rules about members that already have issues.
void add_consequent(model::Failure& issues, model::Failure broken);

/// Decodes a body to a request; all issues at once.
template <class R> [[nodiscard]] model::Result<R> decode_request(const JsonValue& body, const QuestionLimits& limits) {
    Decoder decoder;
    R request;
    decoder.decode_object(body, Pointer(""), request);
    model::Failure broken;
    check(request, limits, broken);
    add_consequent(decoder.issues, std::move(broken));
    if (!decoder.issues.empty()) {
        return tl::unexpected(std::move(decoder.issues));
    }
    return request;
}

/// Issues for duplicate texts in a list.
void check_each_once(const std::vector<std::string>& texts, const std::string& pointer, model::Failure& issues);

/// A text that is not JSON is one issue.
[[nodiscard]] model::Result<ParsedJson> parse_body(std::string_view text);

/// The request that a text is.
template <class R> [[nodiscard]] model::Result<R> parse_request(std::string_view text, const QuestionLimits& limits) {
    return parse_body(text).and_then([&](const ParsedJson& body) { return decode_request<R>(*body, limits); });
}

} // namespace costcurve::answers
