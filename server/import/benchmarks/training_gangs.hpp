// Which devices an MLPerf training set ran on, and how many: from the system's description, the platform's name, or the options.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/import/importer.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// The contents of a systems/*.json.
struct TrainingSystem {
    std::string file, submitter, name, accelerator, framework;
    Number nodes, devices_per_node;
};

struct TrainingGang {
    std::optional<std::string> device;
    std::optional<int> devices;
    std::string contradiction = {}; ///< of the system's description and the options; "" where they agree
};

/// The gang from the system's description (null: unknown), else from the platform's name ("1xXE9680Lx8B200-SXM-180GB"), else from
/// the options.
[[nodiscard]] TrainingGang gang_of(std::string_view platform, const TrainingSystem* system, const Options& options);

} // namespace costcurve::imports
