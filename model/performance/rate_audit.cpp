// Folds, predictions of what is left out, and the table of an audit.
#include "model/performance/rate_audit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "model/performance/rate_table.hpp"
#include "model/performance/training_table.hpp"

namespace costcurve::model {

namespace {

constexpr double kWithinLow = -0.22314355131420976; // ln 0.8
constexpr double kWithinHigh = 0.26236426446749106; // ln 1.3
constexpr int kMaxFolds = 30;                       // of models, devices and sources one each

// Sebastiano Vigna's splitmix64: an order of groups that is the same everywhere.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

/// The fold of each row, and how many there are.
template <class Row>
std::pair<std::vector<int>, int> audit_folds_of(const std::vector<const Row*>& rows, LeaveOut leave_out, std::uint64_t seed) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        keys.push_back(left_out_key(*rows[i], leave_out, i));
    }
    std::vector<std::string> groups = keys;
    std::ranges::sort(groups);
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (std::size_t i = groups.size(); i > 1; --i) {
        std::swap(groups[i - 1], groups[mixed(seed + i * 0x100000001b3U) % i]);
    }
    const int folds = std::min<int>(kMaxFolds, static_cast<int>(groups.size()));
    std::map<std::string, int> fold_by_key;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        fold_by_key[groups[i]] = static_cast<int>(i % static_cast<std::size_t>(folds));
    }
    std::vector<int> fold;
    fold.reserve(keys.size());
    for (const std::string& key : keys) {
        fold.push_back(fold_by_key[key]);
    }
    return {fold, folds};
}

double median_error_of(std::vector<double> values) {
    if (values.empty()) {
        return 0.0;
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

double log_error(const AuditedRow& row) { return std::log(row.predicted / row.row->output_per_s); }

using Membership = std::function<bool(const AuditedRow&)>;
using Members = std::vector<std::pair<std::string, Membership>>;

bool is_of_dense(const AuditedRow& row) { return !row.row->at.is_mixture; }
bool is_of_mixture(const AuditedRow& row) { return row.row->at.is_mixture; }

// Of serving, besides the classes of all rows.
Members serving_members() {
    constexpr double kPrompts = 8.0; // input tokens an output token
    Members members = {
        {"all", [](const AuditedRow&) { return true; }},
        {"dense", is_of_dense},
        {"mixture", is_of_mixture},
        {"prompts", [](const AuditedRow& r) { return r.row->at.input_tokens >= kPrompts * r.row->at.output_tokens; }},
        {"decode", [](const AuditedRow& r) { return r.row->at.input_tokens < kPrompts * r.row->at.output_tokens; }},
    };
    constexpr std::array kLoads{0.0, 8.0, 32.0, 128.0, 512.0, HUGE_VAL};
    for (std::size_t i = 0; i + 1 < kLoads.size(); ++i) {
        const double low = kLoads[i];
        const double high = kLoads[i + 1];
        const std::string name = i == 0 ? "concurrency below 8" : "concurrency from " + std::to_string(static_cast<int>(low));
        members.emplace_back(
            name, [low, high](const AuditedRow& r) { return r.row->at.concurrency >= low && r.row->at.concurrency < high; });
    }
    return members;
}

Members training_members() {
    constexpr double kLarge = 256.0; // devices
    Members members = {{"training", [](const AuditedRow&) { return true; }},
                       {"training dense", is_of_dense},
                       {"training mixture", is_of_mixture},
                       {"training from 256 devices", [](const AuditedRow& r) { return r.row->at.devices >= kLarge; }}};
    for (const auto& named : {std::pair{"training bf16", WeightPrecision::bf16}, std::pair{"training fp8", WeightPrecision::fp8},
                              std::pair{"training fp4", WeightPrecision::fp4}}) {
        members.emplace_back(named.first,
                             [precision = named.second](const AuditedRow& r) { return r.row->at.precision == precision; });
    }
    members.emplace_back("training lora", [](const AuditedRow& r) {
        return static_cast<const TrainingRow*>(r.row)->run.method == TrainingMethod::lora;
    });
    return members;
}

// The classes that have rows; by evidence, device and source besides.
std::vector<AuditClass> classes_of(const std::vector<AuditedRow>& rows, Members members) {
    for (std::size_t i = 0; i < enum_names<Evidence>.size(); ++i) {
        members.emplace_back("evidence " + std::string(enum_names<Evidence>[i]),
                             [i](const AuditedRow& r) { return static_cast<std::size_t>(r.evidence) == i; });
    }
    std::map<std::string, int> devices, sources;
    for (const AuditedRow& row : rows) {
        ++devices[row.row->device];
        ++sources[row.row->source];
    }
    for (const auto& row : devices) {
        members.emplace_back(row.first, [name = row.first](const AuditedRow& r) { return r.row->device == name; });
    }
    for (const auto& row : sources) {
        members.emplace_back("source " + row.first, [name = row.first](const AuditedRow& r) { return r.row->source == name; });
    }
    std::vector<AuditClass> classes;
    for (const auto& [name, is_member] : members) {
        std::vector<const AuditedRow*> of;
        for (const AuditedRow& row : rows) {
            if (is_member(row)) {
                of.push_back(&row);
            }
        }
        if (!of.empty()) {
            classes.push_back(audit_class_of(name, of));
        }
    }
    return classes;
}

// p10 and p90 of each row from the errors of the other folds.
void add_intervals(std::vector<AuditedRow>& rows, const std::vector<int>& folds, int count, const RateIntervals& otherwise) {
    for (int fold = 0; fold < count; ++fold) {
        std::vector<AuditedRow> others;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (folds[i] != fold) {
                others.push_back(rows[i]);
            }
        }
        const RateIntervals intervals = intervals_of(others, otherwise);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (folds[i] == fold) {
                const RateInterval& interval =
                    intervals[static_cast<std::size_t>(rows[i].evidence)][rows[i].row->at.is_mixture ? 1 : 0];
                rows[i].low = rows[i].predicted * std::exp(interval.low);
                rows[i].high = rows[i].predicted * std::exp(interval.high);
            }
        }
    }
}

// Each row predicted by what `predictor_of` makes of the rows of the other folds.
template <class Row, class F>
Audit audited(const std::vector<const Row*>& used, LeaveOut leave_out, std::uint64_t seed, const RateIntervals& otherwise,
              F&& predictor_of) {
    const auto [folds, count] = audit_folds_of(used, leave_out, seed);
    Audit audit;
    audit.folds = count;
    audit.rows.resize(used.size());
    for (int fold = 0; fold < count; ++fold) {
        std::vector<const Row*> known;
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (folds[i] != fold) {
                known.push_back(used[i]);
            }
        }
        const auto predict = predictor_of(known);
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (folds[i] == fold) {
                const CorrectedRate rate = predict(*used[i]);
                audit.rows[i] = {used[i],         rate.rate.output_per_s,  0.0, 0.0, rate.rate.ttft_s,
                                 rate.rate.itl_s, rate.correction.evidence};
            }
        }
    }
    add_intervals(audit.rows, folds, count, otherwise);
    std::erase_if(audit.rows, [](const AuditedRow& row) { return !row.row->is_audited; });
    return audit;
}

std::string_view maker_of(const RateRow& row) { return std::string_view(row.device).substr(0, row.device.find('.')); }

// Whether a weaker replica was measured to do more with no more requests, as long prompts and answers of about the length.
bool is_contradicted_by(const RateRow& other, const RateRow& row) {
    constexpr double kAlike = 1.25;
    constexpr double kMaxLengths = 4.0;
    constexpr double kClearly = 2.0; // beyond the noise between publishers, whose sd is 0.2
    const auto weights_per_s = [](const RateRow& of) {
        return of.at.devices * of.on.bandwidth / weights_bytes(of.shape, of.at.precision);
    };
    const double answers = other.at.output_tokens / row.at.output_tokens;
    return other.at.architecture == row.at.architecture && weights_per_s(other) <= weights_per_s(row) &&
           other.at.concurrency <= kAlike * row.at.concurrency && kAlike * other.at.input_tokens >= row.at.input_tokens &&
           answers <= kMaxLengths && kMaxLengths * answers >= 1.0 && other.output_per_s > kClearly * row.output_per_s;
}

// Why a row is most likely off, of the used rows that its prediction knew.
template <class Row>
std::string_view reason_of(const AuditedRow& audited, const std::vector<const Row*>& used, LeaveOut leave_out, bool is_serving) {
    constexpr double kPrompts = 8.0; // input tokens an output token
    constexpr double kFew = 4.0;
    constexpr double kMany = 512.0;
    const RateRow& row = *audited.row;
    bool has_model = false;
    bool has_maker = false;
    bool is_contradicted = false;
    for (const Row* other : used) {
        is_contradicted = is_contradicted || (is_serving && is_contradicted_by(*other, row));
        const bool is_known = leave_out == LeaveOut::row ? static_cast<const RateRow*>(other) != &row
                                                         : left_out_key(*other, leave_out, 0) != left_out_key(row, leave_out, 0);
        if (is_known && other->at.architecture == row.at.architecture) {
            has_model = true;
            has_maker = has_maker || maker_of(*other) == maker_of(row);
        }
    }
    if (is_contradicted && audited.predicted > row.output_per_s) {
        return "the same or a weaker replica was measured to do more";
    }
    if (!has_model) {
        return "the model was not measured elsewhere";
    }
    if (!has_maker) {
        return "the model was never measured on this maker's devices";
    }
    if (audited.evidence == Evidence::assumed) {
        return "no device of the family was measured";
    }
    if (row.at.is_mixture) {
        return row.at.precision == WeightPrecision::fp4 ? "mixture of experts in 4 bit" : "mixture of experts";
    }
    if (is_serving && row.at.input_tokens >= kPrompts * row.at.output_tokens) {
        return "prompts of 8 times the answer and more";
    }
    if (is_serving && row.at.concurrency < kFew) {
        return "fewer than 4 requests: overhead decides";
    }
    if (is_serving && row.at.concurrency >= kMany) {
        return "512 requests and more: the server's own limits";
    }
    return "dense, and none of the other reasons";
}

template <class Row>
std::vector<AuditMiss> worst_of(const Audit& audit, const std::vector<const Row*>& used, LeaveOut leave_out, bool is_serving) {
    std::vector<AuditedRow> rows = audit.rows;
    const auto off = [](const AuditedRow& row) { return -std::fabs(log_error(row)); };
    std::ranges::stable_sort(rows, {}, off);
    rows.resize(std::min(rows.size(), kWorstRows));
    std::vector<AuditMiss> worst;
    worst.reserve(rows.size());
    for (const AuditedRow& row : rows) {
        worst.push_back({row, reason_of(row, used, leave_out, is_serving)});
    }
    return worst;
}

} // namespace

std::string left_out_key(const RateRow& row, LeaveOut leave_out, std::size_t index) {
    switch (leave_out) {
    case LeaveOut::model:
        return std::to_string(row.at.architecture);
    case LeaveOut::device:
        return row.device;
    case LeaveOut::model_on_device:
        return rate_group(row);
    case LeaveOut::source:
        return row.source;
    case LeaveOut::row:
        break;
    }
    return std::to_string(index);
}

RateMeasurements measurements_of(std::span<const RateRow* const> rows, const StepParameters& parameters) {
    std::vector<RateMeasurement> measurements;
    for (const RateRow* row : rows) {
        if (!is_above_ceiling(*row)) {
            measurements.push_back(rate_measurement(step_rate(row->shape, row->on, row->request, parameters), row->at,
                                                    {row->output_per_s, row->ttft_s, row->itl_s},
                                                    static_cast<std::uint32_t>(measurements.size())));
        }
    }
    return RateMeasurements(std::move(measurements));
}

AuditClass audit_class_of(std::string name, const std::vector<const AuditedRow*>& rows) {
    AuditClass result{std::move(name), rows.size(), 0, 0, 0, 0, 0};
    std::vector<double> absolute, signed_errors, widths;
    for (const AuditedRow* row : rows) {
        const double error = log_error(*row);
        result.within += error > kWithinLow && error < kWithinHigh ? 1.0 : 0.0;
        result.coverage += row->row->output_per_s >= row->low && row->row->output_per_s <= row->high ? 1.0 : 0.0;
        absolute.push_back(std::fabs(std::expm1(error)));
        signed_errors.push_back(std::expm1(error));
        widths.push_back(row->high / row->low);
    }
    const double count = std::max(1.0, static_cast<double>(rows.size()));
    result.within /= count;
    result.coverage /= count;
    result.median_error = median_error_of(absolute);
    result.bias = median_error_of(signed_errors);
    result.width = median_error_of(widths);
    return result;
}

RateIntervals intervals_of(std::span<const AuditedRow> rows, const RateIntervals& otherwise) {
    constexpr std::size_t kFewest = 20;
    constexpr double kLow = 0.1;
    constexpr double kHigh = 0.9;
    RateIntervals intervals = otherwise;
    for (std::size_t evidence = 0; evidence < intervals.size(); ++evidence) {
        for (std::size_t mixture = 0; mixture < 2; ++mixture) {
            std::vector<double> errors;
            for (const AuditedRow& row : rows) {
                if (static_cast<std::size_t>(row.evidence) == evidence && row.row->at.is_mixture == (mixture == 1)) {
                    errors.push_back(-log_error(row));
                }
            }
            if (errors.size() >= kFewest) {
                std::ranges::sort(errors);
                const auto last = static_cast<double>(errors.size() - 1);
                intervals[evidence][mixture] = {errors[static_cast<std::size_t>(std::lround(kLow * last))],
                                                errors[static_cast<std::size_t>(std::lround(kHigh * last))]};
            }
        }
    }
    return intervals;
}

Audit audit_rates(std::span<const RateRow> rows, LeaveOut leave_out, std::uint64_t seed) {
    constexpr int kIterations = 12; // from the fit of all: a fold moves it little
    std::size_t above_ceiling = 0;
    std::vector<const RateRow*> used;
    for (const RateRow& row : rows) {
        if (is_above_ceiling(row)) {
            above_ceiling += row.is_audited ? 1U : 0U;
        } else {
            used.push_back(&row);
        }
    }
    const StepParameters whole = fit_step_parameters(used, kStepParameters);
    const auto predictor_of = [&](const std::vector<const RateRow*>& known) {
        const StepParameters parameters = fit_step_parameters(known, whole, kIterations);
        return [parameters, measurements = measurements_of(known, parameters)](const RateRow& row) {
            return corrected_rate(step_rate(row.shape, row.on, row.request, parameters), row.at, measurements, kRateIntervals);
        };
    };
    Audit audit = audited(used, leave_out, seed, kRateIntervals, predictor_of);
    audit.above_ceiling = above_ceiling;
    audit.classes = classes_of(audit.rows, serving_members());
    audit.worst = worst_of(audit, used, leave_out, true);
    return audit;
}

Audit audit_training(std::span<const TrainingRow> rows, LeaveOut leave_out, std::uint64_t seed) {
    std::size_t above_ceiling = 0;
    std::vector<const TrainingRow*> used;
    for (const TrainingRow& row : rows) {
        if (measured_mfu(row) > kPeakCeiling) {
            above_ceiling += row.is_audited ? 1U : 0U;
        } else {
            used.push_back(&row);
        }
    }
    const auto predictor_of = [](const std::vector<const TrainingRow*>& known) {
        const TrainingNumbers coefficients = fit_training(known);
        std::vector<RateMeasurement> measured;
        measured.reserve(known.size());
        for (const TrainingRow* row : known) {
            measured.push_back(training_measurement(row->run, row->at, row->output_per_s, coefficients,
                                                    static_cast<std::uint32_t>(measured.size())));
        }
        return [coefficients, measurements = RateMeasurements(std::move(measured), kTrainingScales)](const TrainingRow& row) {
            return corrected_training_rate(row.run, row.at, coefficients, measurements, kTrainingIntervals);
        };
    };
    Audit audit = audited(used, leave_out, seed, kTrainingIntervals, predictor_of);
    audit.above_ceiling = above_ceiling;
    audit.classes = classes_of(audit.rows, training_members());
    audit.worst = worst_of(audit, used, leave_out, false);
    return audit;
}

} // namespace costcurve::model
