// Checks the store part by part, each by its rows in the order of their key.
#include "server/storage/sql/check.hpp"

#include <algorithm>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "server/storage/rows.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/seals.hpp"

namespace costcurve::storage::sql {

namespace {

constexpr std::int64_t kQuickLinks = 1000;
constexpr std::int64_t kBeforeFirst = std::numeric_limits<std::int64_t>::min();

// Calls `check(rows)` for each row of a statement, page by page. The statement's last parameter is the limit; `after` are the
// parameters before it, the key of the page's last row, which `check` updates.
template <std::invocable<const Row&> Check, Parameter... After>
void check_pages(Connection& connection, const std::string& sql, std::int64_t limit, const Check& check, const After&... after) {
    for (std::int64_t count = limit; count == limit;) {
        count = 0;
        Rows rows(connection, sql, after..., limit);
        for (; rows.next(); ++count) {
            check(*rows);
        }
    }
}

} // namespace

CheckReport StoreChecker::check_parts() {
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

void StoreChecker::check_bodies() {
    expect(connection_.number("SELECT count(*) FROM body"));
    std::int64_t last = kBeforeFirst;
    check_pages(
        connection_, "SELECT body, text, hash FROM body WHERE body > $1 ORDER BY body LIMIT $2", pages_.rows,
        [&](const Row& row) {
            last = row.integer(0);
            check_body(last, row.text(1), as_hash(row.bytes(2)));
        },
        last);
}

void StoreChecker::check_results() {
    static const std::string statement = "SELECT " + result_columns() + R"(, hash
            FROM result JOIN result_body USING (body) WHERE (scenario, number) > ($1, $2) ORDER BY scenario, number LIMIT $3)";
    expect(connection_.number("SELECT count(*) FROM result"));
    std::int64_t scenario = kBeforeFirst;
    std::int64_t number = kBeforeFirst;
    check_pages(
        connection_, statement, pages_.results,
        [&](const Row& row) {
            const ResultRow result = read_result_row(row);
            check_result(result, as_hash(row.bytes(kBehindResult)));
            scenario = result.scenario;
            number = result.number;
        },
        scenario, number);
    Rows runs(connection_, "SELECT run, evaluated FROM run ORDER BY run");
    while (runs.next()) {
        check_run(runs->integer(0), runs->integer(1));
    }
}

void StoreChecker::check_standings() {
    static const std::string statement = "SELECT " + fmt::format(kStandingColumns, "d.id") + R"(, s.recorded_at
            FROM standing s JOIN document d ON d.document = s.comparison WHERE s.standing > $1 ORDER BY s.standing LIMIT $2)";
    expect(connection_.number("SELECT count(*) FROM standing"));
    HashesByChange by_run;
    std::int64_t last = kBeforeFirst;
    check_pages(
        connection_, statement, pages_.results,
        [&](const Row& row) {
            const Standing standing = read_standing(row);
            last = standing.number;
            by_run[standing.run].emplace_back(0,
                                              hash_of_standing({standing.comparison, standing.run, row.integer(kBehindStanding),
                                                                standing.objective, standing.currency, standing.cheapest,
                                                                standing.figure, standing.is_base, standing.event, standing.body}));
            step();
        },
        last);
    Rows runs(connection_, "SELECT run, standings_hash FROM run WHERE standings_hash IS NOT NULL ORDER BY run");
    while (runs.next()) {
        if (as_hash(runs->bytes(1)) != content_of(by_run[runs->integer(0)])) {
            report_.add(
                fmt::format("standings: of recalculation {}: they are not what was stored, or one is missing", runs->integer(0)));
        }
    }
}

void StoreChecker::check_keys() {
    Rows rows(connection_, R"(
            SELECT k.name FROM api_key k JOIN change c ON c.sequence = k.created
            WHERE c.action <> 'add_key' OR c.subject <> k.name
                  OR NOT EXISTS (SELECT 1 FROM api_secret s WHERE s.name = k.name AND s.created = k.created)
            ORDER BY k.name)");
    while (rows.next()) {
        report_.add(fmt::format("keys: {} was not made by the change that it names", rows->text(0)));
    }
}

void StoreChecker::check_webhooks() {
    Rows rows(connection_, fmt::format(R"(
            SELECT r.id FROM revision r JOIN body b ON b.body = r.body LEFT JOIN webhook w ON w.webhook = r.document
            WHERE r.kind = 'webhook' AND r.until = 9223372036854775807 AND r.deleted = 0 AND (w.url IS NULL OR w.url <> {})
            ORDER BY r.id)",
                                       connection_.engine().dialect().url_of_body));
    while (rows.next()) {
        report_.add(fmt::format("webhooks: {} is called at another address than its document has", rows->text(0)));
    }
}

void StoreChecker::check_seals() {
    std::map<std::string, std::optional<Hash>, std::less<>> newest;
    {
        Rows rows(connection_, "SELECT subject, since, hash FROM seal ORDER BY subject, since");
        while (rows.next()) {
            const std::optional<Hash> hash = as_hash(rows->bytes(2));
            add_hash(rows->integer(1), hash_of_seal(rows->text(0), hash.value_or(Hash{})));
            newest.insert_or_assign(std::string(rows->text(0)), hash);
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
    // Rows sealed after their last deletion.
    Rows lost(connection_, R"(
            SELECT DISTINCT s.subject FROM seal s JOIN revision r ON s.subject = r.kind || '/' || r.id
            WHERE r.kind IN ('webhook', 'feed') AND r.until = 9223372036854775807 AND r.deleted = 0
                  AND NOT EXISTS (SELECT 1 FROM webhook w WHERE w.webhook = r.document)
                  AND NOT EXISTS (SELECT 1 FROM feed_secret f WHERE f.feed = r.document)
                  AND NOT EXISTS (SELECT 1 FROM revision d WHERE d.document = r.document AND d.deleted = 1 AND d.since > s.since)
            ORDER BY 1)");
    while (lost.next()) {
        report_.add(fmt::format("seals: {}: its secret is missing", lost->text(0)));
    }
}

void StoreChecker::add_hashes_of_secrets() {
    Rows rows(connection_, "SELECT s.created, k.name, k.role, s.hash FROM api_secret s JOIN api_key k USING (name)");
    while (rows.next()) {
        add_hash(rows->integer(0), hash_of_secret(rows->text(1), rows->text(2), rows->text(3)));
    }
}

void StoreChecker::check_changes(std::int64_t first) {
    expect(connection_.number("SELECT count(*) FROM change") - first + 1);
    Hash link{};
    if (first > 1) {
        Rows before(connection_, "SELECT link FROM change WHERE sequence = $1", first - 1);
        link = before.next() ? as_hash(before->bytes(0)).value_or(Hash{}) : Hash{};
    }
    begin_changes(first, link);
    check_pages(
        connection_, fmt::format("SELECT {} FROM change WHERE sequence > $1 ORDER BY sequence LIMIT $2", kChangeColumns),
        pages_.rows, [&](const Row& row) { check_change(read_change_row(row), as_hash(row.bytes(kLinkOfChange))); },
        report_.last_sequence);
}

void StoreChecker::check_names() {
    Rows twice(connection_, "SELECT kind, id FROM named_document GROUP BY kind, id HAVING count(*) > 1");
    while (twice.next()) {
        report_.add(fmt::format("names: two documents are {} {}", twice->text(0), twice->text(1)));
    }
    Rows other(connection_, fmt::format(R"(
            SELECT r.kind, r.id FROM revision r LEFT JOIN document d USING (document)
            WHERE (d.kind, d.id) {} (r.kind, r.id))",
                                        connection_.engine().dialect().differs));
    while (other.next()) {
        report_.add(fmt::format("names: a revision of {} {} is of a document with another name", other->text(0), other->text(1)));
    }
    Rows gone(connection_, R"(
            SELECT d.kind, d.id, t.kind, t.id FROM reference f JOIN document d ON d.document = f.source
            JOIN revision t ON t.document = f.target AND t.until = 9223372036854775807
            WHERE f.until = 9223372036854775807 AND t.deleted = 1)");
    while (gone.next()) {
        report_.add(fmt::format("names: {} {} refers to {} {}, which is deleted", gone->text(0), gone->text(1), gone->text(2),
                                gone->text(3)));
    }
}

void StoreChecker::check_documents() {
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

} // namespace costcurve::storage::sql
