// Takes a change out of a document: bodies are merged as JSON, points of curves beside them. Where the result breaks a rule, points
// alone are taken back.
#include "server/ingest/undone_record.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/documents/pointer.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/documents/rules.hpp"
#include "server/ingest/undone_points.hpp"
#include "server/storage/error.hpp"

namespace costcurve::ingest {

std::optional<storage::Record> of_today(const storage::Record& record) {
    try {
        storage::Revision revision;
        revision.record = record;
        documents::StoredDocument stored = documents::decode_stored(revision);
        return stored.unknown_fields.empty() ? std::optional(documents::encode_record(std::move(stored.document), record.key.id))
                                             : std::nullopt;
    } catch (const storage::StoreError& error) {
        if (error.cause() != storage::StoreError::Cause::unreadable) {
            throw;
        }
        return std::nullopt;
    }
}

std::optional<storage::Record> record_from(const storage::DocumentKey& key, const nlohmann::json& body,
                                           std::vector<storage::Series> series) {
    storage::Record record{key, "", body.dump(), std::move(series), {}, std::nullopt};
    record.encoding = documents::kEncoding;
    std::optional<storage::Record> read = of_today(record);
    return read && documents::check_rules(documents::document_of(*read)).empty() ? std::move(read) : std::nullopt;
}

namespace {

using nlohmann::json;
using storage::Record;
using storage::Series;

void price_by_curve(Record& record) {
    const Series* const prices = series_of(record, "/hourly_price");
    if (record.offer && prices != nullptr) {
        record.offer->hourly_price = prices->y.back();
    }
}

std::string below(const std::string& pointer, const std::string& name) {
    std::string path = pointer + '/';
    for (const char c : name) {
        path += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
    return path;
}

bool is_under(std::string_view pointer, std::string_view place) {
    return pointer.starts_with(place) && (pointer.size() == place.size() || pointer[place.size()] == '/');
}

std::vector<Series> series_under(const Record& record, std::string_view place) {
    std::vector<Series> found;
    std::ranges::copy_if(record.series, std::back_inserter(found), [&](const Series& it) { return is_under(it.pointer, place); });
    return found;
}

const json* member(const json& object, const std::string& name) {
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

bool is_equal(const json* a, const json* b) { return a == nullptr || b == nullptr ? a == b : *a == *b; }

void set_member(json& object, const std::string& name, const json* value) {
    if (value == nullptr) {
        object.erase(name);
    } else {
        object[name] = *value;
    }
}

// Brings the difference from one state of a document to another into a third.
class Difference {
public:
    // `is_forced`: also where the third has other values than `from`.
    Difference(const Record& third, const Record& from, const Record& to, bool is_forced)
        : third_(third), from_(from), to_(to), is_forced_(is_forced) {}

    std::optional<Record> applied() {
        const auto third = parse_json(third_.body);
        const auto from = parse_json(from_.body);
        const auto to = parse_json(to_.body);
        if (!third || !from || !to) {
            return std::nullopt;
        }
        for (const Series& now : third_.series) {
            points_.insert_or_assign(now.pointer, merged_points(now, *to));
        }
        json body = *third;
        merge(body, *from, *to, "");
        std::set<std::string> pointers;
        for (const Record* record : {&third_, &from_, &to_}) {
            for (const Series& it : record->series) {
                pointers.insert(it.pointer);
            }
        }
        std::vector<Series> series;
        for (const std::string& pointer : pointers) {
            const json::json_pointer place(pointer);
            if (!body.contains(place) || !body.at(place).is_object()) {
                continue;
            }
            const auto own = points_.find(pointer);
            const Series* const other = series_of(to_, pointer);
            const bool is_others =
                own == points_.end() || own->second.x.empty() ||
                std::ranges::any_of(replaced_, [&](const std::string& whole) { return is_under(pointer, whole); });
            if (is_others && other == nullptr) {
                return std::nullopt;
            }
            series.push_back(is_others ? *other : own->second);
        }
        return record_from(third_.key, body, std::move(series));
    }

private:
    Series merged_points(const Series& now, const json& to) const {
        const Series* const from = series_of(from_, now.pointer);
        const Series* after = series_of(to_, now.pointer);
        if (is_forced_) {
            return points_with_change(now.pointer, &now, from, after);
        }
        if (from == nullptr) {
            return now;
        }
        // A price that was a number is the first point of what became a curve of it.
        const json::json_pointer place(now.pointer);
        Series number{now.pointer, {from->x.front()}, {from->y.front()}};
        if (after == nullptr && to.contains(place) && to.at(place).is_number() && to.at(place) == from->y.front()) {
            after = &number;
        }
        return points_without_change(now, after, *from);
    }

    [[nodiscard]] bool is_curve(const std::string& place) const {
        return series_of(third_, place) != nullptr || series_of(from_, place) != nullptr || series_of(to_, place) != nullptr;
    }
    [[nodiscard]] bool has_points(const std::string& place) const {
        const auto found = points_.find(place);
        return found != points_.end() && !found->second.x.empty();
    }

    void merge(json& object, const json& from, const json& to, const std::string& at) {
        std::set<std::string> names;
        for (const json* side : {&from, &to}) {
            for (const auto& [name, value] : side->items()) {
                names.insert(name);
            }
        }
        for (const std::string& name : names) {
            if (!is_equal(member(from, name), member(to, name))) {
                merge_member(object, name, from, to, below(at, name));
            }
        }
    }

    void merge_member(json& object, const std::string& name, const json& all_from, const json& all_to, const std::string& at) {
        const json* const from = member(all_from, name);
        const json* const to = member(all_to, name);
        const json* const now = member(object, name);
        if (is_equal(now, from) && series_under(third_, at) == series_under(from_, at)) {
            set_member(object, name, to);
            replaced_.push_back(at);
            return;
        }
        const bool are_objects = now != nullptr && now->is_object() && from != nullptr && from->is_object();
        if (is_curve(at) && !has_points(at)) {
            set_member(object, name, to);
        } else if (are_objects && (to != nullptr ? to->is_object() : !is_curve(at))) {
            merge(object[name], *from, to != nullptr ? *to : json::object(), at);
            if (to == nullptr && object[name].empty()) {
                object.erase(name);
            }
        } else if (now != nullptr && now->is_array() && from != nullptr && from->is_array() && (to == nullptr || to->is_array())) {
            merge_items(object[name], *from, to != nullptr ? *to : json::array(), at);
        } else if (is_forced_ && !is_curve(at)) {
            set_member(object, name, to);
            replaced_.push_back(at);
        }
    }

    // Items of a list of objects by their place, others by their values.
    void merge_items(json& items, const json& from, const json& to, const std::string& at) {
        if (!series_under(third_, at).empty() || !series_under(from_, at).empty() || !series_under(to_, at).empty()) {
            return; // whose curves are named by their places
        }
        const bool are_alike = items.size() == from.size() && items.size() == to.size();
        if (are_alike && std::ranges::all_of(items, [](const json& item) { return item.is_object(); })) {
            for (std::size_t i = 0; i < items.size(); ++i) {
                if (from[i].is_object() && to[i].is_object()) {
                    merge(items[i], from[i], to[i], below(at, std::to_string(i)));
                }
            }
            return;
        }
        const auto has = [](const json& list, const json& item) { return std::ranges::find(list, item) != list.end(); };
        json merged = json::array();
        for (const json& item : items) {
            if (!has(from, item) || has(to, item)) {
                merged.push_back(item);
            }
        }
        for (const json& item : to) {
            if (!has(from, item) && !has(merged, item)) {
                merged.push_back(item);
            }
        }
        items = std::move(merged);
    }

    const Record& third_;
    const Record& from_;
    const Record& to_;
    bool is_forced_;
    std::map<std::string, Series, std::less<>> points_; // of the third one's curves
    std::vector<std::string> replaced_;                 // places of what is now whole as in `to_`
};

std::optional<Record> applied(const Record& third, const Record& from, const Record& to, bool is_forced) {
    const std::optional<Record> third_today = of_today(third);
    const std::optional<Record> from_today = of_today(from);
    const std::optional<Record> to_today = of_today(to);
    return third_today && from_today && to_today ? Difference(*third_today, *from_today, *to_today, is_forced).applied()
                                                 : std::nullopt;
}

// Takes curves out that have no points but the change's, where the document can do without.
Record without_curves(const Record& now, const Record& after) {
    std::optional<Record> record = of_today(now);
    const std::optional<Record> made = of_today(after);
    if (!record || !made) {
        return now;
    }
    for (const Series& series : made->series) {
        const Series* const current = series_of(*record, series.pointer);
        auto names = model::split_pointer(series.pointer);
        if (current == nullptr || !names || names->empty() || !points_without_change(*current, nullptr, series).x.empty()) {
            continue;
        }
        json body = *parse_json(record->body);
        std::string place = series.pointer;
        const std::string name = names->back();
        place.resize(place.rfind('/'));
        json& parent = body.at(json::json_pointer(place));
        if (!parent.is_object()) {
            continue;
        }
        parent.erase(name);
        if (parent.empty() && names->size() == 2) {
            body.erase(names->front());
        }
        std::vector<Series> others = record->series;
        std::erase_if(others, [&](const Series& it) { return it.pointer == series.pointer; });
        if (auto left = record_from(now.key, body, std::move(others))) {
            record = std::move(left);
        }
    }
    return *record;
}

// The same by the points alone.
Record without_points(const Record& now, const std::optional<Record>& before, const Record& after) {
    Record record = now;
    for (Series& series : record.series) {
        const Series* const made = series_of(after, series.pointer);
        Series points =
            made != nullptr ? points_without_change(series, before ? series_of(*before, series.pointer) : nullptr, *made) : series;
        if (!points.x.empty()) { // else its field was no curve before, and has been changed since
            series = std::move(points);
        }
    }
    price_by_curve(record);
    return record;
}

} // namespace

bool has_no_other_price(const Record& now, std::span<const Record> made) {
    const auto is_made = [&](Series series) {
        for (const Record& after : made) {
            const Series* const own = series_of(after, series.pointer);
            series = own != nullptr ? points_without_change(series, nullptr, *own) : std::move(series);
        }
        return series.x.empty();
    };
    if (now.key.kind == storage::Kind::curve) {
        return !now.series.empty() && std::ranges::all_of(now.series, is_made);
    }
    const auto body = parse_json(now.body);
    bool has_price = false;
    for (const char* const name : {"hourly_price", "price_per_million_units"}) {
        const json* const price = body ? member(*body, name) : nullptr;
        const bool is_stated_so = price != nullptr && std::ranges::any_of(made, [&](const Record& after) {
                                      const auto own = parse_json(after.body);
                                      return own && is_equal(member(*own, name), price);
                                  });
        if (price != nullptr && (!is_stated_so || !std::ranges::all_of(series_under(now, "/" + std::string(name)), is_made))) {
            return false;
        }
        has_price = has_price || price != nullptr;
    }
    return has_price;
}

bool is_same_content(const Record& a, const Record& b) { return a.body == b.body && a.series == b.series; }

Record without_change(const Record& now, const std::optional<Record>& before, const Record& after) {
    if (!before) {
        return without_points(without_curves(now, after), before, after);
    }
    if (is_same_content(now, after)) {
        return *before;
    }
    std::optional<Record> record = applied(now, after, *before, false);
    return record ? std::move(*record) : without_points(now, before, after);
}

std::optional<Record> with_change(const std::optional<Record>& document, const std::optional<Record>& before,
                                  const std::optional<Record>& after) {
    if (!after || (!document && !before)) {
        return after;
    }
    if (document && before) {
        if (is_same_content(*document, *before)) {
            return after;
        }
        if (auto record = applied(*document, *before, *after, true)) {
            return record;
        }
    }
    Record record = *after;
    for (Series& series : record.series) {
        const auto points_of = [&](const std::optional<Record>& it) { return it ? series_of(*it, series.pointer) : nullptr; };
        Series points = points_with_change(series.pointer, points_of(document), points_of(before), points_of(after));
        if (!points.x.empty()) {
            series = std::move(points);
        }
    }
    price_by_curve(record);
    return record;
}

} // namespace costcurve::ingest
