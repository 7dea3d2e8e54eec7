// `costcurve gate FILE…`: scenarios, plans and manifests against budgets and rules, with an exit status. No daemon and no
// network are needed.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/questions/comparable.hpp"
#include "server/answers/request.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/gate/daemon_base.hpp"
#include "server/commands/gate/given.hpp"
#include "server/commands/gate/reports.hpp"
#include "server/commands/input.hpp"
#include "server/commands/option_rows.hpp"
#include "server/commands/text_table.hpp"
#include "server/gate/judge.hpp"
#include "server/jobs/threads.hpp"

namespace costcurve::commands {

namespace {

// Exit statuses: 0 every rule is kept, or one that warns is broken; 1 a rule is broken; 2 the gate can't judge.
enum GateStatus { kOpen = 0, kClosed = 1, kCannotJudge = 2 };

struct GateOptions : GivenOptions {
    std::string rules;
    std::vector<std::string> against; ///< files, one moment of the database, or a daemon's address
    std::string format = "text";
    std::vector<std::string> reports; ///< FORMAT=FILE
};

// What an option says, or an issue by its name.
struct ReportFile {
    std::string format;
    std::string path;
};
std::vector<ReportFile> report_files(const std::vector<std::string>& options, model::Failure& issues) {
    std::vector<ReportFile> files;
    const std::vector<std::string> formats = report_formats();
    for (const std::string& option : options) {
        const std::size_t equals = std::min(option.find('='), option.size());
        const std::string format = option.substr(0, equals);
        if (equals + 1 >= option.size() || std::ranges::find(formats, format) == formats.end()) {
            issues.push_back({"--report", model::Code::bad_format,
                              fmt::format("'{}': give FORMAT=FILE, FORMAT one of {}", option, fmt::join(formats, ", "))});
        } else {
            files.push_back({format, option.substr(equals + 1)});
        }
    }
    return files;
}

// The currency has a reason of its own, for which nothing is compared.
std::vector<std::string> differences_of_work(const answers::Evaluated& base, const answers::Evaluated& now) {
    std::vector<std::string> differs;
    for (const model::WorkDifference& one : model::work_differences(base.scenario.document(), base.summary, now.scenario.document(),
                                                                    now.summary, model::Objective::cost)) {
        if (one.what != "currency") {
            differs.push_back(fmt::format("{}: {} in the base, {} now", one.what, one.a, one.b));
        }
    }
    return differs;
}

// The scenarios of `against` go to the candidates of their ids; a single one to the single candidate, whatever its id.
void take_bases(std::vector<GivenScenario> bases, std::vector<gate::Candidate>& candidates, gate::Report& report) {
    for (GivenScenario& base : bases) {
        const std::string& id = base.evaluated.scenario.document().id;
        auto candidate = std::ranges::find_if(candidates, [&](const gate::Candidate& of) {
            return !id.empty() && of.evaluated.scenario.document().id == id && !of.base;
        });
        if (candidate == candidates.end() && candidates.size() == 1 && bases.size() == 1) {
            candidate = candidates.begin();
        }
        if (candidate == candidates.end()) {
            report.not_read.push_back({base.file, "base " + base.name, 1, "no scenario of its id is compared with it"});
        } else {
            candidate->base = gate::Base{gate::cost_per_month(base.evaluated), base.evaluated.scenario.document().currency,
                                         std::move(base.open), "", differences_of_work(base.evaluated, candidate->evaluated)};
        }
    }
}

bool is_address(const std::vector<std::string>& against) {
    return against.size() == 1 && against.front().find("://") != std::string::npos;
}

bool is_moment(const std::vector<std::string>& against) {
    return against.size() == 1 && against.front() != "-" && !std::filesystem::exists(against.front());
}

// The same files as of a moment of the database: those that were stored then as they were, others with what they refer to.
model::Result<GivenFiles> bases_then(const GateOptions& options, Given& given, ReadTerms terms) {
    const std::string& text = options.against.front();
    auto as_of = answers::read_as_of(text, "--against");
    if (!as_of) {
        return tl::unexpected(
            model::Failure{{"--against", model::Code::bad_format,
                            fmt::format("'{}' is neither a file nor a moment such as 2026-11-21T10:00:00Z or @42", text)}});
    }
    if (given.store() == nullptr) {
        return tl::unexpected(
            model::Failure{{"--against", model::Code::missing, "a moment is one of a database: state --database, or give a file"}});
    }
    documents::Source then(*given.store(), *as_of);
    terms.prefers_stored = true;
    return read_scenarios(options.files, then, terms);
}

// What the daemon at the address computes of the scenarios that it has under the candidates' ids.
model::Failure take_remote_bases(const std::string& address, std::vector<gate::Candidate>& candidates, gate::Report& report) {
    const auto daemon = read_daemon(address);
    if (!daemon) {
        return daemon.error();
    }
    for (gate::Candidate& candidate : candidates) {
        const std::string& id = candidate.evaluated.scenario.document().id;
        if (id.empty()) {
            report.not_read.push_back({candidate.file, "base of " + candidate.name, 1, "it has no id to look up"});
            continue;
        }
        auto base = ask_base(*daemon, id);
        if (!base) {
            return base.error();
        }
        candidate.base = std::move(*base);
        if (!candidate.base) {
            report.not_read.push_back({candidate.file, "base of " + candidate.name, 1, "the daemon has no scenario of its id"});
        }
    }
    return {};
}

// A deployment of which no machine has a price makes no scenario: whether it is known is all that can be judged.
void add_unpriced(const gate::GateFile& rules, const GivenFiles& files, gate::Report& report) {
    const auto stated = std::ranges::find(rules.rules, gate::Figure::read_whole, &gate::Rule::figure);
    const std::vector<std::string> open = files.deployed.open();
    gate::Finding& finding = report.findings.emplace_back();
    finding.scenario = "deployment";
    finding.file = files.deployment;
    finding.figure = gate::Figure::read_whole;
    finding.level = stated == rules.rules.end() ? gate::Level::fail : stated->level;
    finding.verdict = open.empty() ? gate::Verdict::kept : gate::Verdict::unknown;
    finding.why = open.empty() ? "" : open.front();
    gate::conclude(report, rules.silent_below);
}

model::Result<gate::GateFile> read_rules(const std::string& path) {
    const std::optional<std::string> text = read_file(path);
    if (!text) {
        return tl::unexpected(cannot_read(path));
    }
    return gate::read_gate_file(*text).map_error([&](model::Failure issues) { return placed_in(path, std::move(issues)); });
}

model::Result<gate::Report> judged(const GateOptions& options, Given& given, const Today& today) {
    const auto rules = read_rules(options.rules);
    if (!rules) {
        return tl::unexpected(rules.error());
    }
    auto files = read_scenarios(options.files, given.source(), today.terms);
    if (!files) {
        return tl::unexpected(std::move(files.error()));
    }
    gate::Report read;
    read.questions = files->deployed.questions;
    read.not_read = files->deployed.not_read;
    std::vector<gate::Candidate> candidates;
    for (GivenScenario& scenario : files->scenarios) {
        candidates.push_back({scenario.file, scenario.name, std::move(scenario.evaluated), {}, std::move(scenario.open)});
    }
    if (is_address(options.against)) {
        if (model::Failure issues = take_remote_bases(options.against.front(), candidates, read); !issues.empty()) {
            return tl::unexpected(std::move(issues));
        }
    } else if (!options.against.empty()) {
        auto bases = is_moment(options.against) ? bases_then(options, given, today.terms)
                                                : read_scenarios(options.against, given.source(), today.terms);
        if (!bases) {
            return tl::unexpected(std::move(bases.error()));
        }
        take_bases(std::move(bases->scenarios), candidates, read);
    }
    jobs::Threads threads(0, {});
    gate::Report report = gate::judge(*rules, candidates, today.day, threads.runner());
    if (!files->deployment.empty() && files->deployed.json.empty()) {
        add_unpriced(*rules, *files, report);
    }
    report.questions = std::move(read.questions);
    report.not_read = std::move(read.not_read);
    add_messages(report);
    return report;
}

int write_reports(const gate::Report& report, const std::vector<ReportFile>& files) {
    for (const ReportFile& file : files) {
        std::ofstream out(file.path, std::ios::binary);
        out << encode_report(report, file.format);
        out.close();
        if (!out) {
            fmt::print(stderr, "--report {}: can't be written; is the folder there?\n", printable(file.path));
            return kCannotJudge;
        }
    }
    return kOpen;
}

int status_of(gate::Outcome outcome) {
    return outcome == gate::Outcome::fail ? kClosed : outcome == gate::Outcome::unknown ? kCannotJudge : kOpen;
}

int refuse_gate(const model::Failure& issues) {
    print_issues("costcurve gate", issues);
    return kCannotJudge;
}

int run_gate(const GateOptions& options) {
    model::Failure issues;
    const std::vector<ReportFile> files = report_files(options.reports, issues);
    const auto today = read_terms(options.offers, options.today);
    if (!today) {
        issues.add_all(today.error());
    }
    if (!issues.empty()) {
        return refuse_gate(issues);
    }
    auto given = open_given(options.prices);
    if (!given) {
        return refuse_gate(given.error());
    }
    const auto report = judged(options, **given, *today);
    if (!report) {
        return refuse_gate(report.error());
    }
    const std::string text = encode_report(*report, options.format);
    const bool is_for_people = options.format == "text" || options.format == "markdown";
    fmt::print("{}", is_for_people ? printable(text) : text);
    const int written = write_reports(*report, files);
    return written == kOpen ? status_of(report->outcome) : written;
}

// The scenario on standard output, what is not known of it on standard error.
int run_read(const GivenOptions& options) {
    const auto today = read_terms(options.offers, options.today);
    if (!today) {
        return refuse_gate(today.error());
    }
    auto given = open_given(options.prices);
    if (!given) {
        return refuse_gate(given.error());
    }
    const auto files = read_deployment(options.files, (*given)->source(), today->terms);
    if (!files) {
        return refuse_gate(files.error());
    }
    fmt::print("{}{}", files->deployed.json, files->deployed.json.empty() ? "" : "\n");
    gate::Report report;
    report.questions = files->deployed.questions;
    report.not_read = files->deployed.not_read;
    fmt::print(stderr, "{}", printable(deployment_report(report)));
    return files->deployed.json.empty() ? kCannotJudge : kOpen;
}

// Whatever goes wrong: 1 is kept for a broken rule.
template <class Options> int guarded(int (*run)(const Options&), const Options& options) {
    try {
        return run(options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "costcurve: {}\n", error.what());
        return kCannotJudge;
    }
}

} // namespace

void add_gate(Verbs& verbs) {
    const auto options = std::make_shared<GateOptions>(); // the parser writes them as long as the action may read them
    CLI::App& verb =
        add(verbs, verbs.app, "gate", "budgets and rules on scenarios, with an exit status: 0, 1 broken, 2 can't judge",
            [options] { return guarded(run_gate, *options); });
    add_given(verb, *options, "scenarios, plans of Terraform as JSON, manifests of Kubernetes; - is standard input");
    verb.add_option("--rules", options->rules, "YAML or JSON file of budgets and rules")->required();
    verb.add_option("--against", options->against,
                    "what it is compared with: files, a moment of --database (a time of RFC 3339, or @42), or a daemon's address, "
                    "whose key is in COSTCURVE_KEY");
    verb.add_option("--format", options->format, fmt::format("{}", fmt::join(report_formats(), ", ")))
        ->check(CLI::IsMember(report_formats()))
        ->capture_default_str();
    verb.add_option("--report", options->reports, "FORMAT=FILE: the report in another form too; may be repeated");
    const auto read = std::make_shared<GivenOptions>();
    CLI::App& reading = add(verbs, verbs.app, "read", "a scenario of what plans and manifests deploy, and what of it is not known",
                            [read] { return guarded(run_read, *read); });
    add_given(reading, *read, "plans of Terraform as JSON, manifests of Kubernetes; - is standard input");
}

} // namespace costcurve::commands
