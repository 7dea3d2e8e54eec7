// The table of verbs, options and settings: flag, environment variable, or a line of the config file, in that order.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include "model/version.hpp"
#include "server/answers/break_even.hpp"
#include "server/answers/explain.hpp"
#include "server/answers/map.hpp"
#include "server/answers/optimize/optimize.hpp"
#include "server/answers/sensitivity.hpp"
#include "server/answers/solve.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/option_rows.hpp"
#include "server/storage/access.hpp"
#include "server/storage/store.hpp"

namespace costcurve::commands {

namespace {

struct Options {
    DatabaseOptions database;
    EvaluateOptions evaluate;
    QuestionOptions question;
    ExplainOptions explain;
    OptimizeOptions optimize;
    RankOptions rank;
    ServeOptions serve;
    RecalculateOptions recalculate;
    KeyOptions key;
    ImportOptions import;
    bool quick = false;
    std::string as_of;
    std::string file;
    std::vector<std::string> files;
};

// What a verb does, told apart by the subcommand that was parsed.
using Actions = std::vector<std::pair<const CLI::App*, std::function<int()>>>;

void add_evaluate(CLI::App& verb, EvaluateOptions& options) {
    verb.add_option("FILE", options.files, "scenario documents; - is standard input")->required();
    add_format(verb, options.format, "table, json (a line a scenario) or csv (the ledger, FOCUS columns)",
               {"table", "json", "csv"});
    verb.add_flag("--ledger", options.ledger, "json: add the ledger's rows");
    add_ignore_unserved(verb, options.ignore_unserved);
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
}

template <class R> void add_range(CLI::App& verb, QuestionOptions& options) {
    CLI::Option* const input = add_member<R>(verb, "--input", "input", options.input);
    add_member<R>(verb, "--low", "low", options.low)->needs(input);
    add_member<R>(verb, "--high", "high", options.high)->needs(input);
}

void add_optimize(CLI::App& verb, OptimizeOptions& options) {
    verb.add_option("FILE", options.file, "a scenario document; - is standard input")->required();
    verb.add_option(
            "--decide", options.decide,
            "POINTER=min:max: servers, their month, or instances; or POINTER=[values] in JSON: one is chosen; may be repeated")
        ->required();
    add_member<answers::OptimizeRequest>(verb, "--minimize", "minimize", options.minimize)
        ->check(CLI::IsMember(words_of(model::enum_names<model::Objective>)));
    model::Limits& limits = options.question.subject_to;
    add_member<model::Limits>(verb, "--max-unserved", "max_unserved_fraction", limits.max_unserved_fraction);
    add_member<model::Limits>(verb, "--max-carbon-kg", "max_carbon_kg", limits.max_carbon_kg);
    add_member<model::Limits>(verb, "--max-capital", "max_capital", limits.max_capital);
    add_member<model::Limits>(verb, "--max-rack-kw", "max_rack_kw", limits.max_rack_kw);
    verb.add_option("--uncertain", options.uncertain_file,
                    "JSON file of inputs with their distributions: plans are judged by their means; - is standard input");
    add_member<answers::OptimizeRequest>(verb, "--gap", "gap", options.question.gap)->capture_default_str();
    add_member<answers::OptimizeRequest>(verb, "--evaluations", "evaluations", options.effort.evaluations)
        ->description("plans evaluated at most, about") // no setting bounds it here
        ->capture_default_str();
    add_format(verb, options.format, "table or json", {"table", "json"});
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
}

// A number of the service, with its environment variable and range.
void add_setting(CLI::App& verb, const char* flag, auto& value, const char* help, const char* variable, auto min,
                 decltype(min) max) {
    verb.add_option(flag, value, help)->envname(variable)->check(CLI::Range(min, max))->capture_default_str();
}

void add_question_limits(CLI::App& verb, api::QuestionLimits& limits) {
    add_setting(verb, "--long-questions", limits.max_concurrent, "long questions at once; beyond them 503",
                "COSTCURVE_LONG_QUESTIONS", 1, 64);
    add_setting(verb, "--question-threads", limits.threads, "threads of a long question; 0 is one a core",
                "COSTCURVE_QUESTION_THREADS", 0, 256);
    add_setting(verb, "--question-seconds", limits.seconds, "seconds that a long question may take", "COSTCURVE_QUESTION_SECONDS",
                1.0, 86400.0);
    add_setting(verb, "--max-samples", limits.samples, "samples of a simulation", "COSTCURVE_MAX_SAMPLES", 2.0, 1e8);
    add_setting(verb, "--max-plans", limits.plans, "plans that an optimizer evaluates", "COSTCURVE_MAX_PLANS", 1.0, 1e8);
    add_setting(verb, "--max-cells", limits.cells, "values of a map: x times y times scenarios", "COSTCURVE_MAX_CELLS", 1.0, 1e8);
}

void add_explain(CLI::App& verb, ExplainOptions& options) {
    verb.add_option("FILE", options.file, "a scenario document; - is standard input")->required();
    add_member<answers::ExplainRequest>(verb, "--figure", "figure", options.figure);
    verb.add_option("--format", options.format, "text (an indented tree) or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    add_member<answers::ExplainRequest>(verb, "--depth", "depth", options.depth);
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
}

void add_serve(CLI::App& verb, ServeOptions& options) {
    add_database(verb, options.database);
    verb.add_option("--max-database-mb", options.database.max_mb, "size at which writes are refused; 0 is no limit")
        ->envname("COSTCURVE_MAX_DATABASE_MB")
        ->check(CLI::NonNegativeNumber);
    verb.add_option("--host", options.host, "address to listen on")->envname("COSTCURVE_HOST")->capture_default_str();
    add_setting(verb, "--port", options.port, "port; 0 takes any that is free", "COSTCURVE_PORT", 0, 65535);
    add_setting(verb, "--threads", options.threads, "workers; 0 is one a core", "COSTCURVE_THREADS", 0, 256);
    verb.add_flag("--require-keys", options.require_keys, "ask for API keys on 127.0.0.1 too")->envname("COSTCURVE_REQUIRE_KEYS");
    verb.add_option("--rate-limit", options.rate_limit, "requests/s of a key, beyond them 429; 0 is no limit")
        ->envname("COSTCURVE_RATE_LIMIT")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    add_setting(verb, "--telemetry-days", options.telemetry_days, "days that raw samples are kept; their hours are kept for good",
                "COSTCURVE_TELEMETRY_DAYS", 1, 3650);
    verb.add_flag("--allow-private-webhooks", options.allow_private_webhooks, "call webhooks at addresses that are not public, too")
        ->envname("COSTCURVE_ALLOW_PRIVATE_WEBHOOKS");
    add_setting(verb, "--webhook-retry-s", options.webhook_retry_s, "seconds to a delivery's second try; the others in proportion",
                "COSTCURVE_WEBHOOK_RETRY_S", 0.001, 3600.0);
    add_question_limits(verb, options.questions);
    verb.add_option("--cors-origin", options.cors_origins, "origins whose pages may call, such as https://planner.example")
        ->envname("COSTCURVE_CORS_ORIGIN")
        ->delimiter(',');
    verb.add_option("--allowed-host", options.allowed_hosts, "names that a request without a key may call us by, beside local ones")
        ->envname("COSTCURVE_ALLOWED_HOST")
        ->delimiter(',');
    verb.add_option("--log-level", options.log_level, "trace, debug, info, warn, error or off; SIGHUP reads it again")
        ->envname("COSTCURVE_LOG_LEVEL")
        ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
        ->capture_default_str();
    verb.add_option("--log-format", options.log_format, "text or json")
        ->envname("COSTCURVE_LOG_FORMAT")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
}

void add_recalculate(CLI::App& verb, RecalculateOptions& options) {
    CLI::Option* const all = verb.add_flag("--all", options.all, "every stored scenario");
    verb.add_flag("--changed", options.changed, "those that a change since the last such run can reach; as without it")
        ->excludes(all);
    verb.add_option("--scenario", options.scenarios, "these alone, by id")->excludes(all);
    verb.add_option("--threads", options.threads, "0 is one a core")->check(CLI::Range(0, 256))->capture_default_str();
    verb.add_flag("--json", options.json, "the report as JSON");
}

// A verb a format; its options are those that the format needs or heeds.
void add_import(CLI::App& verb, const imports::Format& format, ImportOptions& options) {
    add_database(verb, options.database);
    verb.add_option("FILE", options.files, "files as they were published, gzip'd or not; - is standard input")->required();
    verb.add_flag("--dry-run", options.dry_run, "say what would change, and change nothing");
    verb.add_flag("--keep-stored", options.keep_stored, "what stored documents state stays; add what they lack, and dated prices");
    verb.add_flag("--json", options.json, "the summary as JSON");
    const auto names = [](std::string_view list, std::string_view name) {
        return fmt::format(" {} ", list).find(fmt::format(" {} ", name)) != std::string::npos;
    };
    for (const imports::OptionRow& row : imports::import_options()) {
        const bool needed = names(format.needs, row.name);
        if (needed || names(format.takes, row.name)) {
            std::string flag = fmt::format("--{}", row.name);
            std::replace(flag.begin(), flag.end(), '_', '-');
            verb.add_option(flag, options.options.*row.member, std::string(row.help))->required(needed);
        }
    }
}

// The program's verbs as they are added.
struct Verbs {
    CLI::App& app;
    Options& options;
    Actions added;
};

CLI::App& add(Verbs& verbs, CLI::App& parent, const std::string& name, const std::string& help, std::function<int()> action) {
    CLI::App* const verb = parent.add_subcommand(name, help);
    verbs.added.push_back({verb, std::move(action)});
    return *verb;
}

// A verb on the database.
CLI::App& add_stored(Verbs& verbs, CLI::App& parent, const std::string& name, const std::string& help,
                     std::function<int()> action) {
    CLI::App& verb = add(verbs, parent, name, help, std::move(action));
    add_database(verb, verbs.options.database);
    return verb;
}

// A question of scenario files.
CLI::App& add_question(Verbs& verbs, const char* name, const char* help, int (*ask)(const QuestionOptions&),
                       const char* files = "scenario documents", int min = 1, int max = 100) {
    QuestionOptions& options = verbs.options.question;
    CLI::App& verb = add(verbs, verbs.app, name, help, [&options, ask] { return ask(options); });
    verb.add_option("FILE", options.files, files)->required()->expected(min, max);
    add_format(verb, options.format, "table or json", {"table", "json"});
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
    return verb;
}

void add_questions(Verbs& verbs, QuestionOptions& options) {
    CLI::App& comparison = add_question(verbs, "compare", "scenarios side by side, and why they differ", compare);
    comparison.add_option("--baseline", options.baseline, "number of the file that the others are held against")
        ->capture_default_str();
    CLI::App& crossing = add_question(verbs, "break-even", "where two scenarios cost the same: the month, or an input's value",
                                      break_even, "two scenario documents", 2, 2);
    add_range<answers::BreakEvenRequest>(crossing, options);
    CLI::App& inverse =
        add_question(verbs, "solve", "which value of an input gives a wanted output", solve, "a scenario document", 1, 1);
    add_range<answers::SolveRequest>(inverse, options);
    add_member<answers::SensitivityRequest>(inverse, "--output", "output", options.output); // here, too, it has a default
    add_member<answers::SolveRequest>(inverse, "--target", "target", options.target);
    CLI::App& swings =
        add_question(verbs, "sensitivity", "which inputs of the first scenario matter, and which change the cheapest", sensitivity);
    swings.add_option("--input", options.inputs, "POINTER=low:high, or POINTER~0.2; every number where none is given");
    swings.add_option("--change", options.change, "of every number, up and down, where there is no --input")
        ->check(CLI::Range(1e-6, 1.0))
        ->capture_default_str();
    swings.add_flag("--decisions", options.with_decisions, "numbers of servers and instances and the horizon too");
    add_member<answers::SensitivityRequest>(swings, "--output", "output", options.output);
    swings.add_option("--most", options.most, "rows of the table")->capture_default_str();
    CLI::App& simulation = add_question(verbs, "simulate", "what figures come to where inputs are uncertain", simulate);
    simulation.add_option("--inputs", options.inputs_file, "JSON file of inputs with their distributions; - is standard input")
        ->required();
    simulation.add_option("--samples", options.samples, "in place of the file's; 10000 where neither says")
        ->check(CLI::Range(2, 1'000'000));
    simulation.add_option("--seed", options.seed, "in place of the file's; 0 where neither says");
    CLI::App& grid = add_question(verbs, "map", "the cheapest of scenarios over a grid of two inputs", map);
    grid.add_option("--x", options.x, "POINTER=from:to:steps, across; :log at its end for equal ratios")->required();
    grid.add_option("--y", options.y, "the same, upward")->required();
    add_member<answers::MapRequest>(grid, "--output", "output", options.output);
    for (CLI::App* const verb : {&comparison, &crossing, &swings, &simulation, &grid}) {
        add_ignore_unserved(*verb, options.ignore_unserved);
    }
}

void add_question_verbs(Verbs& verbs) {
    Options& options = verbs.options;
    add_evaluate(
        add(verbs, verbs.app, "evaluate", "evaluate scenario documents, side by side", [&] { return evaluate(options.evaluate); }),
        options.evaluate);
    add_questions(verbs, options.question);
    add_explain(add(verbs, verbs.app, "explain", "where a figure of a result comes from", [&] { return explain(options.explain); }),
                options.explain);
    add_rank(add(verbs, verbs.app, "rank", "plans for a model and a request rate over the stored catalogue, the best first",
                 [&] { return rank(options.rank); }),
             options.rank);
    add_optimize(add(verbs, verbs.app, "optimize", "the cost-minimal plan of servers and instances by month",
                     [&] { return optimize(options.optimize); }),
                 options.optimize);
}

void add_database_verbs(Verbs& verbs) {
    Options& options = verbs.options;
    CLI::App& again = add_stored(verbs, verbs.app, "recalculate", "evaluate stored scenarios again, and keep the results", [&] {
        options.recalculate.database = options.database;
        return recalculate(options.recalculate);
    });
    add_recalculate(again, options.recalculate);
    add_stored(verbs, verbs.app, "migrate", "bring the database to this version's schema",
               [&] { return migrate(options.database); });
    add_stored(verbs, verbs.app, "backup", "copy the database while it is in use",
               [&] { return backup(options.database, options.file); })
        .add_option("FILE", options.file, "the copy; it must not exist")
        ->required();
    add_stored(verbs, verbs.app, "restore", "put a backup in the database's place, after verifying it",
               [&] { return restore(options.database, options.file); })
        .add_option("FILE", options.file, "a backup")
        ->required();
    add_stored(verbs, verbs.app, "check", "verify the database: pages, references, hashes, the chain of changes, every document",
               [&] { return check(options.database, options.quick); })
        .add_flag("--quick", options.quick, "pages and the newest links of the chain alone");
    add_stored(verbs, verbs.app, "export", "all documents as JSON, on standard output", [&] {
        return export_documents(options.database, options.as_of);
    }).add_option("--as-of", options.as_of, std::string(answers::kMomentSpec.help));
}

void add_import_verbs(Verbs& verbs) {
    Options& options = verbs.options;
    CLI::App& import = *verbs.app.add_subcommand("import", "store documents of files");
    import.require_subcommand(1);
    add_stored(verbs, import, "json", "what export wrote, or lists named after their kind such as devices.json",
               [&] { return import_json(options.database, options.files); })
        .add_option("FILE", options.files, "JSON files; all are stored, or none")
        ->required();
    for (const imports::Format& format : imports::formats()) {
        CLI::App& verb = add(verbs, import, std::string(format.name), std::string(format.help),
                             [&] { return import_published(format, options.import); });
        add_import(verb, format, options.import);
    }
}

void add_key_verbs(Verbs& verbs) {
    Options& options = verbs.options;
    CLI::App& keys = *verbs.app.add_subcommand("keys", "API keys");
    keys.require_subcommand(1);
    CLI::App& add_verb =
        add_stored(verbs, keys, "add", "make a key and show it, once", [&] { return add_key(options.database, options.key); });
    add_verb.add_option("NAME", options.key.name, "who will use it")->required();
    add_verb.add_option("--role", options.key.role, fmt::format("{}", fmt::join(storage::role_names, ", ")))
        ->check(CLI::IsMember(words_of(storage::role_names)))
        ->capture_default_str();
    const CLI::Range days(1, 36500);
    add_verb.add_option("--days", options.key.days, "days that it is good; for ever where it isn't given")->check(days);
    CLI::App& rotate_verb = add_stored(verbs, keys, "rotate", "make a new secret for a key and show it, once",
                                       [&] { return rotate_key(options.database, options.key); });
    rotate_verb.add_option("NAME", options.key.name, "the key's name")->required();
    rotate_verb.add_option("--overlap-hours", options.key.overlap_hours, "hours that the secret before stays good; 0 ends it now")
        ->check(CLI::Range(0, 8760))
        ->capture_default_str();
    rotate_verb
        .add_option("--days", options.key.days, "days that the new one is good; as many as the one before where it isn't given")
        ->check(days);
    add_stored(verbs, keys, "list", "names, roles and dates", [&] { return list_keys(options.database); });
    add_stored(verbs, keys, "revoke", "make a key useless", [&] { return revoke_key(options.database, options.key.name); })
        .add_option("NAME", options.key.name, "the key's name")
        ->required();
}

Actions add_verbs(CLI::App& app, Options& options) {
    Verbs verbs{app, options, {}};
    add_question_verbs(verbs);
    add_serve(add(verbs, app, "serve", "answer over HTTP", [&] { return serve(options.serve); }), options.serve);
    add_database_verbs(verbs);
    add_import_verbs(verbs);
    add_key_verbs(verbs);
    return std::move(verbs.added);
}

void prepare(CLI::App& app) {
    app.set_version_flag("--version", "costcurve model " + std::string(model::kModelVersion));
    app.set_config("--config", "", "file of settings: [serve] and a line name=value each")->envname("COSTCURVE_CONFIG");
    app.require_subcommand(1);
    app.fallthrough();
}

// The settings again, as they are in the config file now; "" where it can't be read.
std::string read_log_level(int argc, const char* const* argv) {
    CLI::App app;
    Options options;
    prepare(app);
    add_verbs(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError&) { return ""; }
    return options.serve.log_level;
}

} // namespace

int run(int argc, const char* const* argv) {
    umask(077); // databases and backups have secrets of webhooks
    CLI::App app("What AI accelerators really cost: per epoch, per inference, in the cloud, owned or mixed.", "costcurve");
    Options options;
    options.serve.reread_log_level = [=] { return read_log_level(argc, argv); };
    prepare(app);
    const Actions verbs = add_verbs(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) { return app.exit(error) == 0 ? kDone : kWrongInput; }
    try {
        for (const auto& [verb, action] : verbs) {
            if (verb->parsed()) {
                return action();
            }
        }
    } catch (const storage::StoreError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return kWorldFailed;
    }
    return kWrongInput;
}

} // namespace costcurve::commands
