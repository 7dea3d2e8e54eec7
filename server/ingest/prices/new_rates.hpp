// Judges rates of a performance or a training run that is not stored yet: against the peak of its devices, and against stored
// performances of the same task.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// The median of a rate; 0 where it is not known. `find` gives curves that it names by their ids.
using FindCurve = std::function<std::optional<model::Curve>(const std::string& id)>;
[[nodiscard]] double level_of_rate(const std::optional<model::Rate>& rate, const FindCurve& find);

/// The task that a performance's id names before its machine, without versions: "mlperf-inference.bert-99.offline" of
/// "mlperf-inference-5.1.bert-99.offline.8x-…"; "" where it names none.
[[nodiscard]] std::string task_of(const std::string& id);

/// Reads models and devices where they are named first, and the stored performances once.
class NewRates {
public:
    NewRates(const storage::Snapshot& snapshot, FindCurve find) : snapshot_(snapshot), find_(std::move(find)) {}

    /// Why a training run is held: its model's operations are more than 0.9 of what its devices can do, or a hundredth or less.
    [[nodiscard]] std::string reason_of_training(const model::Measurement& measured);
    /// Why a new performance is held; "" where nothing speaks against it. Reasons:
    /// - the least operations of its model are more than its devices can do, or a ten-thousandth of that or less;
    /// - others state the same task or serve the same model, and its rate per peak FLOP/s is 15 times theirs, or a 15th, or
    ///   beyond;
    /// - others state the same task on the same device, on half to twice as many and at half to twice the load, and its rate
    ///   per device is 4 times theirs, or a fourth, or beyond;
    /// - its devices have no peak, and its rate per device is 6 times the highest of the task or more.
    [[nodiscard]] std::string reason_of_performance(const model::Performance& performance);
    /// Whether there was anything to compare it with.
    [[nodiscard]] bool has_compared() const { return has_compared_; }

private:
    struct Size {
        double active_parameters = 0.0;           // of a model
        std::map<std::string, double> peaks = {}; // of a device
        [[nodiscard]] double peak(std::string_view precision) const;
    };
    [[nodiscard]] const Size& size_of(storage::Kind kind, const std::string& id);
    struct TaskRate {
        std::string id, device;
        double devices = 0.0, load = 0.0;      // 0 where it has none
        double by_device = 0.0, by_peak = 0.0; // by_peak of no peaks 0
    };
    void read_tasks();
    [[nodiscard]] TaskRate task_rate(const model::Performance& performance);
    [[nodiscard]] std::string reason_of_task(const model::Performance& performance, const TaskRate& own);
    [[nodiscard]] std::string reason_of_alike(const model::Performance& performance, const TaskRate& own);

    const storage::Snapshot& snapshot_;
    FindCurve find_;
    std::map<storage::DocumentKey, Size> sizes_;
    std::optional<std::map<std::string, std::vector<TaskRate>>> tasks_; ///< by task
    bool has_compared_ = false;
};

} // namespace costcurve::ingest
