// Audit of estimated rates: reads files of measured rates, and predicts each with its group left out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/performance/rate_audit.hpp"
#include "server/answers/answer.hpp"
#include "server/import/benchmarks/rate_rows.hpp"
#include "server/import/benchmarks/training_rows.hpp"

namespace costcurve::answers {

/// Facts needed to predict measured rates: fully described models, and devices.
struct RateFacts {
    imports::ModelShapes shapes;
    std::vector<model::Device> devices;
};
/// Reads facts from the texts of deploy/catalog/models.json and devices.json; unreadable content is an issue.
[[nodiscard]] model::Result<RateFacts> read_rate_facts(std::string_view models, std::string_view devices);

/// Predictable rows of files, and numbers of other rows by reason. The facts must outlive it.
class AuditedFiles {
public:
    explicit AuditedFiles(const RateFacts& facts) : rates_(facts.shapes, facts.devices), runs_(facts.shapes, facts.devices) {}
    /// Adds the catalogue's rows, before any file. Its unusable rows aren't counted.
    void add_known(std::string_view text);
    /// Adds a file, possibly gzip'd, in a format of measured rates (measured_rates.hpp) or any import format that gives
    /// measurements. Otherwise an issue at the pointer `name` lists the formats.
    [[nodiscard]] model::Failure add(const std::string& name, std::string_view bytes);
    [[nodiscard]] const std::vector<model::RateRow>& rows() const { return rates_.rows(); }
    [[nodiscard]] const std::vector<model::PairRow>& pairs() const { return rates_.pairs(); }
    [[nodiscard]] const std::vector<model::TrainingRow>& training_rows() const { return runs_.rows(); }
    [[nodiscard]] std::size_t read() const { return read_; }
    [[nodiscard]] const std::map<std::string, std::size_t>& left_out() const { return left_out_; }

private:
    imports::HardError read_into(std::string_view text, imports::Report& report, bool is_audited);
    void count(const std::string& reason);
    [[nodiscard]] bool add_import(const std::string& name, const std::string& text);

    imports::RateRows rates_;
    imports::TrainingRows runs_;
    std::size_t read_ = 0;
    std::map<std::string, std::size_t> left_out_;
};

struct LeftOutAnswer {
    std::string reason;
    std::size_t count = 0;
};
/// A row with a large error: output tokens/s of the replica, or tokens/s trained by all devices.
struct WorstAnswer {
    std::string source, model, device;
    double devices = 0.0;
    std::string precision;
    double input = 0.0, output = 0.0, concurrency = 0.0; ///< serving only
    double measured = 0.0, predicted = 0.0, ratio = 0.0;
    std::string reason;
};
struct AuditAnswer {
    model::LeaveOut leave_out{};
    std::size_t rows = 0;
    std::size_t used = 0;
    std::vector<LeftOutAnswer> left_out;
    int folds = 0;
    std::uint64_t seed = 0;
    std::vector<model::AuditClass> classes;
    std::vector<WorstAnswer> worst;
};
/// Runs the audit; an issue if fewer than two groups remain to predict one from the other. Some seconds for thousands of rows.
[[nodiscard]] model::Result<AuditAnswer> audit(const AuditedFiles& files, model::LeaveOut leave_out, std::uint64_t seed);

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto enum_names<LeaveOut> = std::to_array<std::string_view>({"row", "model", "device", "model_on_device",
                                                                              "source"});
template <>
inline constexpr auto fields<AuditClass> =
    Rows{Field{"name", &AuditClass::name, {}},
         Field{"count", &AuditClass::count, {}},
         Field{"within", &AuditClass::within, {.help = "share of predicted / measured in 0.8 to 1.3"}},
         Field{"median_error", &AuditClass::median_error, {.help = "of |predicted / measured - 1|"}},
         Field{"bias", &AuditClass::bias, {.help = "median of predicted / measured - 1"}},
         Field{"coverage", &AuditClass::coverage, {.help = "share of measured rates in low to high"}},
         Field{"width", &AuditClass::width, {.help = "median of high / low"}}};
template <>
inline constexpr auto fields<answers::LeftOutAnswer> =
    Rows{Field{"reason", &answers::LeftOutAnswer::reason, {}}, Field{"count", &answers::LeftOutAnswer::count, {}}};
template <>
inline constexpr auto fields<answers::WorstAnswer> =
    Rows{Field{"source", &answers::WorstAnswer::source, {}},
         Field{"model", &answers::WorstAnswer::model, {}},
         Field{"device", &answers::WorstAnswer::device, {}},
         Field{"devices", &answers::WorstAnswer::devices, {}},
         Field{"precision", &answers::WorstAnswer::precision, {}},
         Field{"input", &answers::WorstAnswer::input, {.omit = true}},
         Field{"output", &answers::WorstAnswer::output, {.omit = true}},
         Field{"concurrency", &answers::WorstAnswer::concurrency, {.omit = true}},
         Field{"measured", &answers::WorstAnswer::measured, {}},
         Field{"predicted", &answers::WorstAnswer::predicted, {}},
         Field{"ratio", &answers::WorstAnswer::ratio, {.help = "predicted / measured"}},
         Field{"reason", &answers::WorstAnswer::reason, {}}};
template <>
inline constexpr auto fields<answers::AuditAnswer> =
    Rows{Field{"leave_out", &answers::AuditAnswer::leave_out, {}}, Field{"rows", &answers::AuditAnswer::rows, {}},
         Field{"used", &answers::AuditAnswer::used, {}},           Field{"left_out", &answers::AuditAnswer::left_out, {}},
         Field{"folds", &answers::AuditAnswer::folds, {}},         Field{"seed", &answers::AuditAnswer::seed, {}},
         Field{"classes", &answers::AuditAnswer::classes, {}},     Field{"worst", &answers::AuditAnswer::worst, {}}};

} // namespace costcurve::model
