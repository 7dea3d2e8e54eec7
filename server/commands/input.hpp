// Files in, issues out: what verbs that read documents share.
#pragma once

#include <optional>
#include <string>

#include "model/failure.hpp"

namespace costcurve::commands {

/// The file's bytes; of standard input where the path is "-". Nothing where it can't be read.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

/// Prints every issue to standard error, without control characters.
void print_issues(const std::string& path, const model::Failure& issues);

} // namespace costcurve::commands
