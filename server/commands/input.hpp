// Files in, issues out: what verbs that read documents share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/documents/failure.hpp"
#include "server/import/report.hpp"
#include "server/storage/store.hpp"

namespace costcurve::commands {

/// The file's bytes, or standard input if the path is "-". Nothing if it can't be read.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

/// Writes the file, standard output where the path is "". False where it can't be written, which is said on standard error.
[[nodiscard]] bool write_file(const std::string& path, const std::string& bytes);

/// Runs `action` with the store of the database, or with null where no database is named. The exit status: the action's, or that
/// the database is not there.
[[nodiscard]] int with_store(const std::string& database, const std::function<int(const storage::Store* store)>& action);

/// Prints every issue to standard error, without control characters.
void print_issues(const std::string& path, const model::Failure& issues);

/// Prints the first complaints of an import to standard error, each with its row, and how many more there are.
void print_complaints(std::string_view what, const imports::Complaints& complaints);

} // namespace costcurve::commands
