// The request of a ranking from the options of the command line, as JSON values or as text.
#include "server/answers/rank/work_in_words.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/questions/rank/demand_shapes.hpp"

namespace costcurve::answers {

using nlohmann::json;

namespace {

std::string this_month() {
    const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
    return fmt::format("{:04}-{:02}", static_cast<int>(today.year()), static_cast<unsigned>(today.month()));
}

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
    if (!work.precision.empty()) {
        limits["precision"] = work.precision;
    }
    if (work.max_price_age_days) {
        limits["max_price_age_days"] = *work.max_price_age_days;
    }
    return limits;
}

bool is_shape(const std::string& word) { return std::ranges::count(model::enum_names<model::ServiceShape>, word) > 0; }

// Tokens of a request by class; or their means and 95th percentiles.
void state_tokens(const WorkInWords& work, json& workload) {
    json units = {{"input", work.input_tokens - work.cached_tokens}, {"output", work.output_tokens}};
    if (work.cached_tokens > 0.0) {
        units["cached_input"] = work.cached_tokens;
    }
    if (work.reasoning_tokens > 0.0) {
        units["reasoning"] = work.reasoning_tokens;
    }
    if (!work.input_p95 && !work.output_p95) {
        workload["units_per_request"] = std::move(units);
        return;
    }
    json& spread = workload["token_mix"] = {{"mean", std::move(units)}, {"p95", json::object()}};
    for (const auto& [name, p95] : {std::pair("input", work.input_p95), {"output", work.output_p95}}) {
        if (p95) {
            spread["p95"][name] = *p95;
        }
    }
}

// A run: the model, its tokens, and when it must have ended.
json run_of(const WorkInWords& work) {
    json workload = {
        {"id", "train"},         {"kind", "training"},
        {"unit", "token"},       {"model", work.model},
        {"epochs", work.epochs}, {"units_per_epoch", work.tokens_per_epoch.value_or(work.tokens.value_or(0.0) / work.epochs)}};
    if (work.sequence) {
        workload["sequence"] = *work.sequence;
    }
    if (work.within_days) {
        workload["within_days"] = *work.within_days;
    }
    if (!work.method.empty()) {
        workload["method"] = work.method;
    }
    return workload;
}

// Requests that may wait, and for how long.
json batch_of(const WorkInWords& work) {
    json workload = {{"id", "batch"},
                     {"kind", "batch"},
                     {"unit", "token"},
                     {"model", work.model},
                     {"requests_per_month", *work.requests_per_month}};
    state_tokens(work, workload);
    if (work.deadline_hours) {
        workload["deadline_hours"] = *work.deadline_hours;
    }
    return workload;
}

int months_of(const WorkInWords& work) {
    constexpr int kServed = 36;
    constexpr int kOfRun = 12;
    constexpr double kShortestMonth = 28.0;
    const int usual =
        work.trains ? std::max(kOfRun, static_cast<int>(work.within_days.value_or(0.0) / kShortestMonth) + 1) : kServed;
    return work.months.value_or(std::min(usual, 240));
}

// The workload: the model, its requests and their objectives.
json workload_of(const WorkInWords& work) {
    json workload = {{"id", "serve"},
                     {"kind", "inference"},
                     {"unit", "token"},
                     {"model", work.model},
                     {"demand", {{"mean_per_s", work.requests_per_s}, {"growth_per_month", work.growth_per_month}}},
                     {"peak_utilization", work.peak_utilization}};
    state_tokens(work, workload);
    if (work.burst.size() == 3) {
        workload["demand"]["burst"] = {{"factor", work.burst[0]}, {"seconds", work.burst[1]}, {"per_day", work.burst[2]}};
    }
    if (!work.shape.empty() && !is_shape(work.shape)) {
        workload["demand"]["shape"] = work.shape;
    }
    const auto state = [&](const char* field, const std::optional<double>& value) {
        if (value) {
            workload["slo"][field] = *value;
        }
    };
    state("ttft_s", work.slo.ttft_s);
    state("itl_s", work.slo.itl_s);
    state("e2e_s", work.slo.e2e_s);
    if (work.slo.is_stated() || work.slo.percentile != model::Slo{}.percentile) {
        workload["slo"]["percentile"] = work.slo.percentile;
    }
    return workload;
}

json tree_of(const WorkInWords& work) {
    json request = {{"start", work.start.empty() ? this_month() : work.start},
                    {"months", months_of(work)},
                    {"workloads",
                     {work.trains               ? run_of(work)
                      : work.requests_per_month ? batch_of(work)
                                                : workload_of(work)}},
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
    if (work.stored_copies) {
        request["stored_copies"] = *work.stored_copies;
    }
    if (work.stored_gb) {
        request["workloads"][0]["stored_gb"] = *work.stored_gb;
    }
    if (!work.ported.empty()) {
        request["ported"] = work.ported;
    }
    if (!work.spot.empty()) {
        request["spot"] = work.spot;
    }
    if (is_shape(work.shape)) {
        request["shape"] = work.shape;
    }
    if (json limits = limits_of(work); !limits.empty()) {
        request["limits"] = std::move(limits);
    }
    for (const auto& [name, numbers] : {std::pair("exchange_rates", &work.exchange_rates), {"discounts", &work.discounts}}) {
        if (!numbers->empty()) {
            request[name] = *numbers;
        }
    }
    return request;
}

} // namespace

ParsedJson request_of(const WorkInWords& work) { return ParsedJson(tree_of(work)); }

std::string text_of(const WorkInWords& work) { return tree_of(work).dump(); }

} // namespace costcurve::answers
