// Whether the facts of a device that is not stored are those of any chip that there is.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/ingest/prices/device_facts.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

struct FactRange {
    double least = 0.0;
    double most = 0.0;
};
using FactRanges = std::map<std::string, FactRange>; ///< by the name of a fact

/// Reads the stored devices once, where one is new.
class KnownDevices {
public:
    explicit KnownDevices(const storage::Snapshot& snapshot) : snapshot_(snapshot) {}

    /// Why it is held, where it is new:
    /// - its memory, bandwidth, power, links or a peak are twice those of any device, or beyond, or ratios of two of them one and a
    ///   half times or two thirds of what any has: of the published ones until 2026, and of those that are stored;
    /// - any of it is two and a half times what stored devices of its name have, whatever their form, memory and maker, or less
    /// than
    ///   by as much;
    /// - its size is three times that of any stored device that was released until a year after it, of eight or more;
    /// - its memory is not that of its name, a slice has more, or it draws above 1.2 of its TDP.
    /// "" where it is stored or may be.
    [[nodiscard]] std::string reason(const model::Device& device);

private:
    struct StoredDevice {
        std::string family;
        std::string released;
        std::vector<DeviceFact> facts;
    };
    void read_stored();
    [[nodiscard]] std::string reason_of_ranges(const std::vector<DeviceFact>& facts) const;
    [[nodiscard]] std::string reason_of_family(const std::string& id, const std::vector<DeviceFact>& facts) const;
    [[nodiscard]] std::string reason_of_release(const std::string& released, const std::vector<DeviceFact>& facts) const;

    const storage::Snapshot& snapshot_;
    std::optional<FactRanges> ranges_;
    std::set<std::string> ids_;
    std::vector<StoredDevice> stored_;
};

} // namespace costcurve::ingest
