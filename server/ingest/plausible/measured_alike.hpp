// What others have measured at the conditions of a measurement's points.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/documents/measurement.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Reads the stored measurements once, where they are needed first.
class MeasuredAlike {
public:
    explicit MeasuredAlike(const storage::Snapshot& snapshot) : snapshot_(snapshot) {}

    /// Why it is held: the median of its points is four times, a fourth or beyond, or one of them twelve times, of what other
    /// measurements have at equal conditions: the same kind, model, device, precision, tokens of a request or a sequence, and as
    /// many requests at a time on as many devices, to twice. Rates are compared by the device, of serving and disaggregated
    /// serving together; of static batches nine times, as software has made more of them than of anything. Of a device that nobody
    /// has measured with the model: a rate by the device of six times the most of any other, or beyond. "" where it may be, or
    /// nobody has measured the like; of what is doubted, too.
    [[nodiscard]] std::string reason(const model::Measurement& measured);

private:
    /// What others share with a point, but for the load: kind, model, precision and the tokens of a request.
    using Work = std::tuple<int, std::string, model::NumberFormat, double, double, double, double>;
    struct Found {
        std::string id;
        std::string device;
        double load = 0.0; ///< requests at a time by the device; of training the devices
        double rate = 0.0; ///< by the device
    };
    using FoundByWork = std::map<Work, std::vector<Found>>;

    /// What is stored beside a point.
    struct Beside {
        std::vector<double> alike; ///< rates by the device, at its load
        bool is_known = false;     ///< of its device
        double most = 0.0;         ///< of any device
    };

    static void add_points(const model::Measurement& measured, FoundByWork& found);
    [[nodiscard]] static Beside beside(const Found& point, const std::vector<Found>& others, const std::string& id,
                                       bool grows_with_load);
    [[nodiscard]] const FoundByWork& stored();

    const storage::Snapshot& snapshot_;
    std::optional<FoundByWork> stored_;
};

} // namespace costcurve::ingest
