// The verbs on the database itself: migrate, backup, restore, keys, export and import. What it throws is told in `run`.
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "server/api/access.hpp"
#include "server/api/decode_value.hpp"
#include "server/api/encode.hpp"
#include "server/api/import_documents.hpp"
#include "server/api/records.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/text_table.hpp"
#include "server/storage/sha256.hpp"
#include "server/storage/store.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::commands {

namespace {

const storage::Author kAuthor{"cli", ""};

storage::Store open(const DatabaseOptions& database) {
    return storage::Store({.path = database.path, .max_database_mb = database.max_mb}); // built in its place: a store is not moved
}

// For verbs that would make no sense of a database that they create themselves.
bool is_there(const DatabaseOptions& database) {
    std::error_code ignored;
    const bool there = std::filesystem::exists(database.path, ignored);
    if (!there) {
        fmt::print(stderr, "there is no database at {}; name it with --database\n", database.path);
    }
    return there;
}

} // namespace

int migrate(const DatabaseOptions& database) {
    const storage::Store store = open(database);
    const storage::StoreCounts counts = store.counts();
    fmt::print("{}: schema is up to date; {} revisions, {} points, {} bytes\n", database.path, counts.revisions, counts.points,
               counts.bytes);
    return kDone;
}

int backup(const DatabaseOptions& database, const std::string& file) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    open(database).backup(file);
    fmt::print("{} is a copy of {}, {} bytes\n", file, database.path, std::filesystem::file_size(file));
    return kDone;
}

int restore(const DatabaseOptions& database, const std::string& file) {
    const std::string before = storage::restore(file, database.path);
    fmt::print("{} has the content of {}\n", database.path, file);
    if (!before.empty()) {
        fmt::print("what was there before is in {}\n", before);
    }
    return kDone;
}

int add_key(const DatabaseOptions& database, const KeyOptions& options) {
    const auto role = std::find(storage::role_names.begin(), storage::role_names.end(), options.role);
    if (!api::is_slug(options.name) || options.name == "local" || options.name == "cli" ||
        options.name == "schedule") { // those stand for who has no key
        fmt::print(stderr, "NAME is {}; give a slug, [a-z0-9][a-z0-9._-]{{0,127}}, other than local, cli and schedule\n",
                   printable(options.name));
        return kWrongInput;
    }
    const std::string secret = api::make_secret();
    const storage::ApiKey key{options.name, static_cast<storage::Role>(role - storage::role_names.begin()), "", ""};
    if (!open(database).add_key(kAuthor, key, storage::sha256(secret))) {
        fmt::print(stderr, "there is, or was, a key with the name {}; choose another\n", options.name);
        return kWrongInput;
    }
    fmt::print("{}\n", secret);
    fmt::print(stderr, "this is the key {}, role {}; it is shown once and kept nowhere\n", options.name, options.role);
    return kDone;
}

int list_keys(const DatabaseOptions& database) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    fmt::print("{:<24} {:<8} {:<28} {}\n", "name", "role", "created", "revoked");
    for (const storage::ApiKey& key : open(database).keys()) {
        fmt::print("{:<24} {:<8} {:<28} {}\n", key.name, storage::name_of(key.role), key.created_at,
                   key.revoked_at.empty() ? "-" : key.revoked_at);
    }
    return kDone;
}

int revoke_key(const DatabaseOptions& database, const std::string& name) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    if (!open(database).revoke_key(kAuthor, name)) {
        fmt::print(stderr, "no good key has the name {}; costcurve keys list shows them\n", name);
        return kWrongInput;
    }
    fmt::print("the key {} is revoked\n", name);
    return kDone;
}

int export_documents(const DatabaseOptions& database, const std::string& as_of) {
    if (!is_there(database)) {
        return kWorldFailed;
    }
    const std::optional<std::int64_t> time = storage::parse_time(as_of);
    if (!as_of.empty() && !time) {
        fmt::print(stderr, "--as-of {}: give a time of RFC 3339, such as 2026-11-21T10:00:00Z\n", as_of);
        return kWrongInput;
    }
    const storage::Store store = open(database);
    std::string_view kind;
    fmt::print("{{");
    store.snapshot(time ? std::optional(storage::format_time(*time)) : std::nullopt)
        .for_each([&](const storage::Revision& revision) {
            const std::string_view its_kind = storage::name_of(revision.record.key.kind);
            if (its_kind != kind) {
                fmt::print("{}\n\"{}s\": [\n", kind.empty() ? "" : "\n],", its_kind);
            } else {
                fmt::print(",\n");
            }
            kind = its_kind;
            fmt::print("{}", api::encode_stored(revision));
        });
    fmt::print("{}\n}}\n", kind.empty() ? "" : "\n]");
    return kDone;
}

int import_json(const DatabaseOptions& database, const std::vector<std::string>& files) {
    api::DocumentImport documents;
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
    storage::Store store = open(database);
    const model::Result<api::ImportCounts> counts = documents.save(store, kAuthor);
    if (!counts) {
        print_issues(database.path, counts.error());
        return kWrongInput;
    }
    fmt::print("{} documents: {} added, {} changed, {} unchanged\n", counts->added + counts->changed + counts->unchanged,
               counts->added, counts->changed, counts->unchanged);
    return kDone;
}

} // namespace costcurve::commands
