// The table of verbs, options and settings: flag, environment variable, or a line of the config file, in that order.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "model/version.hpp"
#include "server/api/explain.hpp"
#include "server/commands/commands.hpp"
#include "server/storage/store.hpp"

namespace costcurve::commands {

namespace {

struct Options {
    DatabaseOptions database;
    EvaluateOptions evaluate;
    QuestionOptions question;
    ExplainOptions explain;
    OptimizeOptions optimize;
    ServeOptions serve;
    RecalculateOptions recalculate;
    KeyOptions key;
    ImportOptions import;
    std::string as_of;
    std::string file;
    std::vector<std::string> files;
};

// What a verb does, told apart by the subcommand that was parsed.
struct Verb {
    const CLI::App* app;
    std::function<int()> action;
};

// The environment variable of an option whose variable several verbs share. CLI11 reads the environment for every verb, parsed or
// not, the last one winning: only the one that is parsed may have it.
CLI::Option* read_environment(CLI::App& verb, CLI::Option* option, const char* variable) {
    verb.preparse_callback([option, variable](std::size_t /*words*/) { option->envname(variable); });
    return option;
}

CLI::Option* add_database(CLI::App& verb, std::string& path) {
    return read_environment(verb, verb.add_option("--database", path, "SQLite file"), "COSTCURVE_DATABASE");
}
void add_database(CLI::App& verb, DatabaseOptions& database) { add_database(verb, database.path)->capture_default_str(); }

void add_format(CLI::App& verb, std::string& format, const char* help, const std::vector<std::string>& formats) {
    read_environment(verb, verb.add_option("--format", format, help)->check(CLI::IsMember(formats)), "COSTCURVE_FORMAT");
}

void add_evaluate(CLI::App& verb, EvaluateOptions& options) {
    verb.add_option("FILE", options.files, "scenario documents; - is standard input")->required();
    add_format(verb, options.format, "table, json (a line a scenario) or csv (the ledger, FOCUS columns)",
               {"table", "json", "csv"});
    verb.add_flag("--ledger", options.ledger, "json: add the ledger's rows");
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
}

// What all questions of files take.
CLI::App& add_question(CLI::App& verb, QuestionOptions& options, const char* files, int least, int most) {
    verb.add_option("FILE", options.files, files)->required()->expected(least, most);
    add_format(verb, options.format, "table or json", {"table", "json"});
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
    return verb;
}

CLI::Option* add_range(CLI::App& verb, QuestionOptions& options) {
    CLI::Option* const input = verb.add_option("--input", options.input, "JSON Pointer to a number of the scenario");
    verb.add_option("--low", options.low, "its least value")->needs(input);
    verb.add_option("--high", options.high, "its greatest value")->needs(input);
    return input;
}

CLI::Option* add_output(CLI::App& verb, QuestionOptions& options) {
    return verb.add_option("--output", options.output, "JSON Pointer to a number of the result")->capture_default_str();
}

void add_questions(const std::function<CLI::App&(const char*, const char*, std::function<int()>)>& add, QuestionOptions& options) {
    constexpr int kAny = 100;
    add_question(add("compare", "scenarios side by side, and why they differ", [&] { return compare(options); }), options,
                 "scenario documents", 1, kAny)
        .add_option("--baseline", options.baseline, "number of the file that the others are held against")
        ->capture_default_str();
    add_range(add_question(add("break-even", "where two scenarios cost the same: the month, or an input's value",
                               [&] { return break_even(options); }),
                           options, "two scenario documents", 2, 2),
              options);
    CLI::App& inverse = add_question(add("solve", "which value of an input gives a wanted output", [&] { return solve(options); }),
                                     options, "a scenario document", 1, 1);
    add_range(inverse, options)->required();
    add_output(inverse, options);
    inverse.add_option("--target", options.target, "the wanted value of the output")->required();
    CLI::App& swings = add_question(add("sensitivity", "which inputs of the first scenario matter, and which change the cheapest",
                                        [&] { return sensitivity(options); }),
                                    options, "scenario documents", 1, kAny);
    swings.add_option("--input", options.inputs, "POINTER=low:high, or POINTER~0.2; every number by a fifth where none is given");
    add_output(swings, options);
    swings.add_option("--most", options.most, "rows of the table")->capture_default_str();
    CLI::App& simulation =
        add_question(add("simulate", "what figures come to where inputs are uncertain", [&] { return simulate(options); }), options,
                     "scenario documents", 1, kAny);
    simulation.add_option("--inputs", options.inputs_file, "JSON file of inputs with their distributions; - is standard input")
        ->required();
    simulation.add_option("--samples", options.samples, "in place of the file's; 10000 where neither says")
        ->check(CLI::Range(2, 1'000'000));
    simulation.add_option("--seed", options.seed, "in place of the file's; 0 where neither says");
    CLI::App& grid = add_question(add("map", "the cheapest of scenarios over a grid of two inputs", [&] { return map(options); }),
                                  options, "scenario documents", 1, kAny);
    grid.add_option("--x", options.x, "POINTER=from:to:steps, across; :log at its end for equal ratios")->required();
    grid.add_option("--y", options.y, "the same, upward")->required();
    add_output(grid, options);
}

void add_optimize(CLI::App& verb, OptimizeOptions& options) {
    verb.add_option("FILE", options.file, "a scenario document; - is standard input")->required();
    verb.add_option("--decide", options.decide, "POINTER=min:max: servers, their month, or instances; may be repeated")->required();
    verb.add_option("--minimize", options.minimize, "cost, npv or carbon")
        ->check(CLI::IsMember({"cost", "npv", "carbon"}))
        ->capture_default_str();
    model::Limits& limits = options.question.subject_to;
    verb.add_option("--max-unserved", limits.max_unserved_fraction, "of each workload's demand, 0 to 1; 0 where it is not given")
        ->check(CLI::Range(0.0, 1.0));
    verb.add_option("--max-carbon-kg", limits.max_carbon_kg, "over the horizon")->check(CLI::NonNegativeNumber);
    verb.add_option("--max-capital", limits.max_capital, "paid for servers, own-build facility and upfront")
        ->check(CLI::NonNegativeNumber);
    verb.add_option("--max-rack-kw", limits.max_rack_kw, "nameplate of all servers in service at once")
        ->check(CLI::NonNegativeNumber);
    verb.add_option("--uncertain", options.uncertain_file,
                    "JSON file of inputs with their distributions: plans are judged by their means; - is standard input");
    verb.add_option("--gap", options.question.gap, "good enough: the objective this share above its bound")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    verb.add_option("--evaluations", options.effort.evaluations, "plans evaluated at most, about")
        ->check(CLI::Range(1.0, 1e8))
        ->capture_default_str();
    add_format(verb, options.format, "table or json", {"table", "json"});
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
}

void add_question_limits(CLI::App& verb, api::QuestionLimits& limits) {
    const auto add = [&](const char* flag, auto& limit, const char* help, const char* variable, double low, double high) {
        verb.add_option(flag, limit, help)->envname(variable)->check(CLI::Range(low, high))->capture_default_str();
    };
    add("--long-questions", limits.at_once, "long questions at once; beyond them 503", "COSTCURVE_LONG_QUESTIONS", 1, 64);
    add("--question-threads", limits.threads, "threads of a long question; 0 is one a core", "COSTCURVE_QUESTION_THREADS", 0, 256);
    add("--question-seconds", limits.seconds, "seconds that a long question may take", "COSTCURVE_QUESTION_SECONDS", 1, 86400);
    add("--max-samples", limits.samples, "samples of a simulation", "COSTCURVE_MAX_SAMPLES", 2, 1e8);
    add("--max-plans", limits.plans, "plans that an optimizer evaluates", "COSTCURVE_MAX_PLANS", 1, 1e8);
    add("--max-cells", limits.cells, "values of a map: x times y times scenarios", "COSTCURVE_MAX_CELLS", 1, 1e8);
}

void add_explain(CLI::App& verb, ExplainOptions& options) {
    verb.add_option("FILE", options.file, "a scenario document; - is standard input")->required();
    verb.add_option("--figure", options.figure, "JSON Pointer into the result, such as /total/cost")->required();
    verb.add_option("--format", options.format, "text (an indented tree) or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    verb.add_option("--depth", options.depth, "levels below the figure, and months opened")->check(CLI::Range(0, api::kMostLevels));
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
}

void add_serve(CLI::App& verb, ServeOptions& options) {
    add_database(verb, options.database);
    verb.add_option("--max-database-mb", options.database.max_mb, "size at which writes are refused; 0 is no limit")
        ->envname("COSTCURVE_MAX_DATABASE_MB")
        ->check(CLI::NonNegativeNumber);
    verb.add_option("--host", options.host, "address to listen on")->envname("COSTCURVE_HOST")->capture_default_str();
    verb.add_option("--port", options.port, "port; 0 takes any that is free")
        ->envname("COSTCURVE_PORT")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    verb.add_option("--threads", options.threads, "workers; 0 is one a core")
        ->envname("COSTCURVE_THREADS")
        ->check(CLI::Range(0, 256))
        ->capture_default_str();
    verb.add_flag("--require-keys", options.require_keys, "ask for API keys on 127.0.0.1 too")->envname("COSTCURVE_REQUIRE_KEYS");
    verb.add_option("--rate-limit", options.rate_limit, "requests/s of a key, beyond them 429; 0 is no limit")
        ->envname("COSTCURVE_RATE_LIMIT")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    verb.add_option("--telemetry-days", options.telemetry_days, "days that raw samples are kept; their hours are kept for good")
        ->envname("COSTCURVE_TELEMETRY_DAYS")
        ->check(CLI::Range(1, 3650))
        ->capture_default_str();
    verb.add_flag("--allow-private-webhooks", options.allow_private_webhooks, "call webhooks at addresses that are not public, too")
        ->envname("COSTCURVE_ALLOW_PRIVATE_WEBHOOKS");
    verb.add_option("--webhook-retry-s", options.webhook_retry_s, "seconds to a delivery's second try; the others in proportion")
        ->envname("COSTCURVE_WEBHOOK_RETRY_S")
        ->check(CLI::Range(0.001, 3600.0))
        ->capture_default_str();
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

std::vector<Verb> add_verbs(CLI::App& app, Options& options) {
    std::vector<Verb> verbs;
    const auto add = [&](CLI::App& parent, const char* name, const char* help, std::function<int()> action) -> CLI::App& {
        CLI::App* const verb = parent.add_subcommand(name, help);
        verbs.push_back({verb, std::move(action)});
        return *verb;
    };
    const auto add_stored = [&](CLI::App& parent, const char* name, const char* help, std::function<int()> action) -> CLI::App& {
        CLI::App& verb = add(parent, name, help, std::move(action));
        add_database(verb, options.database);
        return verb;
    };
    add_evaluate(add(app, "evaluate", "evaluate scenario documents, side by side", [&] { return evaluate(options.evaluate); }),
                 options.evaluate);
    add_questions([&](const char* name, const char* help,
                      std::function<int()> action) -> CLI::App& { return add(app, name, help, std::move(action)); },
                  options.question);
    add_explain(add(app, "explain", "where a figure of a result comes from", [&] { return explain(options.explain); }),
                options.explain);
    add_optimize(add(app, "optimize", "how many servers and instances, and when, come to the least",
                     [&] { return optimize(options.optimize); }),
                 options.optimize);
    add_serve(add(app, "serve", "answer over HTTP", [&] { return serve(options.serve); }), options.serve);
    CLI::App& again = add_stored(app, "recalculate", "evaluate stored scenarios again, and keep the results", [&] {
        options.recalculate.database = options.database;
        return recalculate(options.recalculate);
    });
    add_recalculate(again, options.recalculate);
    add_stored(app, "migrate", "bring the database to this version's schema", [&] { return migrate(options.database); });
    add_stored(app, "backup", "copy the database while it is in use", [&] { return backup(options.database, options.file); })
        .add_option("FILE", options.file, "the copy; it must not exist")
        ->required();
    add_stored(app, "restore", "put a backup in the database's place, after verifying it",
               [&] { return restore(options.database, options.file); })
        .add_option("FILE", options.file, "a backup")
        ->required();
    add_stored(app, "export", "all documents as JSON, on standard output", [&] {
        return export_documents(options.database, options.as_of);
    }).add_option("--as-of", options.as_of, "the store as it was known then, RFC 3339");
    CLI::App& import = *app.add_subcommand("import", "store documents of files");
    import.require_subcommand(1);
    add_stored(import, "json", "what export wrote, or lists named after their kind such as devices.json",
               [&] { return import_json(options.database, options.files); })
        .add_option("FILE", options.files, "JSON files; all are stored, or none")
        ->required();
    for (const imports::Format& format : imports::formats()) {
        CLI::App& verb = add(import, std::string(format.name).c_str(), std::string(format.help).c_str(),
                             [&] { return import_published(format, options.import); });
        add_import(verb, format, options.import);
    }
    CLI::App& keys = *app.add_subcommand("keys", "API keys");
    keys.require_subcommand(1);
    CLI::App& add_verb =
        add_stored(keys, "add", "make a key and show it, once", [&] { return add_key(options.database, options.key); });
    add_verb.add_option("NAME", options.key.name, "who will use it")->required();
    add_verb.add_option("--role", options.key.role, "viewer, editor or admin")
        ->check(CLI::IsMember({"viewer", "editor", "admin"}))
        ->capture_default_str();
    add_stored(keys, "list", "names, roles and dates", [&] { return list_keys(options.database); });
    add_stored(keys, "revoke", "make a key useless", [&] { return revoke_key(options.database, options.key.name); })
        .add_option("NAME", options.key.name, "the key's name")
        ->required();
    return verbs;
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
    CLI::App app("What AI accelerators really cost: per epoch, per inference, in the cloud, owned or mixed.", "costcurve");
    Options options;
    options.serve.reread_log_level = [=] { return read_log_level(argc, argv); };
    prepare(app);
    const std::vector<Verb> verbs = add_verbs(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) { return app.exit(error) == 0 ? kDone : kWrongInput; }
    try {
        for (const Verb& verb : verbs) {
            if (verb.app->parsed()) {
                return verb.action();
            }
        }
    } catch (const storage::StoreError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return kWorldFailed;
    }
    return kWrongInput;
}

} // namespace costcurve::commands
