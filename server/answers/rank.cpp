// The work as a scenario with a placeholder in its pools' place, the catalogue from a snapshot, and the plans as documents.
#include "server/answers/rank.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/currencies.hpp"
#include "model/documents/prices.hpp"
#include "model/figures.hpp"
#include "server/answers/catalog.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/encode.hpp"

namespace costcurve::answers {

namespace {

using model::Code;
using nlohmann::json;

// Stands where pools are asked for, so that the work is read and checked as a scenario's.
constexpr auto kPlaceholder = "rank";

constexpr auto kSizedForSample =
    "in each sample every plan has the servers and instances that its demand and rates need: demand is "
    "taken as known when they are bought or rented";

json scenario_of(const RankRequest& request) {
    json scenario = {{"id", kPlaceholder}, {"pools", {{{"id", kPlaceholder}, {"kind", "api"}, {"price_per_million_units", 0}}}}};
    model::for_each_field<RankRequest>([&](const auto& field) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(request.*field.member)>, ScenarioPart>) {
            if (const JsonValue* const value = (request.*field.member).value) {
                scenario[std::string(field.name)] = value->tree();
            }
        }
    });
    json& workloads = scenario["workloads"];
    for (std::size_t w = 0; workloads.is_array() && w < workloads.size(); ++w) {
        if (json& workload = workloads[w]; workload.is_object()) {
            workload["runs_on"] = {{{"pool", kPlaceholder}}};
        }
    }
    return scenario;
}

// What rank can't do, told by the request itself.
model::Failure unsupported(const json& workloads) {
    model::Failure issues;
    for (std::size_t w = 0; workloads.is_array() && w < workloads.size(); ++w) { // else an issue of the scenario
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
        if (workload.contains("kind") && workload["kind"] == "training") {
            issues.push_back({fmt::format("/workloads/{}/kind", w), Code::not_allowed,
                              "rates of training are not stored by model; rank finds plans for inference and batch work"});
        }
    }
    return issues;
}

// A present value at a rate of 0 is the cash, and one after no tax that before tax: the word would promise what isn't computed.
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

std::string this_month() {
    const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
    return fmt::format("{:04}-{:02}", static_cast<int>(today.year()), static_cast<unsigned>(today.month()));
}

// What the request leaves open of outages, where a workload is inference.
model::Assumed left_open(const RankRequest& request, const model::ScenarioDocument& work) {
    model::Assumed assumed;
    for (const model::Workload& workload : work.workloads) {
        const bool is_inference = workload.kind == model::WorkloadKind::inference;
        assumed.spares |= is_inference && !request.spares;
        assumed.availability |= is_inference && !request.availability && !workload.availability;
        assumed.spot |= is_inference && !request.spot;
    }
    return assumed;
}

std::optional<model::Evidence> evidence_of(const model::Summary& summary) {
    std::optional<model::Evidence> least;
    for (const model::WorkloadSummary& workload : summary.workloads) {
        least = std::max(least, workload.evidence);
    }
    return least;
}

} // namespace

RankUncertaintyAnswer uncertainty_of(const model::RankUncertainty& uncertainty, std::size_t samples, std::uint64_t seed) {
    RankUncertaintyAnswer answer;
    static_cast<model::RankUncertainty&>(answer) = uncertainty;
    answer.samples = samples;
    answer.seed = seed;
    answer.assumption = kSizedForSample;
    for (std::size_t f = 0; f < model::kRankFactors; ++f) {
        const model::FactorRow& row = model::kFactorRows[f];
        RankFactorAnswer& factor = answer.factors.emplace_back();
        factor.factor = static_cast<model::RankFactor>(f);
        factor.multiplies = row.multiplies;
        factor.sigma = row.sigma;
        factor.p5 = std::exp(row.sigma * model::normal_quantile(0.05));
        factor.p95 = std::exp(row.sigma * model::normal_quantile(0.95));
    }
    return answer;
}

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
        return tl::unexpected(std::move(work.error()));
    }
    if (model::Result<model::Scenario> checked = model::make_scenario(*work); !checked) {
        return tl::unexpected(std::move(checked.error()));
    }
    if (model::Failure issues = undecidable(work->finance); !issues.empty()) {
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
    return model::RankQuestion{
        std::move(*work), request.discounts,       request.limits, request.include,        request.top, samples,
        request.seed,     request.ignore_unserved, outages,        {true, request.ported}, assumed};
}

namespace {

json limits_of(const WorkInWords& work) {
    json limits = json::object();
    for (const auto& [name, values] : {std::pair("providers", &work.providers),
                                       {"regions", &work.regions},
                                       {"devices", &work.devices},
                                       {"purchases", &work.purchases},
                                       {"kinds", &work.kinds},
                                       {"sites", &work.sites}}) {
        if (!values->empty()) {
            limits[name] = *values;
        }
    }
    if (!work.evidence.empty()) {
        limits["evidence"] = work.evidence;
    }
    if (work.max_price_age_days) {
        limits["max_price_age_days"] = *work.max_price_age_days;
    }
    return limits;
}

} // namespace

std::string text_of(const WorkInWords& work) {
    json workload = {{"id", "serve"},
                     {"kind", "inference"},
                     {"unit", "token"},
                     {"model", work.model},
                     {"units_per_request", {{"input", work.input_tokens}, {"output", work.output_tokens}}},
                     {"demand", {{"mean_per_s", work.requests_per_s}, {"growth_per_month", work.growth_per_month}}},
                     {"peak_utilization", work.peak_utilization}};
    const auto state = [&](const char* field, const std::optional<double>& value) {
        if (value) {
            workload["slo"][field] = *value;
        }
    };
    state("ttft_s", work.slo.ttft_s);
    state("itl_s", work.slo.itl_s);
    state("e2e_s", work.slo.e2e_s);
    if (work.slo.is_stated()) {
        workload["slo"]["percentile"] = work.slo.percentile;
    }
    json request = {{"start", work.start.empty() ? this_month() : work.start},
                    {"months", work.months},
                    {"workloads", {workload}},
                    {"top", work.top}};
    const auto finance = [&](const char* field, const auto& value) { request["finance"][field] = value; };
    if (!work.decide_by.empty()) {
        finance("decide_by", work.decide_by);
    }
    if (work.discount_rate) {
        finance("discount_rate", *work.discount_rate);
    }
    if (work.tax_rate) {
        finance("tax_rate", *work.tax_rate);
    }
    if (!work.include.empty()) {
        request["include"] = work.include;
    }
    if (work.ignore_unserved) {
        request["ignore_unserved"] = true;
    }
    if (work.spares) {
        request["spares"] = *work.spares;
    }
    if (work.availability) {
        request["availability"] = *work.availability;
    }
    if (!work.ported.empty()) {
        request["ported"] = work.ported;
    }
    if (!work.spot.empty()) {
        request["spot"] = work.spot;
    }
    if (json limits = limits_of(work); !limits.empty()) {
        request["limits"] = std::move(limits);
    }
    for (const auto& [name, numbers] : {std::pair("exchange_rates", &work.exchange_rates), {"discounts", &work.discounts}}) {
        if (!numbers->empty()) {
            request[name] = *numbers;
        }
    }
    return request.dump();
}

namespace {

model::Result<RankInputs> with_catalog(model::RankQuestion question, documents::Source& source) {
    RankInputs inputs{std::move(question), read_catalog(source)};
    if (model::Failure issues = unknown_names(inputs.catalog, inputs.question); !issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return inputs;
}

} // namespace

model::Result<RankInputs> parse_rank(std::string_view text, documents::Source& source) {
    return parse_body(text).and_then([&](const ParsedJson& body) {
        return decode_request<RankRequest>(*body, {}).and_then([&](const RankRequest& request) {
            return resolve_rank(request, source).and_then([&](model::RankQuestion&& question) {
                return with_catalog(std::move(question), source);
            });
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
    answer.evaluated = ranking.evaluated;
    answer.excluded = ranking.excluded;
    answer.assumptions = ranking.assumptions;
    answer.nearest = ranking.nearest;
    answer.ignore_unserved = inputs.question.ignore_unserved;
    for (const model::ScenarioPlan& plan : ranking.plans) {
        PlanOfRank& row = answer.plans.emplace_back();
        row.rank = answer.plans.size();
        row.name = plan.scenario.name;
        row.decisive = plan.decisive;
        row.evidence = evidence_of(plan.summary);
        row.oldest_price = model::oldest_price(plan.scenario);
        for (const model::Pool& pool : plan.scenario.pools) {
            if (pool.kind != model::PoolKind::owned) {
                model::PriceOrigin origin = model::price_origin(pool, plan.scenario.start);
                row.prices.push_back({pool.id, std::move(origin.day), std::move(origin.source)});
            }
        }
        row.why = plan.why;
        row.wins_at = plan.wins_at;
        if (plan.chances) {
            row.probability_best = plan.chances->best;
            row.tied = plan.chances->tied;
        }
        row.row = model::row_of(plan);
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
