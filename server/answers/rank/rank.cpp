// Builds a scenario of the work with a placeholder pool, reads the catalogue from a snapshot, and encodes plans as documents.
#include "server/answers/rank/rank.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "model/documents/currencies.hpp"
#include "model/documents/field_check.hpp"
#include "model/documents/prices.hpp"
#include "model/figures.hpp"
#include "model/questions/rank/training_runs.hpp"
#include "server/answers/catalog.hpp"
#include "server/answers/evaluate.hpp"
#include "server/answers/rates/rate_names.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/stored_rates.hpp"
#include "server/import/identity/model_name.hpp"

namespace costcurve::answers {

namespace {

using model::Code;
using nlohmann::json;

// Placeholder for required pools, so that the work is read and checked like a scenario's.
constexpr auto kPlaceholder = "rank";

// The id itself, or the model's id for another spelling.
std::string id_or_spelling(const std::string& name) {
    const std::string id = model::is_slug(name) ? name : imports::model_id_of(name);
    return id.empty() ? name : id;
}

bool trains(const json& workload) { return workload.is_object() && workload.contains("kind") && workload["kind"] == "training"; }

// The placeholder: a hosted model, or a rented device for training, which hosted models don't offer.
json placeholder_of(bool is_of_training) {
    const json device = {{"id", kPlaceholder}, {"kind", "gpu"}, {"tdp_w", 1}};
    const json offer = {
        {"provider", kPlaceholder}, {"device", device}, {"devices", 1}, {"purchase", "on_demand"}, {"hourly_price", 0}};
    return is_of_training ? json{{"id", kPlaceholder}, {"kind", "cloud"}, {"offer", offer}, {"max_instances", 1}}
                          : json{{"id", kPlaceholder}, {"kind", "api"}, {"price_per_million_units", 0}};
}

json scenario_of(const RankRequest& request) {
    json scenario = {{"id", kPlaceholder}};
    model::for_each_field<RankRequest>([&](const auto& field) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(request.*field.member)>, ScenarioPart>) {
            if (const JsonValue* const value = (request.*field.member).value) {
                scenario[std::string(field.name)] = value->tree();
            }
        }
    });
    json& workloads = scenario["workloads"];
    const bool is_of_training = workloads.is_array() && std::ranges::any_of(workloads, trains);
    scenario["pools"] = {placeholder_of(is_of_training)};
    for (std::size_t w = 0; workloads.is_array() && w < workloads.size(); ++w) {
        if (json& workload = workloads[w]; workload.is_object()) {
            workload["runs_on"] = {{{"pool", kPlaceholder}}};
            if (is_of_training) {
                workload["runs_on"][0]["performance"] = {{"units_per_s", 1}, {"basis", "assumed"}};
            }
            if (const auto model = workload.find("model"); model != workload.end() && model->is_string()) {
                *model = id_or_spelling(model->get<std::string>());
            }
        }
    }
    return scenario;
}

// Issues for requests that rank doesn't support.
model::Failure unsupported(const json& workloads) {
    model::Failure issues;
    for (std::size_t w = 0; workloads.is_array() && w < workloads.size(); ++w) { // otherwise the scenario's check reports it
        const json& workload = workloads[w];
        if (!workload.is_object()) {
            continue;
        }
        if (workload.contains("runs_on")) {
            issues.push_back({fmt::format("/workloads/{}/runs_on", w), Code::not_allowed,
                              "where it runs is what is looked for; leave runs_on out"});
        }
        if (!workload.contains("unit") || (workload["unit"].is_string() && workload["unit"] != "token")) {
            issues.push_back({fmt::format("/workloads/{}/unit", w), Code::not_allowed,
                              "rates and prices of models are by the token; give unit token"});
        }
    }
    return issues;
}

// Refuses objectives that add nothing: present value at a discount rate of 0 equals cash, and after-tax without a tax rate equals
// pre-tax.
model::Failure undecidable(const model::Finance& finance) {
    model::Failure issues;
    const auto lacks = [&](std::string_view field, std::string_view flag) {
        issues.push_back({"/finance/decide_by", Code::not_allowed,
                          fmt::format("{} needs finance.{} ({}), which is 0; state it, or decide by cost",
                                      name_of(*finance.decide_by), field, flag)});
    };
    const bool is_after_tax = finance.decide_by == model::Objective::npv_after_tax;
    if ((is_after_tax || finance.decide_by == model::Objective::npv) && finance.discount_rate == 0.0) {
        lacks("discount_rate", "--discount-rate");
    }
    if (is_after_tax && finance.tax_rate == 0.0) {
        lacks("tax_rate", "--tax-rate");
    }
    return issues;
}

// Refuses runs without a checkpoint within the horizon, which lose all work at each interruption.
model::Failure without_checkpoints(const model::ScenarioDocument& work) {
    constexpr double kSecondsPerDay = 86400.0;
    model::Failure issues;
    for (std::size_t w = 0; w < work.workloads.size(); ++w) {
        const std::optional<double>& interval_s = work.workloads[w].checkpoint.interval_s;
        const double horizon_s = model::horizon_days(work) * kSecondsPerDay;
        if (work.workloads[w].kind == model::WorkloadKind::training && interval_s && *interval_s > horizon_s) {
            issues.push_back(
                {fmt::format("/workloads/{}/checkpoint/interval_s", w), Code::out_of_range,
                 fmt::format("no checkpoint is written within the {} months, which are {} s; give less, or leave it out: "
                             "the best one is taken",
                             work.months, horizon_s)});
        }
    }
    return issues;
}

// Outage inputs that the request leaves open, if a workload is inference.
model::Assumed left_open(const RankRequest& request, const model::ScenarioDocument& work) {
    model::Assumed assumed;
    for (const model::Workload& workload : work.workloads) {
        const bool is_inference = workload.kind == model::WorkloadKind::inference;
        assumed.spares |= is_inference && !request.spares;
        assumed.availability |= is_inference && !request.availability && !workload.availability;
        assumed.spot |= is_inference && !request.spot;
        assumed.shape |= is_inference && !request.shape && workload.demand.mean_per_s && !workload.demand.shape;
    }
    return assumed;
}

// Improves issues for unknown shapes: a named shape, or the id of another curve, may be meant.
void name_shapes(model::Failure& issues, documents::Source& source) {
    constexpr std::size_t kMaxNames = 10;
    for (model::Issue& issue : issues) {
        if (issue.code != Code::unknown_reference || !issue.pointer.starts_with("/workloads/") ||
            !issue.pointer.ends_with("/demand/shape")) {
            continue;
        }
        const std::vector<model::Curve> curves = documents::all_of_kind<model::Curve>(source);
        std::vector<std::string_view> names;
        for (const model::Curve& curve : curves) {
            if (curve.kind == model::CurveKind::demand && names.size() < kMaxNames) {
                names.emplace_back(curve.id);
            }
        }
        issue.message += fmt::format("; {} are words of the request's shape, --shape; curves of demand: {}",
                                     fmt::join(model::enum_names<model::ServiceShape>, ", "),
                                     names.empty() ? "none is stored" : fmt::format("{}", fmt::join(names, ", ")));
    }
}

std::optional<model::Evidence> evidence_of(const model::Summary& summary) {
    std::optional<model::Evidence> least;
    for (const model::WorkloadSummary& workload : summary.workloads) {
        least = std::max(least, workload.evidence);
    }
    return least;
}

} // namespace

void decode_member(Decoder& /*decoder*/, const JsonValue& value, const Pointer& /*pointer*/, const model::FieldSpec& /*spec*/,
                   ScenarioPart& part) {
    part.value = &value;
}

void check(RankRequest& request, const QuestionLimits& limits, model::Failure& issues) {
    check_deadline(request.deadline_s, limits, issues);
    if (!request.samples) {
        request.samples = std::min(kDefaultRankSamples, limits.samples);
    } else if (*request.samples > limits.samples) {
        issues.push_back({"/samples", Code::too_large, samples_beyond(*request.samples, limits)});
    }
    if (request.availability == 1.0) {
        issues.push_back({"/availability", Code::out_of_range,
                          "availability is 1; hosts that fail keep none such: give less, 0.99999 at most, or leave it out"});
    }
    if (request.workloads.value != nullptr) {
        issues.add_all(unsupported(request.workloads.value->tree()));
    }
}

model::Result<model::RankQuestion> resolve_rank(const RankRequest& request, documents::Source& source) {
    model::Result<model::ScenarioDocument> work = resolve_scenario(*ParsedJson(scenario_of(request)), "", source);
    if (!work) {
        name_shapes(work.error(), source);
        return tl::unexpected(std::move(work.error()));
    }
    if (model::Result<model::Scenario> checked = model::make_scenario(*work); !checked) {
        return tl::unexpected(std::move(checked.error()));
    }
    model::Failure issues = undecidable(work->finance);
    issues.add_all(without_checkpoints(*work));
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    work->id.clear();
    work->pools.clear();
    for (model::Workload& workload : work->workloads) {
        workload.runs_on.clear();
    }
    const model::RankOutages outages{request.spares.value_or(model::kDefaultSpares),
                                     request.availability.value_or(model::kDefaultAvailability),
                                     request.spot.value_or(model::SpotUse::burst), true};
    const model::Assumed assumed = left_open(request, *work);
    const std::optional<std::size_t> samples = request.samples == 0U ? std::nullopt : request.samples;
    return model::RankQuestion{std::move(*work),
                               request.discounts,
                               request.limits,
                               request.include,
                               request.top,
                               samples,
                               request.seed,
                               request.ignore_unserved,
                               outages,
                               {true, request.ported},
                               {request.shape.value_or(model::ServiceShape::office), true},
                               false,
                               assumed,
                               request.stored_copies};
}

namespace {

// Replaces other names of models by their ids, unless the catalogue has the name as an id.
void name_models(const model::Catalog& catalog, model::RankQuestion& question) {
    std::vector<std::string_view> hosted;
    hosted.reserve(catalog.endpoints.size());
    for (const model::Endpoint& endpoint : catalog.endpoints) {
        hosted.emplace_back(endpoint.model);
    }
    for (model::Workload& workload : question.work.workloads) {
        if (std::ranges::find(hosted, workload.model) != hosted.end()) {
            continue;
        }
        const model::Model* const found = find_model(catalog.models, workload.model);
        const std::string_view same = found != nullptr ? std::string_view(found->id) : same_letters(hosted, workload.model);
        workload.model = same.empty() ? workload.model : std::string(same);
    }
}

model::Result<RankInputs> with_catalog(model::RankQuestion question, documents::Source& source) {
    RankInputs inputs{std::move(question), read_catalog(source)};
    name_models(inputs.catalog, inputs.question);
    if (model::Failure issues = unknown_names(inputs.catalog, inputs.question); !issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return inputs;
}

} // namespace

model::Result<RankInputs> rank_inputs(const ParsedJson& body, documents::Source& source) {
    return decode_request<RankRequest>(*body, {}).and_then([&](const RankRequest& request) {
        return resolve_rank(request, source).and_then([&](model::RankQuestion&& question) {
            return with_catalog(std::move(question), source);
        });
    });
}

namespace {

bool is_warned(const model::Summary& summary, model::Code code) {
    return std::ranges::any_of(summary.warnings, [&](const model::Issue& warning) { return warning.code == code; });
}

} // namespace

std::optional<bool> is_without_hosts(model::Objective decide_by, const model::Summary& summary) {
    if (decide_by != model::Objective::energy_kwh && decide_by != model::Objective::carbon_kg) {
        return std::nullopt;
    }
    return is_warned(summary, model::Code::without_hosts);
}

bool is_power_assumed(const model::Summary& summary) {
    return is_warned(summary, model::Code::power_assumed) || is_warned(summary, model::Code::power_axis_differs);
}

std::string encode_ranking(const RankInputs& inputs, const model::Ranking& ranking) {
    RankAnswer answer;
    answer.decide_by = ranking.decide_by;
    for (const auto& figure : model::kTotalFigures) {
        if (figure.name == name_of(ranking.decide_by)) {
            answer.unit = model::unit_in(figure.unit, inputs.question.work.currency);
        }
    }
    answer.considered = ranking.considered;
    answer.ranked = ranking.ranked;
    answer.evaluated = ranking.evaluated;
    answer.other_checkpoints = ranking.other_checkpoints;
    answer.excluded = ranking.excluded;
    answer.assumptions = ranking.assumptions;
    answer.nearest = ranking.nearest;
    answer.nearest_run = ranking.nearest_run;
    answer.apart = ranking.apart;
    answer.mix = ranking.mix;
    answer.ignore_unserved = inputs.question.ignore_unserved;
    for (const model::ScenarioPlan& plan : ranking.plans) {
        PlanOfRank& row = answer.plans.emplace_back();
        row.rank = answer.plans.size();
        row.name = plan.scenario.name;
        row.decisive = plan.decisive;
        row.evidence = evidence_of(plan.summary);
        row.oldest_price = model::oldest_price(plan.scenario);
        for (const model::Pool& pool : plan.scenario.pools) {
            model::PriceOrigin origin = model::price_origin(pool, plan.scenario.start);
            row.prices.push_back({pool.id, std::move(origin.day), std::move(origin.source)});
        }
        row.why = plan.why;
        row.wins_at = plan.wins_at;
        if (plan.chances) {
            row.probability_best = plan.chances->best;
            row.tied = plan.chances->tied;
        }
        row.row = model::row_of(plan);
        row.workloads = plan.shares;
        row.without_hosts = is_without_hosts(ranking.decide_by, plan.summary);
        if (is_power_assumed(plan.summary)) {
            row.power_assumed = true;
        }
        row.replicas = model::replicas_of(plan);
        for (const auto& figure : model::kTotalFigures) {
            row.summary.emplace_back(figure.name, figure.read(plan.summary));
        }
        for (std::size_t w = 0; w < plan.scenario.workloads.size(); ++w) {
            row.summary.emplace_back(fmt::format("cost_per_million_units of {}", plan.scenario.workloads[w].id),
                                     plan.summary.workloads[w].cost_per_million_units);
        }
        row.scenario = {documents::encode_scenario(plan.scenario)};
    }
    answer.level = ranking.level;
    answer.would_decide = ranking.would_decide;
    if (ranking.uncertainty) {
        answer.uncertainty = uncertainty_of(*ranking.uncertainty, inputs.question.samples.value_or(0), inputs.question.seed);
    }
    return encode_answer(answer);
}

model::Result<std::string> answer(const model::RankQuestion& question, documents::Source& source, const model::Runner& runner) {
    return with_catalog(question, source).and_then([&](const RankInputs& inputs) {
        return model::rank(inputs.question, inputs.catalog, runner).map([&](const model::Ranking& ranking) {
            return encode_ranking(inputs, ranking);
        });
    });
}

} // namespace costcurve::answers
