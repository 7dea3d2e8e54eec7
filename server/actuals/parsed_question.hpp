// Parses a text with a request about one scenario and stored measurements, for the command line.
#pragma once

#include <string_view>
#include <utility>

#include "server/answers/evaluate.hpp"
#include "server/answers/scenario_selection.hpp"

namespace costcurve::actuals {

/// A request, with its scenario resolved.
template <class R> struct ParsedQuestion {
    R request;
    model::ScenarioDocument scenario;
};

template <class R> [[nodiscard]] model::Result<ParsedQuestion<R>> parse_question(std::string_view text, documents::Source& source) {
    const model::Result<ParsedJson> body = answers::parse_body(text);
    if (!body) {
        return tl::unexpected(body.error());
    }
    model::Result<R> request = answers::decode_request<R>(**body, {});
    if (!request) {
        return tl::unexpected(std::move(request.error()));
    }
    auto scenarios = answers::resolve_selection(answers::selection_of(*request), source);
    if (!scenarios) {
        return tl::unexpected(std::move(scenarios.error()));
    }
    return ParsedQuestion<R>{std::move(*request), std::move(scenarios->front().document)};
}

} // namespace costcurve::actuals
