// Reads the newest row of each point at or before a change, by index; writes rows only for points that differ.
#include "server/storage/points.hpp"

#include <algorithm>
#include <string>

namespace costcurve::storage {

namespace {

constexpr const char* kCurves = "SELECT curve, pointer FROM curve WHERE document = ? ORDER BY pointer";
constexpr const char* kCurve = "SELECT curve FROM curve WHERE document = ? AND pointer = ?";
constexpr const char* kPoints = "SELECT x, y FROM point WHERE curve = ? AND since <= ? ORDER BY x, since";
constexpr const char* kPointsUpTo =
    "SELECT x, y FROM point WHERE curve = ?1 AND x <= ?2 AND since <= ?3 ORDER BY x DESC, since DESC";
constexpr const char* kAddCurve = "INSERT INTO curve (document, pointer) VALUES (?, ?)";
constexpr const char* kAddPoint = "INSERT INTO point (curve, x, since, y) VALUES (?, ?, ?, ?)";

void load_points(Database& database, std::int64_t curve, std::int64_t sequence, Series& into) {
    Rows rows(database, kPoints, curve, sequence);
    std::optional<double> last; // the x of the row before, whose y this one replaces
    while (rows.next()) {
        const double x = rows.real(0);
        if (last == x && !into.x.empty() && into.x.back() == x) {
            into.x.pop_back();
            into.y.pop_back();
        }
        last = x;
        if (!rows.is_null(1)) {
            into.x.push_back(x);
            into.y.push_back(rows.real(1));
        }
    }
}

// Both are ascending in x: a point that is gone becomes a row without y, one that stayed the same none at all.
void add_points(Database& database, std::int64_t curve, std::int64_t sequence, const Series& before, const Series& after) {
    std::size_t b = 0;
    std::size_t a = 0;
    while (b < before.x.size() || a < after.x.size()) {
        const bool gone = a == after.x.size() || (b < before.x.size() && before.x[b] < after.x[a]);
        if (gone) {
            Rows(database, kAddPoint, curve, before.x[b++], sequence, std::optional<double>()).run();
            continue;
        }
        const bool both = b < before.x.size() && before.x[b] == after.x[a];
        if (!both || before.y[b] != after.y[a]) {
            Rows(database, kAddPoint, curve, after.x[a], sequence, after.y[a]).run();
        }
        b += both ? 1 : 0;
        ++a;
    }
}

std::int64_t add_curve(Database& database, std::int64_t document, std::string_view pointer) {
    Rows(database, kAddCurve, document, pointer).run();
    return database.last_row();
}

std::int64_t find_or_add_curve(Database& database, std::int64_t document, std::string_view pointer) {
    const auto found = find_curve(database, document, pointer);
    return found ? *found : add_curve(database, document, pointer);
}

} // namespace

std::vector<Series> load_series(Database& database, std::int64_t document, std::int64_t sequence) {
    std::vector<Series> all;
    Rows curves(database, kCurves, document);
    while (curves.next()) {
        Series series{std::string(curves.text(1)), {}, {}};
        load_points(database, curves.integer(0), sequence, series);
        if (!series.x.empty()) {
            all.push_back(std::move(series));
        }
    }
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

std::optional<std::int64_t> find_curve(Database& database, std::int64_t document, std::string_view pointer) {
    Rows rows(database, kCurve, document, pointer);
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

std::optional<double> value_at(Database& database, std::int64_t curve, double x, std::int64_t sequence) {
    Rows rows(database, kPointsUpTo, curve, x, sequence);
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
            add_points(database, find_or_add_curve(database, document, pointer), sequence, old_points, new_points);
        }
    }
}

} // namespace costcurve::storage
