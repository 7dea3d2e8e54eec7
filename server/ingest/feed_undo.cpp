// Undoes a run: its changes, newest first, are merged out of the documents as they are now.
#include "server/ingest/feed_undo.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "server/answers/answer.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/references.hpp"
#include "server/ingest/feed_landing.hpp"
#include "server/ingest/restated.hpp"
#include "server/ingest/undone_record.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::ingest {

namespace {

using model::EventKind;
using storage::DocumentKey;
using storage::FeedEnd;
using storage::FeedRun;
using storage::FeedState;
using storage::Record;

// What one change made of a document.
struct Step {
    std::optional<Record> before; // nothing where it was added, or had been deleted
    Record after;
};
struct Touched {
    std::vector<Step> steps;        // newest first
    std::int64_t last_sequence = 0; // of the newest
};
using AllTouched = std::map<DocumentKey, Touched>;

using Changes = std::set<std::int64_t>;

// Documents as they were after a change; nothing before the first.
std::vector<std::optional<Record>> load_at(const storage::Store& store, std::int64_t change, std::span<const DocumentKey> keys) {
    std::vector<std::optional<Record>> records(keys.size());
    if (change < 1) {
        return records;
    }
    const auto snapshot = store.snapshot(storage::format_sequence(change));
    constexpr std::size_t kPage = 500;
    for (std::size_t first = 0; first < keys.size(); first += kPage) {
        auto found = snapshot->load_all(keys.subspan(first, std::min(kPage, keys.size() - first)));
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i]) {
                records[first + i] = std::move(found[i]->record);
            }
        }
    }
    return records;
}

// The changes of a document after `change`, ascending.
std::vector<std::int64_t> changes_after(const storage::Snapshot& snapshot, const DocumentKey& key, std::int64_t change) {
    constexpr std::size_t kPage = 100;
    std::vector<std::int64_t> changes;
    for (std::int64_t before = 0; before != 1;) {
        const std::vector<storage::Revision> page = snapshot.history(key, before, kPage);
        for (const storage::Revision& revision : page) {
            if (revision.sequence <= change) {
                std::ranges::reverse(changes);
                return changes;
            }
            changes.push_back(revision.sequence);
        }
        before = page.empty() ? 1 : page.back().revision;
    }
    std::ranges::reverse(changes);
    return changes;
}

using Documents = std::map<DocumentKey, std::optional<Record>>;

// The documents of `keys` as they would be without the changes of `undone`: changes after the first of these are replayed on
// what was before it. Empty where nobody else has stated anything of them.
Documents without_runs(const storage::Store& store, const Changes& undone, std::unique_ptr<storage::Snapshot> snapshot,
                       std::span<const DocumentKey> keys) {
    std::map<std::int64_t, std::vector<DocumentKey>> to_replay;
    for (const DocumentKey& key : keys) {
        const std::vector<std::int64_t> changes = changes_after(*snapshot, key, *undone.begin() - 1);
        const auto first = std::ranges::find_if(changes, [&](std::int64_t it) { return undone.contains(it); });
        std::for_each(first, changes.end(), [&](std::int64_t it) { to_replay[it].push_back(key); });
    }
    snapshot.reset(); // it has a reader, and others follow
    Documents documents;
    for (const auto& [sequence, changed] : to_replay) {
        const auto before = load_at(store, sequence - 1, changed);
        const auto after = load_at(store, sequence, changed);
        for (std::size_t i = 0; i < changed.size(); ++i) {
            std::optional<Record>& document = documents.try_emplace(changed[i], before[i]).first->second;
            if (!undone.contains(sequence)) {
                document = with_change(document, before[i], after[i]);
            }
        }
    }
    return documents;
}

// Makes what stood before the newest steps of documents, which are of `change`, what it were without the `undone` changes.
void leave_out(const storage::Store& store, const Changes& undone, std::int64_t change, std::span<const DocumentKey> keys,
               AllTouched& touched) {
    if (undone.empty() || *undone.begin() >= change) {
        return;
    }
    for (auto& [key, document] : without_runs(store, undone, store.snapshot(storage::format_sequence(change - 1)), keys)) {
        touched.at(key).steps.back().before = std::move(document);
    }
}

void add_change(const storage::Store& store, const Changes& undone, std::int64_t change, AllTouched& touched) {
    std::vector<DocumentKey> keys;
    store.snapshot(storage::format_sequence(change))->for_each([&](const storage::Revision& revision) {
        if (revision.sequence == change && revision.unreadable.empty()) {
            keys.push_back(revision.record.key);
            Touched& document = touched[revision.record.key];
            document.last_sequence = std::max(document.last_sequence, change);
            document.steps.push_back({std::nullopt, revision.record});
        }
    });
    auto before = load_at(store, change - 1, keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        touched[keys[i]].steps.back().before = std::move(before[i]);
    }
    leave_out(store, undone, change, keys, touched);
}

std::string name_of_document(const DocumentKey& key) { return fmt::format("{}/{}", storage::name_of(key.kind), key.id); }

// What is to be written, and what stays.
struct Plan {
    std::vector<Record> records; // of what is there: the write makes of them what they are to be
    std::vector<storage::Removal> removals;
    std::set<std::string> kept;     // named
    std::set<std::string> unpriced; // of the removals those that have been changed since; named
};

// Whether nothing but `undone` changes came after this one.
bool is_as_after(const storage::Snapshot& snapshot, const storage::Revision& now, std::int64_t change, const Changes& undone) {
    const auto is_undone = [&](std::int64_t later) { return undone.contains(later); };
    return now.sequence == change ||
           (is_undone(now.sequence) && std::ranges::all_of(changes_after(snapshot, now.record.key, change), is_undone));
}

// Whether a document that the run added has no price but its own: without it nothing could be bought by it.
bool has_prices_of_run_alone(const storage::Revision& now, const Touched& document) {
    std::vector<Record> made;
    made.reserve(document.steps.size());
    std::ranges::transform(document.steps, std::back_inserter(made), &Step::after);
    return has_no_other_price(now.record, made);
}

// What runs restated of documents.
struct Evidence {
    Statements own;      // of the run that is undone
    Documents otherwise; // what they are without any undone run
    Statements others;   // of runs that stand
};

Evidence evidence_of(const storage::Store& store, const FeedRun& run, Changes undone, const AllTouched& touched) {
    Evidence evidence;
    if (!undone.empty()) {
        undone.insert(run.changes.begin(), run.changes.end());
        read_restated(store.restated(run.id), {}, evidence.own);
        std::vector<DocumentKey> keys;
        keys.reserve(evidence.own.size());
        for (const auto& [key, statements] : evidence.own) {
            keys.push_back(key);
        }
        evidence.otherwise = without_runs(store, undone, store.snapshot(), keys);
    }
    const auto is_wanted = [&](const DocumentKey& key) { return touched.contains(key) || evidence.otherwise.contains(key); };
    for (const std::int64_t other : store.restating_runs(run.id)) {
        read_restated(store.restated(other), is_wanted, evidence.others);
    }
    return evidence;
}

// What a document is to be that stays.
Record undone_record(const Record& stored, const AllTouched& touched, const Evidence& evidence, std::set<std::string>& kept) {
    Record record = stored;
    if (const auto found = touched.find(stored.key); found != touched.end()) {
        for (const Step& step : found->second.steps) {
            record = without_change(record, step.before, step.after);
        }
    }
    if (const auto found = evidence.otherwise.find(stored.key); found != evidence.otherwise.end() && found->second) {
        for (const Statement& statement : evidence.own.at(stored.key)) {
            record = without_statement(record, *found->second, statement);
        }
    }
    if (const auto found = evidence.others.find(stored.key); found != evidence.others.end()) {
        Record stated = record;
        for (const Statement& statement : found->second) {
            stated = with_statement(stated, stored, statement);
        }
        if (!is_same_content(stated, record)) {
            kept.insert(name_of_document(stored.key));
        }
        return stated;
    }
    return record;
}

void add_restated(const storage::Snapshot& snapshot, const AllTouched& touched, const Evidence& evidence, Plan& plan) {
    for (const auto& [key, document] : evidence.otherwise) {
        const std::optional<storage::Revision> now = touched.contains(key) ? std::nullopt : snapshot.load(key);
        if (now && !document && !evidence.others.contains(key)) {
            plan.removals.push_back({key, now->revision});
        } else if (now) {
            plan.records.push_back(now->record);
        }
    }
}

Plan plan_of(const storage::Store& store, const Changes& undone, const AllTouched& touched, const Evidence& evidence) {
    Plan plan;
    const auto snapshot = store.snapshot();
    for (const auto& [key, document] : touched) {
        const std::optional<storage::Revision> now = snapshot->load(key);
        const bool is_as_landed = now && is_as_after(*snapshot, *now, document.last_sequence, undone);
        const bool was_there = document.steps.back().before.has_value() || evidence.others.contains(key);
        const bool is_unpriced = !is_as_landed && !was_there && now && has_prices_of_run_alone(*now, document);
        if (!is_as_landed) {
            (is_unpriced ? plan.unpriced : plan.kept).insert(name_of_document(key));
        }
        if ((is_as_landed && !was_there) || is_unpriced) {
            plan.removals.push_back({key, now->revision});
        } else if (now) {
            plan.records.push_back(now->record);
        }
    }
    add_restated(*snapshot, touched, evidence, plan);
    std::ranges::stable_sort(plan.removals, {}, [](const auto& it) { return documents::reference_depth(it.key.kind); });
    return plan;
}

std::int64_t measurements_of(const nlohmann::json& summary) {
    return summary.value("bill_lines", std::int64_t{0}) + summary.value("samples", std::int64_t{0});
}

// The outcome of bills' lines as part of a sentence; "" if no line was touched.
std::string text_of(const storage::UndoneBill& bill, const nlohmann::json& summary) {
    const auto samples = summary.value("samples", std::int64_t{0});
    const auto lines = summary.value("bill_lines", std::int64_t{0});
    std::string text;
    if (bill.removed + bill.restored + bill.kept > 0) {
        text = fmt::format("; {} lines of bills are taken back, {} are as before, and {} had been replaced since", bill.removed,
                           bill.restored, bill.kept);
    } else if (lines > 0) {
        text = fmt::format("; its {} lines of bills stay: it changed none, or is of a version before 2.0", lines);
    }
    return text + (samples == 0 ? "" : fmt::format("; its {} samples stay", samples));
}

// What is named of the outcome.
struct Named {
    std::set<std::string> kept;
    std::set<std::string> unpriced;
};

std::vector<std::string> first_of(const std::set<std::string>& names) {
    constexpr std::size_t kMaxNames = 100;
    return {names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(names.size(), kMaxNames)))};
}

FeedEnd undone_end(const FeedRun& run, const storage::Author& author, std::size_t changed, std::size_t removed, const Named& named,
                   const storage::UndoneBill& bill, const std::string& model_version) {
    std::vector<std::string> names = first_of(named.kept);
    nlohmann::json summary = *parse_json(run.summary);
    summary["kept"] = names;
    FeedEnd end{run.id,
                FeedState::undone,
                run.file,
                summary.dump(),
                fmt::format("undone by {}: {} documents are as before, {} deleted{}{}{}", author.name, changed, removed,
                            named.unpriced.empty() ? ""
                                                   : fmt::format(", of them {} changed since that had no price but the run's, and "
                                                                 "whose revisions stay: {}",
                                                                 named.unpriced.size(), fmt::join(first_of(named.unpriced), ", ")),
                            named.kept.empty() ? ""
                                               : fmt::format("; {} changed since or are referred to, and stay: {}",
                                                             named.kept.size(), fmt::join(names, ", ")),
                            text_of(bill, summary)),
                {},
                storage::RunRequest{storage::Scope::changed, {}, "", model_version}};
    end.from = run.state;
    end.from_held = run.held;
    if (!run.feed.empty()) {
        end.events.push_back({std::string(name_of(EventKind::feed_undone)), "feed/" + run.feed,
                              answers::encode_answer(FeedUndone{run.feed, run.id, end.problem, std::move(names)}), ""});
    }
    return end;
}

// Why it can't be undone; "" where it can.
std::string why_not(const storage::Store& store, const FeedRun& run) {
    if (run.state == FeedState::unchanged && !store.restated(run.id).empty()) {
        return ""; // what it restates stands by it where others are undone
    }
    if (run.state != FeedState::landed) {
        return fmt::format("{} is {}; only what has landed is undone", name_of(run), name_of(run.state));
    }
    const auto summary = parse_json(run.summary);
    if (summary && run.changes.empty() && measurements_of(*summary) > 0) {
        return fmt::format("{} has nothing to be taken back: its lines of bills were stored before, or it has samples alone",
                           name_of(run));
    }
    const nlohmann::json documents = summary ? summary->value("documents", nlohmann::json::object()) : nlohmann::json::object();
    const bool has_changed = documents.value("added", std::int64_t{0}) + documents.value("changed", std::int64_t{0}) > 0;
    return run.changes.empty() && has_changed
               ? fmt::format("{} is of a version before 2.0, which did not note what it changed", name_of(run))
               : "";
}

} // namespace

Reviewed undo_run(storage::Store& store, const storage::Author& author, const FeedRun& run, const std::string& model_version) {
    if (std::string why = why_not(store, run); !why.empty()) {
        return tl::unexpected(std::move(why));
    }
    const std::vector<FeedRun> undone_runs = store.undone_runs();
    Changes left_out;
    for (const FeedRun& other : undone_runs) {
        left_out.insert(other.changes.begin(), other.changes.end());
    }
    AllTouched touched;
    for (auto change = run.changes.rbegin(); change != run.changes.rend(); ++change) {
        add_change(store, left_out, *change, touched);
    }
    const Evidence evidence = evidence_of(store, run, left_out, touched);
    const Plan plan = plan_of(store, left_out, touched, evidence);
    Named named{plan.kept, plan.unpriced};
    storage::SaveOptions options;
    options.action = run.feed.empty() ? "undo_import" : "undo_feed";
    options.subject = name_of(run);
    options.restart = [&] { named = {plan.kept, plan.unpriced}; };
    options.merge = [&](const Record& stored, const Record& /*given*/) {
        return undone_record(stored, touched, evidence, named.kept);
    };
    options.removals = plan.removals;
    options.on_kept = [&](const DocumentKey& key) {
        named.unpriced.erase(name_of_document(key));
        named.kept.insert(name_of_document(key));
    };
    storage::UndoneBill bill;
    options.undone_bills = run.changes;
    std::ranges::reverse(options.undone_bills);
    options.on_bills_undone = [&](const storage::UndoneBill& undone) { bill = undone; };
    options.end_feed = [&](const std::vector<storage::Saved>& saved) {
        const auto changed =
            std::ranges::count_if(saved, [](const auto& it) { return it.what != storage::Saved::What::unchanged; });
        const std::size_t stay = std::ranges::count_if(
            plan.removals, [&](const storage::Removal& it) { return named.kept.contains(name_of_document(it.key)); });
        FeedEnd end =
            undone_end(run, author, static_cast<std::size_t>(changed), plan.removals.size() - stay, named, bill, model_version);
        end.others_undone = static_cast<std::int64_t>(undone_runs.size());
        return end;
    };
    if (const auto outcome = store.save_all(author, plan.records, options);
        std::holds_alternative<storage::MissingReferences>(outcome)) {
        const DocumentKey& first = std::get<storage::MissingReferences>(outcome).missing.front();
        return tl::unexpected(
            fmt::format("what was there before refers to {}, which has been deleted since; PUT it first", name_of_document(first)));
    }
    return store.feed_run(run.id).value_or(run);
}

Reviewed review_run(storage::Store& store, const storage::Author& author, const FeedRun& run, Verdict verdict,
                    const std::string& model_version, const BookMemory& memory) {
    try {
        switch (verdict) {
        case Verdict::accept:
            return accept_held(store, author, run, model_version, memory);
        case Verdict::reject:
            return reject_held(store, author, run);
        case Verdict::undo:
            break;
        }
        return undo_run(store, author, run, model_version);
    } catch (const storage::RunConflict& conflict) { return tl::unexpected(std::string(conflict.what())); }
}

} // namespace costcurve::ingest
