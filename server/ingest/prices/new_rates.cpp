// Two operations a parameter and token are the least that a token takes, six that it is trained by.
#include "server/ingest/prices/new_rates.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "server/documents/records.hpp"
#include "server/ingest/prices/every_document.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kMinOperations = 2.0; // a parameter and token
constexpr double kTrainingOperations = 6.0;
constexpr double kMaxTrained = 0.9;   // of the peak: published runs come to 0.66
constexpr double kMinTrained = 0.01;  // they do to 0.013
constexpr double kMinServed = 0.0001; // to 0.0015
// Of a performance: operations of a parameter and token, and shares of the largest peak that they take.
struct WorkRow {
    double operations, least, most;
};
constexpr auto kWork = std::to_array<WorkRow>({{kMinOperations, kMinServed, 1.0}, {kTrainingOperations, 0.003, kMaxTrained}});
constexpr double kBeyondTask = 15.0;     // the slowest software does a fourteenth of the median
constexpr double kBeyondTaskAlike = 4.0; // submitters of the same devices differ by up to twice
constexpr double kBeyondAnyPeak = 6.0;
constexpr double kNearCount = 2.001; // of devices and loads

bool is_machine(std::string_view part) { // "8x-h100-sxm5-80gb"
    const std::size_t digits = part.find_first_not_of("0123456789");
    return digits != 0 && digits != std::string_view::npos && part.substr(digits).starts_with("x-");
}

std::string_view without_version(std::string_view part) { // "mlperf-inference" of "mlperf-inference-v5"
    const std::size_t dash = part.rfind('-');
    const std::string_view last = dash == std::string_view::npos ? "" : part.substr(dash + 1);
    const std::string_view digits = last.starts_with('v') ? last.substr(1) : last;
    return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos ? part.substr(0, dash) : part;
}

// Of what serves a language model the model, however it was measured.
std::string task_or_model(const model::Performance& performance) {
    return performance.mix && !performance.model.empty() ? performance.model : task_of(performance.id);
}

} // namespace

double level_of_rate(const std::optional<model::Rate>& rate, const FindCurve& find) {
    if (!rate) {
        return 0.0;
    }
    if (!rate->curve) {
        return rate->number;
    }
    const bool is_named = rate->curve->y.empty() && !rate->curve->id.empty();
    const std::optional<model::Curve> curve = is_named ? find(rate->curve->id) : rate->curve;
    return curve && !curve->y.empty() ? median_of(curve->y) : 0.0;
}

std::string task_of(const std::string& id) {
    std::string task;
    bool is_first = true;
    for (std::string_view rest = id; !rest.empty();) {
        const std::string_view part = rest.substr(0, rest.find('.'));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        if (is_machine(part)) {
            return task.find('.') == std::string::npos ? "" : task;
        }
        if (is_first || part.find_first_not_of("0123456789") != std::string_view::npos) {
            task += (is_first ? "" : ".") + std::string(is_first ? without_version(part) : part);
        }
        is_first = false;
    }
    return "";
}

double NewRates::Size::peak(std::string_view precision) const {
    const auto own = peaks.find(std::string(precision));
    double most = own == peaks.end() ? 0.0 : own->second;
    for (const auto& [name, peak] : peaks) {
        most = own == peaks.end() ? std::max(most, peak) : most;
    }
    return most;
}

const NewRates::Size& NewRates::size_of(storage::Kind kind, const std::string& id) {
    const auto [found, is_new] = sizes_.try_emplace({kind, id});
    const auto revision = is_new && !id.empty() ? snapshot_.load({kind, id}) : std::nullopt;
    if (const auto document = revision ? documents::decode_readable(*revision) : std::nullopt) {
        if (const auto* const device = std::get_if<model::Device>(&*document)) {
            found->second.peaks = device->peak_flops;
        } else {
            found->second.active_parameters = std::get<model::Model>(*document).active_parameters;
        }
    }
    return found->second;
}

std::string NewRates::reason_of_training(const model::Measurement& measured) {
    const Size& device = size_of(storage::Kind::device, measured.device);
    const double peak = device.peak(model::name_of(measured.precision)) * measured.devices;
    const double operations = kTrainingOperations * size_of(storage::Kind::model, measured.model).active_parameters;
    const std::vector<double>& rates = measured.points.tokens_per_s;
    if (peak <= 0.0 || operations <= 0.0 || rates.empty()) {
        return "";
    }
    const double share = operations * median_of(rates) / peak;
    return share > kMinTrained && share < kMaxTrained
               ? ""
               : fmt::format("its runs take {:.3g} of the peak of {} {}; published ones are between {:g} and {:g}", share,
                             measured.devices, measured.device, kMinTrained, kMaxTrained);
}

NewRates::TaskRate NewRates::task_rate(const model::Performance& performance) {
    const double rate = level_of_rate(performance.units_per_s, find_);
    if (rate <= 0.0 || performance.devices <= 0.0) {
        return {};
    }
    const double most = size_of(storage::Kind::device, performance.device.id).peak("") * performance.devices;
    const double batch = performance.batch ? *performance.batch : 0.0;
    return {performance.id,
            performance.device.id,
            performance.devices,
            performance.concurrency.value_or(batch),
            rate / performance.devices,
            most > 0.0 ? rate / most : 0.0};
}

std::string NewRates::reason_of_performance(const model::Performance& performance) {
    has_compared_ = false;
    const TaskRate own = task_rate(performance);
    if (own.by_device <= 0.0) {
        return "";
    }
    const double most = size_of(storage::Kind::device, performance.device.id).peak("");
    const double operations = kMinOperations * size_of(storage::Kind::model, performance.model).active_parameters;
    has_compared_ = operations > 0.0 && most > 0.0;
    const double share = has_compared_ ? operations * own.by_device / most : kMinServed;
    if (share > 1.0 || share < kMinServed) {
        return fmt::format("its {:.4g} units/s take {:.3g} of the peak of {:g} {}, two operations a parameter and token",
                           own.by_device * own.devices, share, performance.devices, performance.device.id);
    }
    std::string reason = reason_of_alike(performance, own);
    return reason.empty() ? reason_of_task(performance, own) : reason;
}

void NewRates::read_tasks() {
    tasks_.emplace();
    for_each_document<model::Performance>(snapshot_, storage::Kind::performance, [&](const model::Performance& performance) {
        const std::string task = task_of(performance.id);
        if (TaskRate rate = task.empty() ? TaskRate() : task_rate(performance); rate.by_device > 0.0) {
            (*tasks_)[task].push_back(std::move(rate));
        }
    });
}

// Why a rate per device is held against stored ones of the same task, device, and about as many devices and load.
std::string NewRates::reason_of_alike(const model::Performance& performance, const TaskRate& own) {
    if (!tasks_) {
        read_tasks();
    }
    const auto others = tasks_->find(task_of(performance.id));
    if (others == tasks_->end()) {
        return "";
    }
    const auto is_near = [](double a, double b) {
        return a == b || (a > 0.0 && b > 0.0 && a <= kNearCount * b && b <= kNearCount * a);
    };
    std::vector<double> alike;
    double most = 0.0; // by any device
    for (const TaskRate& other : others->second) {
        most = std::max(most, other.by_device);
        if (other.device == own.device && is_near(other.devices, own.devices) && is_near(other.load, own.load)) {
            alike.push_back(other.by_device);
        }
    }
    if (alike.empty()) {
        return own.by_peak > 0.0 || own.by_device < kBeyondAnyPeak * most
                   ? ""
                   : fmt::format("its units/s by the device are {:.3g} times the most of {} by any device", own.by_device / most,
                                 others->first);
    }
    has_compared_ = true;
    const std::size_t count = alike.size();
    const double ratio = own.by_device / median_of(std::move(alike));
    return is_beyond(ratio, kBeyondTaskAlike)
               ? fmt::format("its units/s by the device are {:.3g} times {} of {} on {}", ratio,
                             count == 1 ? "those stored" : fmt::format("the median of the {} stored", count), others->first,
                             own.device)
               : "";
}

// By what a peak operation of any devices does.
std::string NewRates::reason_of_task(const model::Performance& performance, const TaskRate& own) {
    const auto others = tasks_->find(task_or_model(performance));
    std::vector<double> by_peak;
    if (others != tasks_->end() && own.by_peak > 0.0) {
        for (const TaskRate& other : others->second) {
            by_peak.insert(by_peak.end(), other.by_peak > 0.0 ? 1U : 0U, other.by_peak);
        }
    }
    if (by_peak.empty()) {
        return "";
    }
    has_compared_ = true;
    const std::size_t count = by_peak.size();
    const double ratio = own.by_peak / median_of(std::move(by_peak));
    return is_beyond(ratio, kBeyondTask)
               ? fmt::format("its units/s are, for the peak of its devices, {:.3g} times the median of the {} stored of {}", ratio,
                             count, others->first)
               : "";
}

} // namespace costcurve::ingest
