// Resolve, hash, and only where the hash is new: evaluate, encode, pack.
#include "server/api/recalculation.hpp"

#include <nlohmann/json.hpp>

#include "model/version.hpp"
#include "server/api/evaluate_scenario.hpp"
#include "server/api/json_text.hpp"
#include "server/api/problem.hpp"

namespace costcurve::api {

namespace {

storage::RunOutcome failed(const model::Failure& issues) {
    JsonWriter out;
    write_issues(out, issues);
    return {0, std::nullopt, out.take()};
}

} // namespace

storage::RunOutcome recalculate(const storage::RunItem& item, work::Source& source) {
    model::Result<model::ScenarioDocument> scenario = resolve_scenario(nlohmann::json(item.scenario), "", source);
    if (!scenario) {
        return failed(scenario.error());
    }
    std::string inputs_hash = hash_of(*scenario);
    if (inputs_hash == item.inputs_hash) {
        return {};
    }
    const model::Result<Evaluated> evaluated = evaluate_resolved(std::move(*scenario), "", std::move(inputs_hash));
    if (!evaluated) {
        return failed(evaluated.error());
    }
    const model::Summary& of = evaluated->summary;
    storage::NewResult result;
    result.inputs_hash = evaluated->inputs_hash;
    result.model_version = model::kModelVersion;
    result.headline = {evaluated->scenario.document().currency,
                       of.total.cost,
                       of.total.cash,
                       of.npv,
                       of.npv_after_tax,
                       of.energy_kwh,
                       of.carbon_kg};
    result.packed = storage::pack(encode_result(*evaluated, false));
    return {0, std::move(result), ""};
}

std::string encode_run(const storage::Run& run, std::int64_t done, std::string_view waits_for, double elapsed_s,
                       const std::vector<storage::RunFailure>* failures) {
    const auto text_or_null = [](std::string_view text) { return text.empty() ? std::nullopt : std::optional(text); };
    std::optional<double> eta_s;
    if (storage::has_ended(run.state) || run.total == 0) {
        eta_s = 0.0;
    } else if (done > 0) {
        eta_s = elapsed_s * static_cast<double>(run.total - done) / static_cast<double>(done);
    }
    JsonWriter out;
    out.begin_object().member("id", std::to_string(run.id)).member("state", name_of(run.state));
    out.member("scenarios", name_of(run.scope)).member("schedule", text_or_null(run.schedule)).member("recorded_by", run.author);
    out.member("as_of", text_or_null(run.as_of)).member("created_at", run.created_at);
    out.member("started_at", text_or_null(run.started_at)).member("ended_at", text_or_null(run.ended_at));
    out.member("total", static_cast<double>(run.total)).member("done", static_cast<double>(done));
    out.member("evaluated", static_cast<double>(run.evaluated)).member("unchanged", static_cast<double>(run.unchanged));
    out.member("failed", static_cast<double>(run.failed)).member("eta_s", eta_s).member("waits_for", text_or_null(waits_for));
    if (failures != nullptr) {
        out.key("failures").begin_array();
        for (const storage::RunFailure& failure : *failures) {
            out.begin_object().member("scenario", failure.scenario).key("errors").raw(failure.problem).end_object();
        }
        out.end_array();
    }
    return out.end_object().take();
}

} // namespace costcurve::api
