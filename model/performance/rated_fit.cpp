// Every size and precision of a replica, each as a performance with its curves; the best is kept.
#include "model/performance/rated_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/performance/classes.hpp"
#include "model/performance/performance.hpp"
#include "model/queueing/percentiles.hpp"
#include "model/queueing/under_load.hpp"

namespace costcurve::model {

namespace {

// A request without classes is all tokens out, which take the most.
RequestMix tokens_of(const UnitsPerRequest& units) { return mix_of(units).value_or(RequestMix{0.0, units.total, 0.0}); }

Curve by_batch(CurveKind kind) {
    Curve curve;
    curve.kind = kind;
    curve.axis = Axis::batch;
    curve.interpolation = Interpolation::log;
    return curve;
}

// A replica of so many devices at a precision, over all loads that its memory holds.
class Replica {
public:
    Replica(const Rates& rates, const Model& model, const Device& device, const Workload& workload, double devices,
            const std::string& precision)
        : rates_(rates), model_(model), device_(device), workload_(workload), tokens_(tokens_of(mean_request(workload))) {
        question_.devices = devices;
        question_.precision = *weight_precision(precision);
        question_.framework = workload.framework;
        question_.input_tokens = tokens_.input;
        question_.cached_input_tokens = tokens_.cached_input;
        question_.output_tokens = tokens_.output;
        if (workload.slo.is_stated() && workload.slo.percentile > 0.0) {
            question_.percentile = std::min(workload.slo.percentile, kMaxPercentile);
            performance_.latency_percentile = workload.slo.percentile;
        }
        performance_.mix = mix_of(mean_request(workload));
        performance_.id = fmt::format("rate.{}.{}", model.id, device.id);
        performance_.device.id = device.id;
        performance_.model = model.id;
        performance_.devices = devices;
        performance_.precision = precision;
    }

    // The performance, or why it can't be.
    Fit fit() {
        const std::optional<RatedModel>& full = at(kMaxConcurrency);
        if (!full || !full->rate.weights_fit) {
            return {std::nullopt, "exceeds_memory"};
        }
        const double most = std::max(1.0, std::min<double>(kMaxConcurrency, std::floor(full->rate.running)));
        std::vector<double> loads;
        for (int load = 1; load < most; load *= 2) {
            loads.push_back(load);
        }
        loads.push_back(most);
        weigh(*at(most));
        set_curves(loads);
        constexpr int kTries = 8;
        for (int tries = 0; tries < kTries; ++tries) {
            const BatchChoice chosen = choose_batch(performance_, device_, workload_);
            const int batch = most_used_batch(chosen.batch.value_or(static_cast<int>(most)));
            const std::optional<double> share = share_under_load(performance_, workload_, batch);
            if (chosen.problem != BatchChoice::Problem::none || share == 0.0) {
                break;
            }
            if (keeps_at(batch, share.has_value(), loads)) {
                const RatedModel& rated = *at(batch);
                describe(rated, batch);
                return {performance_,
                        "",
                        {},
                        RateFacts{rated.ceiling, rated.ceiling_of, rated.mfu, static_cast<int>(8.0 * cache_bytes(question_))}};
            }
            performance_.batch.reset(); // between two loads it was kept, at its own it is not: the next is looked for with that one
        }
        return {std::nullopt, "ineligible_latency", near_miss()};
    }

private:
    // Makes the curves exact where it runs; whether the objectives are kept there.
    [[nodiscard]] bool keeps_at(int batch, bool is_stated, std::vector<double>& loads) {
        performance_.batch = is_stated ? std::optional(batch) : std::nullopt;
        if (!std::ranges::binary_search(loads, batch)) {
            loads.insert(std::ranges::lower_bound(loads, batch), batch);
            set_curves(loads);
        }
        return choose_batch(performance_, device_, workload_).problem == BatchChoice::Problem::none;
    }

    // The batch that serves the most under load: the largest one lowered by tenths, until three in a row serve less.
    [[nodiscard]] int most_used_batch(int largest) {
        const auto usable = [&](int batch) {
            return share_under_load(performance_, workload_, batch).value_or(0.0) * at(batch)->rate.output_per_s;
        };
        double most = usable(largest);
        int best = largest;
        for (int batch = largest, losses = 0; batch > 1 && losses < 3;) {
            batch = std::min(batch - 1, most > 0.0 ? batch * 9 / 10 : batch / 2);
            const double now = usable(batch);
            losses = now > most || most == 0.0 ? 0 : losses + 1;
            best = now > most ? batch : best;
            most = std::max(now, most);
        }
        return best;
    }

    // Each load once: the curves are made again with the batch that is chosen.
    [[nodiscard]] const std::optional<RatedModel>& at(double concurrency) {
        question_.concurrency = concurrency;
        std::optional<std::optional<RatedModel>>& known = known_[concurrency];
        return known ? *known : known.emplace(rates_.rate(model_, device_, question_));
    }

    // One weight at all loads: the rate makes up for it at each, so that this request has its own.
    void weigh(const RatedModel& rated) {
        ClassWeights& weights = performance_.class_weights;
        weights.input = performance_.mix ? rated.input_weight : 1.0;
        weights.cache_write = weights.input;
        weights.cached_input = 0.0;
        weights.output = 1.0;
        weights.reasoning = 1.0;
        weighted_per_output_ = 1.0 + *weights.input * (tokens_.input - tokens_.cached_input) / tokens_.output;
        performance_.prompt_token_s = performance_.mix ? *weights.input / (rated.rate.output_per_s * weighted_per_output_) : 0.0;
    }

    void set_curves(const std::vector<double>& loads) {
        Curve throughput = by_batch(CurveKind::throughput);
        Curve between = by_batch(CurveKind::latency);
        Curve first = by_batch(CurveKind::latency);
        for (const double load : loads) {
            const RatedModel& rated = *at(load);
            throughput.y.push_back(rated.rate.output_per_s * weighted_per_output_);
            between.y.push_back(rated.rate.itl_s);
            first.y.push_back(rated.rate.ttft_s);
        }
        throughput.x = between.x = first.x = loads;
        performance_.units_per_s = Rate{0.0, throughput};
        performance_.itl_s = between.y.front() > 0.0 ? std::optional(Rate{0.0, between}) : std::nullopt; // a second token
        performance_.ttft_s = Rate{0.0, first};
    }

    // Of one request at a time.
    [[nodiscard]] std::optional<NearMiss> near_miss() const {
        const std::optional<LoadedLatency> least = least_latency(performance_, workload_, 1);
        if (!least) {
            return std::nullopt;
        }
        NearMiss miss{performance_.devices, performance_.precision, least->percentile, least->ttft_s, least->itl_s, least->e2e_s};
        const Slo& slo = workload_.slo;
        for (const auto& [time, limit] : {std::pair(miss.ttft_s, slo.ttft_s), {miss.itl_s, slo.itl_s}, {miss.e2e_s, slo.e2e_s}}) {
            miss.times_over = std::max(miss.times_over, limit ? time / *limit : 0.0);
        }
        return miss;
    }

    void describe(const RatedModel& rated, double batch) {
        performance_.basis = performance_.mix ? rated.evidence : Evidence::assumed;
        performance_.source = "step model";
        if (!rated.from.empty()) {
            performance_.source += ", corrected by";
            for (const PointInfluence& influence : rated.from) {
                performance_.rated_by.push_back({document_name<Measurement>, influence.point->measurement, {}, {}});
                performance_.source += fmt::format(" {} {:.0f} %", influence.point->measurement, influence.weight * 100.0);
            }
        }
        performance_.note = fmt::format(
            "{:.6g} tokens in, {:.6g} of them cached, {:.6g} out; at {:.0f} requests {:.6g} tokens/s out, p10 {:.6g}, p90 "
            "{:.6g}; {:.0f} % of its {}",
            question_.input_tokens, question_.cached_input_tokens, question_.output_tokens, batch, rated.rate.output_per_s,
            rated.low, rated.high, rated.ceiling * 100.0, name_of(rated.ceiling_of));
    }

    const Rates& rates_;
    const Model& model_;
    const Device& device_;
    const Workload& workload_;
    RequestMix tokens_;
    RateQuestion question_;
    Performance performance_;
    std::map<double, std::optional<std::optional<RatedModel>>> known_; // by concurrency
    double weighted_per_output_ = 1.0;
};

// The rates of both requests at a load.
struct RatePair {
    RatedModel stated;
    RatedModel wanted;
    double output_per_s = 0.0; ///< of the wanted request, as the stated rate has it
};

// The request and load of a performance with a mix, as a measured point.
class StatedRate {
public:
    StatedRate(const Workload& workload, const Performance& performance, const Model& model, const Device& device)
        : performance_(performance) {
        const std::string& stated = performance.precision.empty() ? workload.precision : performance.precision;
        precision_ = weight_precision(stated.empty() ? published_precision(model) : stated);
        const ClassValues weights = class_weights(performance, device, workload, performance.batch);
        const RequestMix& mix = *performance.mix;
        weighted_per_output_ =
            weighted({mix.input - mix.cached_input, mix.cached_input, 0.0, mix.output, 0.0}, weights) / mix.output;
    }
    [[nodiscard]] bool is_possible() const {
        return precision_ && performance_.units_per_s && performance_.devices >= 1.0 && performance_.slice.empty() &&
               weighted_per_output_ > 0.0;
    }
    // Where neither a concurrency nor a batch is stated, the most that memory holds.
    [[nodiscard]] double load() const { return performance_.concurrency.value_or(performance_.batch.value_or(kMaxConcurrency)); }
    [[nodiscard]] RateQuestion question(const RequestMix& mix, double load) const {
        RateQuestion question;
        question.devices = performance_.devices;
        question.precision = *precision_;
        question.framework = performance_.framework;
        question.input_tokens = mix.input;
        question.cached_input_tokens = mix.cached_input;
        question.output_tokens = mix.output;
        question.concurrency = load;
        return question;
    }
    // Of a performance that gives so many units/s at a load.
    [[nodiscard]] MeasuredPoint point(double load, double units_per_s) const {
        MeasuredPoint own;
        own.at = question(*performance_.mix, load);
        own.is_own = true;
        own.output_per_s = units_per_s / weighted_per_output_;
        own.measurement = performance_.id;
        return own;
    }

private:
    const Performance& performance_;
    std::optional<WeightPrecision> precision_;
    double weighted_per_output_ = 0.0;
};

class OtherMix {
public:
    OtherMix(const Workload& workload, const Performance& performance, const Rates& rates, const Model& model, const Device& device)
        : stated_(workload, performance, model, device), rates_(rates), model_(model), device_(device), wanted_(*mix_of(workload)) {
    }
    [[nodiscard]] const StatedRate& stated() const { return stated_; }
    // Nothing where the step model has no rate.
    [[nodiscard]] std::optional<RatePair> at(double load, double units_per_s) const {
        const MeasuredPoint own = stated_.point(load, units_per_s);
        const std::optional<RatedModel> stated = rates_.rate(model_, device_, own.at, &own);
        const std::optional<RatedModel> wanted = rates_.rate(model_, device_, stated_.question(wanted_, load), &own);
        if (!stated || !wanted || !stated->rate.weights_fit || !wanted->rate.weights_fit) {
            return std::nullopt;
        }
        RatePair pair{*stated, *wanted, wanted->rate.output_per_s};
        std::erase_if(pair.wanted.from, [&](const PointInfluence& influence) { return influence.point == &own; });
        const double ratio = own.output_per_s / stated->rate.output_per_s;
        if (ratio * stated->ceiling <= 1.0) {
            pair.output_per_s *= std::min(ratio, 1.0 / wanted->ceiling);
        }
        return pair;
    }
    [[nodiscard]] const RequestMix& wanted() const { return wanted_; }

private:
    StatedRate stated_;
    const Rates& rates_;
    const Model& model_;
    const Device& device_;
    RequestMix wanted_;
};

// Applies `scale(load, figure)` to a number or to each point; a curve over devices is scaled as a whole, by its value at them.
template <class F> void scale(Rate& rate, double load, double devices, F&& scaled) {
    if (!rate.curve) {
        rate.number = scaled(load, rate.number);
    } else if (rate.curve->axis == Axis::batch) {
        for (std::size_t i = 0; i < rate.curve->x.size(); ++i) {
            rate.curve->y[i] = scaled(rate.curve->x[i], rate.curve->y[i]);
        }
    } else {
        const double stated = read(*rate.curve, devices);
        const double factor = stated > 0.0 ? scaled(load, stated) / stated : 1.0;
        for (double& figure : rate.curve->y) {
            figure *= factor;
        }
    }
}

double stated_at(const Rate& rate, double load, double devices) {
    return !rate.curve ? rate.number : read(*rate.curve, rate.curve->axis == Axis::batch ? load : devices);
}

} // namespace

Fit rated_fit(const Rates& rates, const Model& model, const Device& device, const Workload& workload, int devices_per_host,
              const std::string& least_precision) {
    if (model.context_tokens > 0.0 && longest_request(workload) > model.context_tokens) {
        return {std::nullopt, "exceeds_context"};
    }
    const std::vector<std::string> precisions = precisions_for(model, device, workload, least_precision);
    Fit best{std::nullopt, precisions.empty() ? "no_peak_at_precision" : "exceeds_memory"};
    double best_rate = 0.0;
    for (const std::string& precision : precisions) {
        for (int devices = 1; devices <= devices_per_host; devices *= 2) {
            Fit fit = Replica(rates, model, device, workload, devices, precision).fit();
            if (!fit.performance) {
                best.reason = best.performance || fit.reason == "exceeds_memory" ? best.reason : fit.reason;
                const bool is_nearer = fit.nearest && (!best.nearest || fit.nearest->times_over < best.nearest->times_over);
                best.nearest = is_nearer ? fit.nearest : best.nearest;
                continue;
            }
            const std::optional<int> batch = choose_batch(*fit.performance, device, workload).batch;
            const double usable = share_under_load(*fit.performance, workload, batch).value_or(1.0);
            const double rate = usable * replica_rate(*fit.performance, device, workload, batch).units_per_s /
                                devices_held(devices, devices_per_host);
            if (rate > best_rate) {
                best_rate = rate;
                best = std::move(fit);
            }
        }
    }
    return best;
}

bool is_above_ceiling(const Workload& workload, const Performance& performance, const Model& model, const Device& device) {
    const StatedRate stated(workload, performance, model, device);
    if (!stated.is_possible()) {
        return false;
    }
    const Rate& rate = *performance.units_per_s;
    const bool is_by_batch = rate.curve && rate.curve->axis == Axis::batch;
    const std::vector<double> loads = is_by_batch ? rate.curve->x : std::vector{stated.load()};
    return std::ranges::any_of(loads, [&](double load) {
        return is_above_ceiling(stated.point(load, stated_at(rate, load, performance.devices)), model, device);
    });
}

std::optional<Performance> at_mix_of(const Workload& workload, const Performance& performance, const Rates& rates,
                                     const Model& model, const Device& device) {
    const OtherMix other(workload, performance, rates, model, device);
    if (!other.stated().is_possible()) {
        return std::nullopt;
    }
    const double load = other.stated().load();
    const Rate& stated = *performance.units_per_s;
    const bool is_by_batch = stated.curve && stated.curve->axis == Axis::batch;
    const double largest = is_by_batch ? stated.curve->x.back() : load;
    const auto pair_at = [&](double at) { return other.at(at, stated_at(stated, at, performance.devices)); };
    const std::optional<RatePair> last = pair_at(largest);
    if (!last) {
        return std::nullopt;
    }
    Performance wanted = performance;
    wanted.mix = other.wanted();
    ClassWeights& weights = wanted.class_weights;
    weights.input = weights.cache_write = last->wanted.input_weight;
    weights.cached_input = 0.0;
    weights.output = weights.reasoning = 1.0;
    const double computed = other.wanted().input - other.wanted().cached_input;
    const double weighted_per_output = 1.0 + last->wanted.input_weight * computed / other.wanted().output;
    if (wanted.prompt_token_s) {
        wanted.prompt_token_s = last->wanted.input_weight / (last->output_per_s * weighted_per_output);
    }
    scale(*wanted.units_per_s, load, performance.devices, [&](double at, double units_per_s) {
        const std::optional<RatePair> pair = other.at(at, units_per_s);
        return (pair ? *pair : *last).output_per_s * weighted_per_output;
    });
    const std::array times{std::pair(&wanted.itl_s, &StepRate::itl_s), std::pair(&wanted.ttft_s, &StepRate::ttft_s)};
    for (const auto& row : times) {
        std::optional<Rate>& time = *row.first;
        const auto figure = row.second;
        const bool is_known = last->wanted.rate.*figure > 0.0 && last->stated.rate.*figure > 0.0; // else there is no second token
        time = is_known ? time : std::nullopt;
        if (time) {
            scale(*time, load, performance.devices, [&](double at, double seconds) {
                const RatePair known = pair_at(at).value_or(*last);
                return seconds * (known.wanted.rate.*figure) / (known.stated.rate.*figure);
            });
        }
    }
    const double batch = choose_batch(wanted, device, workload).batch.value_or(static_cast<int>(largest));
    const std::optional<RatePair> chosen = is_by_batch ? pair_at(batch) : last;
    const RatedModel& rated = (chosen ? *chosen : *last).wanted;
    wanted.basis = std::max(performance.basis, rated.evidence);
    for (const PointInfluence& influence : rated.from) {
        wanted.rated_by.push_back({document_name<Measurement>, influence.point->measurement, {}, {}});
    }
    return wanted;
}

} // namespace costcurve::model
