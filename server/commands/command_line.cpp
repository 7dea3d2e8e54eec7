// The table of verbs, options and settings: flag, environment variable, or a line of the config file, in that order.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include "model/version.hpp"
#include "server/actuals/calibration_answer.hpp"
#include "server/answers/explain.hpp"
#include "server/answers/optimize/optimize.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/option_rows.hpp"
#include "server/storage/access.hpp"
#include "server/storage/store.hpp"

namespace costcurve::commands {

namespace {

struct Options {
    DatabaseOptions database;
    EvaluateOptions evaluate;
    ExplainOptions explain;
    OptimizeOptions optimize;
    ActualsOptions actuals;
    RankOptions rank;
    RateOptions rate;
    FeedOptions feed;
    std::int64_t run = 0;
    ServeOptions serve;
    McpOptions mcp;
    RecalculateOptions recalculate;
    UpgradeOptions upgrade;
    KeyOptions key;
    ImportOptions import;
    MeasureOptions measure; // its scenarios are of import measured too
    TelemetryOptions telemetry;
    CalibrateOptions calibrate;
    bool quick = false;
    std::string as_of;
    std::string exported = "all";
    std::string file;
    std::string from; ///< of copy, as the next
    std::string to;
    std::vector<std::string> files;
    bool by_reference = false; ///< of import json
};

void add_evaluate(CLI::App& verb, EvaluateOptions& options) {
    verb.add_option("FILE", options.files, "scenario documents; - is standard input")->required();
    add_format(verb, options.format,
               "table, json (a line a scenario), csv (the ledger, FOCUS columns), months (CSV, a row a month) or xlsx (a workbook "
               "with formulas; of several scenarios one that compares them with the first)",
               {"table", "json", "csv", "months", "xlsx"});
    verb.add_option("--output", options.output, "xlsx: the file to write; standard output by default");
    verb.add_flag("--ledger", options.ledger, "json: add the ledger's rows");
    add_ignore_unserved(verb, options.ignore_unserved);
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
}

void add_optimize(CLI::App& verb, OptimizeOptions& options) {
    verb.add_option("FILE", options.file, "a scenario document; - is standard input")->required();
    verb.add_option(
            "--decide", options.decide,
            "POINTER=min:max: servers, their month, instances, units; or POINTER=[values] in JSON: one is chosen; may be repeated")
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

void add_explain(CLI::App& verb, ExplainOptions& options) {
    verb.add_option("FILE", options.file, "a scenario document; - is standard input")->required();
    add_member<answers::ExplainRequest>(verb, "--figure", "figure", options.figure);
    verb.add_option("--format", options.format, "text (an indented tree) or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    add_member<answers::ExplainRequest>(verb, "--depth", "depth", options.depth);
    verb.add_option("--database", options.database, "SQLite file in which ids are looked up; none by default");
}

void add_actuals(CLI::App& verb, ActualsOptions& options) {
    verb.add_option("FILE", options.file,
                    "a scenario document, with --from; else a JSON file of POST /v1/actuals; - is standard input")
        ->required();
    CLI::Option* const from = verb.add_option("--from", options.from, "the first month, YYYY-MM");
    verb.add_option("--to", options.to, "the last month, YYYY-MM; the first one where it isn't given")->needs(from);
    add_format(verb, options.format, "table or json", {"table", "json"});
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
    verb.add_flag("--force", options.force, "also where the date is another than a file's name says, and a bill's days to come");
    verb.add_flag("--json", options.json, "the summary as JSON");
    for (const imports::OptionRow& row : imports::import_options()) {
        const bool needed = imports::needs(format, row.name);
        if (imports::heeds(format, row.name)) {
            std::string flag = fmt::format("--{}", row.name);
            std::replace(flag.begin(), flag.end(), '_', '-');
            verb.add_option(flag, options.options.*row.member, std::string(row.help))->required(needed);
        }
    }
}

// A verb on the database.
CLI::App& add_stored(Verbs& verbs, CLI::App& parent, const std::string& name, const std::string& help,
                     std::function<int()> action) {
    CLI::App& verb = add(verbs, parent, name, help, std::move(action));
    add_database(verb, verbs.database);
    return verb;
}

void add_question_verbs(Verbs& verbs, Options& options) {
    add_evaluate(
        add(verbs, verbs.app, "evaluate", "evaluate scenario documents, side by side", [&] { return evaluate(options.evaluate); }),
        options.evaluate);
    add_questions(verbs);
    add_long_questions(verbs);
    add_explain(add(verbs, verbs.app, "explain", "where a figure of a result comes from", [&] { return explain(options.explain); }),
                options.explain);
    add_rank(add(verbs, verbs.app, "rank", "plans for a model and a request rate over the stored catalogue, the best first",
                 [&] { return rank(options.rank); }),
             options.rank);
    add_rate(add(verbs, verbs.app, "rate", "how fast a stored model runs on a stored device, and how sure that is",
                 [&] { return options.rate.audited.empty() ? rate(options.rate) : audit_rates(options.rate); }),
             options.rate);
    add_optimize(add(verbs, verbs.app, "optimize", "the cost-minimal plan of servers and instances by month",
                     [&] { return optimize(options.optimize); }),
                 options.optimize);
    add_gate(verbs);
}

void add_upgrade(Verbs& verbs, Options& options) {
    CLI::App& upgrade = *verbs.app.add_subcommand("upgrade", "what another version of the model changes");
    upgrade.require_subcommand(1);
    CLI::App& report = add_stored(verbs, upgrade, "report", "stored scenarios whose figure this version moves, and why", [&] {
        options.upgrade.database = options.database;
        return report_upgrade(options.upgrade);
    });
    report.add_option("--over-percent", options.upgrade.threshold_percent, "moves of more than so many percent")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    report.add_flag("--json", options.upgrade.json, "the report as JSON");
}

void add_database_verbs(Verbs& verbs, Options& options) {
    CLI::App& again = add_stored(verbs, verbs.app, "recalculate", "evaluate stored scenarios again, and keep the results", [&] {
        options.recalculate.database = options.database;
        return recalculate(options.recalculate);
    });
    add_recalculate(again, options.recalculate);
    add_actuals(add_stored(verbs, verbs.app, "actuals", "a scenario's pools and tags as planned against imported bills",
                           [&] {
                               options.actuals.database = options.database;
                               return actuals(options.actuals);
                           }),
                options.actuals);
    add_runs(verbs);
    add_upgrade(verbs, options);
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
    CLI::App& copied =
        add(verbs, verbs.app, "copy", "copy a store with its whole history to a new file or an empty PostgreSQL database, verified",
            [&] { return copy(options.from, options.to); });
    copied.add_option("--from", options.from, "SQLite file, or postgres://…")->required();
    copied.add_option("--to", options.to, "a new SQLite file, or postgres://… of an empty database")->required();
    add_stored(verbs, verbs.app, "check", "verify the database: pages, references, hashes, the chain of changes, every document",
               [&] { return check(options.database, options.quick); })
        .add_flag("--quick", options.quick, "pages and the newest links of the chain alone");
    CLI::App& exported = add_stored(verbs, verbs.app, "export", "documents as JSON, on standard output", [&] {
        return export_documents(options.database, options.as_of, options.exported == "prices");
    });
    exported.add_option("WHAT", options.exported, "all, or prices: what scenarios refer to, without them and what runs")
        ->check(CLI::IsMember({"all", "prices"}))
        ->capture_default_str();
    exported.add_option("--as-of", options.as_of, std::string(answers::kMomentSpec.help));
}

// Of runs of feeds or of imports.
void add_reviews(Verbs& verbs, CLI::App& parent, Options& options, bool is_import) {
    const auto add_review = [&](const char* name, const char* help, ingest::Verdict verdict) {
        add_stored(verbs, parent, name, help,
                   [&options, is_import, verdict] { return review_run(options.database, options.run, is_import, verdict); })
            .add_option("RUN", options.run, "the run's number")
            ->required();
    };
    add_review("accept", "land what a run holds back", ingest::Verdict::accept);
    add_review("reject", "drop what a run holds back", ingest::Verdict::reject);
    add_review("undo", "take back what a run has landed", ingest::Verdict::undo);
}

void add_import_verbs(Verbs& verbs, Options& options) {
    CLI::App& import = *verbs.app.add_subcommand("import", "store documents of files");
    import.require_subcommand(1);
    CLI::App& json = add_stored(verbs, import, "json", "what export wrote, or lists named after their kind such as devices.json",
                                [&] { return import_json(options.database, options.files, options.by_reference); });
    json.add_option("FILE", options.files, "JSON files; all are stored, or none")->required();
    json.add_flag("--by-reference", options.by_reference,
                  "scenarios refer to what they hold inline where the same is stored under its id, and follow it from then on");
    for (const imports::Format& format : imports::formats()) {
        CLI::App& verb = add(verbs, import, std::string(format.name), std::string(format.help), [&] {
            return format.name == "measured" ? import_measured(options.import, options.measure.scenarios)
                                             : import_published(format, options.import);
        });
        add_import(verb, format, options.import);
        if (format.name == "measured") {
            verb.add_option("--scenario", options.measure.scenarios,
                            "ids or files of scenarios: what each costs by measurement, catalogue and estimate");
        }
    }
    add_reviews(verbs, import, options, true);
}

void add_telemetry_verbs(Verbs& verbs, Options& options) {
    CLI::App& telemetry = *verbs.app.add_subcommand("telemetry", "samples of sensors and counters");
    telemetry.require_subcommand(1);
    TelemetryOptions& read = options.telemetry;
    CLI::App& import = add_stored(verbs, telemetry, "import",
                                  "store samples: CSV of nvidia-smi and amd-smi, dmon -o DT, Prometheus text, JSON lines", [&] {
                                      read.database = options.database;
                                      return import_telemetry(read);
                                  });
    import.add_option("FILE", read.files, "as they were printed; - is standard input")->required();
    import.add_option("--time-zone", read.smi.time_zone, "of nvidia-smi's times, which have none, such as Europe/Berlin or UTC");
    import.add_option("--source", read.smi.source, "of rows of nvidia-smi and amd-smi: their host; the tool where absent");
    import.add_option("--device", read.smi.device, "of their rows without a name: an alias or an id");
    import.add_option("--days", read.days, "how old samples may be")->check(CLI::Range(1, 3650))->capture_default_str();
    CalibrateOptions& fit = options.calibrate;
    CLI::App& calibrated = add_stored(verbs, verbs.app, "calibrate", "curves fitted to stored samples, as new revisions", [&] {
        fit.database = options.database;
        return calibrate(fit);
    });
    calibrated.add_option("--from", fit.from, "when the window begins, RFC 3339")->required();
    calibrated.add_option("--to", fit.to, "when it ends")->required();
    calibrated.add_option("--device", fit.device, "of this device; one of --device and --source is needed");
    calibrated.add_option("--source", fit.sources, "of these sources");
    calibrated.add_option("--curves", fit.curves, "power, utilization, throughput")
        ->delimiter(',')
        ->check(CLI::IsMember(words_of(model::enum_names<actuals::FittedCurve>)))
        ->capture_default_str();
    calibrated.add_option("--id-prefix", fit.id_prefix, "ids are <id_prefix>.power and so on; the device where absent");
    calibrated.add_option("--time-zone", fit.time_zone, "of the hours of a week")->capture_default_str();
    add_member<actuals::CalibrationRequest>(calibrated, "--full-units-per-s", "full_units_per_s", fit.full_units_per_s);
    add_member<actuals::CalibrationRequest>(calibrated, "--full-batch", "full_batch", fit.full_batch);
    add_member<actuals::CalibrationRequest>(calibrated, "--served-by", "served_by", fit.served_by);
    calibrated.add_flag("--dry-run", fit.dry_run, "fits, and stores nothing");
    calibrated.add_flag("--json", fit.json, "the answer as POST /v1/calibrations gives it");
}

void add_feed_verbs(Verbs& verbs, Options& options) {
    CLI::App& feed = *verbs.app.add_subcommand("feed", "feeds: published files that are fetched");
    feed.require_subcommand(1);
    add_stored(verbs, feed, "list", "the feeds, their last runs, and how old the newest price is",
               [&options] { return list_feeds(options.database); });
    CLI::App& verb = add_stored(verbs, feed, "run", "fetch a stored feed now, and land what it brings", [&options] {
        options.feed.database = options.database;
        return run_feed(options.feed);
    });
    verb.add_option("ID", options.feed.id, "the feed's id")->required();
    verb.add_flag("--dry-run", options.feed.dry_run, "fetch and read, and store nothing");
    verb.add_flag("--even-if-odd", options.feed.even_if_odd, "land another header, a much smaller or an older file too");
    add_renamed(verb, "feed run");
    verb.add_flag("--allow-private-feeds", options.feed.allow_private, "fetch from addresses that are not public, too");
    verb.add_option("--feed-directory", options.feed.directory, "directory below which feeds may read files; none by default");
    verb.add_flag("--json", options.feed.json, "the run as JSON");
    add_reviews(verbs, feed, options, false);
}

void add_key_verbs(Verbs& verbs, Options& options) {
    CLI::App& keys = *verbs.app.add_subcommand("keys", "API keys");
    keys.require_subcommand(1);
    CLI::App& add_verb =
        add_stored(verbs, keys, "add", "make a key and show it, once", [&] { return add_key(options.database, options.key); });
    add_verb.add_option("NAME", options.key.name, "who will use it")->required();
    add_verb.add_option("--role", options.key.role, fmt::format("{}", fmt::join(storage::role_names, ", ")))
        ->check(CLI::IsMember(words_of(storage::role_names)))
        ->capture_default_str();
    const CLI::Range days(1, 36500);
    add_verb.add_option("--days", options.key.days, "days until it expires; never where absent")->check(days);
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

std::vector<Action> add_verbs(CLI::App& app, Options& options) {
    Verbs verbs{app, options.database, {}};
    add_question_verbs(verbs, options);
    add_serve(add(verbs, app, "serve", "answer over HTTP", [&] { return serve(options.serve); }), options.serve);
    add_stored(verbs, app, "mcp", "the Model Context Protocol on standard input and output, for agents",
               [&] {
                   options.mcp.database = options.database;
                   return mcp(options.mcp);
               })
        .add_option("--role", options.mcp.role, "what the agent may do: viewer reads and asks, editor writes too")
        ->check(CLI::IsMember({kReadingAgent, kWritingAgent}))
        ->capture_default_str();
    add_database_verbs(verbs, options);
    add_feed_verbs(verbs, options);
    add_import_verbs(verbs, options);
    add_measure(add_stored(verbs, app, "measure", "measure a served model on its cards: rates, latencies and watts by load",
                           [&] {
                               options.measure.database = options.database;
                               return measure(options.measure);
                           }),
                options.measure);
    add_telemetry_verbs(verbs, options);
    add_key_verbs(verbs, options);
    return std::move(verbs.actions);
}

void prepare(CLI::App& app) {
    app.set_version_flag("--version", "costcurve model " + std::string(model::kModelVersion));
    add_settings_file(app);
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
    const std::vector<Action> verbs = add_verbs(app, options);
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
