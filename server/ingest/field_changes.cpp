// Fields of a document that an import changed: compared as JSON with all defaults, curves by point.
#include "server/ingest/field_changes.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/calendar.hpp"
#include "model/documents/walk.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/upgrades.hpp"

namespace costcurve::ingest {

namespace {

using nlohmann::json;
using storage::Series;

// A value as JSON; one that is long as a text of its beginning.
std::string shown_value(const json& value) {
    constexpr std::size_t kMaxShown = 200; // characters
    const std::string text = value.dump();
    return text.size() <= kMaxShown ? text : json(shortened(text, kMaxShown)).dump();
}

// Points are listed apart.
void take_points_out(json& value) {
    if (value.is_object() && value.contains("points")) {
        value["points"] = json::array();
    }
    for (json& member : value) {
        if (value.is_object()) {
            take_points_out(member);
        }
    }
}

std::string shortest_text(double value) {
    JsonWriter out;
    out.value(value);
    return out.take();
}

void list_plain_fields(const model::AnyDocument& stored, const model::AnyDocument& merged, std::vector<FieldChange>& fields) {
    json before = json::parse(documents::encode_document(stored));
    json now = json::parse(documents::encode_document(merged));
    take_points_out(before);
    take_points_out(now);
    for (const auto& [name, value] : now.items()) {
        const auto old = before.find(name);
        if (name != "points" && (old == before.end() || *old != value)) {
            fields.push_back({"/" + name, "", old == before.end() ? "" : shown_value(*old), shown_value(value)});
        }
    }
}

// Pointers of the curves over date.
std::vector<std::string> dated_curves(const model::AnyDocument& document) {
    std::vector<std::string> pointers;
    std::string at;
    model::walk(document, at, {}, [&]<class D>(const D& part, const std::string& where, const model::FieldSpec& /*spec*/) {
        if constexpr (std::is_same_v<D, model::Curve>) {
            if (part.axis == model::Axis::date) {
                pointers.push_back(where);
            }
        }
    });
    return pointers;
}

const Series* find_series(const storage::Record& record, std::string_view pointer) {
    const auto found = std::find_if(record.series.begin(), record.series.end(), [&](const Series& series) {
        return documents::upgraded_pointer(series.pointer, record.key.kind, record.encoding) == pointer;
    });
    return found == record.series.end() ? nullptr : &*found;
}

// Whether the stored series has the same value at the same place of the list.
bool is_same_point(const Series& stored, const Series& given, std::size_t i) {
    return i < stored.x.size() && stored.x[i] == given.x[i] && stored.y[i] == given.y[i];
}

// One line for all points.
void list_counts(const Series* stored, const Series& given, std::vector<FieldChange>& fields) {
    std::size_t differ = 0;
    for (std::size_t i = 0; i < given.x.size(); ++i) {
        differ += stored != nullptr && is_same_point(*stored, given, i) ? 0U : 1U;
    }
    if (differ > 0 || (stored != nullptr && stored->x.size() != given.x.size())) {
        fields.push_back({given.pointer + "/points", "", stored == nullptr ? "" : fmt::format("\"{} points\"", stored->x.size()),
                          fmt::format("\"{} points, of which {} differ\"", given.x.size(), differ)});
    }
}

// The index of the point that holds at x; nothing before the first.
std::optional<std::size_t> point_at(const Series* stored, double x) {
    if (stored == nullptr || stored->x.empty() || x < stored->x.front()) {
        return std::nullopt;
    }
    const auto after = std::upper_bound(stored->x.begin(), stored->x.end(), x);
    return static_cast<std::size_t>(after - stored->x.begin()) - 1;
}

} // namespace

void list_points(const Series* stored, const Series& given, bool over_date, std::vector<FieldChange>& fields) {
    if (!over_date) {
        list_counts(stored, given, fields);
        return;
    }
    for (std::size_t i = 0; i < given.x.size(); ++i) {
        const std::optional<std::size_t> at = point_at(stored, given.x[i]);
        if (at && stored->x[*at] == given.x[i] && stored->y[*at] == given.y[i]) {
            continue;
        }
        fields.push_back(
            {given.pointer, model::date_text(given.x[i]), at ? shortest_text(stored->y[*at]) : "", shortest_text(given.y[i])});
    }
}

void list_fields(const DocumentBefore& before, const model::AnyDocument& merged, const std::vector<Series>& given,
                 std::vector<FieldChange>& fields) {
    const std::vector<std::string> dated = dated_curves(merged);
    for (const Series& series : given) {
        const bool over_date = std::find(dated.begin(), dated.end(), series.pointer) != dated.end();
        list_points(find_series(before.record, series.pointer), series, over_date, fields);
    }
    list_plain_fields(before.document, merged, fields);
}

} // namespace costcurve::ingest
