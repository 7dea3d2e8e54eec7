// Scenario files of the verbs that ask questions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "server/work/resolve.hpp"

namespace costcurve::commands {

/// Calls `action` with where references are looked up: in the database, or nowhere where its path is "". Gives the action's exit
/// status; 1 where there is no such file.
[[nodiscard]] int with_source(const std::string& database, const std::function<int(work::Source& source)>& action);

/// Reads and resolves all files, in one currency; issues' pointers begin with the file's name and #. Prints what is wrong, and
/// gives nothing then; `status` becomes the exit status.
[[nodiscard]] std::vector<model::Placed> load_scenarios(const std::vector<std::string>& files, work::Source& source, int& status);

/// Prints issues and gives the exit status of wrong input.
[[nodiscard]] int refuse(const model::Failure& issues);

} // namespace costcurve::commands
