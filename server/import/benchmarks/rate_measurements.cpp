// Turns measured rates into documents: rows with the same model, device, layout and publisher form one series.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/documents/measurement.hpp"
#include "model/performance/device_facts.hpp"
#include "server/import/benchmarks/measured_rates.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

using model::Measurement;
using model::MeasurementKind;
using model::NumberFormat;

struct RateKind {
    std::string_view word;
    MeasurementKind kind;
};
constexpr auto kRateKinds = std::to_array<RateKind>({
    {"serving", MeasurementKind::serving},
    {"static batch", MeasurementKind::static_batch},
    {"disaggregated", MeasurementKind::disaggregated},
    {"mlperf offline", MeasurementKind::offline},
    {"mlperf server", MeasurementKind::server},
    {"mlperf interactive", MeasurementKind::interactive},
    {"prefill", MeasurementKind::prefill},
});

NumberFormat format_of(model::WeightPrecision precision) {
    switch (precision) {
    case model::WeightPrecision::fp8:
        return NumberFormat::fp8;
    case model::WeightPrecision::fp4:
        return NumberFormat::fp4;
    case model::WeightPrecision::bf16:
        break;
    }
    return NumberFormat::bf16;
}

// A column that a rate may lack, and its letter in ids.
struct OptionalColumn {
    double MeasuredRate::*figure;
    std::vector<double> model::MeasuredPoints::*column;
    char letter;
};
constexpr auto kOptionalColumns = std::to_array<OptionalColumn>({
    {&MeasuredRate::input_tokens, &model::MeasuredPoints::input, 'p'},
    {&MeasuredRate::concurrency, &model::MeasuredPoints::concurrency, 'c'},
    {&MeasuredRate::output_per_s, &model::MeasuredPoints::output_per_s, 'r'},
    {&MeasuredRate::ttft_s, &model::MeasuredPoints::ttft_s, 't'},
    {&MeasuredRate::itl_s, &model::MeasuredPoints::itl_s, 'i'},
    {&MeasuredRate::watts, &model::MeasuredPoints::watts, 'w'},
});

class MeasurementSeries {
public:
    MeasurementSeries(const Options& options, Report& report) : options_(options), report_(report) {}

    // Adds the rate to its series. Gives the reason if the row can't be used, else "".
    std::string add(const MeasuredRate& rate) {
        Measurement series;
        if (std::string reason = describe(rate, series); !reason.empty()) {
            return reason;
        }
        if (!seen_.insert(said_by(rate, series)).second) {
            ++report_.skipped;
            return "";
        }
        model::MeasuredPoints& points = series_.try_emplace(series.id, series).first->second.points;
        points.output.push_back(rate.output_tokens);
        for (const OptionalColumn& row : kOptionalColumns) {
            if (rate.*row.figure > 0.0) {
                (points.*row.column).push_back(rate.*row.figure);
            }
        }
        return "";
    }
    void finish() { report_.add_all(series_); }

private:
    // Key that is equal for two rows of the same result, whatever their publication dates. Snapshots of one run differ by less than
    // 0.4 %.
    static std::string said_by(const MeasuredRate& rate, const Measurement& series) {
        const auto rounded = [](double figure) {
            constexpr double kSteps = 250.0;
            return figure > 0.0 ? std::round(std::log(figure) * kSteps) : 0.0;
        };
        const std::string layout = fmt::format("{}|{}|{}|{}", rate.tp, rate.pp, rate.ep, rate.attention_groups);
        const std::string request = fmt::format("{}|{}|{}", rate.input_tokens, rate.output_tokens, rate.concurrency);
        // Without a stated load, two different runs may have equal rates.
        const std::string publisher = rate.concurrency > 0.0 ? "" : fmt::format("{}|{}", series.publisher, rate.output_per_s);
        return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", series.model, series.device, series.devices, layout,
                           static_cast<int>(series.precision), series.framework, static_cast<int>(series.kind), series.doubt,
                           request, rounded(rate.output_per_s), rounded(rate.ttft_s), publisher);
    }
    std::string describe(const MeasuredRate& rate, Measurement& series) const {
        const auto kind = std::ranges::find(kRateKinds, rate.kind, &RateKind::word);
        if (kind == kRateKinds.end()) {
            return fmt::format("kind is \"{}\"; serving, static batch, disaggregated, prefill and MLPerf's scenarios are read",
                               rate.kind);
        }
        const bool is_id = rate.device.find('.') != std::string::npos && make_id({rate.device}) == rate.device;
        const std::optional<std::string> device = is_id ? rate.device : device_of(rate.device);
        if (!device) {
            return fmt::format("no device is called \"{}\"; add an alias (/v1/aliases)", rate.device);
        }
        const std::optional<int> devices = count_of(rate.devices);
        if (!devices) {
            return fmt::format("devices is {}; a whole number from 1 is needed", rate.devices);
        }
        if (rate.output_tokens <= 0.0) {
            return "output is missing: tokens of a request";
        }
        const bool is_prefill = kind->kind == MeasurementKind::prefill;
        if ((is_prefill ? rate.ttft_s : rate.output_per_s) <= 0.0) {
            return is_prefill ? "ttft_ms is missing: the time of the prompt"
                              : "out_tok_s is missing: output tokens/s of all devices";
        }
        series.kind = kind->kind;
        series.model = model_id_of(rate.model);
        series.device = *device;
        series.devices = *devices;
        series.precision = format_of(rate.precision);
        if (rate.states_kv) {
            series.kv_precision = rate.kv_bytes_per_value > 1.0 ? NumberFormat::bf16 : NumberFormat::fp8;
        }
        set_layout(rate, series);
        series.framework = framework_in(rate.framework).empty() ? rate.framework : framework_in(rate.framework);
        series.version = rate.version;
        series.date.text = rate.date;
        series.publisher = rate.source;
        series.doubt = rate.doubt;
        series.source = source_of(options_, rate.source);
        series.id = id_of(rate, series);
        return "";
    }

    // Sets the degrees of parallelism. A layout that doesn't fit the number of devices is of one side of a disaggregated run, and
    // left unknown.
    static void set_layout(const MeasuredRate& rate, Measurement& series) {
        const double pp = std::max(1.0, rate.pp);
        const bool fits = rate.tp >= 1.0 && rate.tp * pp <= series.devices && rate.ep <= series.devices &&
                          rate.attention_groups <= series.devices;
        if (fits) {
            model::Parallel& parallel = series.parallel.emplace();
            parallel.tp = static_cast<int>(rate.tp);
            parallel.pp = static_cast<int>(pp);
            parallel.ep = static_cast<int>(std::max(1.0, rate.ep));
            parallel.dp = static_cast<int>(rate.attention_groups);
        }
    }

    // Id from everything that sets a series apart, including which columns it has.
    static std::string id_of(const MeasuredRate& rate, const Measurement& series) {
        std::string layout;
        if (const std::optional<model::Parallel>& parallel = series.parallel) {
            model::for_each_field<model::Parallel>([&](const auto& field) {
                const int devices = (*parallel).*field.member;
                layout += devices > 1 ? fmt::format("{}{}", field.name, devices) : "";
            });
        }
        std::string columns;
        for (const OptionalColumn& row : kOptionalColumns) {
            if (rate.*row.figure > 0.0) {
                columns += row.letter;
            }
        }
        const std::string precisions =
            fmt::format("{}{}", model::name_of(series.precision),
                        series.kv_precision ? fmt::format("-kv{}", model::name_of(*series.kv_precision)) : std::string());
        return make_id({series.publisher, series.model, gang_name(series.devices, series.device), layout, precisions,
                        fmt::format("{}-{}", series.framework, series.version), series.date.text, model::name_of(series.kind),
                        columns, series.doubt});
    }

    const Options& options_;
    Report& report_;
    std::map<std::string, Measurement> series_; ///< by id
    std::set<std::string> seen_;
};

} // namespace

void read_points(const Measurement& measurement, const OnMeasuredRate& on_rate) {
    const auto kind = std::ranges::find(kRateKinds, measurement.kind, &RateKind::kind);
    const auto precision = model::weight_precision(model::name_of(measurement.precision));
    if (kind == kRateKinds.end() || !precision) {
        return;
    }
    MeasuredRate rate;
    rate.source = measurement.publisher.empty() ? measurement.source : measurement.publisher;
    rate.reference = measurement.id;
    rate.model = measurement.model;
    rate.device = measurement.device;
    rate.framework = measurement.framework;
    rate.version = measurement.version;
    rate.date = measurement.date.text;
    rate.kind = kind->word;
    rate.precision = *precision;
    rate.states_kv = measurement.kv_precision.has_value();
    const bool has_16_bit_cache =
        rate.states_kv ? *measurement.kv_precision == NumberFormat::bf16 || *measurement.kv_precision == NumberFormat::fp16
                       : *precision == model::WeightPrecision::bf16;
    rate.kv_bytes_per_value = has_16_bit_cache ? 2.0 : 1.0;
    rate.devices = measurement.devices;
    rate.attention_groups = measurement.parallel ? measurement.parallel->dp : 1;
    rate.doubt = measurement.doubt;
    const auto is_central = [](const std::optional<double>& percentile) { return !percentile || *percentile == 50.0; };
    for (std::size_t i = 0; i < measurement.points.output.size(); ++i) {
        rate.row = i + 1;
        rate.output_tokens = measurement.points.output[i];
        for (const OptionalColumn& row : kOptionalColumns) {
            const std::vector<double>& column = measurement.points.*row.column;
            rate.*row.figure = column.empty() ? 0.0 : column[i];
        }
        rate.ttft_s = is_central(measurement.percentiles.ttft_s) ? rate.ttft_s : 0.0;
        rate.itl_s = is_central(measurement.percentiles.itl_s) ? rate.itl_s : 0.0;
        on_rate(MeasuredRate(rate));
    }
}

HardError read_rate_measurements(Bytes& bytes, const Options& options, Report& report) {
    const std::optional<std::string> text = bytes.whole();
    if (!text) {
        return bytes.error();
    }
    if (is_training_table(*text)) {
        return read_training_rates(*text, options, report);
    }
    MeasurementSeries series(options, report);
    HardError error = read_measured_rates(*text, report, [&](MeasuredRate&& rate) {
        if (std::string reason = series.add(rate); !reason.empty()) {
            report.rejected.add(rate.row, std::move(reason));
        }
    });
    if (!error) {
        series.finish();
    }
    return error;
}

} // namespace costcurve::imports
