// Recalculates one scenario: it is resolved and hashed, and evaluated only where the hash is new.
#include "server/recalculation/recalculation.hpp"

#include "model/version.hpp"
#include "server/answers/answer.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::recalculation {

namespace {

storage::RunOutcome failed(const model::Failure& issues) { return {0, std::nullopt, answers::encode_answer(issues)}; }

} // namespace

storage::Headline headline_of(const answers::Evaluated& evaluated) {
    const model::Summary& of = evaluated.summary;
    return {evaluated.scenario.document().currency,
            of.total.cost,
            of.total.cash,
            of.npv,
            of.npv_after_tax,
            of.meters.energy_kwh.value(),
            of.meters.carbon_kg.value(),
            of.is_feasible(),
            std::string(model::name_of(of.decide_by))};
}

storage::RunOutcome recalculate(const storage::RunItem& item, Worker& worker) {
    model::Result<model::ScenarioDocument> scenario = answers::resolve_stored(item.scenario, "", worker.source);
    if (!scenario) {
        return failed(scenario.error());
    }
    std::string inputs_hash = answers::hash_of(*scenario);
    if (inputs_hash == item.inputs_hash) {
        return {};
    }
    const model::Result<answers::Evaluated> evaluated =
        answers::evaluate_resolved(std::move(*scenario), "", std::move(inputs_hash), worker.hours);
    if (!evaluated) {
        return failed(evaluated.error());
    }
    storage::NewResult result;
    result.inputs_hash = evaluated->inputs_hash;
    result.model_version = model::kModelVersion;
    result.headline = headline_of(*evaluated);
    result.packed = storage::pack(answers::encode_result(*evaluated, false));
    return {0, std::move(result), ""};
}

Recalculate guarded_recalculate(failure::LogFailure log) {
    return [log = std::move(log)](const storage::RunItem& item, Worker& worker) {
        if (item.lost_attempts >= storage::kMaxLostAttempts) {
            failure::log_failure(log, "given up: the worker ended three times", "scenario/" + item.scenario);
            return failed({{"", model::Code::infeasible, "the worker ended three times; the service's logs say why"}});
        }
        storage::RunOutcome outcome;
        const auto thrown = failure::guarded([&] { outcome = recalculate(item, worker); });
        if (thrown && thrown->store) { // the run waits for the store
            throw storage::StoreError(*thrown->store, thrown->what);
        }
        if (thrown) {
            failure::log_failure(log, thrown->what, "scenario/" + item.scenario);
            outcome = failed({{"", model::Code::infeasible, "something went wrong here; the service's log says what"}});
        }
        return outcome;
    };
}

std::string encode_run(const storage::Run& run, std::int64_t done, std::string_view waits_for, double elapsed_s,
                       std::optional<std::vector<storage::RunFailure>> failures) {
    std::optional<double> eta_s;
    if (storage::has_ended(run.state) || run.total == 0) {
        eta_s = 0.0;
    } else if (done > 0) {
        eta_s = elapsed_s * static_cast<double>(run.total - done) / static_cast<double>(done);
    }
    return answers::encode_answer(RunAnswer{run, done, eta_s, std::string(waits_for), std::move(failures)});
}

} // namespace costcurve::recalculation
