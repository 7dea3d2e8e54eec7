// `costcurve evaluate FILE…`: complete scenarios in, a table, JSON lines or a ledger CSV out. No daemon, no database.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "server/api/evaluate_scenario.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/table.hpp"

namespace costcurve::commands {

namespace {

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

void print_issues(const std::string& path, const model::Failure& issues) {
    fmt::print(stderr, "{}: {} issue{}\n", path, issues.size(), issues.size() == 1 ? "" : "s");
    for (const model::Issue& issue : issues) {
        fmt::print(stderr, "{}",
                   printable(fmt::format("  {}  {}: {}\n", issue.pointer.empty() ? "/" : issue.pointer,
                                         model::code_name(issue.code), issue.message)));
    }
}

} // namespace

int evaluate(const EvaluateOptions& options) {
    std::vector<api::Evaluated> answers;
    int status = kDone;
    bool is_first = true;
    for (const std::string& path : options.files) {
        const std::optional<std::string> text = read_file(path);
        if (!text) {
            fmt::print(stderr, "{}: can't be read; is the path right?\n", path);
            status = status == kDone ? kWorldFailed : status;
            continue;
        }
        model::Result<api::Evaluated> answer = api::evaluate_text(*text);
        if (!answer) {
            print_issues(path, answer.error());
            status = kWrongInput;
            continue;
        }
        if (options.format == "json") {
            fmt::print("{}\n", api::encode_result(*answer, options.ledger));
        } else if (options.format == "csv") {
            fmt::print("{}", api::encode_ledger_csv(*answer, is_first));
        } else {
            answers.push_back(std::move(*answer));
        }
        is_first = false;
    }
    if (!answers.empty()) {
        fmt::print("{}", printable(comparison_table(answers)));
    }
    return status;
}

} // namespace costcurve::commands
