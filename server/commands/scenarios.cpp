// Loads the scenario files of a question, with references from one source.
#include "server/commands/scenarios.hpp"

#include <fmt/format.h>

#include "server/answers/evaluate.hpp"
#include "server/commands/input.hpp"
#include "server/commands/text_table.hpp"
#include "server/storage/store.hpp"

namespace costcurve::commands {

std::vector<model::Placed> load_scenarios(const std::vector<std::string>& files, documents::Source& source, int& status) {
    std::vector<model::Placed> scenarios;
    scenarios.reserve(files.size());
    model::Failure issues;
    status = kDone;
    for (const std::string& path : files) {
        const std::optional<std::string> text = read_file(path);
        if (!text) {
            fmt::print(stderr, "{}: can't be read; is the path right?\n", path);
            status = kWorldFailed;
            continue;
        }
        auto scenario = answers::resolve_text(*text, source, path + "#");
        if (scenario) {
            scenarios.push_back({std::move(*scenario), path + "#"});
        } else {
            issues.add_all(scenario.error());
        }
    }
    if (issues.empty() && status == kDone) {
        issues = model::check_currencies(scenarios);
    }
    if (!issues.empty()) {
        status = refuse(issues);
    }
    if (status != kDone) {
        scenarios.clear();
    }
    return scenarios;
}

int ask_question(const QuestionOptions& options, const std::function<int(const std::vector<model::Placed>& scenarios)>& question) {
    return with_store(options.database, [&](const storage::Store* store) {
        documents::Source source = store != nullptr ? documents::Source(*store, std::nullopt) : documents::Source();
        int status = kDone;
        const std::vector<model::Placed> scenarios = load_scenarios(options.files, source, status);
        return status == kDone ? question(scenarios) : status;
    });
}

int print_answer(const QuestionOptions& options, const std::string& json, const std::string& text) {
    fmt::print("{}{}", options.format == "json" ? json : printable(text), options.format == "json" ? "\n" : "");
    return kDone;
}

int refuse(const model::Failure& issues) {
    print_issues("costcurve", issues);
    return kWrongInput;
}

} // namespace costcurve::commands
