// What a device-hour and a million tokens of a model cost about, by facts of the device and the model: for orders of magnitude of
// what has nothing else to be compared with.
#pragma once

#include <map>
#include <string>

#include "server/ingest/prices/other_sellers.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Reads each device and model once.
class RoughRates {
public:
    explicit RoughRates(const storage::Snapshot& snapshot) : snapshot_(snapshot) {}

    /// Why a new price is held: a device-hour a fifteenth or twenty times what its memory's bandwidth costs about, as spot a
    /// twentieth; a million units of input, output or all below a thirtieth of what the model's active parameters cost, of
    /// a mixture of experts a tenth. "" where it
    /// may be, or nothing is known of the device, the model or the currency.
    [[nodiscard]] std::string reason(const JudgedPrice& price);
    /// Whether an offer's price is within a fifth and six times of it: then the only other seller may be the one that is far away.
    [[nodiscard]] bool bears_out(const JudgedPrice& price);
    /// A million units of a hosted model over what its active parameters cost about; 0 where that is not known.
    [[nodiscard]] double ratio_of_hosted(const JudgedPrice& price);
    /// Whether there is anything to compare it with.
    [[nodiscard]] bool knows(const JudgedPrice& price);

private:
    struct Size {
        double size = 0.0; // GB/s of a device, or active parameters of a model; 0 where they are not known
        bool is_mixture = false;
    };
    [[nodiscard]] const Size& facts_of(storage::Kind kind, const std::string& id);
    [[nodiscard]] double size_of(storage::Kind kind, const std::string& id) { return facts_of(kind, id).size; }

    const storage::Snapshot& snapshot_;
    std::map<storage::DocumentKey, Size> sizes_;
};

} // namespace costcurve::ingest
