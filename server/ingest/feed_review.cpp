// Accepts and rejects held runs. An accepted run is imported as a file is, in the transaction that ends the run.
#include "server/ingest/feed_review.hpp"

#include <algorithm>
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
#include "server/documents/records.hpp"
#include "server/ingest/feed_landing.hpp"
#include "server/ingest/held_documents.hpp"

namespace costcurve::ingest {

namespace {

// What is stored of the documents that are held, as it was then and as it is, a multiple of their text; measured.
constexpr std::size_t kMemoryOfStored = 4;

using model::EventKind;
using storage::FeedEnd;
using storage::FeedRun;
using storage::FeedState;

model::Feed feed_of(const storage::Store& store, const FeedRun& run) {
    const auto revision = store.snapshot()->load({storage::Kind::feed, run.feed});
    return revision ? std::get<model::Feed>(documents::decode_revision(*revision)) : model::Feed();
}

// The run's summary with what was accepted.
std::string joined_summary(const FeedRun& run, const MergeSummary& merged, const FeedSummary& accepted) {
    nlohmann::json summary = *parse_json(run.summary);
    const nlohmann::json added = *parse_json(answers::encode_answer(accepted));
    nlohmann::json& documents = summary.at("documents");
    for (const auto& [name, count] : added.at("documents").items()) {
        documents[name] = documents.value(name, std::int64_t{0}) + count.get<std::int64_t>();
    }
    summary["rejected"] = summary.value("rejected", std::int64_t{0}) + static_cast<std::int64_t>(merged.refused.size());
    summary["kept"] = added.at("kept");
    for (const nlohmann::json& move : added.at("moved")) {
        summary.at("moved").push_back(move);
    }
    return summary.dump();
}

FeedEnd accepted_end(const FeedRun& run, const model::Feed& feed, const ImportSummary& imported, const std::set<std::string>& kept,
                     const std::string& model_version) {
    constexpr std::size_t kMaxNames = 100;
    FeedSummary accepted;
    accepted.kept.assign(kept.begin(), kept.end());
    accepted.kept.resize(std::min(kept.size(), kMaxNames));
    accepted.documents = {imported.merged.added, imported.merged.changed, imported.merged.unchanged};
    accepted.moved = imported.merged.price_moves.by_device(0.0);
    FeedEnd end{run.id, FeedState::landed, run.file, joined_summary(run, imported.merged, accepted), "", {}, std::nullopt};
    end.from = run.state;
    end.from_held = run.held;
    end.bill_change = imported.bill.change;
    if (run.feed.empty()) {
        return end; // as an import lands
    }
    JsonWriter data;
    data.begin_object().member("feed", run.feed).member("run", run.id).key("summary").raw(end.summary);
    const std::string subject = "feed/" + run.feed;
    end.events.push_back({std::string(name_of(EventKind::feed_landed)), subject, data.end_object().take(), ""});
    if (auto moved = imported.merged.price_moves.by_device(feed.price_moved_fraction); !moved.empty()) {
        end.events.push_back({std::string(name_of(EventKind::price_moved)), subject,
                              answers::encode_answer(FeedPriceMoved{run.feed, run.id, feed.price_moved_fraction, std::move(moved)}),
                              ""});
    }
    if (feed.recalculate) {
        end.recalculation = storage::RunRequest{storage::Scope::changed, {}, "", model_version};
    }
    return end;
}

using Records = std::vector<storage::Record>;

const storage::Series* series_at(const std::optional<storage::Revision>& document, const std::string& pointer) {
    if (!document) {
        return nullptr;
    }
    const auto found = std::ranges::find(document->record.series, pointer, &storage::Series::pointer);
    return found == document->record.series.end() ? nullptr : &*found;
}

std::optional<double> value_on(const storage::Series* series, double day) {
    const auto found = series == nullptr ? std::vector<double>::const_iterator() : std::ranges::find(series->x, day);
    return series == nullptr || found == series->x.end()
               ? std::nullopt
               : std::optional(series->y[static_cast<std::size_t>(found - series->x.begin())]);
}

// Whether something has stated another value of one of its days since, or another document where it has no days.
bool is_outdated(const storage::Record& held, const std::optional<storage::Revision>& then,
                 const std::optional<storage::Revision>& now) {
    if (held.series.empty()) {
        return now && (!then || now->revision != then->revision) && now->record.body != held.body;
    }
    return std::ranges::any_of(held.series, [&](const storage::Series& series) {
        return std::ranges::any_of(series.x, [&](double day) {
            const std::optional<double> stated = value_on(series_at(now, series.pointer), day);
            return stated && stated != value_on(series_at(then, series.pointer), day) && stated != value_on(&series, day);
        });
    });
}

// Takes out what is outdated since the run; named "offer/x".
std::set<std::string> take_outdated(const storage::Store& store, const FeedRun& run, DocumentMerge& merge) {
    std::vector<storage::DocumentKey> keys;
    merge.for_each([&](const storage::Record& record) { keys.push_back(record.key); });
    std::ranges::sort(keys);
    const auto load_all = [&](const std::optional<std::string>& as_of) {
        std::vector<std::optional<storage::Revision>> found;
        const auto snapshot = store.snapshot(as_of);
        constexpr std::size_t kPage = 500;
        for (std::size_t first = 0; first < keys.size(); first += kPage) {
            std::ranges::move(snapshot->load_all(std::span(keys).subspan(first, std::min(kPage, keys.size() - first))),
                              std::back_inserter(found));
        }
        return found;
    };
    const auto then = load_all(run.ended_at);
    const auto now = load_all(std::nullopt);
    const Records taken = merge.take([&](const storage::Record& record) {
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(keys, record.key) - keys.begin());
        return is_outdated(record, then[at], now[at]);
    });
    std::set<std::string> names;
    for (const storage::Record& record : taken) {
        names.insert(fmt::format("{}/{}", storage::name_of(record.key.kind), record.key.id));
    }
    return names;
}

Reviewed holds_nothing(const FeedRun& run) {
    return tl::unexpected(fmt::format("{} holds nothing back; it is {}", name_of(run), name_of(run.state)));
}

} // namespace

Reviewed accept_held(storage::Store& store, const storage::Author& author, const FeedRun& run, const std::string& model_version,
                     const BookMemory& memory) {
    if (run.held == 0) {
        return holds_nothing(run);
    }
    // No less than its documents take, before it is read.
    if (memory && !memory(static_cast<std::size_t>(run.held) * kMemoryOfDocument)) {
        throw NoRoom(run.held);
    }
    const std::string text = store.held_documents(run.id);
    if (text.empty()) {
        throw storage::RunConflict(fmt::format("run {} was accepted, rejected, undone or superseded meanwhile", run.id));
    }
    if (memory && !memory((kMemoryOfHeld + kMemoryOfStored) * text.size())) {
        throw NoRoom(run.held);
    }
    const model::Feed feed = run.feed.empty() ? model::Feed() : feed_of(store, run);
    ImportRequest request{&held_format(), {}, {}};
    request.holds_back = false;
    bool is_short = false;
    request.memory = [&](std::size_t bytes) {
        is_short = memory && !memory((kMemoryOfHeld + kMemoryOfStored) * text.size() + bytes);
        return !is_short;
    };
    request.with_least_prices = run.state == FeedState::held; // else the file's other prices have been seen
    std::set<std::string> kept;
    request.leave_out = [&](DocumentMerge& merge) -> model::Failure {
        kept = take_outdated(store, run, merge);
        constexpr std::size_t kMaxNames = 5;
        const auto last = std::next(kept.begin(), static_cast<std::ptrdiff_t>(std::min(kMaxNames, kept.size())));
        return merge.size() > 0 || kept.empty()
                   ? model::Failure()
                   : model::Failure{
                         {"", model::Code::inconsistent,
                          fmt::format("what {} holds has been stated otherwise since, of the same days: {}{}; reject it",
                                      name_of(run), fmt::join(kept.begin(), last, ", "), kept.size() > kMaxNames ? ", …" : "")}};
    };
    const std::string restated = store.restated(run.id); // by what it landed
    request.end_feed = [&](const ImportSummary& imported) {
        FeedEnd end = accepted_end(run, feed, imported, kept, model_version);
        end.restated = imported.merged.restated.empty() ? "" : restated + imported.merged.restated;
        return end;
    };
    std::vector<ImportFile> files;
    files.push_back({name_of(run), [rest = std::string_view(text)]() mutable { return std::exchange(rest, std::string_view()); }});
    const model::Result<ImportSummary> imported = import_files(store, author, request, std::move(files));
    if (is_short) {
        throw NoRoom(run.held);
    }
    if (!imported) {
        return tl::unexpected(imported.error().front().message);
    }
    return store.feed_run(run.id).value_or(run);
}

Reviewed reject_held(storage::Store& store, const storage::Author& author, const FeedRun& run) {
    if (run.held == 0) {
        return holds_nothing(run);
    }
    const bool is_whole = run.state == FeedState::held;
    FeedEnd end{run.id,
                is_whole ? FeedState::failed : FeedState::landed,
                run.file,
                run.summary,
                is_whole ? fmt::format("rejected by {}: {}", author.name, run.problem) : run.problem,
                {},
                std::nullopt};
    end.from = run.state;
    end.from_held = run.held;
    store.end_feed(author, end);
    return store.feed_run(run.id).value_or(run);
}

} // namespace costcurve::ingest
