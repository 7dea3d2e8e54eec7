// Bodies are compared as text: equal ones, the usual case, cost no parsing. Only what differs is merged field by field.
#include "server/api/landing.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/calendar.hpp"
#include "model/field_check.hpp"
#include "server/api/decode.hpp"
#include "server/api/encode.hpp"
#include "server/api/json_text.hpp"
#include "server/api/records.hpp"

namespace costcurve::api {

namespace {

using nlohmann::json;
using storage::Record;
using storage::Series;

constexpr std::size_t kMostValue = 200; // characters of an old or new value that are shown

// The issues that PUT would find.
model::Failure issues_of(const work::AnyDocument& document) {
    const auto parsed = parse_json(encode_document(document));
    if (!parsed) {
        return {{"", model::Code::bad_format, parsed.error().message}};
    }
    Decoded<work::AnyDocument> decoded = decode_document(static_cast<storage::Kind>(document.index()), *parsed);
    if (decoded.issues.empty()) {
        decoded.issues = check_rules(decoded.document);
    }
    return std::move(decoded.issues);
}

// Only an offer's price and curves of their own can be over date.
bool is_over_date(const Record& record, const Series& series) {
    return (record.key.kind == storage::Kind::offer && series.pointer == "/hourly_price") ||
           record.body.find("\"axis\":\"date\"") != std::string::npos;
}

const Series* find_series(const Record& record, std::string_view pointer) {
    const auto found =
        std::find_if(record.series.begin(), record.series.end(), [&](const Series& one) { return one.pointer == pointer; });
    return found == record.series.end() ? nullptr : &*found;
}

// Both are ascending; a given point replaces a stored one of the same x.
Series joined(const Series& stored, const Series& given) {
    Series all{given.pointer, {}, {}};
    all.x.reserve(stored.x.size() + given.x.size());
    all.y.reserve(stored.x.size() + given.x.size());
    std::size_t s = 0;
    std::size_t g = 0;
    while (s < stored.x.size() || g < given.x.size()) {
        const bool from_stored = g == given.x.size() || (s < stored.x.size() && stored.x[s] < given.x[g]);
        s += !from_stored && s < stored.x.size() && stored.x[s] == given.x[g] ? 1U : 0U;
        const Series& source = from_stored ? stored : given;
        std::size_t& at = from_stored ? s : g;
        all.x.push_back(source.x[at]);
        all.y.push_back(source.y[at++]);
    }
    return all;
}

// What a document of a kind says without being told: fields of these values are not stated.
const json& defaults_of(storage::Kind kind) {
    static const auto all = [] {
        std::map<storage::Kind, json> made;
        const auto add = [&](const work::AnyDocument& document) {
            made[static_cast<storage::Kind>(document.index())] = json::parse(encode_document(document));
        };
        add(model::Device{}), add(model::Offer{}), add(model::Server{}), add(model::Site{}), add(model::Performance{});
        made[storage::Kind::curve] = json::object();
        return made;
    }();
    return all.at(kind);
}

// A value as JSON; one that is long as a text of its beginning.
std::string shown_value(const json& value) {
    const std::string text = value.dump();
    return text.size() <= kMostValue ? text : json(shortened(text, kMostValue)).dump();
}

// Whether a field of this value is one that the import says nothing of. What is in `kAlwaysStated` it never leaves at its default.
bool is_left_at(const json& defaults, const std::string& name, const json& value) {
    static constexpr auto kAlwaysStated = std::to_array<std::string_view>({"currency", "devices", "purchase"});
    const auto ordinary = defaults.find(name);
    return ordinary != defaults.end() && *ordinary == value &&
           std::find(kAlwaysStated.begin(), kAlwaysStated.end(), name) == kAlwaysStated.end();
}

// Tables of numbers by name and lists of names grow; anything else is replaced.
json joined_value(const json& before, const json& given, const std::string& name) {
    json value = given;
    if (name == "peak_flops" && before.is_object() && given.is_object()) {
        value = before;
        value.update(given);
    } else if (name == "precisions" && before.is_array() && given.is_array()) {
        value = before;
        std::copy_if(given.begin(), given.end(), std::back_inserter(value),
                     [&](const json& one) { return std::find(before.begin(), before.end(), one) == before.end(); });
    }
    return value;
}

// The stored body with the fields that the given one states, and which those were.
std::string joined_body(const Record& stored, const Record& given, std::vector<FieldChange>* fields) {
    json body = json::parse(stored.body);
    const json stated = json::parse(given.body);
    const json& defaults = defaults_of(given.key.kind);
    for (const auto& [name, given_value] : stated.items()) {
        const auto before = body.find(name);
        if (before != body.end() && is_left_at(defaults, name, given_value)) {
            continue;
        }
        const json value = before == body.end() ? given_value : joined_value(*before, given_value, name);
        if (before != body.end() && *before == value) {
            continue;
        }
        if (fields != nullptr) {
            fields->push_back({"/" + name, "", before == body.end() ? "" : shown_value(*before), shown_value(value)});
        }
        body[name] = value;
    }
    return body.dump();
}

std::string text_of(double value) {
    JsonWriter out;
    out.value(value);
    return out.take();
}

void list_points(const Series* stored, const Series& given, bool over_date, std::vector<FieldChange>& fields) {
    if (!over_date) {
        std::size_t differ = stored == nullptr ? given.x.size() : 0;
        for (std::size_t i = 0; stored != nullptr && i < given.x.size(); ++i) {
            const bool same = i < stored->x.size() && stored->x[i] == given.x[i] && stored->y[i] == given.y[i];
            differ += same ? 0U : 1U;
        }
        if (differ > 0 || (stored != nullptr && stored->x.size() != given.x.size())) {
            fields.push_back({given.pointer + "/points", "",
                              stored == nullptr ? "" : fmt::format("\"{} points\"", stored->x.size()),
                              fmt::format("\"{} points, of which {} differ\"", given.x.size(), differ)});
        }
        return;
    }
    for (std::size_t i = 0; i < given.x.size(); ++i) {
        std::string before;
        if (stored != nullptr) { // the value that held on that day
            const auto after = std::upper_bound(stored->x.begin(), stored->x.end(), given.x[i]);
            const auto at = static_cast<std::size_t>(after - stored->x.begin());
            if (at > 0) {
                before = text_of(stored->y[at - 1]);
                if (stored->x[at - 1] == given.x[i] && stored->y[at - 1] == given.y[i]) {
                    continue;
                }
            }
        }
        fields.push_back({given.pointer, model::date_text(given.x[i]), before, text_of(given.y[i])});
    }
}

// The record of a document whose body was put together.
Record record_of(const Record& given, std::string body, std::vector<Series> series) {
    storage::Revision revision;
    revision.record = given;
    revision.record.body = std::move(body);
    revision.record.series = std::move(series);
    work::AnyDocument document = decode_revision(revision);
    return encode_record(std::move(document), given.key.id);
}

// `fields`, where it is not null, takes what changes.
Record merged(const Record& stored, const Record& given, std::vector<FieldChange>* fields) {
    std::vector<Series> series;
    for (const Series& one : given.series) {
        const Series* const before = find_series(stored, one.pointer);
        const bool over_date = is_over_date(given, one);
        if (fields != nullptr) {
            list_points(before, one, over_date, *fields);
        }
        series.push_back(before != nullptr && over_date ? joined(*before, one) : one);
    }
    if (stored.body != given.body) {
        for (const Series& one : stored.series) { // curves that the import says nothing of
            if (find_series(given, one.pointer) == nullptr) {
                series.push_back(one);
            }
        }
        return record_of(given, joined_body(stored, given, fields), std::move(series));
    }
    Record record = given;
    record.series = std::move(series);
    const Series* const price = find_series(record, "/hourly_price");
    if (record.offer && price != nullptr) {
        record.offer->hourly_price = price->y.back();
    }
    return record;
}

// The currencies of prices that would stand on one curve; "" where they are of one.
std::string mixed_currencies(const Record& stored, const Record& given) {
    const auto is_joined = [&](const Series& one) {
        const Series* const before = find_series(stored, one.pointer);
        return before != nullptr && is_over_date(given, one) && std::find_if_not(before->x.begin(), before->x.end(), [&](double x) {
                                                                    return std::binary_search(one.x.begin(), one.x.end(), x);
                                                                }) != before->x.end();
    };
    if (stored.body == given.body || std::none_of(given.series.begin(), given.series.end(), is_joined)) {
        return "";
    }
    const auto currency_of = [](const Record& record) { return json::parse(record.body).value("currency", ""); };
    const std::string before = currency_of(stored);
    const std::string now = currency_of(given);
    return before == now ? "" : fmt::format("in {}, the import in {}", before, now);
}

} // namespace

void Landing::add(imports::Document&& document, imports::Report& report) {
    const bool in_range = std::visit([](const auto& one) { return model::keeps_ranges(one); }, document);
    work::AnyDocument any = std::visit([](auto& one) { return work::AnyDocument(std::move(one)); }, document);
    const std::string id = std::visit([](const auto& one) { return one.id; }, any);
    if (!in_range || id.empty() || !check_rules(any).empty()) {
        const model::Failure issues = issues_of(any);
        if (!issues.empty() || id.empty()) {
            report.rejected.add(0, id.empty() ? "a document without an id"
                                              : fmt::format("{}: {} {}", id, issues.front().pointer, issues.front().message));
            return;
        }
    }
    Record record = encode_record(std::move(any), id);
    if (const auto before = places_.find(record.key); before != places_.end()) {
        **before = merged(**before, record, nullptr);
    } else {
        places_.insert(&records_.emplace_back(std::move(record)));
    }
}

void Landing::leave_out_what_refers_to_nothing(const storage::Store& store, imports::Report& report) {
    const storage::Snapshot snapshot = store.snapshot();
    std::map<storage::DocumentKey, std::size_t> missing;
    std::size_t before = 0;
    do { // what is left out may be referred to itself
        before = places_.size();
        std::map<storage::DocumentKey, bool> known;
        const auto is_there = [&](const storage::DocumentKey& key) {
            const auto [found, added] = known.try_emplace(key);
            if (added) {
                found->second = places_.contains(key) || snapshot.load(key).has_value();
            }
            return found->second;
        };
        std::erase_if(places_, [&](const Record* record) {
            const auto lacking = std::find_if_not(record->references.begin(), record->references.end(), is_there);
            if (lacking != record->references.end()) {
                ++missing[*lacking];
            }
            return lacking != record->references.end();
        });
    } while (places_.size() < before);
    for (const auto& [key, count] : missing) {
        const bool one = count == 1;
        report.rejected.add(0, fmt::format("{} document{} left out: the {} {} that {} to is not stored; PUT it first, or import a "
                                           "table of hardware or deploy/catalog",
                                           count, one ? "" : "s", storage::name_of(key.kind), key.id,
                                           one ? "it refers" : "they refer"));
    }
}

std::vector<Record> Landing::take_sorted() {
    std::vector<Record*> sorted(places_.begin(), places_.end());
    std::sort(sorted.begin(), sorted.end(), [](const Record* a, const Record* b) { return a->key < b->key; });
    std::vector<Record> records;
    records.reserve(sorted.size());
    for (Record* const record : sorted) {
        records.push_back(std::move(*record));
    }
    places_.clear();
    records_.clear();
    return records;
}

Landed Landing::land(storage::Store& store, const storage::Author& author, imports::Report& report, const LandingOptions& options) {
    leave_out_what_refers_to_nothing(store, report);
    const std::vector<Record> records = take_sorted();
    Landed landed;
    std::vector<std::vector<FieldChange>> fields(records.size());
    std::size_t listed = 0;
    storage::SaveOptions save;
    save.dry_run = options.dry_run;
    std::vector<bool> refused(records.size());
    save.merge = [&](const Record& stored, const Record& given) {
        const auto place = static_cast<std::size_t>(&given - records.data());
        if (const std::string currencies = mixed_currencies(stored, given); !currencies.empty()) {
            refused[place] = true;
            report.rejected.add(0, fmt::format("{}: its stored prices are {}; delete it first, or import the same currency",
                                               given.key.id, currencies));
            return stored;
        }
        Record record = merged(stored, given, listed < options.most_changes ? &fields[place] : nullptr);
        listed += fields[place].empty() ? 0U : 1U;
        return record;
    };
    save.progress = [&](std::size_t done) {
        if (options.progress) {
            options.progress(done, records.size());
        }
    };
    const auto outcome = store.save_all(author, records, save);
    if (const auto* const missing = std::get_if<storage::MissingReferences>(&outcome)) { // deleted since we looked
        throw storage::StoreError(storage::StoreError::Cause::busy,
                                  fmt::format("{} was deleted during an import", missing->missing.front().id));
    }
    const auto& saved = std::get<std::vector<storage::Saved>>(outcome);
    for (std::size_t i = 0; i < saved.size(); ++i) {
        using What = storage::Saved::What;
        if (refused[i]) {
            continue;
        }
        ++(saved[i].what == What::added ? landed.added : saved[i].what == What::changed ? landed.changed : landed.unchanged);
        if (saved[i].what != What::unchanged && landed.changes.size() < options.most_changes) {
            landed.changes.push_back({records[i].key, saved[i].what == What::added, std::move(fields[i])});
        }
    }
    return landed;
}

} // namespace costcurve::api
