// Rates and costs of a scenario with one's own measurements, with published ones, and with estimates alone.
#include "server/answers/rates/rates_by_evidence.hpp"

#include <algorithm>
#include <memory>

#include "model/performance/rated_fit.hpp"
#include "model/performance/training_rates.hpp"
#include "model/scenario.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/stored_rates.hpp"

namespace costcurve::answers {

std::vector<RatesBy> rates_by_evidence(const storage::DocumentStore& store, const std::vector<model::Measurement>& own) {
    documents::Source source(store, std::nullopt);
    const std::vector<model::Model> models = documents::all_of_kind<model::Model>(source);
    const std::vector<model::Device> devices = documents::all_of_kind<model::Device>(source);
    std::vector<model::Measurement> published = documents::all_of_kind<model::Measurement>(source);
    std::erase_if(published, [](const model::Measurement& measurement) { return measurement.own; });
    std::vector<model::Measurement> measured = published;
    measured.insert(measured.end(), own.begin(), own.end());
    const auto by = [&](std::string_view name, const std::vector<model::Measurement>& measurements) {
        std::vector<model::MeasuredPoint> points;
        std::vector<model::MeasuredRun> runs;
        for (const model::Measurement& measurement : measurements) {
            model::add_points(measurement, points);
            model::add_runs(measurement, runs);
        }
        RatesBy rates{name, documents::Source(store, std::nullopt)};
        rates.source.take_rates({std::make_shared<const model::Rates>(models, devices, std::move(points)),
                                 std::make_shared<const model::TrainingRates>(models, devices, std::move(runs)),
                                 {}});
        return rates;
    };
    std::vector<RatesBy> all;
    all.push_back(by("measured", measured));
    all.push_back(by("catalogue", published));
    all.push_back(by("estimate", {}));
    return all;
}

RatesRequest request_of(const model::Measurement& measurement, std::size_t point) {
    RatesRequest request;
    request.model = measurement.model;
    request.device = measurement.device;
    request.devices = measurement.devices;
    request.precision = model::name_of(measurement.precision);
    request.framework = measurement.framework;
    if (measurement.kind == model::MeasurementKind::training) {
        request.method = measurement.method;
        request.sequence = measurement.points.sequence[point];
        request.tokens_per_step =
            measurement.points.tokens_per_step.empty() ? std::nullopt : std::optional(measurement.points.tokens_per_step[point]);
        return request;
    }
    request.input = measurement.points.input[point];
    request.output = measurement.points.output[point];
    request.cached_input = measurement.points.cached_input.empty() ? 0.0 : measurement.points.cached_input[point];
    request.concurrency = std::max(1.0, measurement.points.concurrency[point]);
    return request;
}

namespace {

bool is_ranked_rate(const model::RunsOn& entry) { return entry.performance && entry.performance->id.starts_with("rate."); }

// Gangs stay as large as they were planned.
void rate_gangs(model::ScenarioDocument& scenario, documents::Source& source) {
    for (model::Workload& workload : scenario.workloads) {
        const documents::Found* const found = workload.kind == model::WorkloadKind::training && !workload.model.empty()
                                                  ? source.find({storage::Kind::model, workload.model})
                                                  : nullptr;
        if (found == nullptr) {
            continue;
        }
        const model::Model facts = std::get<model::Model>(found->document);
        for (model::RunsOn& entry : workload.runs_on) {
            const auto pool = std::ranges::find(scenario.pools, entry.pool, &model::Pool::id);
            const model::Device* const device = pool == scenario.pools.end() ? nullptr : model::device_of(*pool);
            if (device == nullptr || !is_ranked_rate(entry)) {
                continue;
            }
            model::Fit fit = model::rated_training_fit(*source.rates().training, facts, *device, workload,
                                                       model::devices_per_unit(*pool), entry.performance->devices);
            if (fit.performance) {
                entry.performance = std::move(*fit.performance);
            }
        }
    }
}

} // namespace

model::Result<Evaluated> evaluate_by_rates(std::string_view text, documents::Source& source) {
    const auto parsed = parse(text);
    if (!parsed) {
        return tl::unexpected(model::Failure{{"", model::Code::bad_format, parsed.error().message}});
    }
    documents::Decoded<model::ScenarioDocument> decoded = documents::decode_scenario(**parsed, "");
    documents::forget_revisions(decoded.document);
    for (model::Workload& workload : decoded.document.workloads) {
        for (model::RunsOn& entry : workload.runs_on) {
            if (is_ranked_rate(entry) && workload.kind != model::WorkloadKind::training) {
                entry.performance.reset();
            }
        }
    }
    documents::resolve(decoded, "", source);
    if (!decoded.issues.empty()) {
        return tl::unexpected(std::move(decoded.issues));
    }
    rate_gangs(decoded.document, source);
    return evaluate_resolved(std::move(decoded.document));
}

} // namespace costcurve::answers
