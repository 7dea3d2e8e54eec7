// Checks part by part, in one transaction and a page of rows at a time; a part that can't be read because of damage is one problem,
// and the next part is checked. What PostgreSQL's own pages hold is for pg_amcheck and data checksums.
#include "model/documents/text.hpp"
#include "server/storage/postgres/open.hpp"

#include <algorithm>
#include <chrono>
#include <span>

#include <fmt/format.h>

#include "server/storage/postgres/content.hpp"
#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/postgres/hashed_rows.hpp"
#include "server/storage/postgres/migrations.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::int64_t kQuickLinks = 1000;
constexpr std::int64_t kRowsPerPage = 5000;
constexpr std::int64_t kDocumentsPerPage = 1000;
constexpr std::int64_t kResultsPerPage = 500;

struct ReferencingColumn {
    std::string table;
    std::string column;
    std::string other;
    std::string key; // of the other
};
// Those that have no foreign key. Points are looked for by document and change.
constexpr const char* kWithoutForeignKey[][4] = {
    {"revision", "body", "body", "body"},
    {"revision", "since", "change", "sequence"},
    {"revision", "document", "document", "document"},
    {"point", "pointer", "pointer", "pointer"},
    {"reference", "source", "document", "document"},
    {"reference", "target", "document", "document"},
    {"reference", "since", "change", "sequence"},
    {"bill_line", "item", "bill_item", "item"},
    {"bill_line", "since", "change", "sequence"},
    {"telemetry_sample", "series", "telemetry_series", "series"},
    {"telemetry_counter", "series", "telemetry_series", "series"},
    {"telemetry_hour", "series", "telemetry_series", "series"},
};
// All are of one column. A role that may switch triggers off has switched these off too.
constexpr const char* kForeignKeys = R"(
    SELECT c.conrelid::regclass::text, a.attname::text, c.confrelid::regclass::text, k.attname::text
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    JOIN pg_attribute k ON k.attrelid = c.confrelid AND k.attnum = c.confkey[1]
    WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace ORDER BY 1, 2)";
constexpr const char* kLostRows = R"(
    SELECT r.{1}::text, count(*) FROM {0} r WHERE NOT EXISTS (SELECT 1 FROM {2} o WHERE o.{3} = r.{1}) AND r.{1} IS NOT NULL
    GROUP BY r.{1} ORDER BY r.{1} LIMIT 100)";
constexpr const char* kLostPoints = R"(
    SELECT DISTINCT document, since FROM point p
    WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.document = p.document AND r.since = p.since) LIMIT 100)";
constexpr const char* kCheckedResults = R"(
    SELECT scenario, number, run, recorded_at, inputs_hash, model_version, currency, cost, cash, npv, npv_after_tax, energy_kwh,
        carbon_kg, feasible, decide_by, body, packed, hash
    FROM result JOIN result_body USING (body) WHERE (scenario, number) > ($1, $2) ORDER BY scenario, number LIMIT $3)";
constexpr int kHashOfResult = 17;
constexpr const char* kChangesFrom = R"(
    SELECT sequence, era, recorded_at, author, address, request_id, action, subject, content, link FROM change
    WHERE sequence >= $1 ORDER BY sequence LIMIT $2)";

class Checker {
public:
    Checker(Connection& connection, const CheckOptions& options) : connection_(connection), options_(options) {}

    CheckReport run() {
        const Transaction transaction(connection_, Transaction::Kind::read);
        if (options_.is_quick) {
            const std::int64_t last = connection_.number("SELECT coalesce(max(sequence), 0) FROM change");
            part("changes", [this, last] { check_changes(std::max<std::int64_t>(1, last - kQuickLinks + 1)); });
            return std::move(report_);
        }
        part("references", [this] { check_references(); });
        part("bodies", [this] { check_bodies(); });
        part("revisions", [this] { check_revisions(); });
        part("results", [this] { check_results(); });
        part("keys", [this] { add_hashes_of_secrets(); });
        part("changes", [this] { check_changes(1); });
        part("names", [this] { check_names(); });
        part("documents", [this] { check_documents(); });
        return std::move(report_);
    }

private:
    template <class Call> void part(const char* name, Call call) {
        part_ = name;
        done_ = 0;
        total_ = 0;
        try {
            call();
        } catch (const StoreError& error) {
            report_.add(fmt::format("{}: {}", name, error.what()));
        } catch (const std::exception& error) { // of a decoder or an unpacker: what it reads is damaged
            report_.add(fmt::format("{}: {}", name, error.what()));
        }
        report_progress(true);
    }
    void step() {
        constexpr std::int64_t kStepsBetweenLooks = 256;
        if (++done_ % kStepsBetweenLooks == 0) {
            report_progress(false);
        }
    }
    void report_progress(bool is_end) {
        constexpr std::chrono::milliseconds kBetween{200};
        const auto now = std::chrono::steady_clock::now();
        if (options_.progress && (is_end || now - reported_ >= kBetween)) {
            reported_ = now;
            options_.progress(part_, done_, is_end ? done_ : std::max(total_, done_));
        }
    }

    void check_references() {
        std::vector<ReferencingColumn> columns;
        for (const auto& [table, column, other, key] : kWithoutForeignKey) {
            columns.push_back({table, column, other, key});
        }
        Rows keys(connection_, kForeignKeys);
        while (keys.next()) {
            columns.push_back(
                {std::string(keys.text(0)), std::string(keys.text(1)), std::string(keys.text(2)), std::string(keys.text(3))});
        }
        for (const auto& [table, column, other, key] : columns) {
            Rows rows(connection_, fmt::format(fmt::runtime(kLostRows), table, column, other, key));
            while (rows.next()) {
                report_.add(fmt::format("references: {} of {} refer to {} {}, which isn't there", rows.integer(1), table, other,
                                        rows.text(0)));
            }
        }
    }

    void check_bodies() {
        total_ = connection_.number("SELECT count(*) FROM body");
        std::int64_t last = 0;
        bool more = true;
        while (more) {
            Rows rows(connection_, "SELECT body, text, hash FROM body WHERE body > $1 ORDER BY body LIMIT $2", last, kRowsPerPage);
            more = rows.affected() == kRowsPerPage;
            while (rows.next()) {
                last = rows.integer(0);
                if (as_hash(rows.bytes(2)) != hash_of(rows.text(1))) {
                    report_.add(fmt::format("bodies: body {} has not the text that was stored", last));
                }
                step();
            }
        }
    }

    void check_revisions() {
        total_ = connection_.number("SELECT count(*) FROM revision");
        std::int64_t last_document = 0; // pages end with whole documents
        while (true) {
            const std::vector<CheckedRevision> page = load_revisions(connection_, last_document, kDocumentsPerPage);
            if (page.empty()) {
                break;
            }
            for (std::size_t i = 0; i < page.size();) {
                std::size_t end = i;
                while (end < page.size() && page[end].row.document == page[i].row.document) {
                    ++end;
                }
                check_revisions_of_document(std::span(page).subspan(i, end - i));
                i = end;
            }
            last_document = page.back().row.document;
        }
        Rows points(connection_, kLostPoints);
        while (points.next()) {
            report_.add(fmt::format("revisions: document {} has points of change {}, which wrote no revision of it",
                                    points.integer(0), points.integer(1)));
        }
    }

    void check_revisions_of_document(std::span<const CheckedRevision> revisions) {
        std::int64_t revision = 0;
        std::int64_t until = revisions.front().row.since;
        for (const CheckedRevision& checked : revisions) {
            const RevisionRow row = checked.view();
            const auto wrong = [&](std::string_view what) {
                report_.add(
                    fmt::format("revisions: {} {}, revision {} (change {}): {}", row.kind, row.id, row.revision, row.since, what));
            };
            if (row.revision != revision + 1 || row.since != until) {
                wrong("it does not follow the one before");
            }
            revision = row.revision;
            until = row.until;
            const Hash hash = hash_of_revision(row, checked.body_hash.value_or(Hash{}), checked.curves, checked.references);
            if (checked.hash != hash) {
                wrong(
                    "it is not what was stored: its title, its price, a point of its curves, a reference or its hash has changed");
            }
            hashes_[row.since].emplace_back(row.document, hash);
            if (checked.search != model::lower(row.title)) {
                wrong("searches see another title");
            }
            ++report_.revisions;
            step();
        }
        if (until != kCurrent) {
            report_.add(fmt::format("revisions: document {} has no current revision", revisions.front().row.document));
        }
    }

    void check_results() {
        total_ = connection_.number("SELECT count(*) FROM result");
        std::int64_t scenario = 0;
        std::int64_t number = 0;
        bool more = true;
        while (more) {
            Rows rows(connection_, kCheckedResults, scenario, number, kResultsPerPage);
            more = rows.affected() == kResultsPerPage;
            while (rows.next()) {
                const ResultRow row = read_result_row(rows);
                const auto wrong = [&](std::string_view what) {
                    report_.add(fmt::format("results: result {} of scenario {}: {}", row.number, row.scenario, what));
                };
                if (as_hash(rows.bytes(kHashOfResult)) != hash_of_result(row)) {
                    wrong("it is not what was stored");
                }
                if (row.number != (row.scenario == scenario ? number + 1 : 1)) {
                    wrong("the one before is missing");
                }
                scenario = row.scenario;
                number = row.number;
                ++report_.results;
                step();
            }
        }
    }

    void add_hashes_of_secrets() {
        Rows rows(connection_, "SELECT s.created, k.name, k.role, s.hash FROM api_secret s JOIN api_key k USING (name)");
        while (rows.next()) {
            hashes_[rows.integer(0)].emplace_back(0, hash_of_secret(rows.text(1), rows.text(2), rows.text(3)));
        }
    }

    // The links from a change on; the first one's is taken as stored unless it is the first of all.
    void check_changes(std::int64_t first) {
        total_ = connection_.number("SELECT count(*) FROM change") - first + 1;
        Hash link{};
        if (first > 1) {
            Rows before(connection_, "SELECT link FROM change WHERE sequence = $1", first - 1);
            link = before.next() ? as_hash(before.bytes(0)).value_or(Hash{}) : Hash{};
        }
        std::int64_t expected = first;
        bool more = true;
        while (more) {
            Rows rows(connection_, kChangesFrom, expected, kRowsPerPage);
            more = rows.affected() == kRowsPerPage;
            while (rows.next()) {
                check_change(rows, expected, link);
            }
        }
        report_.last_sequence = expected - 1;
        report_.last_link = hex_of(text_of(link));
    }

    void check_change(const Rows& rows, std::int64_t& expected, Hash& link) {
        ChangeRow row{rows.integer(0), rows.integer(1), rows.integer(2),
                      rows.text(3),    rows.text(4),    rows.text(5),
                      rows.text(6),    rows.text(7),    {}};
        row.content = rows.is_null(8) ? std::nullopt : as_hash(rows.bytes(8));
        const auto wrong = [&](std::string_view what) {
            report_.add(fmt::format("changes: change {} ({} {}): {}", row.sequence, row.action, row.subject, what));
        };
        if (row.sequence != expected) {
            wrong("a change before it is missing");
        }
        expected = row.sequence + 1;
        link = link_of(link, row);
        if (const auto stored = as_hash(rows.bytes(9)); stored != link) {
            wrong("it does not follow from the change before: the chain is broken here");
            link = stored.value_or(link); // so that what follows is judged by itself
        }
        check_content(row, wrong);
        ++report_.changes;
        step();
    }

    // What a change wrote. The lines of bills are replaced by later ones: theirs are not looked at.
    template <class Wrong> void check_content(const ChangeRow& row, const Wrong& wrong) {
        if (options_.is_quick || row.action == "save_bill") {
            return;
        }
        const auto found = hashes_.find(row.sequence);
        if (!row.content && found != hashes_.end()) {
            wrong("it should have written nothing");
        }
        if (row.content && *row.content != content_of(found == hashes_.end() ? decltype(found->second)() : found->second)) {
            wrong("what it wrote is not what is stored: a revision has changed, or is missing");
        }
    }

    void check_names() {
        Rows twice(connection_, "SELECT kind, id FROM named_document GROUP BY kind, id HAVING count(*) > 1");
        while (twice.next()) {
            report_.add(fmt::format("names: two documents are {} {}", twice.text(0), twice.text(1)));
        }
        Rows other(connection_, R"(
            SELECT r.kind, r.id FROM revision r LEFT JOIN document d USING (document)
            WHERE (d.kind, d.id) IS DISTINCT FROM (r.kind, r.id))");
        while (other.next()) {
            report_.add(fmt::format("names: a revision of {} {} is of a document with another name", other.text(0), other.text(1)));
        }
        Rows gone(connection_, R"(
            SELECT d.kind, d.id, t.kind, t.id FROM reference f JOIN document d ON d.document = f.source
            JOIN revision t ON t.document = f.target AND t.until = 9223372036854775807
            WHERE f.until = 9223372036854775807 AND t.deleted = 1)");
        while (gone.next()) {
            report_.add(fmt::format("names: {} {} refers to {} {}, which is deleted", gone.text(0), gone.text(1), gone.text(2),
                                    gone.text(3)));
        }
    }

    void check_documents() {
        if (!options_.read) {
            return;
        }
        total_ = connection_.number("SELECT count(*) FROM revision WHERE until = 9223372036854775807 AND deleted = 0");
        for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
            ListQuery query;
            query.kind = static_cast<Kind>(kind);
            bool more = true;
            while (more) {
                std::vector<Stored> found = find_page(connection_, query, kNow);
                more = cut_to(found, query.limit);
                std::vector<Stored*> stored;
                std::ranges::transform(found, std::back_inserter(stored), [](Stored& each) { return &each; });
                load_contents(connection_, stored, kNow);
                for (const Stored& each : found) {
                    check_document(each.revision);
                    step();
                }
                query.after = found.empty() ? "" : found.back().revision.record.key.id;
            }
        }
    }

    void check_document(const Revision& revision) {
        std::string problem;
        try {
            problem = options_.read(revision);
        } catch (const std::exception& error) { problem = error.what(); }
        if (!problem.empty()) {
            report_.add(fmt::format("documents: {} {} can't be read: {}", name_of(revision.record.key.kind), revision.record.key.id,
                                    problem));
        }
    }

    Connection& connection_;
    const CheckOptions& options_;
    CheckReport report_;
    HashesByChange hashes_; // computed from what is stored
    std::string_view part_;
    std::int64_t done_ = 0;
    std::int64_t total_ = 0;
    std::chrono::steady_clock::time_point reported_;
};

} // namespace

CheckReport check(const StoreSettings& settings, const CheckOptions& options) {
    ConnectionSettings connecting = connection_settings(settings);
    connecting.statement_timeout_ms = 0;
    Connection connection(settings.path, connecting);
    const std::int64_t version = verified_version(connection, migrations());
    if (version != migrations().back().version) {
        throw StoreError(StoreError::Cause::unavailable,
                         fmt::format("{}: schema {}, this program's is {}; costcurve migrate brings it there", connection.target(),
                                     version, migrations().back().version));
    }
    return Checker(connection, options).run();
}

} // namespace costcurve::storage::postgres
