// Saves and removes documents: each revision writes only the points and references that differ from the one before.
#include "server/storage/save.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "server/storage/outbox.hpp"
#include "server/storage/page.hpp"
#include "server/storage/points.hpp"
#include "server/storage/references.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

namespace {

constexpr const char* kLastChange = "SELECT sequence, recorded_at FROM change ORDER BY sequence DESC LIMIT 1";
constexpr const char* kAddChange =
    "INSERT INTO change (sequence, recorded_at, author, request_id, action, subject) VALUES (?, ?, ?, ?, ?, ?)";
constexpr const char* kAddDocument = "INSERT INTO document (kind, id) VALUES (?, ?)";
constexpr const char* kAddBody = "INSERT INTO body (text) VALUES (?)";
constexpr const char* kEndRevision = "UPDATE revision SET until = ? WHERE row = ?";
constexpr const char* kAddRevision = R"(
    INSERT INTO revision (document, revision, since, until, deleted, kind, id, title, search, body,
                          provider, region, device, purchase, hourly_price)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))";

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

// A document on its way to its next revision.
struct Draft {
    const Record& record;
    const std::optional<Stored>& current; // the last revision, a deletion too; with content
    std::int64_t document;
};

std::int64_t add_body(Database& database, const Draft& draft) {
    if (draft.current && draft.current->body && draft.current->revision.record.body == draft.record.body) {
        return *draft.current->body;
    }
    Rows(database, kAddBody, draft.record.body).run();
    return database.last_row();
}

void add_revision(Database& database, const Draft& draft, std::int64_t sequence, std::optional<std::int64_t> body) {
    const Record& record = draft.record;
    if (draft.current) {
        Rows(database, kEndRevision, sequence, draft.current->row).run();
    }
    const std::int64_t number = draft.current ? draft.current->revision.revision + 1 : 1;
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
    Rows(database, kAddRevision, draft.document, number, sequence, kCurrent, body ? 0 : 1, name_of(record.key.kind), record.key.id,
         record.title, lower(record.key.id + "\n" + record.title), body, provider, region, device, purchase, hourly_price)
        .run();
}

// Writes all of a document's next revision but its references, which may be to documents that come later: `written` has them.
struct Written {
    std::int64_t document = 0;
    bool is_new = false; ///< it has neither points nor references from before
    std::vector<DocumentKey> references;
};
Saved save_record(Database& database, Change& change, const Record& given, const Merge& merge, Written& written) {
    std::optional<Stored> current = find_stored(database, given.key, kNow);
    std::optional<Record> merged;
    std::int64_t& document = written.document;
    if (current) {
        load_content(database, *current, kNow);
        if (merge && !current->revision.deleted) {
            merged = merge(current->revision.record, given);
            check_record(*merged);
        }
    }
    const Record& record = merged ? *merged : given;
    written.references = record.references;
    written.is_new = !current;
    if (current) {
        document = current->document;
        if (!current->revision.deleted && same_content(current->revision.record, record)) {
            if (record.webhook) { // a secret is no content
                save_webhook(database, change, document, *record.webhook);
            }
            return {current->revision.revision, current->revision.recorded_at, Saved::What::unchanged};
        }
    }
    const std::int64_t sequence = change.sequence();
    if (!current) {
        Rows(database, kAddDocument, name_of(record.key.kind), record.key.id).run();
        document = database.last_row();
    }
    const Draft draft{record, current, document};
    add_revision(database, draft, sequence, add_body(database, draft));
    if (current) {
        save_series(database, document, sequence, current->revision.record.series, record.series);
    } else {
        add_series(database, document, sequence, record.series);
    }
    if (record.webhook) {
        save_webhook(database, change, document, *record.webhook);
    }
    const bool is_new = !current || current->revision.deleted;
    return {current ? current->revision.revision + 1 : 1, change.recorded_at_text(),
            is_new ? Saved::What::added : Saved::What::changed};
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
    std::set<DocumentKey> keys;
    for (const Record& record : records) {
        check_record(record);
        if (!keys.insert(record.key).second) {
            refuse(record, "the document comes twice");
        }
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
    for (std::size_t i = 0; i < records.size(); ++i) {
        saved.push_back(save_record(database, change, records[i], options.merge, written[i]));
        if (options.progress) {
            options.progress(i + 1);
        }
    }
    Targets targets(database);
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (saved[i].what == Saved::What::unchanged) {
            continue;
        }
        const std::set<std::int64_t> rows = targets.of(written[i].references);
        if (targets.missing().empty()) {
            save_references(database, written[i].document, change.sequence(), rows, written[i].is_new);
        }
    }
    if (!targets.missing().empty()) {
        return MissingReferences{{targets.missing().begin(), targets.missing().end()}};
    }
    return saved;
}

RemoveOutcome remove_document(Database& database, Change& change, const Stored& current) {
    InUse in_use = users_of(database, current.document);
    if (in_use.count > 0) {
        return in_use;
    }
    const std::optional<Stored> before = current;
    add_revision(database, {current.revision.record, before, current.document}, change.sequence(), std::nullopt);
    save_references(database, current.document, change.sequence(), {}, false);
    if (current.revision.record.key.kind == Kind::webhook) {
        remove_webhook(database, current.document);
    }
    return Removed{current.revision.revision + 1};
}

} // namespace costcurve::storage
