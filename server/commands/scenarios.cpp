// One source answers for all files of a question.
#include "server/commands/scenarios.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "server/api/evaluate_scenario.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/storage/store.hpp"

namespace costcurve::commands {

int with_source(const std::string& database, const std::function<int(work::Source& source)>& action) {
    std::error_code ignored;
    if (database.empty()) {
        work::Source nowhere;
        return action(nowhere);
    }
    if (!std::filesystem::exists(database, ignored)) {
        fmt::print(stderr, "--database {}: there is no such file\n", database);
        return kWorldFailed;
    }
    const storage::Store store({.path = database});
    work::Source source(store, std::nullopt);
    return action(source);
}

std::vector<model::Placed> load_scenarios(const std::vector<std::string>& files, work::Source& source, int& status) {
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
        auto scenario = api::resolve_text(*text, source, path + "#");
        if (scenario) {
            scenarios.push_back({std::move(*scenario), path + "#"});
        } else {
            issues.insert(issues.end(), scenario.error().begin(), scenario.error().end());
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

int refuse(const model::Failure& issues) {
    print_issues("costcurve", issues);
    return kWrongInput;
}

} // namespace costcurve::commands
