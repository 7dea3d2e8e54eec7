// Merges imported documents into the store. Equal bodies, the usual case, are compared as text and not parsed; others are merged
// field by field.
#include "server/ingest/merge.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/field_check.hpp"
#include "server/documents/document_files.hpp"
#include "server/documents/records.hpp"
#include "server/documents/rules.hpp"
#include "server/ingest/merge_fields.hpp"
#include "server/ingest/restated.hpp"

namespace costcurve::ingest {

namespace {

using storage::Record;
using storage::Series;

constexpr std::string_view kPricePointer = "/hourly_price"; // of an offer: price curves are over date

// The issues that PUT would find, of the document alone.
model::Failure issues_of(const model::AnyDocument& document) {
    model::Failure issues = std::visit(
        []<class T>(const T& alternative) -> model::Failure {
            if constexpr (model::kind_of<T> <= storage::Kind::performance || model::kind_of<T> == storage::Kind::endpoint ||
                          model::kind_of<T> == storage::Kind::model || model::kind_of<T> == storage::Kind::measurement) {
                return model::check_fields(alternative);
            } else {
                return {{"", model::Code::not_allowed, "documents of this kind are not imported"}};
            }
        },
        document);
    return issues.empty() ? documents::check_rules(document) : issues;
}

std::string first_of(const model::Failure& issues) { return fmt::format("{} {}", issues.front().pointer, issues.front().message); }

// Both as one, checked as PUT would check it.
tl::expected<model::AnyDocument, Refused> merged_document(model::AnyDocument stored, model::AnyDocument&& given, bool keeps_stored,
                                                          std::vector<std::string>* warnings) {
    tl::expected<model::AnyDocument, Refused> both = merge_documents(std::move(stored), std::move(given), keeps_stored, warnings);
    if (!both) {
        return both;
    }
    if (const model::Failure issues = issues_of(*both); !issues.empty()) {
        return tl::unexpected(Refused{fmt::format("merged with what is stored it breaks a rule: {}", first_of(issues))});
    }
    return both;
}

// ---- records ----

// Two records of one body, whose only curve is a price: it takes the given points.
tl::expected<Record, Refused> with_prices(const Record& stored, const Record& given, std::vector<FieldChange>* fields) {
    Record record = given;
    const Series& before = stored.series.front();
    const Series& now = given.series.front();
    if (fields != nullptr) {
        list_points(&before, now, true, *fields);
    }
    Series& joined = record.series.front();
    joined.x.clear();
    joined.y.clear();
    join_points({before.x, before.y}, {now.x, now.y}, joined.x, joined.y);
    if (joined.x.size() > model::kMaxCurvePoints) {
        return tl::unexpected(Refused{fmt::format("merged with what is stored its price has {} points; allowed up to {}",
                                                  joined.x.size(), model::kMaxCurvePoints)});
    }
    record.offer->hourly_price = joined.y.back();
    return record;
}

// What a merge of records may say beside its outcome: each takes it where it is not null.
struct MergeNotes {
    std::vector<FieldChange>* fields = nullptr;
    std::vector<std::string>* warnings = nullptr;
};

// Throws StoreError (unreadable).
tl::expected<Record, Refused> merged(const Record& stored, const Record& given, bool keeps_stored, const MergeNotes& notes) {
    const auto has_price_alone = [](const Record& record) {
        return record.offer && record.series.size() == 1 && record.series.front().pointer == kPricePointer;
    };
    if (stored.body == given.body && has_price_alone(stored) && has_price_alone(given)) {
        return with_prices(stored, given, notes.fields);
    }
    const model::AnyDocument before = documents::document_of(stored);
    tl::expected<model::AnyDocument, Refused> document =
        merged_document(before, documents::document_of(given), keeps_stored, notes.warnings);
    if (!document) {
        return tl::unexpected(std::move(document.error()));
    }
    if (notes.fields != nullptr) {
        list_fields({before, stored}, *document, given.series, *notes.fields);
    }
    return documents::encode_record(std::move(*document), given.key.id);
}

// Whether two endpoints of the same days differ in what both state of money beside their prices: one may state more.
bool states_conditions_otherwise(const Record& one, const Record& other) {
    const auto days_of = [](const Record& it) { return it.series.empty() ? std::vector<double>() : it.series.front().x; };
    if (one.key.kind != storage::Kind::endpoint || days_of(one) != days_of(other) || one.body == other.body) {
        return false;
    }
    const model::AnyDocument documents[] = {documents::document_of(one), documents::document_of(other)};
    const auto& a = std::get<model::Endpoint>(documents[0]);
    const auto& b = std::get<model::Endpoint>(documents[1]);
    const auto differ = [](const auto& x, const auto& y) { return x && y && x != y; };
    const bool are_thresholds_other = !a.above.empty() && !b.above.empty() && a.above != b.above;
    return are_thresholds_other || differ(a.service_tiers, b.service_tiers) || differ(a.fees, b.fees) || differ(a.cache, b.cache);
}

// "the list has two prices of 2026-10-01, 31.92 and 20"; "" where both say the same.
std::string dispute_of(const Record& one, const Record& other) {
    const bool has_prices =
        one.key.kind == storage::Kind::offer || one.key.kind == storage::Kind::endpoint || one.key.kind == storage::Kind::curve;
    for (const Series& series : has_prices ? one.series : std::vector<Series>()) {
        const auto same = std::ranges::find(other.series, series.pointer, &Series::pointer);
        for (std::size_t i = 0; same != other.series.end() && i < series.x.size(); ++i) {
            const auto at = std::ranges::lower_bound(same->x, series.x[i]);
            if (at == same->x.end() || *at != series.x[i]) {
                continue;
            }
            const double price = same->y[static_cast<std::size_t>(at - same->x.begin())];
            if (price != series.y[i]) {
                return fmt::format("the list has two prices of {}, {:g} and {:g}: take the wrong one out, or accept the last",
                                   model::date_text(series.x[i]), series.y[i], price);
            }
        }
    }
    return states_conditions_otherwise(one, other)
               ? "the list has two prices of one day, with other tiers, thresholds, fees or lifetimes: take the wrong one "
                 "out, or accept the last"
               : "";
}

} // namespace

std::string DocumentMerge::add(model::AnyDocument&& document) {
    const std::string id = std::visit([](const auto& alternative) { return alternative.id; }, document);
    if (id.empty()) {
        return "a document without an id";
    }
    if (const model::Failure issues = issues_of(document); !issues.empty()) {
        return fmt::format("{}: {}", id, first_of(issues));
    }
    Record record = documents::encode_record(std::move(document), id);
    const auto before = places_.find(record.key);
    if (before == places_.end()) {
        places_.insert(&records_.emplace_back(std::move(record)));
        return "";
    }
    if (std::string dispute = dispute_of(**before, record); !dispute.empty()) {
        const double price = record.offer ? record.offer->hourly_price.value_or(0.0) : 0.0;
        disputed_.try_emplace(record.key, Dispute{std::move(dispute), price});
    }
    tl::expected<Record, Refused> both = merged(**before, record, false, {});
    if (!both) {
        return fmt::format("{}: {}", id, both.error().reason);
    }
    **before = std::move(*both);
    return "";
}

std::vector<std::string> DocumentMerge::leave_out_dangling(const storage::DocumentStore& store) {
    const std::unique_ptr<storage::Snapshot> snapshot = store.snapshot();
    struct LeftOut {
        std::size_t count = 0;
        std::string first; // id of one of them
    };
    std::map<storage::DocumentKey, LeftOut> missing;
    std::size_t before = 0;
    do { // what is left out may be referred to itself
        before = places_.size();
        std::map<storage::DocumentKey, bool> known;
        const auto is_there = [&](const storage::DocumentKey& key) {
            const auto [found, added] = known.try_emplace(key);
            if (added) {
                found->second = places_.contains(key) || snapshot->load(key).has_value();
            }
            return found->second;
        };
        std::erase_if(places_, [&](const Record* record) {
            const auto lacking = std::find_if_not(record->references.begin(), record->references.end(), is_there);
            if (lacking != record->references.end()) {
                LeftOut& left_out = missing[*lacking];
                left_out.first = left_out.count == 0 ? record->key.id : std::min(left_out.first, record->key.id);
                ++left_out.count;
            }
            return lacking != record->references.end();
        });
    } while (places_.size() < before);
    std::vector<std::string> refused;
    for (const auto& [key, left_out] : missing) {
        const auto& [count, first] = left_out;
        const bool one = count == 1;
        refused.push_back(fmt::format("{} document{} left out, {}{}: the {} {} that {} to is not stored; PUT it first, or import a "
                                      "table of hardware or deploy/catalog",
                                      count, one ? "" : "s", one ? "" : "such as ", first, storage::name_of(key.kind), key.id,
                                      one ? "it refers" : "they refer"));
    }
    return refused;
}

void DocumentMerge::for_each(const std::function<void(const Record&)>& visit) const {
    for (const Record* const record : places_) {
        visit(*record);
    }
}

std::vector<Record> DocumentMerge::take(const std::function<bool(const Record&)>& is_wanted) {
    std::vector<Record> taken;
    std::erase_if(places_, [&](Record* record) {
        const bool is_taken = !is_wanted || is_wanted(*record);
        if (is_taken) {
            taken.push_back(*record);
        }
        return is_taken;
    });
    std::sort(taken.begin(), taken.end(), [](const Record& a, const Record& b) { return a.key < b.key; });
    return taken;
}

std::vector<Record> DocumentMerge::take_sorted() {
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

namespace {

// What was saved, counted and listed; refused records are not.
void add_saved(const std::vector<Record>& records, const std::vector<storage::Saved>& saved, const std::vector<bool>& is_refused,
               std::size_t max_changes, std::vector<std::vector<FieldChange>>& fields, MergeSummary& summary) {
    using What = storage::Saved::What;
    for (std::size_t i = 0; i < saved.size(); ++i) {
        if (is_refused[i]) {
            continue;
        }
        ++(saved[i].what == What::added ? summary.added : saved[i].what == What::changed ? summary.changed : summary.unchanged);
        if (saved[i].what != What::unchanged && summary.changes.size() < max_changes) {
            summary.changes.push_back({records[i].key, saved[i].what == What::added, std::move(fields[i])});
        }
    }
}

// All but what is merged.
storage::SaveOptions save_options(const MergeOptions& options, std::size_t count) {
    storage::SaveOptions save;
    save.dry_run = options.dry_run;
    save.action = "import";
    save.subject = fmt::format("{} documents{}{}", count, options.source.empty() ? "" : " of ", options.source);
    save.progress = [&options, count](std::size_t done) {
        if (options.progress) {
            options.progress(done, count);
        }
    };
    return save;
}

} // namespace

MergeSummary DocumentMerge::commit(storage::DocumentStore& store, const storage::Author& author, const MergeOptions& options) {
    MergeSummary summary;
    summary.refused = leave_out_dangling(store);
    const MergeSummary before_merges = summary;
    const std::vector<Record> records = take_sorted();
    std::vector<std::vector<FieldChange>> fields(records.size());
    std::vector<bool> is_refused(records.size());
    std::size_t listed = 0;
    storage::SaveOptions save = save_options(options, records.size());
    save.merge = [&](const Record& stored, const Record& given) {
        const auto place = static_cast<std::size_t>(&given - records.data());
        const auto refuse = [&](const std::string& why) {
            is_refused[place] = true;
            fields[place].clear();
            summary.refused.push_back(fmt::format("{}: {}", given.key.id, why));
            return stored;
        };
        try {
            tl::expected<Record, Refused> record = merged(
                stored, given, options.keeps_stored, {listed < options.max_changes ? &fields[place] : nullptr, &summary.warnings});
            listed += fields[place].empty() ? 0U : 1U;
            if (record) {
                summary.price_moves.add(stored, *record);
                if (summary.restated.size() < documents::kMaxRestated) {
                    summary.restated += restated_line(stored, given);
                }
            }
            return record ? std::move(*record) : refuse(record.error().reason);
        } catch (const storage::StoreError& error) {
            if (error.cause() != storage::StoreError::Cause::unreadable) {
                throw;
            }
            return refuse(fmt::format("the import is not joined to it: {}; PUT it again or delete it", error.what()));
        }
    };
    save.restart = [&] {
        summary = before_merges;
        std::ranges::for_each(fields, [](std::vector<FieldChange>& changes) { changes.clear(); });
        is_refused.assign(records.size(), false);
        listed = 0;
    };
    bool is_counted = false;
    const auto count_saved = [&](const std::vector<storage::Saved>& saved) {
        if (!std::exchange(is_counted, true)) {
            add_saved(records, saved, is_refused, options.max_changes, fields, summary);
        }
    };
    if (options.end_feed) {
        save.end_feed = [&](const std::vector<storage::Saved>& saved) {
            count_saved(saved);
            return options.end_feed(summary);
        };
    }
    const auto outcome = store.save_all(author, records, save);
    if (const auto* const missing = std::get_if<storage::MissingReferences>(&outcome)) { // deleted since we looked
        throw storage::StoreError(storage::StoreError::Cause::busy,
                                  fmt::format("{} was deleted during an import", missing->missing.front().id));
    }
    count_saved(std::get<std::vector<storage::Saved>>(outcome));
    return summary;
}

} // namespace costcurve::ingest
