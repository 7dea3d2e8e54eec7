// A decision as a document: a question, the scenarios that answer it, and what is assumed: what a page of the dashboard shows.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "model/documents/fields.hpp"

namespace costcurve::model {

/// How far an assumption may move, in each scenario that has it.
struct DecisionRange {
    std::string pointer; ///< JSON Pointer of an input, where * is any index or name: then low and high are factors
    double low = 0.0;
    double high = 0.0;
    std::string label;
    friend bool operator==(const DecisionRange&, const DecisionRange&) = default;
};

/// A named set of changed assumptions, as requests have it.
struct DecisionBranch {
    std::string name;
    std::map<std::string, double> set;   ///< by JSON Pointer
    std::map<std::string, double> scale; ///< factors by JSON Pointer, where * is any index or name
    friend bool operator==(const DecisionBranch&, const DecisionBranch&) = default;
};

struct DecisionDocument {
    std::string id, source, note;
    Stored stored;
    std::string name;
    std::string question;
    std::vector<std::string> scenarios; ///< ids
    std::string baseline;               ///< an id among them; "" for none
    std::vector<DecisionRange> ranges;
    std::optional<double> budget; ///< in the scenarios' currency
    std::string notes;
    std::map<std::string, int> colours; ///< by scenario's id, from 1
    std::vector<DecisionBranch> branches;
    friend bool operator==(const DecisionDocument&, const DecisionDocument&) = default;
};
inline constexpr int kMaxColour = 8;

template <> inline constexpr std::string_view document_name<DecisionRange> = "decision_range";
template <>
inline constexpr auto fields<DecisionRange> = Rows{
    Field{"pointer",
          &DecisionRange::pointer,
          {.required = true, .format = Format::pointer, .help = "to an input; * in it is any index or name"}},
    Field{"low",
          &DecisionRange::low,
          {.min = -kLargest, .max = kLargest, .required = true, .help = "in the input's unit; where the pointer has *, a factor"}},
    Field{"high", &DecisionRange::high, {.min = -kLargest, .max = kLargest, .required = true, .help = "above low"}},
    Field{"label", &DecisionRange::label, {.help = "what people call it"}},
};
template <> inline constexpr std::string_view document_name<DecisionBranch> = "decision_branch";
template <>
inline constexpr auto fields<DecisionBranch> = Rows{
    Field{"name", &DecisionBranch::name, {.required = true, .help = "for people; each once"}},
    Field{"set",
          &DecisionBranch::set,
          {.min = -kLargest, .max = kLargest, .format = Format::pointer, .help = "{JSON Pointer: number}, as requests have it"}},
    Field{"scale",
          &DecisionBranch::scale,
          {.min = 0,
           .max = kLargest,
           .format = Format::pointer,
           .help = "{JSON Pointer, where * is any index or name: factor}, as requests have it"}},
};
template <>
inline constexpr auto fields<DecisionDocument> = join(
    annotation_fields<DecisionDocument>,
    Rows{
        Field{"name", &DecisionDocument::name, {.help = "for people"}},
        Field{"question", &DecisionDocument::question, {.help = "what is to be decided"}},
        Field{"scenarios",
              &DecisionDocument::scenarios,
              {.min = 1, .max = 64, .required = true, .format = Format::slug, .help = "ids of stored scenarios, each once"}},
        Field{"baseline", &DecisionDocument::baseline, {.format = Format::slug, .help = "the one that others are compared to"}},
        Field{"ranges", &DecisionDocument::ranges, {.min = 0, .max = 100, .help = "how far assumptions may move; a pointer once"}},
        Field{"budget",
              &DecisionDocument::budget,
              {.min = 0, .max = kLargest, .help = "in the scenarios' currency, over the horizon"}},
        Field{"notes", &DecisionDocument::notes, {.help = "what was considered, and why"}},
        Field{"colours",
              &DecisionDocument::colours,
              {.min = 1, .max = kMaxColour, .format = Format::slug, .help = "{id of a scenario: number of its colour in charts}"}},
        Field{"branches", &DecisionDocument::branches, {.min = 0, .max = 100, .help = "named sets of changed assumptions"}},
    });

} // namespace costcurve::model
