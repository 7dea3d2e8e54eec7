// `costcurve evaluate FILE…`: scenarios in, a table, JSON lines or CSV out. No daemon; a database only for references.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "server/answers/evaluate.hpp"
#include "server/answers/tables/ledger_csv.hpp"
#include "server/answers/tables/table.hpp"
#include "server/answers/workbook/decision_workbook.hpp"
#include "server/answers/workbook/result_workbook.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/table.hpp"
#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

int write_bytes(const EvaluateOptions& options, const model::Result<std::string>& bytes) {
    if (!bytes) {
        print_issues(options.files.front(), bytes.error());
        return kWrongInput;
    }
    return write_file(options.output, *bytes) ? kDone : kWorldFailed;
}

int evaluate_files(const EvaluateOptions& options, const storage::Store* store) {
    std::vector<answers::Evaluated> answers;
    const bool is_comparison = options.format == "xlsx" && options.files.size() > 1;
    int status = kDone;
    bool is_first = true;
    answers::Table months({"name", "currency"});
    for (const std::string& path : options.files) {
        const std::optional<std::string> text = read_file(path);
        if (!text) {
            fmt::print(stderr, "{}: can't be read; is the path right?\n", path);
            status = status == kDone ? kWorldFailed : status;
            continue;
        }
        documents::Source source = store != nullptr ? documents::Source(*store, std::nullopt) : documents::Source();
        const model::Result<model::ScenarioDocument> resolved = answers::resolve_text(*text, source);
        model::Result<answers::Evaluated> answer =
            resolved.and_then([](const model::ScenarioDocument& scenario) { return answers::evaluate_resolved(scenario); });
        if (!answer) {
            print_issues(path, answer.error());
            status = kWrongInput;
            continue;
        }
        if (options.format == "json") {
            fmt::print("{}\n", answers::encode_result(*answer, options.ledger));
        } else if (options.format == "csv") {
            fmt::print("{}", answers::encode_ledger_csv(*answer, is_first));
        } else if (options.format == "xlsx" && !is_comparison) {
            status = std::max(status, write_bytes(options, answers::encode_result_workbook(*resolved, *answer)));
        } else if (options.format == "months") {
            months.add(answers::encode_result(*answer, false), {"months", "/by_month", "name currency"});
        } else {
            answers.push_back(std::move(*answer));
        }
        is_first = false;
    }
    if (options.format == "months" && !is_first) {
        fmt::print("{}", months.csv());
    }
    if (is_comparison && status == kDone) {
        return write_bytes(options, answers::encode_decision_workbook(answers, 0));
    }
    if (!answers.empty() && !is_comparison) {
        fmt::print("{}", printable(comparison_table(answers, options.ignore_unserved)));
    }
    return status;
}

} // namespace

int evaluate(const EvaluateOptions& options) {
    if (options.format != "xlsx" && !options.output.empty()) {
        fmt::print(stderr, "--output is the file of --format xlsx: give both\n");
        return kWrongInput;
    }
    return with_store(options.database, [&](const storage::Store* store) { return evaluate_files(options, store); });
}

} // namespace costcurve::commands
