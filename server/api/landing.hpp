// Lands what importers read: documents become records, are merged with what is stored, and are written in one transaction;
// or only said, in a dry run. No formats here.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "model/failure.hpp"
#include "server/import/report.hpp"
#include "server/storage/store.hpp"

namespace costcurve::api {

/// What becomes of one field of a document that is there already.
struct FieldChange {
    std::string pointer;
    std::string date;      ///< of a point of a curve over date
    std::string old_value; ///< JSON; "" where there was none
    std::string new_value; ///< JSON; of a curve that isn't over date, how many of its points differ
};

/// What becomes of one document.
struct DocumentChange {
    storage::DocumentKey key;
    bool added = false;
    std::vector<FieldChange> fields;
};

struct Landed {
    std::size_t added = 0;
    std::size_t changed = 0;
    std::size_t unchanged = 0;
    std::vector<DocumentChange> changes; ///< the first ones
};

struct LandingOptions {
    bool dry_run = false;
    std::size_t most_changes = 100; ///< that are listed
    std::function<void(std::size_t done, std::size_t total)> progress = {};
};

/// How an imported document joins the stored one of its id:
/// - points of curves over date, prices above all, are put among the stored ones, and replace those of the same day;
/// - other curves are replaced;
/// - tables of numbers by name (peak_flops) and lists of names (precisions) take what is new, and keep the rest;
/// - other fields that the import states replace the stored ones, those that it leaves at their default stay;
/// - prices of another currency than the stored ones of other days are refused: one curve has one currency.
class Landing {
public:
    /// Takes a document. What is no good is complained of in `report` and left out; two of one id are joined.
    void add(imports::Document&& document, imports::Report& report);

    /// Leaves out, with a complaint, what refers to documents that are neither here nor stored; then stores the rest together, and
    /// has none left.
    [[nodiscard]] Landed land(storage::Store& store, const storage::Author& author, imports::Report& report,
                              const LandingOptions& options);

    [[nodiscard]] std::size_t size() const { return places_.size(); }

private:
    void leave_out_what_refers_to_nothing(const storage::Store& store, imports::Report& report);
    [[nodiscard]] std::vector<storage::Record> take_sorted(); // as indexes grow

    /// Records by their keys.
    struct ByKey {
        using is_transparent = void;
        static const storage::DocumentKey& key_of(const storage::DocumentKey& key) { return key; }
        static const storage::DocumentKey& key_of(const storage::Record* record) { return record->key; }
        std::size_t operator()(const auto& one) const {
            return std::hash<std::string>{}(key_of(one).id) + static_cast<std::size_t>(key_of(one).kind);
        }
        bool operator()(const auto& a, const auto& b) const { return key_of(a) == key_of(b); }
    };

    std::deque<storage::Record> records_;                       ///< in the order of their arrival; none moves when another comes
    std::unordered_set<storage::Record*, ByKey, ByKey> places_; ///< those of records_ that are to be stored
};

} // namespace costcurve::api
