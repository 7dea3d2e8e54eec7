// A figure of a scenario's result as a tree of terms: POST /v1/explain.
#pragma once

#include "model/questions/alternatives.hpp"
#include "model/questions/explain/explain.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/encode_result.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

/// Maximum depth of a requested tree.
inline constexpr int kMaxLevels = 32;

struct ExplainRequest {
    using Answer = struct TermAnswer;
    static constexpr QuestionNames names{"/v1/explain", "any figure of a result as a tree of terms", "explain_request", "term",
                                         "a number, and why it is what it is"};
    ScenarioInput scenario;
    std::string figure;
    std::optional<int> depth;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};

/// Explains a figure of an evaluated scenario (model::explain). `pointer` is the figure's place in the request, for issues.
[[nodiscard]] model::Result<model::Term> explain_evaluated(const Evaluated& evaluated, std::string_view figure,
                                                           std::optional<int> depth, const std::string& pointer);

/// The tree as JSON.
[[nodiscard]] std::string encode_term(const model::Term& tree);
[[nodiscard]] model::Result<std::string> answer(const ExplainRequest& request, const std::vector<model::Placed>& scenarios);

struct TermInputAnswer {
    std::string name;
    std::optional<double> value;
    std::string unit;
    std::optional<std::string> source;
    std::optional<std::int64_t> revision;
    std::string currency;
    std::optional<double> exchange_rate;
    std::optional<std::optional<std::string>> price_day;
};
struct TermAnswer {
    std::string term;
    std::string formula;
    double value = 0.0;
    std::string unit;
    model::Rule rule = model::Rule::leaf;
    std::vector<TermInputAnswer> inputs;
    std::vector<TermAnswer> terms;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<answers::ExplainRequest> =
    join(Rows{Field{"scenario", &answers::ExplainRequest::scenario, answers::kScenarioSpec},
              Field{"figure",
                    &answers::ExplainRequest::figure,
                    {.required = true, .help = "a JSON Pointer to a number of the result, such as /total/cost"}},
              Field{"depth",
                    &answers::ExplainRequest::depth,
                    {.min = 0,
                     .max = answers::kMaxLevels,
                     .help = "levels below the figure, months opened; without it months stay closed"}}},
         answers::what_if_fields<answers::ExplainRequest>);
template <>
inline constexpr auto fields<answers::TermInputAnswer> = Rows{
    Field{"name", &answers::TermInputAnswer::name, {.help = "JSON Pointer into the resolved scenario"}},
    Field{"value", &answers::TermInputAnswer::value, {.help = "null of a curve, and where nothing is stated"}},
    Field{"unit", &answers::TermInputAnswer::unit, {}},
    Field{"source", &answers::TermInputAnswer::source, {}},
    Field{"revision", &answers::TermInputAnswer::revision, {.help = "of the stored document around it"}},
    Field{"currency",
          &answers::TermInputAnswer::currency,
          {.format = Format::currency, .help = "in which it is stated, of money that was converted; else absent", .omit = true}},
    Field{"exchange_rate", &answers::TermInputAnswer::exchange_rate, {.help = "by which that money was multiplied", .omit = true}},
    Field{"price_day",
          &answers::TermInputAnswer::price_day,
          {.format = Format::date,
           .help = "of a price of what is rented or hosted: its day in force at the start; null: not known; else absent",
           .omit = true}}};
template <> inline constexpr std::string_view document_name<answers::TermAnswer> = "term";
template <>
inline constexpr auto fields<answers::TermAnswer> =
    Rows{Field{"term", &answers::TermAnswer::term, {}},
         Field{"formula", &answers::TermAnswer::formula, {}},
         Field{"value", &answers::TermAnswer::value, {}},
         Field{"unit", &answers::TermAnswer::unit, {}},
         Field{"rule", &answers::TermAnswer::rule, {.help = "how the value comes of those of the terms"}},
         Field{"inputs", &answers::TermAnswer::inputs, {}},
         Field{"terms", &answers::TermAnswer::terms, {}}};

} // namespace costcurve::model
