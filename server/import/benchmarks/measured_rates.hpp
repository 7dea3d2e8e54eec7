// Reads tables of measured rates from several publishers into one kind of row. Gives no documents.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "model/documents/measurement.hpp"
#include "model/pairs/pair_audit.hpp"
#include "model/performance/step_model.hpp"
#include "server/import/importer.hpp"

namespace costcurve::imports {

/// One measured rate with the conditions that its table states. 0 or "": not stated.
struct MeasuredRate {
    std::size_t row = 0;
    std::string source;    ///< publisher
    std::string reference; ///< id of the row at its publisher
    std::string model;     ///< id, or as the table spells it where it is none of ours
    std::string device;    ///< id
    std::string framework; ///< vllm, sglang, trtllm, …
    std::string version;
    std::string date; ///< YYYY-MM-DD
    std::string kind; ///< serving, static batch, disaggregated, offline, prefill …
    model::WeightPrecision precision = model::WeightPrecision::bf16;
    double kv_bytes_per_value = 0.0;
    bool states_kv = false; ///< else kv_bytes_per_value is as servers keep it
    double devices = 0.0;
    double tp = 0.0; ///< devices that share each tensor
    double pp = 0.0; ///< stages of layers
    double ep = 0.0; ///< devices that share the experts
    double attention_groups = 1.0;
    model::PairSide prefill, decode; ///< of a disaggregated run
    double input_tokens = 0.0;
    double output_tokens = 0.0;
    double concurrency = 0.0;
    double output_per_s = 0.0;
    double ttft_s = 0.0;
    double itl_s = 0.0;
    double watts = 0.0;
    std::string doubt; ///< why it should not be fitted
};
using OnMeasuredRate = std::function<void(MeasuredRate&& rate)>;

/// Reads `serving.csv` of ../shared/data/measured-rates: one measurement per row; `device` is an id.
[[nodiscard]] HardError read_serving_rates(Bytes& bytes, Report& report, const OnMeasuredRate& on_rate);

/// Reads the silicon samples of ai-dynamo's aiconfigurator: latencies by layout and load. Tokens/s follow from Little's law:
/// concurrency x output / (ttft + itl x (output - 1)).
[[nodiscard]] HardError read_silicon_samples(Bytes& bytes, Report& report, const OnMeasuredRate& on_rate);

/// Gives the points of a measurement as MeasuredRate rows; none for a training measurement.
void read_points(const model::Measurement& measurement, const OnMeasuredRate& on_rate);

/// One measured training run, as its table states it. 0 or "": not stated.
struct MeasuredTraining {
    std::size_t row = 0;
    std::string source;   ///< publisher
    std::string measured; ///< YYYY, YYYY-MM or YYYY-MM-DD
    std::string model;    ///< id, or as the table spells it where it is none of ours
    std::string device;   ///< id
    std::string framework, version;
    std::string precision; ///< of the products: bf16, fp8, fp4 …
    std::string task;      ///< pretrain, sft, lora
    double devices = 0.0;
    double parameters = 0.0, active_parameters = 0.0, layers = 0.0, hidden = 0.0; ///< of the model, where the table has them
    double sequence = 0.0;                                                        ///< tokens of a sample
    double samples_per_step = 0.0;                                                ///< of all devices
    double tp = 0.0, pp = 0.0, cp = 0.0, ep = 0.0;
    double device_tokens_per_s = 0.0; ///< of one device
};
using OnMeasuredTraining = std::function<void(MeasuredTraining&& run)>;

/// Whether a table's header is the header of training runs.
[[nodiscard]] bool is_training_table(std::string_view text);

/// Reads `training.csv` of ../shared/data/measured-rates: one run per row. Rows without a rate or a sequence length are rejected.
[[nodiscard]] HardError read_training_runs(std::string_view text, Report& report, const OnMeasuredTraining& on_run);

/// Reads the same table as documents: one series per gang and layout, in trained tokens/s over all devices.
[[nodiscard]] HardError read_training_rates(std::string_view text, const Options& options, Report& report);

/// Reads serving rates or silicon samples, whichever the header shows.
[[nodiscard]] HardError read_measured_rates(std::string_view text, Report& report, const OnMeasuredRate& on_rate);

} // namespace costcurve::imports
