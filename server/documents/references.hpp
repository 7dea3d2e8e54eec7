// Puts stored documents in the places of references: the only reading that an evaluation does, from one snapshot.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"
#include "server/documents/any_document.hpp"
#include "server/documents/decode.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::model {
class Rates;
class TrainingRates;
} // namespace costcurve::model

namespace costcurve::documents {

/// Finds a document; nothing where there is none.
using Load = std::function<std::optional<storage::Revision>(const storage::DocumentKey& key)>;

/// A document as it is stored, with id and revision.
struct Found {
    AnyDocument document;
    std::size_t points = 0; ///< of its curves
};

/// What rates are made of in a snapshot, and the newest document of it.
struct StoredRates {
    std::shared_ptr<const model::Rates> rates;
    std::shared_ptr<const model::TrainingRates> training;
    model::Stored newest;
};

/// Where references are looked up: the store at one moment, opened at the first read; a snapshot; a function, which gives the same
/// for the same key; or nothing. One thread at a time.
class Source {
public:
    Source() = default;
    Source(const storage::DocumentStore& store, std::optional<std::string> as_of) : store_(&store), as_of_(std::move(as_of)) {}
    explicit Source(Load load) : load_(std::move(load)) {}
    explicit Source(std::unique_ptr<storage::Snapshot> snapshot) : snapshot_(std::move(snapshot)) {}

    [[nodiscard]] bool is_nowhere() const { return store_ == nullptr && !load_ && !snapshot_; }
    /// Loads a document. Where nothing is stored under an id that was renamed (renamed.hpp), the document under the new id.
    [[nodiscard]] std::optional<storage::Revision> load(const storage::DocumentKey& key);
    /// The same decoded, and kept for the next who asks (up to 16 MB of points); null where there is none. Good until the next
    /// call.
    [[nodiscard]] const Found* find(const storage::DocumentKey& key);
    /// Reads these documents, and all that they refer to, ahead of `find`: a level of references in one call of the store.
    void fetch(std::vector<storage::DocumentKey> keys);
    /// Null where there is neither a store nor a snapshot.
    [[nodiscard]] const storage::Snapshot* snapshot() {
        if (store_ != nullptr && !snapshot_) {
            snapshot_ = store_->snapshot(as_of_);
        }
        return snapshot_.get();
    }
    /// Rates of models by all that is stored of them; read at the first call.
    [[nodiscard]] const StoredRates& rates();
    /// Other rates in their place: those without some measurements, say.
    void take_rates(StoredRates rates) { rates_ = std::move(rates); }

private:
    const storage::DocumentStore* store_ = nullptr;
    std::optional<std::string> as_of_;
    std::unique_ptr<storage::Snapshot> snapshot_;
    Load load_;
    std::map<storage::DocumentKey, storage::Revision> fetched_; // until they are found
    std::map<storage::DocumentKey, Found> kept_;
    std::size_t kept_points_ = 0;
    std::optional<StoredRates> rates_;
};

/// Replaces every reference in the scenario, those inside of what it puts there too, and notes their revisions; entries of tokens
/// of a stored model that state no performance get one (stored_rates.hpp), where nothing is wrong with the scenario: no rate is
/// made of a curve without points. Without a store every reference is an issue. `pointer` is where the scenario stands in the
/// request.
void resolve(Decoded<model::ScenarioDocument>& decoded, const std::string& pointer, Source& source);
/// The same in a document of any kind that was decoded without an issue.
[[nodiscard]] model::Failure resolve(AnyDocument& document, const std::string& pointer, Source& source);

/// Puts ids in the places of those documents in the scenario that are stored under their id and say the same, with all that they
/// refer to.
void put_references(model::ScenarioDocument& scenario, Source& source);

/// When the newest of the scenario's stored documents was recorded, those that its rates were made of among them; "" where there is
/// none.
[[nodiscard]] std::string newest_record(const model::ScenarioDocument& scenario);

/// Forgets the revisions that a document from outside claims for itself and its parts.
void forget_revisions(model::ScenarioDocument& scenario);

/// How deep documents of a kind stand in references: what refers has less than what it refers to, an offer less than its site and
/// its device, all less than their curves. In this order they can be deleted.
[[nodiscard]] int reference_depth(storage::Kind kind);

} // namespace costcurve::documents
