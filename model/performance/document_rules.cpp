// Rules that performances, models, measurements, aliases, endpoints, requests and bursts keep by themselves, wherever they will
// stand.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "model/documents/fields_performance.hpp"
#include "model/documents/measurement.hpp"
#include "model/performance/classes.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

namespace {

// Experts, and what they have in parameters.
void check_architecture(const Model& model, Rules& rules) {
    if (model.experts.has_value() != model.expert_parameters.has_value()) {
        rules.add(model.experts ? "/expert_parameters" : "/experts", Code::missing,
                  "give experts and expert_parameters together, or neither of them");
    }
    if (model.experts && model.experts->active > model.experts->count) {
        rules.add("/experts/active", Code::inconsistent,
                  fmt::format("active is {}, above count, {}", model.experts->active, model.experts->count));
    }
    const auto at_most_all = [&](std::string_view name, const std::optional<double>& part) {
        if (part && *part > model.parameters) {
            rules.add(fmt::format("/{}", name), Code::inconsistent,
                      fmt::format("{} is {}, above parameters, {}", name, *part, model.parameters));
        }
    };
    at_most_all("expert_parameters", model.expert_parameters);
    at_most_all("embedding_parameters", model.embedding_parameters);
    if (model.heads && model.kv_heads && *model.kv_heads > *model.heads) {
        rules.add("/kv_heads", Code::inconsistent, fmt::format("kv_heads is {}, above heads, {}", *model.kv_heads, *model.heads));
    }
    if (model.attention && (model.attention->window_tokens > 0.0) != (model.attention->window_bytes_per_token > 0.0)) {
        rules.add("/attention/window_tokens", Code::inconsistent,
                  "give window_tokens and window_bytes_per_token together, or neither of them");
    }
}

// What a kind of measurement needs and may not have, and columns that contradict each other.
void check_columns(const Measurement& measurement, Rules& rules) {
    const MeasuredPoints& points = measurement.points;
    const auto refuse = [&](std::string_view name, const std::vector<double>& column) {
        if (!column.empty()) {
            rules.add(fmt::format("/points/{}", name), Code::not_allowed,
                      fmt::format("{} is not of kind {}", name, name_of(measurement.kind)));
        }
    };
    if (measurement.kind == MeasurementKind::training) {
        refuse("input", points.input);
        refuse("cached_input", points.cached_input);
        refuse("output", points.output);
        refuse("concurrency", points.concurrency);
        refuse("output_per_s", points.output_per_s);
        refuse("ttft_s", points.ttft_s);
        refuse("itl_s", points.itl_s);
        refuse("e2e_s", points.e2e_s);
    } else {
        refuse("sequence", points.sequence);
        refuse("tokens_per_step", points.tokens_per_step);
        refuse("tokens_per_s", points.tokens_per_s);
        if (points.output.empty()) {
            rules.add("/points/output", Code::missing, "output is missing: tokens of a request, a number a point");
        }
    }
    if (!points.cached_input.empty() && points.input.empty()) {
        rules.add("/points/input", Code::missing, "input is missing, of which cached_input is a part");
    }
    for (std::size_t i = 0; i < std::min(points.cached_input.size(), points.input.size()); ++i) {
        if (points.cached_input[i] > points.input[i]) {
            rules.add(fmt::format("/points/cached_input/{}", i), Code::inconsistent,
                      fmt::format("cached_input is {}, above input, {}", points.cached_input[i], points.input[i]));
        }
    }
    for (std::size_t i = 0; i < std::min(points.ttft_s.size(), points.e2e_s.size()); ++i) {
        const bool same = measurement.percentiles.ttft_s == measurement.percentiles.e2e_s;
        if (same && points.ttft_s[i] > points.e2e_s[i]) {
            rules.add(fmt::format("/points/ttft_s/{}", i), Code::inconsistent,
                      fmt::format("ttft_s is {}, above e2e_s, {}", points.ttft_s[i], points.e2e_s[i]));
        }
    }
}

// What a rate was measured at, and what contradicts it.
void check_measured_at(const Performance& performance, const std::string& pointer, Rules& rules) {
    const auto refuse = [&](std::string_view name, bool is_stated, std::string_view why) {
        if (is_stated) {
            rules.add(fmt::format("{}/{}", pointer, name), Code::not_allowed, fmt::format("{} {}", name, why));
        }
    };
    constexpr std::string_view kOfEstimates = "is what units_per_s was measured at; an estimate has none";
    refuse("mix", performance.estimate && performance.mix, kOfEstimates);
    refuse("concurrency", performance.estimate && performance.concurrency, kOfEstimates);
    const std::optional<Rate>& rate = performance.units_per_s;
    refuse("concurrency", performance.concurrency && rate && rate->curve && rate->curve->axis == Axis::batch,
           "is the batch where units_per_s is a curve over it; leave it out");
    if (performance.mix && performance.mix->cached_input > performance.mix->input) {
        rules.add(pointer + "/mix/cached_input", Code::inconsistent,
                  fmt::format("cached_input is {}, above input, {}", performance.mix->cached_input, performance.mix->input));
    }
}

void check_parallel(const Parallel& parallel, int devices, Rules& rules) {
    for_each_field<Parallel>([&](const auto& field) {
        if (parallel.*field.member > devices) {
            rules.add(fmt::format("/parallel/{}", field.name), Code::inconsistent,
                      fmt::format("{} is {}, above devices, {}", field.name, parallel.*field.member, devices));
        }
    });
    if (static_cast<double>(parallel.tp) * parallel.pp > devices) {
        rules.add("/parallel/pp", Code::inconsistent,
                  fmt::format("tp x pp is {}, above devices, {}", static_cast<double>(parallel.tp) * parallel.pp, devices));
    }
}

} // namespace

void check_burst(const Burst& burst, const std::string& pointer, Rules& rules) {
    constexpr double kSecondsPerDay = 86400.0;
    constexpr double kForgiven = 1e-9;
    const double seconds = burst.seconds * burst.per_day;
    if (seconds > kSecondsPerDay * (1 + kForgiven)) {
        rules.add(pointer + "/per_day", Code::inconsistent,
                  fmt::format("{} bursts of {} s are {} s a day, of 86400; give fewer or shorter ones", burst.per_day,
                              burst.seconds, seconds));
    } else if (burst.factor * seconds > kSecondsPerDay * (1 + kForgiven)) {
        rules.add(pointer + "/factor", Code::inconsistent,
                  fmt::format(
                      "at {0} times the mean for {1:.6g} of the time the bursts alone are {2:.6g} times the mean; allowed {3:.6g}: "
                      "state shorter bursts or a larger mean. Bursts of {0} times the rest of the time have the factor {4:.6g}",
                      burst.factor, burst.share(), burst.factor * burst.share(), 1 / burst.share(),
                      burst.factor / (1 + burst.share() * (burst.factor - 1))));
    }
}

bool check_rate_given(const Performance& performance, const std::string& pointer, Rules& rules) {
    const bool one = performance.units_per_s.has_value() != performance.estimate.has_value();
    if (!one) {
        rules.add(pointer + "/units_per_s", performance.estimate ? Code::not_allowed : Code::missing,
                  "give units_per_s or estimate, one of the two");
    }
    check_measured_at(performance, pointer, rules);
    return one;
}

void check_alone(const Performance& performance, Rules& rules) { check_rate_given(performance, "", rules); }
void check_alone(const Model& model, Rules& rules) {
    if (model.active_parameters > model.parameters) {
        rules.add("/active_parameters", Code::inconsistent,
                  fmt::format("active_parameters is {}, above parameters, {}", model.active_parameters, model.parameters));
    }
    if (model.weight_bytes.empty()) {
        rules.add("/weight_bytes", Code::missing, "weight_bytes is empty; give {precision: bytes}");
    }
    check_architecture(model, rules);
}

void check_alone(const Measurement& measurement, Rules& rules) {
    const MeasuredPoints& points = measurement.points;
    const bool trains = measurement.kind == MeasurementKind::training;
    const bool is_prefill = measurement.kind == MeasurementKind::prefill; // whose rate is its prompt by its time
    const std::string_view needed = trains ? "tokens_per_s" : is_prefill ? "ttft_s" : "output_per_s";
    const std::vector<double>& figures = trains ? points.tokens_per_s : is_prefill ? points.ttft_s : points.output_per_s;
    if (figures.empty()) {
        rules.add(fmt::format("/points/{}", needed), Code::missing,
                  fmt::format("a measurement of kind {} needs {}, a number a point", name_of(measurement.kind), needed));
    }
    for_each_field<MeasuredPoints>([&](const auto& field) {
        const std::vector<double>& column = points.*field.member;
        if (!column.empty() && !figures.empty() && column.size() != figures.size()) {
            rules.add(fmt::format("/points/{}", field.name), Code::inconsistent,
                      fmt::format("{} has {} points, {} has {}; give as many, or leave the column out", field.name, column.size(),
                                  needed, figures.size()));
        }
    });
    check_columns(measurement, rules);
    if (measurement.parallel) {
        check_parallel(*measurement.parallel, measurement.devices, rules);
    }
    if (measurement.method && !trains) {
        rules.add("/method", Code::not_allowed, "method belongs to kind training only");
    }
}

void check_alone(const Alias& alias, Rules& rules) {
    for (std::size_t i = 0; i < alias.names.size(); ++i) {
        const std::string& name = alias.names[i];
        const bool has_letter = std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
        if (!has_letter) {
            rules.add(fmt::format("/names/{}", i), Code::bad_format,
                      fmt::format("\"{}\" has no letter and no digit; files are searched for those alone", name));
        }
    }
}

namespace {

constexpr double kSameUnits = 1e-6; // rounding of what is typed

// Classes that differ from the mean by more than rounding, in words; empty where none does.
std::string other_than(const UnitsPerRequest& stated, const UnitsPerRequest& mean) {
    const auto differs = [](double a, double b) { return std::abs(a - b) > kSameUnits * std::max(a, b); };
    if (!stated.split) {
        const double units = units_of_request(mean);
        return differs(stated.total, units) ? fmt::format("{} where the mean of token_mix has {}", stated.total, units) : "";
    }
    std::string text;
    for_each_field<UnitsPerRequest>([&](const auto& field) {
        if (differs(stated.*field.member, mean.*field.member)) {
            text += fmt::format("{}{} {} where the mean of token_mix has {}", text.empty() ? "" : ", ", field.name,
                                stated.*field.member, mean.*field.member);
        }
    });
    return text;
}

void check_mix(const Workload& workload, const std::string& pointer, Rules& rules) {
    double shares = 0.0;
    for (std::size_t i = 0; i < workload.token_mix.size(); ++i) {
        shares += workload.token_mix[i].share;
        if (units_of_request({workload.token_mix[i], true}) <= 0.0) {
            rules.add(fmt::format("{}/token_mix/{}", pointer, i), Code::out_of_range,
                      "its classes add up to 0; a request has units");
        }
    }
    if (std::abs(shares - 1.0) > kSameUnits) {
        rules.add(pointer + "/token_mix", Code::inconsistent,
                  fmt::format("its shares add up to {}; they are shares of all requests, and add up to 1", shares));
    }
    const std::string other =
        workload.units_per_request == UnitsPerRequest{} ? "" : other_than(workload.units_per_request, mean_request(workload));
    if (!other.empty()) {
        rules.add(pointer + "/units_per_request", Code::inconsistent,
                  fmt::format("{}; leave units_per_request out, it follows from token_mix", other));
    }
}

// A prefix is a part of the input of each request.
void check_prefix_tokens(const Workload& workload, const std::string& pointer, Rules& rules) {
    for (const RequestPart& part : request_parts(workload)) {
        if (workload.prefix && !(part.units.split && workload.prefix->tokens <= part.units.input)) {
            rules.add(pointer + "/prefix/tokens", Code::inconsistent,
                      fmt::format("tokens is {}, above the input of a request, {}; a prefix is a part of the input of each",
                                  workload.prefix->tokens, part.units.input));
            return;
        }
    }
}

} // namespace

void check_units(const Workload& workload, const std::string& pointer, Rules& rules) {
    check_prefix_tokens(workload, pointer, rules);
    if (!workload.token_mix.empty()) {
        check_mix(workload, pointer, rules);
        return;
    }
    const UnitsPerRequest& units = workload.units_per_request;
    if (units.split && units_of_request(units) <= 0.0) {
        rules.add(pointer + "/units_per_request", Code::out_of_range, "its classes add up to 0; a request has units");
    }
    if (workload.unit == "token" && units == UnitsPerRequest{}) {
        rules.warn(pointer + "/units_per_request", Code::one_unit_per_request,
                   "units_per_request is not stated: a request counts as one token, and demand is in requests");
    }
}

void check_alone(const Endpoint& endpoint, Rules& rules) { check_hosted(endpoint, "", nullptr, rules); }

} // namespace costcurve::model
