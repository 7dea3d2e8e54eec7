// Saves and removes documents: each revision writes only the points and references that differ from the one before.
#include "server/storage/save.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "server/storage/arrivals.hpp"
#include "server/storage/outbox.hpp"
#include "server/storage/page.hpp"
#include "server/storage/points.hpp"
#include "server/storage/references.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

namespace {

constexpr std::size_t kAtOnce = 250; // rows that a statement is given

constexpr const char* kLastChange = "SELECT sequence, recorded_at FROM change ORDER BY sequence DESC LIMIT 1";
constexpr const char* kAddChange =
    "INSERT INTO change (sequence, recorded_at, author, request_id, action, subject) VALUES (?, ?, ?, ?, ?, ?)";
constexpr const char* kAddBody = "INSERT INTO body (text) VALUES (?)";
constexpr const char* kEndRevision = "UPDATE revision SET until = ? WHERE row = ?";
constexpr const char* kAddRevision = R"(
    INSERT INTO revision (row, document, revision, since, until, deleted, kind, id, title, search, body,
                          provider, region, device, purchase, hourly_price)
    VALUES (?1 << 32 | ?3, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15))";
constexpr const char* kFindNames = "SELECT c0 FROM given CROSS JOIN named_document d ON d.kind = c1 AND d.id = c2";
constexpr const char* kAddReferences = "INSERT INTO reference (source, target, since, until) SELECT c0, c1, c2, c3 FROM given";

[[noreturn]] void refuse(const Record& record, std::string_view why) {
    throw std::invalid_argument(fmt::format("{} '{}': {}", name_of(record.key.kind), record.key.id, why));
}

void check_series(const Record& record, const Series& series) {
    if (series.x.empty() || series.x.size() != series.y.size()) {
        refuse(record, "a curve needs points");
    }
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (std::isnan(series.x[i]) || std::isnan(series.y[i]) || (i > 0 && series.x[i] <= series.x[i - 1])) {
            refuse(record, "points need numbers, ascending in x");
        }
    }
}

void check_record(const Record& record) {
    for (const Series& series : record.series) {
        check_series(record, series);
    }
    const auto sorted = by_pointer(record.series);
    if (std::adjacent_find(sorted.begin(), sorted.end(), [](auto a, auto b) { return a->pointer == b->pointer; }) != sorted.end()) {
        refuse(record, "a pointer comes twice");
    }
    if (record.offer && record.key.kind != Kind::offer) {
        refuse(record, "only offers have what offers are filtered by");
    }
    if (record.offer && !std::isfinite(record.offer->hourly_price.value_or(0.0))) {
        refuse(record, "a price needs a number");
    }
}

// References are a set: sorted, each once.
std::vector<DocumentKey> as_set(std::vector<DocumentKey> references) {
    std::sort(references.begin(), references.end());
    references.erase(std::unique(references.begin(), references.end()), references.end());
    return references;
}

bool same_series(const std::vector<Series>& stored, const std::vector<Series>& given) {
    const auto sorted = by_pointer(given);
    return std::equal(stored.begin(), stored.end(), sorted.begin(), sorted.end(),
                      [](const Series& a, const Series* b) { return a == *b; });
}

bool same_content(const Record& stored, const Record& given) {
    return stored.title == given.title && stored.body == given.body && stored.offer == given.offer &&
           same_series(stored.series, given.series) && stored.references == as_set(given.references);
}

std::int64_t add_body(Database& database, const std::string& text) {
    Rows(database, kAddBody, text).run();
    return database.last_row();
}

// The revision behind `current`; a deletion has no body.
void add_revision(Database& database, const Stored& current, const Record& record, std::int64_t sequence,
                  std::optional<std::int64_t> body) {
    Rows(database, kEndRevision, sequence, current.row).run();
    std::optional<std::string_view> provider;
    std::optional<std::string_view> region;
    std::optional<std::string_view> device;
    std::optional<std::string_view> purchase;
    std::optional<double> hourly_price;
    if (record.offer && body) {
        provider = record.offer->provider;
        region = record.offer->region;
        device = record.offer->device;
        purchase = record.offer->purchase;
        hourly_price = record.offer->hourly_price;
    }
    Rows(database, kAddRevision, current.document, current.revision.revision + 1, sequence, kCurrent, body ? 0 : 1,
         name_of(record.key.kind), record.key.id, record.title, lower(record.title), body, provider, region, device, purchase,
         hourly_price)
        .run();
}

// A document whose revision is written, all but its references: they may be to documents that come later.
struct Written {
    std::int64_t document = 0;
    bool is_new = false;                 // it has had no references before
    std::vector<DocumentKey> references; // of one that isn't new: it may have been merged
};

// The next revision of a document that is, or was, stored.
Saved save_next(Database& database, Change& change, Stored& current, const Record& given, const Merge& merge, Written& written) {
    load_content(database, current, kNow);
    const Record& stored = current.revision.record;
    const bool is_there = !current.revision.deleted;
    std::optional<Record> merged;
    if (merge && is_there) {
        merged = merge(stored, given);
        check_record(*merged);
    }
    const Record& record = merged ? *merged : given;
    written = {current.document, false, record.references};
    if (is_there && same_content(stored, record)) {
        return {current.revision.revision, current.revision.recorded_at, current.revision.recorded_by, Saved::What::unchanged};
    }
    const std::int64_t sequence = change.sequence();
    const bool same_body = current.body && stored.body == record.body;
    add_revision(database, current, record, sequence, same_body ? *current.body : add_body(database, record.body));
    save_series(database, current.document, sequence, stored.series, record.series);
    return {current.revision.revision + 1, change.recorded_at_text(), change.author(),
            is_there ? Saved::What::changed : Saved::What::added};
}

// Which of the documents are, or were, stored: one statement for many, most of which a first import has never had.
std::vector<bool> find_names(Database& database, std::span<const Record> records) {
    std::vector<bool> found(records.size());
    for (std::size_t first = 0; first < records.size(); first += kAtOnce) {
        Given names;
        for (std::size_t i = first; i < std::min(first + kAtOnce, records.size()); ++i) {
            names.add({static_cast<std::int64_t>(i), name_of(records[i].key.kind), records[i].key.id});
        }
        Rows rows(database, kFindNames, names);
        while (rows.next()) {
            found[static_cast<std::size_t>(rows.integer(0))] = true;
        }
    }
    return found;
}

} // namespace

std::int64_t Change::sequence() {
    if (sequence_ == 0) {
        std::int64_t last = 0;
        {
            Rows rows(database_, kLastChange);
            if (rows.next()) {
                last = rows.integer(0);
                recorded_at_ = std::max(recorded_at_, rows.integer(1) + 1);
            }
        }
        recorded_at_text_ = format_time(recorded_at_);
        Rows(database_, kAddChange, last + 1, recorded_at_, author_.name, author_.request_id, action_, subject_).run();
        sequence_ = last + 1;
    }
    return sequence_;
}

void check_records(std::span<const Record> records) {
    std::vector<const Record*> sorted;
    sorted.reserve(records.size());
    for (const Record& record : records) {
        check_record(record);
        sorted.push_back(&record);
    }
    const auto before = [](const Record* a, const Record* b) { return a->key < b->key; };
    if (!std::is_sorted(sorted.begin(), sorted.end(), before)) {
        std::sort(sorted.begin(), sorted.end(), before);
    }
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end(), [](auto a, auto b) { return a->key == b->key; });
    if (twice != sorted.end()) {
        refuse(**twice, "the document comes twice");
    }
}

std::optional<ConditionFailed> failing(const Condition& condition, const std::optional<Stored>& current) {
    const std::int64_t revision = current && !current->revision.deleted ? current->revision.revision : 0;
    const bool holds = condition.kind == Condition::Kind::none || (condition.kind == Condition::Kind::absent && revision == 0) ||
                       (condition.kind == Condition::Kind::present && revision != 0) ||
                       (condition.kind == Condition::Kind::revision && revision != 0 && revision == condition.revision);
    return holds ? std::nullopt : std::optional(ConditionFailed{revision});
}

std::variant<std::vector<Saved>, MissingReferences> save_records(Database& database, Change& change,
                                                                 std::span<const Record> records, const SaveOptions& options) {
    std::vector<Saved> saved;
    saved.reserve(records.size());
    std::vector<Written> written(records.size());
    const std::vector<bool> is_known = find_names(database, records);
    Arrivals arrivals(database, change);
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (is_known[i]) {
            Stored current = find_stored(database, records[i].key, kNow).value();
            saved.push_back(save_next(database, change, current, records[i], options.merge, written[i]));
        } else {
            written[i] = {arrivals.add(records[i]), true, {}};
            static_cast<void>(change.sequence());
            saved.push_back({1, change.recorded_at_text(), change.author(), Saved::What::added});
        }
        if (options.progress) {
            options.progress(i + 1);
        }
    }
    arrivals.write();
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].webhook) { // of an unchanged document too: a secret is no content
            save_webhook(database, change, written[i].document, *records[i].webhook);
        }
    }
    Targets targets(database);
    Given references; // of documents that have had none
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (saved[i].what == Saved::What::unchanged) {
            continue;
        }
        const Written& one = written[i];
        const std::set<std::int64_t> rows = targets.of(one.is_new ? records[i].references : one.references);
        if (!one.is_new && targets.missing().empty()) {
            save_references(database, one.document, change.sequence(), rows);
        }
        for (const std::int64_t target : rows) {
            if (one.is_new) {
                references.add({one.document, target, change.sequence(), kCurrent});
            }
        }
        if (references.cells.size() >= references.columns * kAtOnce && targets.missing().empty()) {
            Rows(database, kAddReferences, references).run();
            references.cells.clear();
        }
    }
    if (!targets.missing().empty()) {
        return MissingReferences{{targets.missing().begin(), targets.missing().end()}};
    }
    Rows(database, kAddReferences, references).run();
    return saved;
}

RemoveOutcome remove_document(Database& database, Change& change, const Stored& current) {
    InUse in_use = users_of(database, current.document);
    if (in_use.count > 0) {
        return in_use;
    }
    add_revision(database, current, current.revision.record, change.sequence(), std::nullopt);
    save_references(database, current.document, change.sequence(), {});
    if (current.revision.record.key.kind == Kind::webhook) {
        remove_webhook(database, current.document);
    }
    return Removed{current.revision.revision + 1};
}

} // namespace costcurve::storage
