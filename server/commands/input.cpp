// Reading whole files, and telling people what is wrong with them.
#include "server/commands/input.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "server/commands/commands.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/commands/text_table.hpp"
#include "server/storage/open_store.hpp"

namespace costcurve::commands {

std::optional<std::string> read_file(const std::string& path) {
    if (path == "-") {
        return std::string(std::istreambuf_iterator<char>(std::cin), {});
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return std::nullopt;
    }
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    return file.good() || file.eof() ? std::optional(std::move(text)) : std::nullopt;
}

bool write_file(const std::string& path, const std::string& bytes) {
    std::ofstream file;
    if (!path.empty()) {
        file.open(path, std::ios::binary | std::ios::trunc);
    }
    std::ostream& out = path.empty() ? std::cout : file;
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
    if (!out) {
        fmt::print(stderr, "{}: can't be written; is there such a folder, and room?\n", path.empty() ? "standard output" : path);
    }
    return out.good();
}

int with_store(const std::string& database, const std::function<int(const storage::Store*)>& action) {
    if (database.empty()) {
        return action(nullptr);
    }
    if (!storage::may_be_there(database)) {
        fmt::print(stderr,
                   "--database {}: there is no such file; costcurve import json deploy/catalog/*.json --database {} makes it, with "
                   "our catalogue\n",
                   storage::shown_path(database), storage::shown_path(database));
        return kWorldFailed;
    }
    return action(open_upgraded({.path = database}).get());
}

void print_issues(const std::string& path, const model::Failure& issues) {
    fmt::print(stderr, "{}: {}\n", path, model::count_text(issues));
    for (const model::Issue& issue : issues) {
        fmt::print(stderr, "{}",
                   printable(fmt::format("  {}  {}: {}\n", issue.pointer.empty() ? "/" : issue.pointer,
                                         model::code_name(issue.code), issue.message)));
    }
}

void print_complaints(std::string_view what, const imports::Complaints& complaints) {
    constexpr std::size_t kMaxComplaints = 10;
    for (std::size_t i = 0; i < std::min(kMaxComplaints, complaints.first.size()); ++i) {
        const imports::Complaint& one = complaints.first[i];
        fmt::print(stderr, "{}{}: {}\n", what, one.row == 0 ? "" : fmt::format(", row {}", one.row), one_line(one.reason));
    }
    if (complaints.count > kMaxComplaints) {
        fmt::print(stderr, "{}: {} more\n", what, complaints.count - kMaxComplaints);
    }
}

} // namespace costcurve::commands
