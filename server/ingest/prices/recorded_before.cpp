// Documents as they were a month ago. Those of one change are read together, as most lists bring many.
#include "server/ingest/prices/recorded_before.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "server/documents/any_document.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/prices/measured_guard.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kMonthOfRecords = 30.0; // days
constexpr std::int64_t kFewRevisions = 2;

constexpr std::string_view kHeldFormat = "held"; // the name of held_format()

// "3 documents of held": the format that accepting reads.
bool is_of_held(std::string_view subject) {
    constexpr std::string_view kOf = " documents of ";
    const std::size_t at = subject.find(kOf);
    const std::string_view source = at == std::string_view::npos ? "" : subject.substr(at + kOf.size());
    return source.substr(0, source.find_first_of(" ,:")) == kHeldFormat;
}

// Finds the change after which a document was as it was a month ago or at first, or as somebody has stated or accepted it since.
class LastBorneOut {
public:
    // `undone` are the changes of runs that were taken back: what they stated was never borne out.
    LastBorneOut(const storage::Snapshot& snapshot, std::int64_t moment, std::set<std::int64_t> undone)
        : snapshot_(snapshot), moment_(moment), undone_(std::move(undone)) {}

    // 0 where it has few revisions.
    std::int64_t change_of(const storage::DocumentKey& key) {
        constexpr std::size_t kHistoryPage = 100;
        std::int64_t change = 0;
        for (std::int64_t before = 0; before != 1;) {
            const std::vector<storage::Revision> page = snapshot_.history(key, before, kHistoryPage);
            if (before == 0 && (page.empty() || page.front().revision < kFewRevisions)) {
                return 0;
            }
            for (const storage::Revision& revision : page) {
                if (undone_.contains(revision.sequence)) {
                    continue;
                }
                change = revision.sequence;
                if (storage::parse_time(revision.recorded_at).value_or(0) <= moment_ || !is_landing(change)) {
                    return change;
                }
            }
            before = page.empty() ? 1 : page.back().revision;
        }
        return change;
    }

private:
    // Whether a list was landed by it, without anybody's accepting it, or taken back: then what was before it holds again.
    bool is_landing(std::int64_t change) {
        const auto [found, is_new] = landings_.try_emplace(change, false);
        if (is_new) {
            const std::vector<storage::AuditEntry> entries = snapshot_.audit(change + 1, 1);
            const bool is_there = !entries.empty() && entries.front().sequence == change;
            found->second = is_there && (entries.front().action.starts_with("undo_") ||
                                         (entries.front().action == "import" && !is_of_held(entries.front().subject)));
        }
        return found->second;
    }

    const storage::Snapshot& snapshot_;
    std::int64_t moment_;
    std::set<std::int64_t> undone_;
    std::map<std::int64_t, bool> landings_;
};

// Visits documents as they were then; not what can't be read or was deleted.
void visit_month_ago(const storage::Store& store, const std::vector<storage::DocumentKey>& keys, double today,
                     const std::function<void(const model::AnyDocument& document)>& visit) {
    const auto moment = static_cast<std::int64_t>((today - kMonthOfRecords) * static_cast<double>(storage::kMicrosecondsPerDay));
    std::map<std::int64_t, std::vector<storage::DocumentKey>> by_change;
    std::set<std::int64_t> undone;
    for (const storage::FeedRun& run : store.undone_runs()) {
        undone.insert(run.changes.begin(), run.changes.end());
    }
    {
        const auto snapshot = store.snapshot();
        LastBorneOut last(*snapshot, moment, std::move(undone));
        for (const storage::DocumentKey& key : keys) {
            if (const std::int64_t change = last.change_of(key); change > 0) {
                by_change[change].push_back(key);
            }
        }
    }
    constexpr std::size_t kLoadPage = 500;
    for (const auto& [change, of_change] : by_change) {
        const auto snapshot = store.snapshot(storage::format_sequence(change));
        for (std::size_t first = 0; first < of_change.size(); first += kLoadPage) {
            const auto page = std::span(of_change).subspan(first, std::min(kLoadPage, of_change.size() - first));
            for (const auto& revision : snapshot->load_all(page)) {
                if (const auto document = revision ? documents::decode_readable(*revision) : std::nullopt) {
                    visit(*document);
                }
            }
        }
    }
}

bool may_have_crept(const JudgedPrice& price, const PriceHistory& history) {
    return history.revisions > kFewRevisions && history.last && !history.is_stored && !history.is_known &&
           price.price != *history.last;
}

// Of the prices of one document.
std::string reason_of_prices(const model::AnyDocument& before, const storage::DocumentKey& key, const ListedFacts& listed) {
    constexpr double kCrept = 10.0;
    constexpr double kSpotCrept = 20.0;
    const auto first = std::ranges::lower_bound(listed.prices, key, std::less<>(), &JudgedPrice::key);
    for (auto price = first; price != listed.prices.end() && price->key == key; ++price) {
        const PriceHistory then = history_in(&before, *price, listed.prices);
        const bool is_spot = is_of_offer(*price) && price->sort == model::name_of(model::Purchase::spot);
        const double factor = is_spot ? kSpotCrept : kCrept;
        if (then.last && *then.last > 0.0 && (then.currency.empty() || then.currency == price->currency) &&
            is_beyond(price->price / *then.last, factor)) {
            return fmt::format("{} is {:.3g} times what was recorded a month ago, or last accepted, or first, {:g}",
                               said(*price, price->price), price->price / *then.last, *then.last);
        }
    }
    return "";
}

template <class T> const T* with_id(const std::vector<T>& documents, const std::string& id) {
    const auto found = std::ranges::find(documents, id, &T::id);
    return found == documents.end() ? nullptr : &*found;
}

std::string by_records(std::string&& reason) {
    return reason.empty() ? "" : reason + ", by records of a month ago, of when it was last accepted, or the first";
}

std::string reason_since(const model::AnyDocument& before, const ListedFacts& listed) {
    if (const auto* const curve = std::get_if<model::Curve>(&before)) {
        const model::Curve* const now = with_id(listed.curves, curve->id);
        return now != nullptr && now->currency == curve->currency ? reason_of_level(*now, *curve) : "";
    }
    if (const auto* const device = std::get_if<model::Device>(&before)) {
        const model::Device* const now = with_id(listed.devices, device->id);
        return now != nullptr ? reason_of_facts(*device, *now) : "";
    }
    if (const auto* const model = std::get_if<model::Model>(&before)) {
        const model::Model* const now = with_id(listed.models, model->id);
        return now != nullptr ? reason_of_facts(*model, *now) : "";
    }
    if (const auto* const measured = std::get_if<model::Measurement>(&before)) {
        const model::Measurement* const now = with_id(listed.measurements, measured->id);
        return now != nullptr && now->doubt.empty() ? by_records(reason_of_points(*measured, *now)) : "";
    }
    if (const auto* const performance = std::get_if<model::Performance>(&before)) {
        const model::Performance* const now = with_id(listed.performances, performance->id);
        return now != nullptr ? by_records(reason_of_units(*performance, *now)) : "";
    }
    return "";
}

storage::DocumentKey key_of(const model::AnyDocument& document) {
    return std::visit([]<class T>(const T& it) { return storage::DocumentKey{model::kind_of<T>, it.id}; }, document);
}

} // namespace

std::map<storage::DocumentKey, std::string> reasons_since_month(const storage::Store& store, const ListedFacts& listed,
                                                                double today) {
    std::vector<storage::DocumentKey> keys;
    for (std::size_t i = 0; i < listed.prices.size(); ++i) {
        if (may_have_crept(listed.prices[i], listed.histories[i]) && (keys.empty() || keys.back() != listed.prices[i].key)) {
            keys.push_back(listed.prices[i].key);
        }
    }
    const auto add_all = [&](storage::Kind kind, const auto& documents) {
        for (const auto& document : documents) {
            keys.push_back({kind, document.id});
        }
    };
    add_all(storage::Kind::curve, listed.curves);
    add_all(storage::Kind::device, listed.devices);
    add_all(storage::Kind::model, listed.models);
    add_all(storage::Kind::measurement, listed.measurements);
    add_all(storage::Kind::performance, listed.performances);
    for (const auto& [key, document] : listed.stated.documents()) {
        keys.push_back(key);
    }
    std::map<storage::DocumentKey, std::string> reasons;
    visit_month_ago(store, keys, today, [&](const model::AnyDocument& before) {
        const storage::DocumentKey key = key_of(before);
        const bool has_prices = key.kind == storage::Kind::offer || key.kind == storage::Kind::endpoint;
        std::string reason = has_prices ? reason_of_prices(before, key, listed) : reason_since(before, listed);
        reason = reason.empty() ? by_records(listed.stated.reason_since(before)) : reason;
        if (!reason.empty()) {
            reasons.emplace(key, std::move(reason));
        }
    });
    return reasons;
}

} // namespace costcurve::ingest
