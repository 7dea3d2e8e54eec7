// Difference between a new revision and the previous one: references and curves.
#include "server/storage/writes/next_revision.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "server/storage/text.hpp"

namespace costcurve::storage {

namespace {

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

bool same_series(const std::vector<Series>& stored, const std::vector<Series>& next) {
    if (next.size() <= 1) { // holds for every document of a price list; saves the sort's allocation
        return stored == next;
    }
    const auto sorted = by_pointer(next);
    return std::equal(stored.begin(), stored.end(), sorted.begin(), sorted.end(),
                      [](const Series& a, const Series* b) { return a == *b; });
}

// Whether two lists of references are equal; the stored list is already a set.
bool same_references(const std::vector<DocumentKey>& stored, const std::vector<DocumentKey>& next) {
    return next.size() <= 1 ? stored == next : stored == as_set(next);
}

bool same_body(const Record& stored, const Record& next) {
    return stored.encoding == next.encoding
               ? stored.body == next.body
               : stored.encoding < next.encoding && next.equals_older_body != nullptr && next.equals_older_body(stored, next);
}

// Records in an earlier encoding may have other curves; same_body() has compared them.
bool same_points(const Record& stored, const Record& next) {
    return stored.encoding < next.encoding || same_series(stored.series, next.series);
}

} // namespace

void check_record(const Record& record) {
    for (const Series& series : record.series) {
        check_series(record, series);
    }
    if (record.series.size() > 1) {
        const auto sorted = by_pointer(record.series);
        const auto twice =
            std::adjacent_find(sorted.begin(), sorted.end(), [](auto a, auto b) { return a->pointer == b->pointer; });
        if (twice != sorted.end()) {
            refuse(record, "a pointer comes twice");
        }
    }
    if (has_zero(record.title) || has_zero(record.body) || has_zero(record.key.id)) {
        refuse(record, "a text has the character U+0000");
    }
    if (record.offer && record.key.kind != Kind::offer) {
        refuse(record, "only offers have what offers are filtered by");
    }
    if (record.offer && !std::isfinite(record.offer->hourly_price.value_or(0.0))) {
        refuse(record, "a price needs a number");
    }
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

std::vector<DocumentKey> as_set(std::vector<DocumentKey> references) {
    std::sort(references.begin(), references.end());
    references.erase(std::unique(references.begin(), references.end()), references.end());
    return references;
}

std::optional<ConditionFailed> failing(const Condition& condition, const Revision* current) {
    const std::int64_t revision = current != nullptr && !current->deleted ? current->revision : 0;
    const bool holds = condition.kind == Condition::Kind::none || (condition.kind == Condition::Kind::absent && revision == 0) ||
                       (condition.kind == Condition::Kind::present && revision != 0) ||
                       (condition.kind == Condition::Kind::revision && revision != 0 && revision == condition.revision);
    return holds ? std::nullopt : std::optional(ConditionFailed{revision});
}

NextRevision next_revision(const Revision& current, const Record& record) {
    const Record& stored = current.record;
    if (current.deleted) {
        return {Saved::What::added, false, rows_between(stored.series, record.series)};
    }
    const bool keeps_body = same_body(stored, record);
    if (keeps_body && stored.title == record.title && stored.offer == record.offer && same_points(stored, record) &&
        same_references(stored.references, record.references)) {
        return {};
    }
    return {Saved::What::changed, keeps_body, rows_between(stored.series, record.series)};
}

ReferenceDifference reference_difference(const std::set<std::int64_t>& before, const std::set<std::int64_t>& after) {
    ReferenceDifference difference;
    std::ranges::set_difference(before, after, std::back_inserter(difference.ended));
    std::ranges::set_difference(after, before, std::back_inserter(difference.added));
    return difference;
}

} // namespace costcurve::storage
