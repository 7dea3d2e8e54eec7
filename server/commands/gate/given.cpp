// Inputs of the gate: prices in memory, and scenarios from files evaluated with them.
#include "server/commands/gate/given.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/answers/compare.hpp"
#include "server/answers/evaluate.hpp"
#include "server/commands/input.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/commands/option_rows.hpp"
#include "server/documents/document_files.hpp"
#include "server/gate/yaml_text.hpp"

namespace costcurve::commands {

namespace {

model::Result<std::unique_ptr<Given>> open_files(const std::vector<std::string>& files) {
    documents::DocumentImport documents;
    model::Failure issues;
    for (const std::string& path : files) {
        const std::optional<std::string> text = read_file(path);
        issues.add_all(text ? placed_in(path, documents.read(*text, std::filesystem::path(path).stem().string()))
                            : cannot_read(path));
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return std::move(documents).snapshot().map([](std::unique_ptr<storage::Snapshot> snapshot) {
        return std::make_unique<Given>(documents::Source(std::move(snapshot)));
    });
}

model::Result<model::ScenarioDocument> resolved(const JsonValue& given, const std::string& at, documents::Source& source,
                                                bool prefers_stored) {
    const JsonValue* const id = given.find("id");
    const bool is_stored = prefers_stored && id != nullptr && documents::is_slug(id->text()) &&
                           source.load({storage::Kind::scenario, std::string(id->text())}).has_value();
    return is_stored ? answers::resolve_stored(id->text(), at, source) : answers::resolve_scenario(given, at, source);
}

model::Result<GivenScenario> evaluated(const JsonValue& given, const std::string& file, documents::Source& source,
                                       bool prefers_stored) {
    auto document = resolved(given, file + "#", source, prefers_stored);
    if (!document) {
        return tl::unexpected(std::move(document.error()));
    }
    std::string name = answers::name_of_scenario(*document, 0);
    return answers::evaluate_resolved(std::move(*document), file + "#").map([&](answers::Evaluated result) {
        return GivenScenario{file, std::move(name), std::move(result), {}};
    });
}

// Files as they are read: scenarios are evaluated at once, plans and manifests together.
class FileReader {
public:
    FileReader(documents::Source& source, const ReadTerms& terms, bool takes_scenarios)
        : source_(source), terms_(terms), takes_scenarios_(takes_scenarios) {}

    void read(const std::string& file) {
        const std::optional<std::string> text = read_file(file);
        if (!text) {
            issues_.add_all(cannot_read(file));
            return;
        }
        if (std::string foreign = gate::deployed::foreign_text(*text); !foreign.empty()) {
            issues_.push_back({file, model::Code::bad_format, std::move(foreign)});
            return;
        }
        const auto texts = gate::json_of_yaml(*text);
        if (!texts || texts->empty()) {
            issues_.add_all(texts ? model::Failure{{file, model::Code::bad_format, "it is empty"}}
                                  : placed_in(file, texts.error()));
            return;
        }
        for (const std::string& json : *texts) {
            read_document(json, file);
        }
    }

    model::Result<GivenFiles> finish() {
        if (!found_.deployment.empty() && issues_.empty()) {
            found_.deployed = gate::deployed::scenario_of(std::move(deployment_), terms_.deployed, source_);
            if (takes_scenarios_ && !found_.deployed.json.empty()) {
                const auto parsed = answers::parse_body(found_.deployed.json);
                add(**parsed, found_.deployment, false);
            }
            if (takes_scenarios_ && !found_.deployed.json.empty() && issues_.empty()) {
                found_.scenarios.back().open = found_.deployed.open();
            }
        }
        if (!issues_.empty()) {
            return tl::unexpected(std::move(issues_));
        }
        return std::move(found_);
    }

private:
    void read_document(const std::string& json, const std::string& file) {
        const auto parsed = answers::parse_body(json);
        if (!parsed) {
            issues_.add_all(placed_in(file, parsed.error()));
            return;
        }
        const JsonValue& document = **parsed;
        if (std::string foreign = gate::deployed::foreign_document(document); !foreign.empty()) {
            issues_.push_back({file, model::Code::bad_format, std::move(foreign)});
        } else if (gate::deployed::is_plan(document) || gate::deployed::is_object(document)) {
            found_.deployment = found_.deployment.empty() ? file : found_.deployment;
            issues_.add_all(gate::deployed::is_plan(document) ? gate::deployed::read_plan(document, file, deployment_)
                                                              : gate::deployed::read_object(document, file, deployment_));
        } else if (takes_scenarios_) {
            add(document, file, terms_.prefers_stored);
        } else {
            issues_.push_back(
                {file, model::Code::bad_format,
                 "it is neither a plan (terraform show -json PLAN) nor an object of Kubernetes with apiVersion and kind"});
        }
    }

    void add(const JsonValue& document, const std::string& file, bool prefers_stored) {
        auto scenario = evaluated(document, file, source_, prefers_stored);
        if (scenario) {
            found_.scenarios.push_back(std::move(*scenario));
        } else {
            issues_.add_all(std::move(scenario.error()));
        }
    }

    documents::Source& source_;
    const ReadTerms& terms_;
    bool takes_scenarios_;
    gate::deployed::Deployment deployment_;
    GivenFiles found_;
    model::Failure issues_;
};

model::Result<GivenFiles> read_all(const std::vector<std::string>& files, FileReader reader) {
    for (const std::string& file : files) {
        reader.read(file);
    }
    return reader.finish();
}

std::optional<double> day_of(const std::string& text) {
    double day = 0.0;
    if (text.empty()) {
        const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
        return static_cast<double>(today.time_since_epoch().count());
    }
    return model::parse_date(text, day) ? std::optional(day) : std::nullopt;
}

} // namespace

void add_given(CLI::App& verb, GivenOptions& options, const char* files) {
    verb.add_option("FILE", options.files, files)->required();
    CLI::Option* const prices =
        verb.add_option("--prices", options.prices.files,
                        "JSON files in which ids are looked up: what export writes, or lists such as offers.json");
    verb.add_option("--database", options.prices.database, "SQLite file in which ids are looked up; none by default")
        ->excludes(prices);
    verb.add_option("--offer", options.offers,
                    "NAME=ID: the offer of machines whose price is not known; NAME a resource, a type or a device; "
                    "ID none of what costs nothing or is counted elsewhere; may be repeated");
    verb.add_option("--today", options.today,
                    "YYYY-MM-DD: from when prices' ages and deployments count; the system's day where absent");
}

model::Result<Today> read_terms(const std::vector<std::string>& offers, const std::string& today) {
    Today read;
    model::Failure issues;
    for (const std::string& option : offers) {
        const std::size_t equals = std::min(option.rfind('='), option.size());
        if (equals == 0 || equals + 1 >= option.size()) {
            issues.push_back({"--offer", model::Code::bad_format, fmt::format("'{}': give NAME=ID", option)});
        } else {
            read.terms.deployed.offers[option.substr(0, equals)] = option.substr(equals + 1);
        }
    }
    if (const std::optional<double> day = day_of(today)) {
        read.day = *day;
        const std::chrono::year_month_day date(std::chrono::sys_days(std::chrono::days(static_cast<int>(*day))));
        read.terms.deployed.start = {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month()))};
    } else {
        issues.push_back({"--today", model::Code::bad_format, fmt::format("'{}': give a day as YYYY-MM-DD", today)});
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return read;
}

model::Failure placed_in(const std::string& file, model::Failure issues) {
    for (model::Issue& issue : issues) {
        issue.pointer.insert(0, file + "#");
    }
    return issues;
}

model::Failure cannot_read(const std::string& file) { return {{file, model::Code::missing, "can't be read; is the path right?"}}; }

model::Result<std::unique_ptr<Given>> open_given(const GivenPrices& prices) {
    if (!prices.files.empty()) {
        return open_files(prices.files);
    }
    if (prices.database.empty()) {
        return std::make_unique<Given>(documents::Source());
    }
    if (!storage::may_be_there(prices.database)) {
        return tl::unexpected(
            model::Failure{{"--database", model::Code::missing,
                            fmt::format("{}: there is no such file; is the path right?", storage::shown_path(prices.database))}});
    }
    return std::make_unique<Given>(open_upgraded({.path = prices.database}));
}

model::Result<GivenFiles> read_scenarios(const std::vector<std::string>& files, documents::Source& source, const ReadTerms& terms) {
    return read_all(files, FileReader(source, terms, true));
}

model::Result<GivenFiles> read_deployment(const std::vector<std::string>& files, documents::Source& source,
                                          const ReadTerms& terms) {
    return read_all(files, FileReader(source, terms, false));
}

} // namespace costcurve::commands
