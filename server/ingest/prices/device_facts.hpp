// What a device states, as numbers and ratios of them by which it can be compared with others.
#pragma once

#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::ingest {

struct DeviceFact {
    std::string name;
    double value = 0.0;
    bool is_ratio = false;
};

/// What fact a peak is in a precision that no range is known of.
[[nodiscard]] std::string any_peak(const std::string& name);

/// Its memory, bandwidth, power, links and peaks, and ratios of two of them: of nothing that it doesn't state.
[[nodiscard]] std::vector<DeviceFact> facts_of_device(const model::Device& device);

/// Why its parts are more than it is, or its name says another memory: "" where they aren't.
[[nodiscard]] std::string reason_of_parts(const model::Device& device);

} // namespace costcurve::ingest
