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

    /// Why a new price is held, against the rough price of its size: a device-hour at a fifteenth (spot: a twentieth) of that
    /// of its memory bandwidth or less, or at 20 times or more; a million units of input, output or all at a thirtieth
    /// (mixtures of experts: a tenth) of that of its active parameters or less. "" where the price is between these, or its
    /// device, model or currency is not known.
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
