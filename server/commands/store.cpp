// The verbs on the database itself: migrate, backup, restore, keys, export and import. `run` reports what it throws.
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "server/answers/encode_result.hpp"
#include "server/api/access.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/commands/text_table.hpp"
#include "server/documents/decoder.hpp"
#include "server/documents/document_files.hpp"
#include "server/documents/records.hpp"
#include "server/documents/upgrades.hpp"
#include "server/ingest/import_run.hpp"
#include "server/ingest/restated.hpp"
#include "server/storage/open_store.hpp"
#include "server/storage/sha256.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::commands {

namespace {

const storage::Author kAuthor{"cli", ""};

storage::StoreSettings settings_of(const DatabaseOptions& database) {
    const auto log = [](std::string_view sentence) { fmt::print(stderr, "{}\n", sentence); };
    return {.path = database.path, .max_database_mb = database.max_mb, .log = log};
}

std::unique_ptr<storage::Store> open(const DatabaseOptions& database) { return open_upgraded(settings_of(database)); }

// For verbs that would make no sense of a database that they create themselves.
bool is_there(const DatabaseOptions& database) {
    const bool there = storage::may_be_there(database.path);
    if (!there) {
        fmt::print(stderr, "there is no database at {}; name it with --database\n", storage::shown_path(database.path));
    }
    return there;
}

} // namespace

int migrate(const DatabaseOptions& database) {
    storage::migrate_store(settings_of(database));
    const storage::StoreCounts counts = open(database)->counts();
    fmt::print("{}: schema is up to date; {} revisions, {} points, {} bytes\n", storage::shown_path(database.path),
               counts.revisions, counts.points, counts.bytes);
    return kDone;
}

int backup(const DatabaseOptions& database, const std::string& file) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    open(database)->backup(file);
    fmt::print("{} is a copy of {}, {} bytes\n", file, storage::shown_path(database.path), std::filesystem::file_size(file));
    return kDone;
}

int restore(const DatabaseOptions& database, const std::string& file) {
    const std::string before = storage::restore_store(file, database.path);
    fmt::print("{} has the content of {}\n", storage::shown_path(database.path), file);
    if (!before.empty()) {
        fmt::print("what was there before is in {}\n", before);
    }
    return kDone;
}

int copy(const std::string& from, const std::string& to) {
    storage::CopyProgress progress;
    if (isatty(STDERR_FILENO) == 1) {
        progress = [](std::string_view table, std::string_view step) { fmt::print(stderr, "\r\033[K{}: {}", table, step); };
    }
    const storage::CopyReport report = storage::copy_store(from, to, progress);
    if (progress) {
        fmt::print(stderr, "\r\033[K");
    }
    for (const storage::CopyReport::Table& table : report.tables) {
        if (table.rows > 0) {
            fmt::print("{:<18} {:>10} rows  {}\n", table.name, table.rows, table.hash);
        }
    }
    fmt::print("{} rows are copied, and read the same on both sides\n", report.rows());
    return kDone;
}

int check(const DatabaseOptions& database, bool quick) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    const bool shows_progress = isatty(STDERR_FILENO) == 1;
    storage::CheckOptions options;
    options.is_quick = quick;
    options.read = [](const storage::Revision& revision) {
        static_cast<void>(documents::decode_revision(revision));
        return std::string();
    };
    if (shows_progress) {
        options.progress = [](std::string_view part, std::int64_t done, std::int64_t total) {
            fmt::print(stderr, "\r\033[K{}: {} of {}", part, done, total);
        };
    }
    const storage::CheckReport report = storage::check_store(database.path, options);
    if (shows_progress) {
        fmt::print(stderr, "\r\033[K");
    }
    for (const std::string& problem : report.problems) {
        fmt::print("{}\n", printable(problem));
    }
    if (!report.is_good()) {
        fmt::print("{} is DAMAGED: {} problem{}{}; stop the daemon and restore a backup\n", storage::shown_path(database.path),
                   report.problem_count, report.problem_count == 1 ? "" : "s",
                   report.problem_count > std::ssize(report.problems) ? fmt::format(", the first {} above", report.problems.size())
                                                                      : "");
        return kWorldFailed;
    }
    fmt::print("{} is whole: {} changes, {} revisions, {} results{}; @{} {}\n", storage::shown_path(database.path), report.changes,
               report.revisions, report.results, quick ? " (the newest links alone; without --quick, all)" : "",
               report.last_sequence, report.last_link);
    return kDone;
}

int add_key(const DatabaseOptions& database, const KeyOptions& options) {
    const auto role = std::find(storage::role_names.begin(), storage::role_names.end(), options.role);
    if (!documents::is_slug(options.name) || options.name == "local" || options.name == "cli" ||
        options.name == "schedule") { // those stand for who has no key
        fmt::print(stderr, "NAME is {}; give a slug, [a-z0-9][a-z0-9._-]{{0,127}}, other than local, cli and schedule\n",
                   one_line(options.name));
        return kWrongInput;
    }
    const std::string secret = api::make_secret();
    const storage::ApiKey key{options.name, static_cast<storage::Role>(role - storage::role_names.begin()), "", ""};
    if (!open(database)->add_key(kAuthor, key, storage::sha256(secret), options.days)) {
        fmt::print(stderr, "there is, or was, a key with the name {}; choose another\n", options.name);
        return kWrongInput;
    }
    fmt::print("{}\n", secret);
    fmt::print(stderr, "this is the key {}, role {}; it is shown once and kept nowhere{}\n", options.name, options.role,
               options.days ? fmt::format("; it expires in {} days", *options.days) : "");
    return kDone;
}

int rotate_key(const DatabaseOptions& database, const KeyOptions& options) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    const std::string secret = api::make_secret();
    const auto key =
        open(database)->rotate_key(kAuthor, options.name, storage::sha256(secret), {options.overlap_hours, options.days});
    if (!key) {
        fmt::print(stderr, "no good key has the name {}; costcurve keys list shows them\n", printable(options.name));
        return kWrongInput;
    }
    fmt::print("{}\n", secret);
    fmt::print(stderr, "this is the new secret of the key {}; it is shown once and kept nowhere{}; the one before {}\n", key->name,
               key->expires_at.empty() ? "" : "; it expires at " + key->expires_at,
               key->old_until.empty() ? "is good no more" : "is good until " + key->old_until);
    return kDone;
}

int list_keys(const DatabaseOptions& database) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    fmt::print("{:<24} {:<8} {:<28} {:<28} {:<28} {}\n", "name", "role", "created", "expires", "revoked", "old secret until");
    for (const storage::ApiKey& key : open(database)->keys()) {
        const auto time_or_dash = [](const std::string& time) { return time.empty() ? "-" : time; };
        fmt::print("{:<24} {:<8} {:<28} {:<28} {:<28} {}\n", key.name, storage::name_of(key.role), key.created_at,
                   time_or_dash(key.expires_at), time_or_dash(key.revoked_at), time_or_dash(key.old_until));
    }
    return kDone;
}

int revoke_key(const DatabaseOptions& database, const std::string& name) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    if (!open(database)->revoke_key(kAuthor, name)) {
        fmt::print(stderr, "no good key has the name {}; costcurve keys list shows them\n", name);
        return kWrongInput;
    }
    fmt::print("the key {} is revoked\n", name);
    return kDone;
}

namespace {

// What scenarios, and the rates of their models, are made of.
bool is_referred_to(storage::Kind kind) {
    using storage::Kind;
    constexpr auto kOthers =
        std::to_array({Kind::scenario, Kind::comparison, Kind::decision, Kind::schedule, Kind::webhook, Kind::feed});
    return std::ranges::find(kOthers, kind) == kOthers.end();
}

// As people see it; nothing, and why on standard error, where it can't be read.
std::optional<std::string> stored_text(const storage::Store& store, const storage::Revision& revision) {
    try {
        documents::StoredDocument stored = documents::decode_stored(revision);
        if (auto* const decision = std::get_if<model::DecisionDocument>(&stored.document)) {
            documents::place_objectives(*decision, revision.record.encoding,
                                        [&](const storage::DocumentKey& key) { return store.snapshot()->load(key); });
        }
        return documents::encode_stored(stored, revision);
    } catch (const storage::StoreError& error) {
        if (error.cause() != storage::StoreError::Cause::unreadable) {
            throw;
        }
        fmt::print(stderr, "left out: {}\n", one_line(error.what()));
        return std::nullopt;
    }
}

} // namespace

int export_documents(const DatabaseOptions& database, const std::string& as_of, bool prices) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    if (!as_of.empty() && !storage::parse_time(as_of) && !storage::parse_sequence(as_of)) {
        fmt::print(stderr,
                   "--as-of {}: give a time of RFC 3339, such as 2026-11-21T10:00:00Z, or @ and a change's number, such as @42\n",
                   printable(as_of));
        return kWrongInput;
    }
    const auto store = open(database);
    std::string_view kind;
    std::size_t unreadable = 0;
    fmt::print("{{");
    store->snapshot(as_of.empty() ? std::nullopt : std::optional(as_of))->for_each([&](const storage::Revision& revision) {
        if (prices && !is_referred_to(revision.record.key.kind)) {
            return;
        }
        const std::optional<std::string> text = stored_text(*store, revision);
        if (!text) {
            ++unreadable;
            return;
        }
        const std::string_view its_kind = storage::name_of(revision.record.key.kind);
        if (its_kind != kind) {
            fmt::print("{}\n\"{}\": [\n", kind.empty() ? "" : "\n],", storage::plural_of(its_kind));
        } else {
            fmt::print(",\n");
        }
        kind = its_kind;
        fmt::print("{}", *text);
    });
    fmt::print("{}\n}}\n", kind.empty() ? "" : "\n]");
    if (unreadable > 0) {
        fmt::print(stderr, "{} document{} can't be read and {} left out; costcurve check says more\n", unreadable,
                   unreadable == 1 ? "" : "s", unreadable == 1 ? "is" : "are");
    }
    return unreadable == 0 ? kDone : kWorldFailed;
}

int import_json(const DatabaseOptions& database, const std::vector<std::string>& files, bool by_reference) {
    documents::DocumentImport documents;
    bool good = true;
    for (const std::string& path : files) {
        const std::optional<std::string> text = read_file(path);
        if (!text) {
            fmt::print(stderr, "{}: can't be read; is the path right?\n", path);
            return kWorldFailed;
        }
        const model::Failure issues = documents.read(*text, std::filesystem::path(path).stem().string());
        if (!issues.empty()) {
            print_issues(path, issues);
            good = false;
        }
    }
    if (!good) {
        return kWrongInput;
    }
    const auto store = open(database);
    if (by_reference) {
        documents.put_references(*store);
    }
    std::int64_t run = 0;
    const auto end_run = [&](const documents::ImportCounts& counted) {
        std::vector<std::string> names;
        std::ranges::transform(files, std::back_inserter(names),
                               [](const std::string& path) { return std::filesystem::path(path).filename().string(); });
        storage::FeedEnd end = ingest::end_of_documents(counted, names);
        end.on_recorded = [&run](std::int64_t number) { run = number; };
        return end;
    };
    const model::Result<documents::ImportCounts> counts =
        documents.save(*store, kAuthor, fmt::format("{}", fmt::join(files, ", ")), end_run, ingest::restated_line);
    if (!counts) {
        print_issues(storage::shown_path(database.path), counts.error());
        return kWrongInput;
    }
    fmt::print("{} documents: {} added, {} changed, {} unchanged; run {}\n", counts->added + counts->changed + counts->unchanged,
               counts->added, counts->changed, counts->unchanged, run);
    return kDone;
}

} // namespace costcurve::commands
