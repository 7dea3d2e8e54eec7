// Reads the newest row of each point at or before a change, by index; writes rows only for points that differ.
#include "server/storage/points.hpp"

#include <algorithm>
#include <string>

namespace costcurve::storage {

namespace {

constexpr const char* kFindPointer = "SELECT pointer FROM pointer WHERE text = ?";
constexpr const char* kPointerText = "SELECT text FROM pointer WHERE pointer = ?";
constexpr const char* kAddPointer = "INSERT INTO pointer (text) VALUES (?)";
constexpr const char* kPoints = "SELECT pointer, x, y FROM point WHERE document = ? AND since <= ? ORDER BY pointer, x, since";
constexpr const char* kPointsUpTo = R"(
    SELECT x, y FROM point WHERE document = ?1 AND pointer = ?2 AND x <= ?3 AND since <= ?4 ORDER BY x DESC, since DESC)";
constexpr const char* kAddPoint = "INSERT INTO point (document, pointer, x, since, y) VALUES (?, ?, ?, ?, ?)";

// A curve of a document.
struct Curve {
    std::int64_t document = 0;
    std::int64_t pointer = 0;
};

std::optional<std::int64_t> find_pointer(Database& database, std::string_view text) {
    Rows rows(database, kFindPointer, text);
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

std::string text_of_pointer(Database& database, std::int64_t pointer) {
    Rows rows(database, kPointerText, pointer);
    return rows.next() ? std::string(rows.text(0)) : "";
}

void add_point(Database& database, const Curve& curve, double x, std::int64_t sequence, std::optional<double> y) {
    Rows(database, kAddPoint, curve.document, curve.pointer, x, sequence, y).run();
}

// Both are ascending in x: a point that is gone becomes a row without y, one that stayed the same none at all.
void add_points(Database& database, const Curve& curve, std::int64_t sequence, const Series& before, const Series& after) {
    std::size_t b = 0;
    std::size_t a = 0;
    while (b < before.x.size() || a < after.x.size()) {
        const bool gone = a == after.x.size() || (b < before.x.size() && before.x[b] < after.x[a]);
        if (gone) {
            add_point(database, curve, before.x[b++], sequence, std::nullopt);
            continue;
        }
        const bool both = b < before.x.size() && before.x[b] == after.x[a];
        if (!both || before.y[b] != after.y[a]) {
            add_point(database, curve, after.x[a], sequence, after.y[a]);
        }
        b += both ? 1 : 0;
        ++a;
    }
}

} // namespace

std::int64_t find_or_add_pointer(Database& database, std::string_view text) {
    if (const auto found = find_pointer(database, text)) {
        return *found;
    }
    Rows(database, kAddPointer, text).run();
    return database.last_row();
}

std::vector<Series> load_series(Database& database, std::int64_t document, std::int64_t sequence) {
    std::vector<Series> all;
    std::int64_t pointer = 0;
    std::optional<double> last; // the x of the row before, whose y this one replaces
    Rows rows(database, kPoints, document, sequence);
    while (rows.next()) {
        if (rows.integer(0) != pointer) {
            pointer = rows.integer(0);
            last = std::nullopt;
            all.push_back({text_of_pointer(database, pointer), {}, {}});
        }
        Series& into = all.back();
        const double x = rows.real(1);
        if (last == x && !into.x.empty() && into.x.back() == x) {
            into.x.pop_back();
            into.y.pop_back();
        }
        last = x;
        if (!rows.is_null(2)) {
            into.x.push_back(x);
            into.y.push_back(rows.real(2));
        }
    }
    std::erase_if(all, [](const Series& series) { return series.x.empty(); });
    std::sort(all.begin(), all.end(), [](const Series& a, const Series& b) { return a.pointer < b.pointer; });
    return all;
}

std::vector<const Series*> by_pointer(const std::vector<Series>& series) {
    std::vector<const Series*> sorted;
    sorted.reserve(series.size());
    for (const Series& one : series) {
        sorted.push_back(&one);
    }
    std::sort(sorted.begin(), sorted.end(), [](const Series* a, const Series* b) { return a->pointer < b->pointer; });
    return sorted;
}

std::optional<double> value_at(Database& database, std::int64_t document, std::string_view pointer, double x,
                               std::int64_t sequence) {
    const auto found = find_pointer(database, pointer);
    if (!found) {
        return std::nullopt;
    }
    Rows rows(database, kPointsUpTo, document, *found, x, sequence);
    std::optional<double> removed; // an x whose newest row takes the point away
    while (rows.next()) {
        if (removed == rows.real(0)) {
            continue;
        }
        if (!rows.is_null(1)) {
            return rows.real(1);
        }
        removed = rows.real(0);
    }
    return std::nullopt;
}

void save_series(Database& database, std::int64_t document, std::int64_t sequence, const std::vector<Series>& before,
                 const std::vector<Series>& after) {
    const Series none;
    const auto old_curves = by_pointer(before);
    const auto new_curves = by_pointer(after);
    std::size_t b = 0;
    std::size_t a = 0;
    while (b < old_curves.size() || a < new_curves.size()) {
        const bool gone = a == new_curves.size() || (b < old_curves.size() && old_curves[b]->pointer < new_curves[a]->pointer);
        const bool both = !gone && b < old_curves.size() && old_curves[b]->pointer == new_curves[a]->pointer;
        const Series& old_points = gone || both ? *old_curves[b++] : none;
        const Series& new_points = gone ? none : *new_curves[a++];
        if (!(old_points == new_points)) {
            const std::string& pointer = gone ? old_points.pointer : new_points.pointer;
            add_points(database, {document, find_or_add_pointer(database, pointer)}, sequence, old_points, new_points);
        }
    }
}

} // namespace costcurve::storage
