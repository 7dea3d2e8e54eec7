// Which devices an MLPerf training set ran on, and how many: of its system's description, the name of its platform, the options.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/import/importer.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// A systems/*.json.
struct TrainingSystem {
    std::string file, submitter, name, accelerator, framework;
    Number nodes, devices_per_node;
};

struct TrainingGang {
    std::optional<std::string> device;
    std::optional<int> devices;
    std::string contradiction = {}; ///< of the system's description and the options; "" where they agree
};

/// What the system says (null: it is not known), else the platform's name ("1xXE9680Lx8B200-SXM-180GB"); else the options.
[[nodiscard]] TrainingGang gang_of(std::string_view platform, const TrainingSystem* system, const Options& options);

} // namespace costcurve::imports
