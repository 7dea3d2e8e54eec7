// A comparison is judged by the newest results of its scenarios; its history is read here too (/v1/comparisons/{id}/standings).
#include "server/api/standings.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/standing.hpp"
#include "server/api/handlers.hpp"
#include "server/api/page_answer.hpp"
#include "server/api/recalculation.hpp"
#include "server/api/records.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

using model::EventKind;
using storage::Headline;

constexpr auto kFigures = std::to_array<double Headline::*>(
    {&Headline::cost, &Headline::cash, &Headline::npv, &Headline::npv_after_tax, &Headline::energy_kwh, &Headline::carbon_kg});
static_assert(kFigures.size() == model::enum_names<model::Objective>.size());

std::string kind_of(EventKind kind) { return std::string(model::name_of(kind)); }
std::optional<std::string> text_or_null(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

// The newest results of a comparison's scenarios, side by side.
struct SideBySide {
    std::vector<std::optional<storage::NewestResult>> results; // as its scenarios stand
    std::vector<double> figures;                               // 0 where there is no result
    std::string currency;                                      // "" where the figure is no money
    std::string problem;                                       // why they can't be compared; "" where they can
};

SideBySide look(const storage::Ending& ending, const model::Comparison& comparison) {
    SideBySide found;
    found.results.reserve(comparison.scenarios.size());
    found.figures.reserve(comparison.scenarios.size());
    for (const std::string& scenario : comparison.scenarios) {
        const auto& result = found.results.emplace_back(ending.newest(scenario));
        found.figures.push_back(result ? result->headline.*kFigures.at(static_cast<std::size_t>(comparison.objective)) : 0.0);
        if (!result) {
            found.problem = fmt::format("{} has no result yet", scenario);
        } else if (model::is_money(comparison.objective)) {
            const std::string& currency = result->headline.currency;
            if (!found.currency.empty() && found.currency != currency && found.problem.empty()) {
                found.problem = fmt::format("its scenarios are in {} and {}", found.currency, currency);
            }
            found.currency = currency;
        }
    }
    return found;
}

std::string body_of(const storage::Run& run, const model::Comparison& comparison, const SideBySide& found,
                    const storage::NewStanding& standing) {
    const auto if_known = [&](double figure) { return found.problem.empty() ? std::optional(figure) : std::nullopt; };
    JsonWriter out;
    out.begin_object().member("recalculation", std::to_string(run.id)).member("objective", standing.objective);
    out.member("currency", text_or_null(standing.currency)).member("cheapest", text_or_null(standing.cheapest));
    out.member("figure", if_known(standing.figure)).member("problem", text_or_null(found.problem));
    out.key("scenarios").begin_array();
    for (std::size_t i = 0; i < comparison.scenarios.size(); ++i) {
        const auto& result = found.results[i];
        out.begin_object().member("scenario", comparison.scenarios[i]);
        out.member("result", result ? std::optional(static_cast<double>(result->number)) : std::nullopt);
        out.member("figure", result ? std::optional(found.figures[i]) : std::nullopt).end_object();
    }
    return out.end_array().end_object().take();
}

void keep_standing(storage::Ending& ending, const model::Comparison& comparison) {
    const SideBySide found = look(ending, comparison);
    storage::NewStanding standing{
        comparison.id, std::string(model::name_of(comparison.objective)), found.currency, "", 0.0, false, ""};
    if (!found.problem.empty()) {
        standing.currency = "";
        standing.body = body_of(ending.run(), comparison, found, standing);
        ending.keep(standing, std::nullopt);
        return;
    }
    const std::vector<std::string>& ids = comparison.scenarios;
    const std::optional<storage::Standing> base = ending.base(comparison.id, standing.objective, standing.currency);
    const auto told = base ? std::find(ids.begin(), ids.end(), base->cheapest) : ids.end();
    const auto incumbent = told != ids.end() ? std::optional(static_cast<std::size_t>(told - ids.begin())) : std::nullopt;
    const std::size_t cheapest = model::least_of(found.figures, incumbent);
    standing.cheapest = ids[cheapest];
    standing.figure = found.figures[cheapest];
    const bool flipped = base && cheapest != incumbent;
    const bool changed = base && !flipped && comparison.threshold_fraction &&
                         model::is_beyond(base->figure, standing.figure, *comparison.threshold_fraction);
    standing.is_base = !base || flipped || changed;
    standing.body = body_of(ending.run(), comparison, found, standing);
    std::optional<std::int64_t> event;
    if (flipped || changed) {
        JsonWriter data;
        data.begin_object().member("comparison", comparison.id).key("before").raw(base->body).key("now").raw(standing.body);
        event = ending.record({kind_of(flipped ? EventKind::comparison_flipped : EventKind::comparison_changed),
                               "comparison/" + comparison.id, data.end_object().take(), ""});
    }
    ending.keep(standing, event);
}

} // namespace

void record_end(storage::Ending& ending) {
    const storage::Run& run = ending.run();
    ending.record({kind_of(EventKind::recalculation_done), fmt::format("recalculation/{}", run.id),
                   encode_run(run, run.done(), "", 0.0), run.webhook});
    if (run.state != storage::RunState::done) {
        return;
    }
    for (const storage::Revision& revision : ending.comparisons()) {
        keep_standing(ending, std::get<model::Comparison>(decode_revision(revision)));
    }
}

Attempt<http::Response> list_standings(Service& service, const Call& call) {
    const Attempt<std::int64_t> before = number_cursor(call);
    if (!before) {
        return tl::unexpected(before.error());
    }
    const std::size_t limit = page_limit(call);
    auto standings = service.store.standings(call.arguments.front(), *before, limit + 1);
    if (!standings) {
        return tl::unexpected(Refusal{404, "there never was such a comparison"});
    }
    const auto write = [](JsonWriter& out, const storage::Standing& standing) {
        JsonWriter more;
        more.begin_object().member("recorded_at", standing.recorded_at);
        more.member("event", standing.event ? std::optional(static_cast<double>(*standing.event)) : std::nullopt).end_object();
        out.raw(standing.body.substr(0, standing.body.size() - 1) + "," + more.take().substr(1)); // one object of the two
    };
    return page_answer(std::move(*standings), limit, write, [](const storage::Standing& standing) { return standing.number; });
}

} // namespace costcurve::api
