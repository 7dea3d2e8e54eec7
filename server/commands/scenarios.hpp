// Scenario files of the verbs that ask questions.
#pragma once

#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "server/work/resolve.hpp"

namespace costcurve::commands {

/// Reads and resolves all files, in one currency; issues' pointers begin with the file's name and #. Prints what is wrong, and
/// gives nothing then; `status` becomes the exit status.
[[nodiscard]] std::vector<model::Placed> load_scenarios(const std::vector<std::string>& files, work::Source& source, int& status);

/// Prints issues and gives the exit status of wrong input.
[[nodiscard]] int refuse(const model::Failure& issues);

} // namespace costcurve::commands
