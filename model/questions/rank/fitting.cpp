// Estimates rates of models with known facts. Otherwise picks the best of the model's stored rates in one pass.
#include "model/questions/rank/fitting.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/model_shape.hpp"
#include "model/performance/performance.hpp"
#include "model/performance/rated_fit.hpp"

namespace costcurve::model {

namespace {

// Units/s per device that a replica holds; 0 if the replica can't run on such hosts.
double rate_per_held(const Performance& performance, const Workload& workload, const Device& device, int devices_per_host) {
    const double devices = replica_devices(performance, device);
    const bool is_known = performance.units_per_s || (performance.estimate && device.memory_bandwidth_gb_per_s.value_or(0.0) > 0.0);
    if (!is_known || (devices > devices_per_host && !performance.spans_hosts)) {
        return 0.0;
    }
    const BatchChoice batch = choose_batch(performance, device, workload);
    if (batch.problem != BatchChoice::Problem::none) {
        return 0.0;
    }
    const double rate = replica_rate(performance, device, workload, batch.batch).units_per_s;
    return std::isfinite(rate) ? rate / devices_held(devices, devices_per_host) : 0.0;
}

// Whether requests have a much larger share of prompt than the measured ones. Then the measured rate says nothing about prompts.
bool has_heavier_prompts(const Performance& performance, const Workload& workload) {
    const UnitsPerRequest request = mean_request(workload);
    return has_distant_mix(performance, workload) &&
           (request.input + request.cached_input) * performance.mix->output > performance.mix->input * request.output;
}

// Length of the common prefix.
std::size_t shared_letters(std::string_view a, std::string_view b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

} // namespace

Fitting::Fitting(const Catalog& catalog, std::optional<NumberFormat> least)
    : catalog_(catalog), least_precision_(least ? name_of(*least) : ""),
      rates_(catalog.rates ? catalog.rates
                           : std::make_shared<const Rates>(catalog.models, std::vector<Device>{}, std::vector<MeasuredPoint>{})) {
    for (const Performance& performance : catalog.performances) {
        if (!performance.model.empty()) {
            performances_.emplace(performance.model, &performance);
        }
    }
    for (const Model& model : catalog.models) {
        models_.emplace(model.id, &model);
    }
}

std::size_t Fitting::number_of(const Workload& workload) {
    const auto found = std::ranges::find(workloads_, workload);
    const auto number = static_cast<std::size_t>(found - workloads_.begin());
    if (found == workloads_.end()) {
        workloads_.push_back(workload);
    }
    return number;
}

const Fit& Fitting::fit(const Workload& workload, const Device& device, int devices_per_host) {
    const auto [found, is_new] = fits_.try_emplace({number_of(workload), device.id, devices_per_host});
    if (is_new) {
        found->second = find(workload, device, devices_per_host);
    }
    return found->second;
}

const Gangs& Fitting::gangs(const Workload& workload, const Device& device, int devices_per_host) {
    const auto [found, is_new] = gangs_.try_emplace({number_of(workload), device.id, devices_per_host});
    if (is_new) {
        found->second = find_gangs(workload, device, devices_per_host);
    }
    return found->second;
}

Gangs Fitting::find_gangs(const Workload& workload, const Device& device, int devices_per_host) const {
    const auto model = models_.find(workload.model);
    Gangs found;
    if (model == models_.end() || catalog_.training_rates == nullptr) {
        found.reason = "no_performance";
        return found;
    }
    Workload in_precision = workload;
    in_precision.precision = workload.precision.empty() ? least_precision_ : workload.precision;
    for (double least = devices_per_host; found.reason.empty();) {
        Fit fit = rated_training_fit(*catalog_.training_rates, *model->second, device, in_precision, devices_per_host, least);
        const double devices = fit.performance ? fit.performance->devices : 0.0;
        if (!fit.performance) {
            found.reason = fit.reason;
        } else if (devices > devices_per_host && !spans_hosts(device, devices_per_host, devices)) {
            found.reason = "no_network";
        } else if (devices > kMaxRunDevices) {
            found.reason = "exceeds_memory"; // even the largest gang is too small
        } else {
            const double hosts = devices / devices_per_host;
            const double power = std::exp2(std::ceil(std::log2(hosts)));
            if (power == hosts) {
                found.gangs.push_back({std::move(*fit.performance), *fit.range, fit.facts});
            }
            least = devices_per_host * (power == hosts ? 2.0 * power : power);
        }
    }
    return found;
}

Fit Fitting::find(const Workload& workload, const Device& device, int devices_per_host) const {
    const auto model = models_.find(workload.model);
    if (model != models_.end() && step_device(device, {}, WeightPrecision::bf16)) {
        return rated_fit(*rates_, *model->second, device, workload, devices_per_host, least_precision_);
    }
    return exceeds_context(workload) ? Fit{std::nullopt, "exceeds_context"} : stored(workload, device, devices_per_host);
}

Fit Fitting::stored(const Workload& workload, const Device& device, int devices_per_host) const {
    const Performance* best = nullptr;
    double best_rate = 0.0;
    bool any = false;
    bool differs = false;
    const auto [first, last] = performances_.equal_range(workload.model);
    for (auto entry = first; entry != last; ++entry) {
        const Performance& performance = *entry->second;
        if (performance.device.id != device.id) {
            continue;
        }
        any = true;
        if (has_heavier_prompts(performance, workload)) {
            differs = true;
            continue;
        }
        const double rate = rate_per_held(performance, workload, device, devices_per_host);
        const bool is_measured = performance.basis == Evidence::measured && !performance.estimate;
        const bool best_is_measured = best != nullptr && best->basis == Evidence::measured && !best->estimate;
        const bool is_better =
            best == nullptr || is_measured > best_is_measured || (is_measured == best_is_measured && rate > best_rate);
        if (rate > 0.0 && is_better) {
            best = &performance;
            best_rate = rate;
        }
    }
    return best != nullptr ? Fit{*best, ""}
                           : Fit{std::nullopt, differs ? "mix_differs"
                                               : any   ? "no_rate_that_fits"
                                                       : "no_performance"};
}

std::optional<NearestDevice> Fitting::nearest() const {
    std::optional<NearestDevice> nearest;
    for (const auto& [key, fit] : fits_) {
        if (!fit.performance && fit.nearest && (!nearest || fit.nearest->times_over < nearest->times_over)) {
            nearest = NearestDevice{*fit.nearest, workloads_[std::get<std::size_t>(key)].id, std::get<std::string>(key)};
        }
    }
    return nearest;
}

bool Fitting::exceeds_context(const Workload& workload) const {
    const auto model = models_.find(workload.model);
    return model != models_.end() && model->second->context_tokens > 0.0 &&
           longest_request(workload) > model->second->context_tokens;
}

bool Fitting::may_exceed_context(const Workload& workload) const {
    const auto model = models_.find(workload.model);
    return (model == models_.end() || model->second->context_tokens <= 0.0) && longest_request(workload) > kHostedContext;
}

std::string Fitting::context_text(const Workload& workload) const {
    return fmt::format("a request has up to {:.0f} tokens, the context of {} {:.0f}", longest_request(workload), workload.model,
                       models_.at(workload.model)->context_tokens);
}

std::vector<OtherCheckpoint> Fitting::other_checkpoints(const Workload& workload) const {
    constexpr std::size_t kMaxNames = 3;
    std::map<std::string_view, std::size_t> hosts;
    for (const Endpoint& endpoint : catalog_.endpoints) {
        ++hosts[endpoint.model];
    }
    const auto model = models_.find(workload.model);
    if (model == models_.end() || hosts.contains(workload.model)) {
        return {};
    }
    const std::string architecture = architecture_of(assumed_shape(*model->second));
    std::vector<std::pair<std::size_t, OtherCheckpoint>> found;
    for (const auto& [name, count] : hosts) {
        const auto other = models_.find(name);
        if (other != models_.end() && architecture_of(assumed_shape(*other->second)) == architecture) {
            found.emplace_back(shared_letters(name, workload.model), OtherCheckpoint{workload.id, std::string(name), count});
        }
    }
    std::ranges::stable_sort(found, std::greater<>(), &std::pair<std::size_t, OtherCheckpoint>::first);
    std::vector<OtherCheckpoint> nearest;
    for (std::size_t i = 0; i < std::min(kMaxNames, found.size()); ++i) {
        nearest.push_back(std::move(found[i].second));
    }
    return nearest;
}

bool Fitting::knows(const std::string& model) const {
    return models_.contains(model) || performances_.contains(model) ||
           std::any_of(catalog_.endpoints.begin(), catalog_.endpoints.end(),
                       [&](const Endpoint& endpoint) { return endpoint.model == model; });
}

std::optional<double> Fitting::weights_gb(const std::string& model) const {
    constexpr double kBytesPerGb = 1e9;
    constexpr double kBytesOf16Bit = 2.0;
    const auto found = models_.find(model);
    if (found == models_.end()) {
        return std::nullopt;
    }
    double bytes = 0.0;
    for (const auto& [precision, of_precision] : found->second->weight_bytes) {
        bytes = std::max(bytes, of_precision);
    }
    bytes = bytes > 0.0 ? bytes : kBytesOf16Bit * found->second->parameters;
    return bytes > 0.0 ? std::optional(bytes / kBytesPerGb) : std::nullopt;
}

std::vector<std::string> Fitting::near(const std::string& model) const {
    constexpr std::size_t kMaxNames = 5;
    std::vector<std::pair<std::size_t, std::string>> names;
    const std::string name = lower(model);
    const std::string_view family = std::string_view(name).substr(0, name.find_first_of(" -_.0123456789"));
    std::set<std::string_view> ids;
    for (const auto& [id, document] : models_) {
        ids.insert(id);
    }
    for (const Endpoint& endpoint : catalog_.endpoints) {
        ids.insert(endpoint.model);
    }
    for (const std::string_view id : ids) {
        if (!family.empty() && id.find(family) != std::string_view::npos) {
            names.emplace_back(shared_letters(id, name), id);
        }
    }
    std::stable_sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> first;
    for (std::size_t i = 0; i < std::min(kMaxNames, names.size()); ++i) {
        first.push_back(std::move(names[i].second));
    }
    return first;
}

Failure unknown_models(const RankQuestion& question, const Fitting& fitting) {
    Failure issues;
    for (std::size_t w = 0; w < question.work.workloads.size(); ++w) {
        const std::string& model = question.work.workloads[w].model;
        const std::string at = fmt::format("/workloads/{}/model", w);
        if (model.empty()) {
            issues.push_back({at, Code::missing, "give the model that it runs, such as llama-3.1-70b"});
        } else if (!fitting.knows(model)) {
            const std::vector<std::string> near = fitting.near(model);
            issues.push_back({at, Code::unknown_reference,
                              fmt::format("nothing is known of {}{}; a document at /v1/models with its parameters, layers, "
                                          "weight_bytes and kv_bytes_per_token makes estimates possible, an endpoint or a "
                                          "performance that names it more",
                                          model, near.empty() ? "" : fmt::format("; near it are {}", fmt::join(near, ", ")))});
        }
    }
    return issues;
}

} // namespace costcurve::model
