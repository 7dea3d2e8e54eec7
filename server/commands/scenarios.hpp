// Scenario files of the verbs that ask questions.
#pragma once

#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "server/commands/commands.hpp"
#include "server/documents/references.hpp"

namespace costcurve::commands {

/// What all verbs have that ask a question of scenario files.
struct QuestionOptions {
    std::vector<std::string> files;
    std::string format = "table"; ///< table or json
    std::string database;         ///< where references are looked up; "" for nowhere
    bool ignore_unserved = false; ///< of those that rank
};

/// Reads and resolves all files, in one currency; issues' pointers begin with the file's name and #. Prints what is wrong, and
/// gives nothing then; `status` becomes the exit status.
[[nodiscard]] std::vector<model::Placed> load_scenarios(const std::vector<std::string>& files, documents::Source& source,
                                                        int& status);

/// Loads the question's files and runs it; the callback prints its answer and gives the exit status.
[[nodiscard]] int ask_question(const QuestionOptions& options,
                               const std::function<int(const std::vector<model::Placed>& scenarios)>& question);

/// Prints the answer in the format that the options name; 0.
[[nodiscard]] int print_answer(const QuestionOptions& options, const std::string& json, const std::string& text);

/// Prints issues and gives the exit status of wrong input.
[[nodiscard]] int refuse(const model::Failure& issues);

} // namespace costcurve::commands
