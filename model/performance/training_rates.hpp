// Rates of training runs: the model of MFU on the facts of documents, corrected by what was measured near them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"
#include "model/performance/training_fit.hpp"

namespace costcurve::model {

/// How a model is trained.
struct TrainingQuestion {
    double devices = 1.0; ///< of the whole run; 1 or more
    WeightPrecision precision = WeightPrecision::bf16;
    TrainingMethod method = TrainingMethod::full;
    double sequence = 4096.0;     ///< tokens of a sample; above 0
    double tokens_per_step = 0.0; ///< of all devices; 0: not stated
    std::string framework;        ///< "": not stated
    double year = 0.0;            ///< of the software; 0: not stated
};

/// A measured run with its conditions.
struct MeasuredRun {
    std::string model;  ///< an id
    std::string device; ///< an id
    TrainingQuestion at;
    std::string publisher;
    bool is_own = false;       ///< the user's, not published
    double tokens_per_s = 0.0; ///< of all devices
    std::string measurement;   ///< the id of its document
    std::size_t point = 0;     ///< its place there
};

/// Adds the points of a measurement of training that is not doubted.
void add_runs(const Measurement& measurement, std::vector<MeasuredRun>& runs);

struct RunInfluence {
    const MeasuredRun* run = nullptr;
    double weight = 0.0; ///< share of the correction
};

/// A rate with its interval, its evidence and what moved it.
struct RatedTraining {
    double tokens_per_s = 0.0; ///< of all devices
    double mfu = 0.0;          ///< of their peak at the stated precision; at most kPeakCeiling
    double low = 0.0;          ///< p10 of tokens_per_s
    double high = 0.0;         ///< p90
    Evidence evidence = Evidence::estimated;
    double ceiling = 0.0;           ///< mfu / kPeakCeiling
    std::vector<RunInfluence> from; ///< up to five, the heaviest first
};

/// Bytes that training keeps of a model at the least, over all devices: 16 a parameter with Adam in mixed precision (2 weights, 2
/// gradients, 12 of optimizer: Rajbhandari et al. 2020, arXiv:1910.02054, section 3.1), or with adapters the frozen weights alone.
[[nodiscard]] double training_state_bytes(const Model& model, WeightPrecision precision, TrainingMethod method);

/// Models, devices and measured runs as a rate reads them. Runs above kPeakCeiling move nothing. Refers to the runs; any thread
/// once made.
class TrainingRates {
public:
    TrainingRates(const std::vector<Model>& models, const std::vector<Device>& devices, std::vector<MeasuredRun> runs);
    TrainingRates(const TrainingRates&) = delete;
    TrainingRates& operator=(const TrainingRates&) = delete;

    /// Where no year is stated it is that of the newest run on the device, or else on one of its family. Nothing where the device
    /// states no peak at the precision, or none at all. A few microseconds and what the model's runs take.
    [[nodiscard]] std::optional<RatedTraining> rate(const Model& model, const Device& device,
                                                    const TrainingQuestion& question) const;

private:
    [[nodiscard]] std::uint32_t number_of_name(const std::string& name) const;

    std::vector<MeasuredRun> runs_; ///< which `used_` refers to
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::map<std::string, double, std::less<>> newest_year_; ///< of runs, by device and by family
    std::vector<const MeasuredRun*> used_;                   ///< by the number that a correction gives back
    RateMeasurements measurements_;
    RateMeasurements of_any_software_; ///< residuals against the level of no software: for questions that state none
};

} // namespace costcurve::model
