// The verbs of the command line. Each takes its options and returns the exit status.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/optimize/optimize.hpp"
#include "server/answers/rank/work_in_words.hpp"
#include "server/answers/rates/rates.hpp"
#include "server/api/long_question.hpp"
#include "server/commands/run.hpp"
#include "server/import/importer.hpp"
#include "server/import/telemetry/smi.hpp"
#include "server/ingest/feed_undo.hpp"
#include "server/outgoing/backoff.hpp"

namespace costcurve::commands {

struct DatabaseOptions {
    std::string path = "costcurve.db";
    long max_mb = 0; ///< 0 is no limit; at it writes fail as on a full disk
};

struct EvaluateOptions {
    std::vector<std::string> files; ///< scenario documents; "-" is standard input
    std::string format = "table";   ///< table, json (a line a scenario), csv (the ledger), months, or xlsx (of one scenario, or of
                                    ///< several beside each other)
    std::string output;             ///< xlsx: the file that is written; "" for standard output
    bool ledger = false;            ///< json: add the ledger's rows
    bool ignore_unserved = false;   ///< table: what leaves work undone may be the cheapest too
    std::string database;           ///< where references are looked up; "" for nowhere
};
[[nodiscard]] int evaluate(const EvaluateOptions& options);

struct ExplainOptions {
    std::string file;            ///< a scenario document; "-" is standard input
    std::string figure;          ///< JSON Pointer into the result
    std::string format = "text"; ///< text or json
    std::optional<int> depth;    ///< levels below the figure, months opened
    std::string database;        ///< where references are looked up; "" for nowhere
};
[[nodiscard]] int explain(const ExplainOptions& options);

struct ActualsOptions {
    std::string file; ///< a scenario document where `from` is given, else a request of POST /v1/actuals; "-" is standard input
    std::string from; ///< YYYY-MM
    std::string to;   ///< YYYY-MM; `from` where it isn't given
    std::string format = "table"; ///< table or json
    DatabaseOptions database;
};
[[nodiscard]] int actuals(const ActualsOptions& options);

struct OptimizeOptions {
    std::string file;
    std::string format = "table";     ///< table or json
    std::string database;             ///< where references are looked up; "" for nowhere
    std::vector<std::string> decide;  ///< POINTER=min:max or POINTER=[values]
    std::string minimize;             ///< "" for the scenario's decide_by
    std::string uncertain_file;       ///< {inputs, correlations, samples, seed, sampling}; "" for none, "-" is standard input
    model::OptimizeQuestion question; ///< its limits and gap
    model::OptimizeEffort effort;
};
[[nodiscard]] int optimize(const OptimizeOptions& options);

struct RankOptions {
    answers::WorkInWords work;          ///< its model may be a file with a request of POST /v1/rank; "-" is standard input
    std::optional<std::size_t> samples; ///< in place of the file's
    std::optional<std::uint64_t> seed;
    std::string format = "table";          ///< table, json or xlsx
    std::string database = "costcurve.db"; ///< with the catalogue
};
/// Returns 2 if the model or an option is invalid, or the catalogue is empty.
[[nodiscard]] int rank(const RankOptions& options);

struct RateOptions {
    answers::RatesRequest request;
    answers::RateObjectives slo;               ///< part of the request where one is stated
    model::Parallel parallel;                  ///< the same
    std::vector<std::string> audited;          ///< files of measured rates, in place of the request; "-" is standard input
    std::string leave_out = "model_on_device"; ///< a word of model::LeaveOut, or kLeaveOutAll
    std::uint64_t seed = 1;
    std::string format = "table"; ///< table or json
    std::string database = "costcurve.db";
};
inline constexpr std::string_view kLeaveOutAll = "all"; ///< each kind after the other
/// Returns 2 if the request is invalid or nothing meets its objectives.
[[nodiscard]] int rate(const RateOptions& options);
/// Compares estimated rates with those of files. Needs no database. Returns 2 if a file isn't in a format of measured rates, or too
/// few of its rows can be predicted.
[[nodiscard]] int audit_rates(const RateOptions& options);

struct ServeOptions {
    DatabaseOptions database;
    std::string host = "127.0.0.1";
    int port = 8080;
    std::size_t threads = 0; ///< 0 is one a core, at least 2
    std::string log_level = "info";
    std::string log_format = "text";                ///< text or json
    bool require_keys = false;                      ///< on 127.0.0.1 too
    double rate_limit = 0.0;                        ///< requests/s of a key; 0 is no limit
    long telemetry_days = 7;                        ///< how long raw samples are kept
    bool allow_private_webhooks = false;            ///< webhooks on private, loopback and other addresses that are not public
    double webhook_retry_s = outgoing::kFirstRetry; ///< to the second try of a delivery; the others in proportion
    bool allow_private_feeds = false;               ///< feeds from private, loopback and other addresses that are not public
    std::string feed_directory;                     ///< below which feeds may read files; "" for nowhere
    double feed_timeout_s = 300.0;                  ///< of a whole fetch
    double feed_max_mib = 64.0;                     ///< of a feed's file
    api::QuestionLimits questions;
    std::vector<std::string> cors_origins;
    std::vector<std::string> allowed_hosts;
    std::function<std::string()> reread_log_level; ///< on SIGHUP
};
[[nodiscard]] int serve(const ServeOptions& options);

inline constexpr const char* kReadingAgent = "viewer";
inline constexpr const char* kWritingAgent = "editor";
struct McpOptions {
    DatabaseOptions database;
    std::string role = kReadingAgent; ///< of who writes to standard input, or kWritingAgent
    api::QuestionLimits questions;
};
/// Answers lines of standard input until it ends.
[[nodiscard]] int mcp(const McpOptions& options);

/// Keeps up to 16 MB of freed memory per thread for the next request, instead of returning it to the kernel and faulting it in
/// again (up to a third of a request's time).
void keep_memory();

struct RecalculateOptions {
    DatabaseOptions database;
    bool all = false;
    bool changed = true;                ///< those that a change can reach; what is done where nothing is said
    std::vector<std::string> scenarios; ///< these alone
    std::size_t threads = 0;            ///< 0 is one a core
    bool json = false;
};
/// Evaluates stored scenarios again and stores the results. Returns 2 if one failed.
[[nodiscard]] int recalculate(const RecalculateOptions& options);

struct UpgradeOptions {
    DatabaseOptions database;
    double threshold_percent = 1.0;
    bool json = false;
};
/// Prints the stored scenarios whose figure this version of the model moves by more than the threshold, and why.
[[nodiscard]] int report_upgrade(const UpgradeOptions& options);

struct FeedOptions {
    DatabaseOptions database;
    std::string id;
    bool dry_run = false;
    bool even_if_odd = false;   ///< another header, a much smaller or an older file
    bool allow_private = false; ///< addresses that are not public too
    std::string directory;      ///< below which it may read files
    bool json = false;
};
/// Prints the feeds, and how old the newest price is.
[[nodiscard]] int list_feeds(const DatabaseOptions& database);
/// Runs a feed. Returns 2 if it failed or was held.
[[nodiscard]] int run_feed(const FeedOptions& options);

/// Accepts, rejects or undoes a run of a feed or import. Returns 2 if there is no such run, or nothing to review.
[[nodiscard]] int review_run(const DatabaseOptions& database, std::int64_t run, bool is_import, ingest::Verdict verdict);

[[nodiscard]] int migrate(const DatabaseOptions& database);
[[nodiscard]] int backup(const DatabaseOptions& database, const std::string& file);
[[nodiscard]] int restore(const DatabaseOptions& database, const std::string& file);
/// Copies a store; each argument is a path or an address.
[[nodiscard]] int copy(const std::string& from, const std::string& to);
/// Verifies pages, references, hashes, the chain of changes and every current document; `quick` pages and the newest links alone. 1
/// where something is damaged.
[[nodiscard]] int check(const DatabaseOptions& database, bool quick);

struct KeyOptions {
    std::string name;
    std::string role = "viewer";
    std::optional<std::int64_t> days; ///< how long the secret is good; for ever where it isn't given
    std::int64_t overlap_hours = 24;  ///< rotate: how long the secret before is good
};
[[nodiscard]] int add_key(const DatabaseOptions& database, const KeyOptions& options);
[[nodiscard]] int rotate_key(const DatabaseOptions& database, const KeyOptions& options);
[[nodiscard]] int list_keys(const DatabaseOptions& database);
[[nodiscard]] int revoke_key(const DatabaseOptions& database, const std::string& name);

/// All documents as one JSON object by kind, on standard output: what `import json` takes; with `prices` those alone that scenarios
/// refer to: no scenarios, decisions and comparisons, and nothing that runs.
[[nodiscard]] int export_documents(const DatabaseOptions& database, const std::string& as_of, bool prices);
/// Imports files in that form, or lists named after their kind such as devices.json: all or nothing. `by_reference` replaces a
/// scenario's inline document by its id if the same document is stored or in the files.
[[nodiscard]] int import_json(const DatabaseOptions& database, const std::vector<std::string>& files, bool by_reference);

struct ImportOptions {
    DatabaseOptions database;
    std::vector<std::string> files; ///< "-" is standard input
    imports::Options options;
    bool dry_run = false;
    bool keep_stored = false;
    bool force = false; ///< also where the date is another than a file's name says, and a bill's days to come
    bool json = false;  ///< the summary as JSON, as POST /v1/imports answers it
};
struct MeasureOptions {
    bool script = false;                       ///< prints the program
    std::map<std::string, std::string> passed; ///< options of the program, by their flags
    bool keep_eos = false;
    std::optional<std::string> log;   ///< of a trainer; "" is what the command prints
    std::vector<std::string> command; ///< a trainer, that is run
    std::string out = "measured.json";
    bool save = false;
    std::vector<std::string> scenarios; ///< files, or ids of stored ones
    DatabaseOptions database;
};
/// The text of deploy/measure/measure.py, compiled into the binary (deploy/embed.cmake).
[[nodiscard]] std::string_view measure_program();
/// The program's exit status where it measured nothing.
[[nodiscard]] int measure(const MeasureOptions& options);

struct TelemetryOptions {
    DatabaseOptions database;
    std::vector<std::string> files; ///< "-" is standard input
    imports::SmiOptions smi;
    long days = 3650; ///< how old samples may be
};
/// Imports samples from files; each file all or nothing.
[[nodiscard]] int import_telemetry(const TelemetryOptions& options);

struct CalibrateOptions {
    DatabaseOptions database;
    std::string device;
    std::vector<std::string> sources;
    std::string from;
    std::string to;
    std::vector<std::string> curves = {"power"};
    std::string id_prefix;
    std::string time_zone = "UTC";
    std::optional<double> full_units_per_s;
    std::optional<double> full_batch;
    std::string served_by;
    bool dry_run = false;
    bool json = false; ///< the answer of POST /v1/calibrations
};
/// Fits curves to stored samples.
[[nodiscard]] int calibrate(const CalibrateOptions& options);

/// Imports published files of a format as documents: all or nothing.
[[nodiscard]] int import_published(const imports::Format& format, const ImportOptions& options);
/// Imports a file of `costcurve measure`, and shows its rates beside those of the catalogue and of an estimate, and what the
/// scenarios cost by each.
[[nodiscard]] int import_measured(const ImportOptions& options, const std::vector<std::string>& scenarios);

} // namespace costcurve::commands
