// Upgrades stored hashes, a table at a time in the order of its rows.
#include "server/storage/sqlite/migrations.hpp"

#include <chrono>

#include <fmt/format.h>

#include "server/storage/error.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/sqlite/hashed_rows.hpp"
#include "server/storage/sqlite/references.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sqlite {

namespace {

class Progress {
public:
    Progress(const std::function<void(std::string_view)>& log, const char* what, std::int64_t total)
        : log_(log), what_(what), total_(total) {}

    void step() {
        ++done_;
        constexpr std::int64_t kRowsBetweenLooks = 4096;
        constexpr std::chrono::seconds kBetween{2};
        if (!log_ || done_ % kRowsBetweenLooks != 0 || std::chrono::steady_clock::now() - last_ < kBetween) {
            return;
        }
        last_ = std::chrono::steady_clock::now();
        log_(fmt::format("upgrade: hashes of {}: {} of {}", what_, done_, total_));
    }

private:
    const std::function<void(std::string_view)>& log_;
    const char* what_;
    std::int64_t total_;
    std::int64_t done_ = 0;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void copy_bodies(Database& database, const std::function<void(std::string_view)>& log) {
    Progress progress(log, "bodies", database.number("SELECT count(*) FROM body"));
    Rows rows(database, "SELECT body, text FROM body ORDER BY body");
    while (rows.next()) {
        const std::string_view text = rows.text(1);
        database.run("INSERT INTO hashed_body (body, text, hash) VALUES (?, ?, CAST(? AS BLOB))", rows.integer(0), text,
                     text_of(hash_of(text)));
        progress.step();
    }
}

Hash hash_of_body(Database& database, std::int64_t body) {
    Hash hash{};
    Rows rows(database, "SELECT hash FROM hashed_body WHERE body = ?", body);
    if (!rows.next()) {
        throw StoreError(StoreError::Cause::corrupt, database.path() + ": a document has lost its body; restore a backup");
    }
    std::ranges::copy(rows.text(0), hash.begin());
    return hash;
}

void copy_revisions(Database& database, HashesByChange& hashes, const std::function<void(std::string_view)>& log) {
    Progress progress(log, "revisions", database.number("SELECT count(*) FROM revision"));
    std::int64_t document = 0;
    std::vector<WrittenPoints> written;
    auto points = written.cbegin();
    Rows rows(database, fmt::format("SELECT {}, r.search FROM revision r ORDER BY r.row", sql::kRevisionColumns));
    while (rows.next()) {
        const RevisionRow row = sql::read_revision_row(rows);
        if (row.document != document) {
            document = row.document;
            written = load_written_points(database, document);
            points = written.cbegin();
        }
        static const std::vector<CurveRows> no_curves;
        const bool has_points = points != written.cend() && points->since == row.since;
        const Hash hash =
            hash_of_revision(row, row.body ? hash_of_body(database, *row.body) : Hash{}, has_points ? points->curves : no_curves,
                             row.deleted ? std::vector<DocumentKey>() : load_references(database, document, row.since));
        points += has_points ? 1 : 0;
        database.run(R"(
            INSERT INTO hashed_revision (row, document, since, until, revision, deleted, kind, id, title, search, provider, region,
                device, purchase, hourly_price, body, hash)
            VALUES (?1 << 32 | ?2, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, CAST(?16 AS BLOB)))",
                     row.document, row.since, row.until, row.revision, row.deleted ? 1 : 0, row.kind, row.id, row.title,
                     rows.text(sql::kBehindRevisionRow), row.provider, row.region, row.device, row.purchase, row.hourly_price,
                     row.body, text_of(hash));
        hashes[row.since].emplace_back(row.document, hash);
        progress.step();
    }
}

void copy_results(Database& database, const std::function<void(std::string_view)>& log) {
    Progress progress(log, "results", database.number("SELECT count(*) FROM result"));
    Rows rows(database, fmt::format("SELECT {} FROM result JOIN result_body USING (body) ORDER BY scenario, number",
                                    result_columns("currency, cost, cash, npv, npv_after_tax, energy_kwh, carbon_kg, NULL, ''")));
    while (rows.next()) {
        const ResultRow row = read_result_row(rows);
        const Headline& of = row.headline;
        database.run(R"(
            INSERT INTO hashed_result (scenario, number, run, recorded_at, inputs_hash, model_version, currency, cost, cash, npv,
                npv_after_tax, energy_kwh, carbon_kg, body, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS BLOB)))",
                     row.scenario, row.number, row.run, row.recorded_at, row.inputs_hash, row.model_version, of.currency, of.cost,
                     of.cash, of.npv, of.npv_after_tax, of.energy_kwh, of.carbon_kg, row.body, text_of(hash_of_result(row)));
        progress.step();
    }
}

void add_hashes_of_secrets(Database& database, HashesByChange& hashes) {
    Rows rows(database, "SELECT s.created, k.name, k.role, s.hash FROM api_secret s JOIN api_key k USING (name)");
    while (rows.next()) {
        hashes[rows.integer(0)].emplace_back(0, hash_of_secret(rows.text(1), rows.text(2), rows.text(3)));
    }
}

void copy_changes(Database& database, HashesByChange& hashes) {
    Hash link{};
    Rows rows(database, "SELECT sequence, recorded_at, author, request_id, action, subject FROM change ORDER BY sequence");
    while (rows.next()) {
        ChangeRow row{rows.integer(0), 0, rows.integer(1), rows.text(2), "", rows.text(3), rows.text(4), rows.text(5), {}};
        row.content = content_of(std::move(hashes[row.sequence]));
        link = link_of(link, row);
        database.run(R"(
            INSERT INTO linked_change (sequence, era, recorded_at, author, address, request_id, action, subject, content, link)
            VALUES (?, 0, ?, ?, '', ?, ?, ?, CAST(? AS BLOB), CAST(? AS BLOB)))",
                     row.sequence, row.recorded_at, row.author, row.request_id, row.action, row.subject, text_of(*row.content),
                     text_of(link));
    }
}

} // namespace

void copy_with_hashes(Database& database, const std::function<void(std::string_view)>& log) {
    HashesByChange hashes;
    copy_bodies(database, log);
    copy_revisions(database, hashes, log);
    copy_results(database, log);
    add_hashes_of_secrets(database, hashes);
    copy_changes(database, hashes);
}

} // namespace costcurve::storage::sqlite
