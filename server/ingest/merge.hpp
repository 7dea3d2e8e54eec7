// Merges documents that a program read into the store: those of ids that are stored are put together with what is stored, and all
// are written in one transaction; or nothing is, in a dry run. Knows no formats.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "server/documents/any_document.hpp"
#include "server/ingest/field_changes.hpp"
#include "server/ingest/prices/price_moves.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::ingest {

struct DocumentChange {
    storage::DocumentKey key;
    bool added = false;
    std::vector<FieldChange> fields;
};

struct MergeSummary {
    std::size_t added = 0;
    std::size_t changed = 0;
    std::size_t unchanged = 0;
    std::vector<DocumentChange> changes; ///< the first ones
    std::vector<std::string> refused;    ///< why documents were left out, a sentence each
    std::vector<std::string> warnings;   ///< what is odd in documents that were merged, a sentence each
    PriceMoves price_moves;              ///< of offers that were there
    std::string restated;                ///< what was stored already, by restated_line
};

struct Dispute {
    std::string reason; ///< a sentence with both prices
    double price = 0.0; ///< the later one of an offer; 0 of other documents
};

struct MergeOptions {
    bool dry_run = false;
    bool keeps_stored = false;     ///< what stored documents state stays; only what they lack is added, and dated prices
    std::size_t max_changes = 100; ///< that are listed
    std::string source = {};       ///< format and names of the files, for the audit
    /// How a feed's run ended, of what was merged; called inside of the write. May be empty.
    std::function<storage::FeedEnd(const MergeSummary& summary)> end_feed = {};
    std::function<void(std::size_t done, std::size_t total)> progress = {};
};

/// Curves, devices, offers, servers, sites and performances of an import. One is merged with the stored document of its id:
/// - fields that the import states, by model::is_stated, replace the stored ones; the others stay;
/// - of an import whose newest price is older than the stored one, the other way round: it only adds what is not stored;
/// - points of curves over date, prices above all, are put among the stored ones, and replace those of the same day;
/// - a stored price that is a number stays in the history, before all dated ones; its growth rate ends;
/// - a device's memory that is the stored one in decimal gigabytes (80 GB are 74.5 GiB) is the same: the stored figure stays;
/// - tables of numbers by name (peak_flops) and lists of names (precisions) take new names, and keep the rest;
/// - prices of another currency than the stored ones of other days are refused: one curve has one currency;
/// - what would break a range or a rule, as merged, is refused.
class DocumentMerge {
public:
    /// Takes a document; two of one id are merged. Gives the reason where it is refused, else "".
    [[nodiscard]] std::string add(model::AnyDocument&& document);

    /// Leaves out what refers to documents that are neither here nor stored; stores the rest together, and has none left.
    [[nodiscard]] MergeSummary commit(storage::DocumentStore& store, const storage::Author& author, const MergeOptions& options);

    [[nodiscard]] std::size_t size() const { return places_.size(); }
    /// Offers, endpoints and curves of which one day was given two prices: which is right isn't known.
    [[nodiscard]] const std::map<storage::DocumentKey, Dispute>& disputed() const { return disputed_; }
    /// Visits what is to be stored, in no order.
    void for_each(const std::function<void(const storage::Record&)>& visit) const;
    /// Takes some out, by kind and id; nullptr for all.
    [[nodiscard]] std::vector<storage::Record> take(const std::function<bool(const storage::Record&)>& is_wanted = nullptr);

private:
    [[nodiscard]] std::vector<std::string> leave_out_dangling(const storage::DocumentStore& store);
    [[nodiscard]] std::vector<storage::Record> take_sorted(); // as indexes grow

    /// Records by their keys.
    struct ByKey {
        using is_transparent = void;
        static const storage::DocumentKey& key_of(const storage::DocumentKey& key) { return key; }
        static const storage::DocumentKey& key_of(const storage::Record* record) { return record->key; }
        std::size_t operator()(const auto& key) const {
            return std::hash<std::string>{}(key_of(key).id) + static_cast<std::size_t>(key_of(key).kind);
        }
        bool operator()(const auto& a, const auto& b) const { return key_of(a) == key_of(b); }
    };

    std::deque<storage::Record> records_;                       ///< in the order of their arrival; none moves when another comes
    std::unordered_set<storage::Record*, ByKey, ByKey> places_; ///< those of records_ that are to be stored
    std::map<storage::DocumentKey, Dispute> disputed_;
};

} // namespace costcurve::ingest
