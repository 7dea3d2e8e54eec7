// Walks a document for references and loads what they name.
#include "server/documents/references.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "model/documents/curve_use.hpp"
#include "model/documents/walk.hpp"
#include "server/documents/records.hpp"
#include "server/documents/renamed.hpp"
#include "server/documents/stored_rates.hpp"

namespace costcurve::documents {

namespace {

using model::Code;

/// Points of all curves that references may put into one scenario: ten times the largest curve.
constexpr std::size_t kMaxPointsTogether = 1000000;

class Resolver {
public:
    explicit Resolver(Source& source) : source_(source) {}

    template <class T> void put(T& document, const std::string& pointer, const model::FieldSpec& spec) {
        if (!document.stored.is_reference) {
            return;
        }
        if (source_.is_nowhere()) {
            add(pointer, fmt::format("{} is the id of a stored {}; no store was given: state --database, or "
                                     "put the document itself in its place",
                                     document.id, model::document_name<T>));
            return;
        }
        if (points_ > kMaxPointsTogether) { // each place has a copy of its own
            return;
        }
        const Found* found = nullptr;
        try {
            found = source_.find({kind_of<T>, document.id});
        } catch (const storage::StoreError& error) {
            if (error.cause() != storage::StoreError::Cause::unreadable) {
                throw;
            }
            issues.push_back({pointer, Code::unreadable_document, error.what()});
            return;
        }
        if (found == nullptr) {
            const storage::Snapshot* const snapshot = source_.snapshot();
            const bool is_dated = snapshot != nullptr && !snapshot->as_of().empty();
            add(pointer, fmt::format("no {} has the id {}{}", model::document_name<T>, document.id,
                                     is_dated ? " as of " + snapshot->as_of() : ""));
            return;
        }
        document = std::get<T>(found->document);
        points_ += found->points;
        if (points_ > kMaxPointsTogether) {
            issues.push_back({pointer, Code::too_large,
                              fmt::format("the curves of the documents named in this scenario have more than {} points together; "
                                          "name shorter curves, or fewer",
                                          kMaxPointsTogether)});
        }
        if constexpr (std::is_same_v<T, model::Curve>) {
            const model::Failure misuse = model::check_curve_use(document, &spec, pointer);
            issues.add_all(misuse);
        }
    }
    void put(model::Identity& /*only compared*/, const std::string& /*pointer*/, const model::FieldSpec& /*spec*/) {}

    model::Failure issues;

private:
    void add(const std::string& pointer, std::string message) {
        issues.push_back({pointer, Code::unknown_reference, std::move(message)});
    }

    Source& source_;
    std::size_t points_ = 0; ///< of the curves put in
};

template <class T> model::Failure resolve_any(T& whole, const std::string& pointer, Source& source) {
    Resolver resolver(source);
    std::string at = pointer;
    std::vector<storage::DocumentKey> references;
    model::walk(whole, at, {}, [&]<class D>(const D& document, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        if constexpr (model::is_stored<D>) {
            if (document.stored.is_reference) {
                references.push_back({kind_of<D>, document.id});
            }
        }
    });
    source.fetch(std::move(references));
    model::walk(whole, at, {}, [&](auto& document, const std::string& where, const model::FieldSpec& spec) {
        resolver.put(document, where, spec);
    });
    return std::move(resolver.issues);
}

} // namespace

std::optional<storage::Revision> Source::load(const storage::DocumentKey& key) {
    const auto load_exactly = [this](const storage::DocumentKey& exact) -> std::optional<storage::Revision> {
        if (auto fetched = fetched_.extract(exact)) {
            return std::move(fetched.mapped());
        }
        return load_ ? load_(exact) : snapshot() != nullptr ? snapshot()->load(exact) : std::nullopt;
    };
    return load_by_any_id(load_exactly, key);
}

void Source::fetch(std::vector<storage::DocumentKey> keys) {
    fetched_.clear(); // what an issue left unread
    std::set<storage::DocumentKey> seen;
    while (!keys.empty() && snapshot() != nullptr) { // opened where there is something to read
        std::erase_if(keys, [&](const storage::DocumentKey& key) { return kept_.contains(key) || !seen.insert(key).second; });
        std::vector<std::optional<storage::Revision>> found = snapshot()->load_all(keys);
        std::vector<storage::DocumentKey> next;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (found[i]) {
                next.insert(next.end(), found[i]->record.references.begin(), found[i]->record.references.end());
                fetched_.emplace(keys[i], std::move(*found[i]));
            }
        }
        keys = std::move(next);
    }
}

const Found* Source::find(const storage::DocumentKey& key) {
    constexpr std::size_t kOfADocument = 100; // what one without points takes, in points
    if (const auto known = kept_.find(key); known != kept_.end()) {
        return &known->second;
    }
    const std::optional<storage::Revision> revision = load(key);
    if (!revision) {
        return nullptr;
    }
    Found found{decode_revision(*revision)};
    std::visit(
        [&](auto& document) {
            document.id = revision->record.key.id;
            document.stored = {false, revision->revision, revision->recorded_at, revision->sequence};
        },
        found.document);
    for (const storage::Series& series : revision->record.series) {
        found.points += series.x.size();
    }
    kept_points_ += found.points + kOfADocument;
    if (kept_points_ > kMaxPointsTogether) {
        kept_.clear();
        kept_points_ = found.points + kOfADocument;
    }
    return &kept_.emplace(key, std::move(found)).first->second;
}

const StoredRates& Source::rates() {
    if (!rates_) {
        rates_ = read_rates(*this);
    }
    return *rates_;
}

void resolve(Decoded<model::ScenarioDocument>& decoded, const std::string& pointer, Source& source) {
    decoded.issues.add_all(resolve_any(decoded.document, pointer, source));
    if (decoded.issues.empty()) {
        add_rated_performances(decoded.document, pointer, source, decoded.issues);
    }
}

model::Failure resolve(AnyDocument& document, const std::string& pointer, Source& source) {
    model::Failure issues = resolve_any(document, pointer, source);
    auto* const scenario = std::get_if<model::ScenarioDocument>(&document);
    if (scenario != nullptr && issues.empty()) {
        add_rated_performances(*scenario, pointer, source, issues);
    }
    return issues;
}

void put_references(model::ScenarioDocument& scenario, Source& source) {
    std::string at;
    model::walk(scenario, at, {}, [&]<class T>(T& document, const std::string& where, const model::FieldSpec& /*spec*/) {
        if constexpr (model::is_stored<T> && !std::is_same_v<T, model::ScenarioDocument>) {
            const bool may_be_stored = !document.id.empty() && !document.stored.is_reference;
            const Found* const found = may_be_stored ? source.find({kind_of<T>, document.id}) : nullptr;
            if (found == nullptr) {
                return;
            }
            AnyDocument stored = found->document;
            if (!resolve(stored, where, source).empty()) {
                return;
            }
            const storage::Record ours = encode_record(document, document.id);
            const storage::Record theirs = encode_record(std::move(stored), document.id);
            if (ours.body == theirs.body && ours.series == theirs.series) {
                T reference;
                reference.id = document.id;
                reference.stored.is_reference = true;
                document = std::move(reference);
            }
        }
    });
}

std::string newest_record(const model::ScenarioDocument& scenario) {
    model::Stored newest;
    std::string at;
    model::walk(scenario, at, {}, [&](const auto& document, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        using T = std::decay_t<decltype(document)>;
        const auto take = [&](const model::Stored& stored) { newest = stored.sequence > newest.sequence ? stored : newest; };
        if constexpr (model::is_stored<T>) {
            take(document.stored);
        }
        if constexpr (std::is_same_v<T, model::Performance>) {
            take(document.newest_read);
        }
    });
    return newest.recorded_at;
}

void forget_revisions(model::ScenarioDocument& scenario) {
    std::string at;
    model::walk(scenario, at, {}, [](auto& document, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        if constexpr (model::is_stored<std::remove_reference_t<decltype(document)>>) {
            document.stored.revision = 0;
            document.stored.recorded_at.clear();
            document.stored.sequence = 0;
        }
    });
}

int reference_depth(storage::Kind kind) {
    using storage::Kind;
    constexpr auto kReferredTo = std::to_array({Kind::measurement, Kind::model, Kind::site, Kind::device, Kind::curve});
    const auto found = std::ranges::find(kReferredTo, kind);
    return found == kReferredTo.end() ? 0 : 1 + static_cast<int>(found - kReferredTo.begin());
}

} // namespace costcurve::documents
