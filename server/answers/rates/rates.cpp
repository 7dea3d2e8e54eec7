// Rate of a stored model on a stored device, at one load or at several.
#include "server/answers/rates/rates.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/performance/model_shape.hpp"
#include "server/answers/rates/parallel.hpp"
#include "server/answers/rates/rate_names.hpp"
#include "server/answers/rates/training_rate.hpp"
#include "server/import/identity/spellings.hpp"

namespace costcurve::answers {

namespace {

using model::Code;

constexpr auto kPrecisionWords = "bf16, fp16, fp8, int8, fp4 or int4";
constexpr int kMaxDevices = 1024; // maximum number of devices tried if the request states none

double bytes_of(model::WeightPrecision precision) {
    switch (precision) {
    case model::WeightPrecision::fp4:
        return 0.5;
    case model::WeightPrecision::fp8:
        return 1.0;
    case model::WeightPrecision::bf16:
        break;
    }
    return 2.0;
}

// Issues for device data that the step model needs but that is missing.
model::Failure missing_facts(const model::Device& device) {
    model::Failure issues;
    const auto require = [&](bool is_stated, std::string_view fact) {
        if (!is_stated) {
            issues.push_back({"/device", Code::missing, fmt::format("{} states no {}: state it in its document", device.id, fact)});
        }
    };
    require(device.memory_gib.has_value(), "memory_gib");
    require(device.memory_bandwidth_gb_per_s.has_value(), "memory_bandwidth_gb_per_s");
    require(model::peak_16(device) > 0.0, "peak_flops of bf16, fp16, fp8 or int8");
    return issues;
}

// A request whose model, device and precision are resolved.
class Rater {
public:
    Rater(const RatesRequest& request, const RatedCatalog& catalog, const model::Model& model, const model::Device& device,
          std::string precision)
        : request_(request), model_(model), device_(device), precision_(std::move(precision)), rates_(*catalog.rates) {
        const std::string framework = imports::framework_in(request.framework);
        question_.precision = *model::weight_precision(precision_);
        if (!request.kv_precision.empty()) {
            question_.kv_bytes_per_value = bytes_of(*model::weight_precision(request.kv_precision));
        }
        question_.framework = framework.empty() ? request.framework : framework;
        question_.input_tokens = *request.input;
        question_.cached_input_tokens = request.cached_input;
        question_.output_tokens = *request.output;
        question_.percentile = request.percentile.value_or(request.slo ? model::Slo{}.percentile : 0.0);
    }

    model::Result<RatesAnswer> answer() {
        model::Failure issues = choose_devices();
        if (issues.empty() && request_.parallel && !fits(static_cast<int>(question_.devices), request_.parallel->dp)) {
            issues.push_back({"/parallel/dp", Code::exceeds_memory,
                              fmt::format("dp is {}, and each group holds {} of {} whole: {:.6g} of {} do not; give a larger tp",
                                          request_.parallel->dp, model_.experts ? "all but the routed experts" : "all weights",
                                          model_.id, question_.devices / request_.parallel->dp, device_.id)});
        }
        if (!issues.empty()) {
            return tl::unexpected(std::move(issues));
        }
        double concurrency = request_.concurrency.value_or(1.0);
        if (request_.slo) {
            const std::optional<int> most = most_within(*request_.slo);
            if (!most) {
                return tl::unexpected(out_of_reach(*request_.slo));
            }
            concurrency = *most;
        }
        return at_load(concurrency);
    }

private:
    [[nodiscard]] model::RatedModel at(double concurrency) {
        question_.concurrency = concurrency;
        return *rates_.rate(model_, device_, question_); // all needed device data is stated
    }

    [[nodiscard]] bool fits(int devices, int groups = 1) {
        question_.devices = devices;
        question_.attention_groups = groups;
        return at(1.0).rate.weights_fit;
    }

    model::Failure choose_devices() {
        const int stated = request_.devices.value_or(0);
        if (stated > 0 && fits(stated)) {
            return {};
        }
        int devices = 1;
        while (devices <= kMaxDevices && (devices <= stated || !fits(devices))) {
            devices *= 2;
        }
        if (stated == 0 && devices <= kMaxDevices) {
            return {};
        }
        return {
            {stated == 0 ? "/device" : "/devices", Code::exceeds_memory,
             fmt::format("{} of {} do not hold the weights of {} at {} and the cache of a request of {:.6g} tokens; {}",
                         stated == 0 ? kMaxDevices : stated, device_.id, model_.id, precision_, *request_.input + *request_.output,
                         devices <= kMaxDevices ? fmt::format("give {} or more, or fewer bits", devices)
                                                : "give another device or fewer bits")}};
    }

    static bool keeps(const model::StepRate& rate, const RateObjectives& slo) {
        return rate.ttft_s <= slo.ttft_s.value_or(rate.ttft_s) && rate.itl_s <= slo.itl_s.value_or(rate.itl_s) &&
               rate.e2e_s <= slo.e2e_s.value_or(rate.e2e_s);
    }

    // Searches from the maximum down, because corrections need not rise with the load.
    std::optional<int> most_within(const RateObjectives& slo) {
        int load =
            static_cast<int>(std::max(1.0, std::min<double>(model::kMaxConcurrency, at(model::kMaxConcurrency).rate.running)));
        while (load > 0 && !keeps(at(load).rate, slo)) {
            --load;
        }
        return load > 0 ? std::optional(load) : std::nullopt;
    }

    model::Failure out_of_reach(const RateObjectives& slo) {
        const model::StepRate one = at(1.0).rate;
        model::Failure issues;
        const auto refuse = [&](std::string_view name, const std::optional<double>& most, double value) {
            if (most && value > *most) {
                issues.push_back({fmt::format("/slo/{}", name), Code::infeasible,
                                  fmt::format("{} is {:.3g} s with one request; allowed {:.3g} s: give more devices, fewer bits or "
                                              "another objective",
                                              name, value, *most)});
            }
        };
        refuse("ttft_s", slo.ttft_s, one.ttft_s);
        refuse("itl_s", slo.itl_s, one.itl_s);
        refuse("e2e_s", slo.e2e_s, one.e2e_s);
        return issues;
    }

    static void put(RateAtLoad& row, double concurrency, const model::RatedModel& rated) {
        const model::StepRate& rate = rated.rate;
        row = {concurrency,         rate.output_per_s, rate.requests_per_s, rate.ttft_s,
               rate.itl_s,          rate.e2e_s,        rated.evidence,      rated.low,
               rated.high,          rated.ceiling,     rated.ceiling_of,    rated.mfu,
               rate.bound,          rate.running,      rated.watts,         rated.watts / rate.output_per_s,
               rated.watts_evidence};
    }

    RatesAnswer at_load(double concurrency) {
        const model::RatedModel rated = at(concurrency);
        RatesAnswer answer;
        put(answer, concurrency, rated);
        answer.model = model_.id;
        answer.device = device_.id;
        answer.devices = static_cast<int>(question_.devices);
        answer.precision = precision_;
        answer.input = request_.input;
        answer.output = request_.output;
        answer.cached_input = request_.cached_input;
        if (question_.percentile > 0.0) {
            answer.percentile = question_.percentile;
        }
        const model::StepRate& rate = rated.rate;
        answer.step =
            StepParts{rate.step_s, rate.reading_s, rate.arithmetic_s, rate.prompts_s, rate.communication_s, rate.overhead_s};
        for (const model::PointInfluence& influence : rated.from) {
            answer.from.push_back({influence.point->measurement, influence.point->point, influence.weight});
        }
        std::set<double> loads(request_.concurrencies.begin(), request_.concurrencies.end());
        loads.insert(concurrency);
        for (const double load : loads) {
            put(answer.loads.emplace_back(), load, at(load));
        }
        return answer;
    }

    const RatesRequest& request_;
    const model::Model& model_;
    const model::Device& device_;
    std::string precision_;
    const model::Rates& rates_;
    model::RateQuestion question_;
};

} // namespace

namespace {

// Checks fields required by serving or training, and refuses those of the other.
void check_serving_or_training(const RatesRequest& request, model::Failure& issues) {
    const auto require = [&](bool is_stated, std::string_view name, std::string_view what) {
        if (!is_stated) {
            issues.push_back({fmt::format("/{}", name), Code::missing,
                              fmt::format("{} is required: {}; a training run has sequence instead", name, what)});
        }
    };
    const auto refuse = [&](bool is_stated, std::string_view name) {
        if (is_stated) {
            issues.push_back({fmt::format("/{}", name), Code::not_allowed,
                              request.sequence ? fmt::format("{} is of serving, sequence of training: give one of them", name)
                                               : fmt::format("{} is of training: give sequence, the tokens of a sample", name)});
        }
    };
    if (!request.sequence) {
        require(request.input.has_value(), "input", "tokens of a prompt");
        require(request.output.has_value(), "output", "tokens of its answer");
        refuse(request.method.has_value(), "method");
        refuse(request.tokens_per_step.has_value(), "tokens_per_step");
        if (request.devices.value_or(1) > kMaxReplica) {
            issues.push_back({"/devices", Code::out_of_range,
                              fmt::format("devices is {}; allowed 1 to {} of a replica", *request.devices, kMaxReplica)});
        }
        return;
    }
    refuse(request.input.has_value(), "input");
    refuse(request.output.has_value(), "output");
    refuse(request.cached_input > 0.0, "cached_input");
    refuse(request.concurrency.has_value(), "concurrency");
    refuse(request.slo.has_value(), "slo");
    refuse(!request.concurrencies.empty(), "concurrencies");
    refuse(!request.kv_precision.empty(), "kv_precision");
    refuse(request.percentile.has_value(), "percentile");
    refuse(request.parallel.has_value(), "parallel");
    if (request.tokens_per_step && *request.tokens_per_step < *request.sequence) {
        issues.push_back({"/tokens_per_step", Code::inconsistent,
                          fmt::format("tokens_per_step is {:.6g}, below sequence, {:.6g}: a step has one sample or more",
                                      *request.tokens_per_step, *request.sequence)});
    }
}

} // namespace

void check(RatesRequest& request, const QuestionLimits& /*limits*/, model::Failure& issues) {
    const auto check_word = [&](std::string_view pointer, const std::string& word) {
        if (!word.empty() && !model::weight_precision(word)) {
            issues.push_back({std::string(pointer), Code::unknown_value,
                              fmt::format("{} is \"{}\"; allowed {}", pointer.substr(1), shortened(word, 40), kPrecisionWords)});
        }
    };
    check_word("/precision", request.precision);
    check_word("/kv_precision", request.kv_precision);
    check_serving_or_training(request, issues);
    if (request.parallel && !request.sequence) {
        issues.add_all(check_parallel(*request.parallel, request.devices));
    }
    if (request.input && request.cached_input > *request.input) {
        issues.push_back({"/cached_input", Code::inconsistent,
                          fmt::format("cached_input is {:.6g} tokens; at most input, {:.6g}, which they are a part of",
                                      request.cached_input, *request.input)});
    }
    if (request.concurrency && request.slo) {
        issues.push_back({"/concurrency", Code::inconsistent, "give concurrency, or slo, for which it is found"});
    }
    if (request.slo && !request.slo->ttft_s && !request.slo->itl_s && !request.slo->e2e_s) {
        issues.push_back({"/slo", Code::missing, "an objective is required: ttft_s, itl_s or e2e_s"});
    }
}

model::Result<RatesAnswer> rate_of(const RatesRequest& request, const RatedCatalog& catalog) {
    const model::Model* const model = find_model(catalog.models, request.model);
    const model::Device* const device = find_device(catalog.devices, request.device);
    model::Failure issues;
    if (model == nullptr) {
        issues.push_back(unknown_model(catalog.models, request.model));
    }
    if (device == nullptr) {
        issues.push_back(unknown_device(catalog.devices, request.device));
    } else {
        issues.add_all(missing_facts(*device));
    }
    if (model != nullptr && model->context_tokens > 0.0 && *request.input + *request.output > model->context_tokens) {
        issues.push_back({"/input", Code::out_of_range,
                          fmt::format("input and output are {:.0f} tokens; the context of {} is {:.0f}: give shorter requests",
                                      *request.input + *request.output, model->id, model->context_tokens)});
    }
    const std::string precision =
        !request.precision.empty() || model == nullptr ? request.precision : model::published_precision(*model);
    const auto weights = model::weight_precision(precision);
    if (model != nullptr && !weights) {
        issues.push_back(
            {"/precision", Code::missing,
             fmt::format("{} was published in {}, of which no rate is known; give {}", model->id, precision, kPrecisionWords)});
    }
    if (issues.empty() && !model::computes_in(*device, *weights)) {
        issues.push_back({"/precision", Code::ineligible_precision,
                          fmt::format("{} states no peak of {}; it has those of {}", device->id, precision, peaks_of(*device))});
    }
    if (issues.empty() && request.parallel) {
        issues.add_all(impossible_parts(*request.parallel, *model));
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return Rater(request, catalog, *model, *device, precision).answer();
}

model::Result<RatesAnswer> rate_of(const RatesRequest& request, documents::Source& source) {
    if (request.sequence) {
        return training_rate_of(request, source);
    }
    return rate_of(request, read_rated(source));
}

model::Result<std::string> answer(const RatesRequest& request, documents::Source& source) {
    return rate_of(request, source).map([](const RatesAnswer& rated) { return encode_answer(rated); });
}

std::string text_of(const RatesRequest& request) {
    nlohmann::json body = {{"model", request.model}, {"device", request.device}};
    const auto state = [](nlohmann::json& object, const char* name, const auto& value) {
        if (value) {
            object[name] = *value;
        }
    };
    const auto state_text = [&](const char* name, const std::string& value) {
        if (!value.empty()) {
            body[name] = value;
        }
    };
    state(body, "devices", request.devices);
    state(body, "input", request.input);
    state(body, "output", request.output);
    state(body, "sequence", request.sequence);
    state(body, "tokens_per_step", request.tokens_per_step);
    if (request.method) {
        body["method"] = model::name_of(*request.method);
    }
    if (request.cached_input > 0.0) {
        body["cached_input"] = request.cached_input;
    }
    if (!request.concurrencies.empty()) {
        body["concurrencies"] = request.concurrencies;
    }
    state_text("precision", request.precision);
    state_text("kv_precision", request.kv_precision);
    state_text("framework", request.framework);
    state(body, "concurrency", request.concurrency);
    state(body, "percentile", request.percentile);
    if (request.parallel) {
        body["parallel"] = {
            {"tp", request.parallel->tp}, {"pp", request.parallel->pp}, {"ep", request.parallel->ep}, {"dp", request.parallel->dp}};
    }
    if (request.slo) {
        nlohmann::json& slo = body["slo"] = nlohmann::json::object();
        state(slo, "ttft_s", request.slo->ttft_s);
        state(slo, "itl_s", request.slo->itl_s);
        state(slo, "e2e_s", request.slo->e2e_s);
    }
    return body.dump();
}

} // namespace costcurve::answers
