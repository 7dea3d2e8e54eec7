// The parts of a check that read the same rows in every engine, a page of them at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/storage/checker.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/sql/content.hpp"
#include "server/storage/sql/dialect.hpp"
#include "server/storage/sql/seals.hpp"

namespace costcurve::storage::sql {

/// How many rows a statement gives at once. Without a limit where rows come as they are read.
struct CheckPages {
    std::int64_t rows = std::numeric_limits<std::int64_t>::max();
    std::int64_t results = std::numeric_limits<std::int64_t>::max();
};

/// In a transaction of the caller. Works part by part: one that can't be read because of damage is one problem, and the next part
/// is checked.
template <class Connection> class StoreChecker : protected Checker {
protected:
    using Rows = RowsOf<Connection>;

    StoreChecker(Connection& connection, const CheckOptions& options, CheckPages pages)
        : Checker(options), connection_(connection), pages_(pages) {}
    ~StoreChecker() = default;

    /// Rows that refer to others that aren't there.
    virtual void check_references() = 0;
    virtual void check_revisions() = 0;
    /// Current documents of one kind, ascending by id: at most limit + 1.
    virtual std::vector<Stored> find_documents(const ListQuery& query) = 0;
    /// Adds their content, and calls `check_document` of each.
    virtual void check_contents(std::vector<Stored>& documents) = 0;

    [[nodiscard]] CheckReport check_parts() {
        if (options_.is_quick) {
            const std::int64_t last = connection_.number("SELECT coalesce(max(sequence), 0) FROM change");
            part("changes", [this, last] { check_changes(std::max<std::int64_t>(1, last - kQuickLinks + 1)); });
            return std::move(report_);
        }
        part("references", [this] { check_references(); });
        part("bodies", [this] { check_bodies(); });
        part("revisions", [this] { check_revisions(); });
        part("results", [this] { check_results(); });
        part("standings", [this] { check_standings(); });
        part("keys", [this] {
            add_hashes_of_secrets();
            check_keys();
        });
        part("webhooks", [this] { check_webhooks(); });
        part("seals", [this] { check_seals(); });
        part("changes", [this] { check_changes(1); });
        part("names", [this] { check_names(); });
        part("documents", [this] { check_documents(); });
        return std::move(report_);
    }

    Connection& connection_;

private:
    static constexpr std::int64_t kQuickLinks = 1000;
    static constexpr std::int64_t kBeforeFirst = std::numeric_limits<std::int64_t>::min();

    // Calls `check(rows)` of each row of a statement whose last parameter is the limit, of as many pages as there are. `after` are
    // the parameters before it: what the page before ended with, which `check` sets.
    template <class Check, class... After>
    void check_pages(const std::string& sql, std::int64_t limit, const Check& check, const After&... after) {
        for (std::int64_t count = limit; count == limit;) {
            count = 0;
            Rows rows(connection_, sql, after..., limit);
            for (; rows.next(); ++count) {
                check(rows);
            }
        }
    }

    void check_bodies() {
        expect(connection_.number("SELECT count(*) FROM body"));
        std::int64_t last = kBeforeFirst;
        check_pages(
            "SELECT body, text, hash FROM body WHERE body > $1 ORDER BY body LIMIT $2", pages_.rows,
            [&](const Rows& rows) {
                last = rows.integer(0);
                check_body(last, rows.text(1), as_hash(rows.bytes(2)));
            },
            last);
    }

    void check_results() {
        static const std::string statement = "SELECT " + result_columns() + R"(, hash
            FROM result JOIN result_body USING (body) WHERE (scenario, number) > ($1, $2) ORDER BY scenario, number LIMIT $3)";
        expect(connection_.number("SELECT count(*) FROM result"));
        std::int64_t scenario = kBeforeFirst;
        std::int64_t number = kBeforeFirst;
        check_pages(
            statement, pages_.results,
            [&](const Rows& rows) {
                const ResultRow row = read_result_row(rows);
                check_result(row, as_hash(rows.bytes(kBehindResult)));
                scenario = row.scenario;
                number = row.number;
            },
            scenario, number);
        Rows runs(connection_, "SELECT run, evaluated FROM run ORDER BY run");
        while (runs.next()) {
            check_run(runs.integer(0), runs.integer(1));
        }
    }

    void check_standings() {
        static const std::string statement = "SELECT " + fmt::format(kStandingColumns, "d.id") + R"(, s.recorded_at
            FROM standing s JOIN document d ON d.document = s.comparison WHERE s.standing > $1 ORDER BY s.standing LIMIT $2)";
        expect(connection_.number("SELECT count(*) FROM standing"));
        HashesByChange by_run;
        std::int64_t last = kBeforeFirst;
        check_pages(
            statement, pages_.results,
            [&](const Rows& rows) {
                const Standing row = read_standing(rows);
                last = row.number;
                by_run[row.run].emplace_back(
                    0, hash_of_standing({row.comparison, row.run, rows.integer(kBehindStanding), row.objective, row.currency,
                                         row.cheapest, row.figure, row.is_base, row.event, row.body}));
                step();
            },
            last);
        Rows runs(connection_, "SELECT run, standings_hash FROM run WHERE standings_hash IS NOT NULL ORDER BY run");
        while (runs.next()) {
            if (as_hash(runs.bytes(1)) != content_of(by_run[runs.integer(0)])) {
                report_.add(fmt::format("standings: of recalculation {}: they are not what was stored, or one is missing",
                                        runs.integer(0)));
            }
        }
    }

    // A key that no change made, or whose secret of then is gone.
    void check_keys() {
        Rows rows(connection_, R"(
            SELECT k.name FROM api_key k JOIN change c ON c.sequence = k.created
            WHERE c.action <> 'add_key' OR c.subject <> k.name
                  OR NOT EXISTS (SELECT 1 FROM api_secret s WHERE s.name = k.name AND s.created = k.created)
            ORDER BY k.name)");
        while (rows.next()) {
            report_.add(fmt::format("keys: {} was not made by the change that it names", rows.text(0)));
        }
    }

    // Deliveries go where the document says.
    void check_webhooks() {
        Rows rows(connection_, fmt::format(R"(
            SELECT r.id FROM revision r JOIN body b ON b.body = r.body LEFT JOIN webhook w ON w.webhook = r.document
            WHERE r.kind = 'webhook' AND r.until = 9223372036854775807 AND r.deleted = 0 AND (w.url IS NULL OR w.url <> {})
            ORDER BY r.id)",
                                           Dialect<Connection>::kUrlOfBody));
        while (rows.next()) {
            report_.add(fmt::format("webhooks: {} is called at another address than its document has", rows.text(0)));
        }
    }

    void check_seals() {
        std::map<std::string, std::optional<Hash>, std::less<>> newest;
        {
            Rows rows(connection_, "SELECT subject, since, hash FROM seal ORDER BY subject, since");
            while (rows.next()) {
                const std::optional<Hash> hash = as_hash(rows.bytes(2));
                add_hash(rows.integer(1), hash_of_seal(rows.text(0), hash.value_or(Hash{})));
                newest.insert_or_assign(std::string(rows.text(0)), hash);
            }
        }
        const auto compare = [&](const std::vector<SealedState>& states, std::string_view what) {
            for (const SealedState& state : states) {
                const auto found = newest.find(state.subject);
                if (found != newest.end() && found->second != state.hash) {
                    report_.add(fmt::format("seals: {}: {} not what was stored", state.subject, what));
                }
            }
        };
        compare(webhook_states(connection_), "its address, secret or events are");
        compare(feed_states(connection_), "its secret is");
        const std::vector<SealedState> keys = key_states(connection_);
        compare(keys, "its role, its secrets or their dates are");
        for (const auto& [sealed, hash] : newest) {
            const std::string& subject = sealed; // a lambda takes no name of a binding in clang 14
            const auto is_it = [&](const SealedState& key) { return key.subject == subject; };
            if (subject.starts_with("key/") && std::ranges::none_of(keys, is_it)) {
                report_.add(fmt::format("seals: {} is missing", subject));
            }
        }
        // Sealed since it was last deleted.
        Rows lost(connection_, R"(
            SELECT DISTINCT s.subject FROM seal s JOIN revision r ON s.subject = r.kind || '/' || r.id
            WHERE r.kind IN ('webhook', 'feed') AND r.until = 9223372036854775807 AND r.deleted = 0
                  AND NOT EXISTS (SELECT 1 FROM webhook w WHERE w.webhook = r.document)
                  AND NOT EXISTS (SELECT 1 FROM feed_secret f WHERE f.feed = r.document)
                  AND NOT EXISTS (SELECT 1 FROM revision d WHERE d.document = r.document AND d.deleted = 1 AND d.since > s.since)
            ORDER BY 1)");
        while (lost.next()) {
            report_.add(fmt::format("seals: {}: its secret is missing", lost.text(0)));
        }
    }

    void add_hashes_of_secrets() {
        Rows rows(connection_, "SELECT s.created, k.name, k.role, s.hash FROM api_secret s JOIN api_key k USING (name)");
        while (rows.next()) {
            add_hash(rows.integer(0), hash_of_secret(rows.text(1), rows.text(2), rows.text(3)));
        }
    }

    // The links from a change on; the first one's is taken as stored unless it is the first of all.
    void check_changes(std::int64_t first) {
        expect(connection_.number("SELECT count(*) FROM change") - first + 1);
        Hash link{};
        if (first > 1) {
            Rows before(connection_, "SELECT link FROM change WHERE sequence = $1", first - 1);
            link = before.next() ? as_hash(before.bytes(0)).value_or(Hash{}) : Hash{};
        }
        begin_changes(first, link);
        check_pages(
            fmt::format("SELECT {} FROM change WHERE sequence > $1 ORDER BY sequence LIMIT $2", kChangeColumns), pages_.rows,
            [&](const Rows& rows) { check_change(read_change_row(rows), as_hash(rows.bytes(kLinkOfChange))); },
            report_.last_sequence);
    }

    void check_names() {
        Rows twice(connection_, "SELECT kind, id FROM named_document GROUP BY kind, id HAVING count(*) > 1");
        while (twice.next()) {
            report_.add(fmt::format("names: two documents are {} {}", twice.text(0), twice.text(1)));
        }
        Rows other(connection_, fmt::format(R"(
            SELECT r.kind, r.id FROM revision r LEFT JOIN document d USING (document)
            WHERE (d.kind, d.id) {} (r.kind, r.id))",
                                            Dialect<Connection>::kDiffers));
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
        expect(connection_.number("SELECT count(*) FROM revision WHERE until = 9223372036854775807 AND deleted = 0"));
        for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
            ListQuery query;
            query.kind = static_cast<Kind>(kind);
            bool more = true;
            while (more) {
                std::vector<Stored> found = find_documents(query);
                more = cut_to(found, query.limit);
                check_contents(found);
                query.after = found.empty() ? "" : found.back().revision.record.key.id;
            }
        }
    }

    CheckPages pages_;
};

} // namespace costcurve::storage::sql
