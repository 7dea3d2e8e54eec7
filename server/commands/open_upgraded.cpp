// Upgrades documents that a migration left, when a store is opened. Users of a curve are found by references, and only those are
// decoded.
#include "server/commands/open_upgraded.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "model/documents/walk.hpp"
#include "server/documents/records.hpp"

namespace costcurve::commands {

namespace {

using storage::DocumentKey;
using storage::Kind;

constexpr std::string_view kUpgrade = "curve_currencies"; // of migration 19
using Codes = std::set<std::string>;

bool lacks_currency(const model::Curve& curve) { return model::is_money(curve.kind) && curve.currency.empty(); }

std::map<std::string, Codes> curves_without_currency(const storage::Snapshot& snapshot) {
    std::map<std::string, Codes> curves;
    storage::ListQuery query;
    query.kind = Kind::curve;
    for (bool more = true; more;) {
        const storage::Page page = snapshot.list(query);
        for (const storage::Revision& revision : page.items) {
            query.after = revision.record.key.id;
            const auto document = documents::decode_readable(revision);
            if (document && lacks_currency(std::get<model::Curve>(*document))) {
                curves[revision.record.key.id];
            }
        }
        more = page.more && !page.items.empty();
    }
    return curves;
}

// Which curves documents name, and in which currency; "" is that of the scenarios that name the document.
class CurveUses {
public:
    explicit CurveUses(std::map<std::string, Codes>& curves) : curves_(curves) {}

    template <class T> void add(const T& document, const DocumentKey& key) {
        key_ = &key;
        default_.clear();
        if constexpr (std::is_same_v<T, model::ScenarioDocument>) {
            default_ = document.currency;
        }
        if constexpr (requires { document.currency; } && model::has_parts<T>) {
            visit_parts(document, document.currency);
        }
    }

    /// Tells curves the currencies of the scenarios that reach them through documents without one.
    void finish() {
        for (const auto& [from, to] : nested_) { // an offer names a site; nothing names an offer but scenarios
            codes_of_[to].insert(codes_of_[from].begin(), codes_of_[from].end());
        }
        for (const auto& [curve, key] : open_) {
            curves_.at(curve).insert(codes_of_[key].begin(), codes_of_[key].end());
        }
    }

private:
    template <class V> void visit_parts(const V& value, const std::string& currency) {
        model::for_each_part(value, {}, [&](std::string_view /*name*/, const auto& part, const model::FieldSpec& /*spec*/) {
            model::unwrap(part, [&]<class P>(const P& inner) { visit(inner, currency); });
        });
    }
    template <class P> void visit(const P& part, const std::string& currency) {
        if constexpr (std::is_same_v<P, model::Curve>) {
            if (part.stored.is_reference && curves_.contains(part.id)) {
                if (currency.empty()) {
                    open_.emplace_back(part.id, *key_);
                } else {
                    curves_.at(part.id).insert(currency);
                }
            }
        } else if constexpr (model::is_stored<P>) {
            if (part.stored.is_reference) {
                add_named({model::kind_of<P>, part.id});
                return;
            }
            if constexpr (requires { part.currency; }) {
                visit_parts(part, part.currency.empty() ? default_ : part.currency);
            }
        } else if constexpr (model::has_parts<P>) {
            visit_parts(part, currency);
        }
    }
    void add_named(DocumentKey named) {
        if (key_->kind == Kind::scenario) {
            codes_of_[std::move(named)].insert(default_);
        } else {
            nested_.emplace_back(*key_, std::move(named));
        }
    }

    std::map<std::string, Codes>& curves_;
    const DocumentKey* key_ = nullptr;
    std::string default_;                   ///< of documents inside that state none: the scenario's, "" outside of one
    std::map<DocumentKey, Codes> codes_of_; ///< of the scenarios that name a document
    std::vector<std::pair<DocumentKey, DocumentKey>> nested_;
    std::vector<std::pair<std::string, DocumentKey>> open_;
};

void find_uses(const storage::Snapshot& snapshot, std::map<std::string, Codes>& curves) {
    CurveUses uses(curves);
    snapshot.for_each([&](const storage::Revision& revision) {
        const DocumentKey& key = revision.record.key;
        if (revision.record.references.empty() ||
            (key.kind != Kind::scenario && key.kind != Kind::offer && key.kind != Kind::site && key.kind != Kind::endpoint)) {
            return;
        }
        if (const auto document = documents::decode_readable(revision)) {
            std::visit([&](const auto& alternative) { uses.add(alternative, key); }, *document);
        }
    });
    uses.finish();
}

// The record with the currency; as it is, where it has one by now.
storage::Record with_currency(const storage::Record& record, const std::string& currency) {
    auto curve = std::get<model::Curve>(documents::document_of(record));
    if (!lacks_currency(curve)) {
        return record;
    }
    curve.currency = currency;
    return documents::encode_record(std::move(curve), record.key.id);
}

void save_currencies(storage::Store& store, const std::map<std::string, std::string>& currencies) {
    std::vector<storage::Record> records;
    records.reserve(currencies.size());
    const auto snapshot = store.snapshot();
    for (const auto& [id, currency] : currencies) {
        if (auto revision = snapshot->load({Kind::curve, id})) {
            records.push_back(std::move(revision->record));
        }
    }
    storage::SaveOptions options;
    options.action = "upgrade";
    options.subject = fmt::format("currencies of {} curves", records.size());
    options.merge = [&](const storage::Record& stored, const storage::Record& /*given*/) {
        return with_currency(stored, currencies.at(stored.key.id)); // another program may have changed it since
    };
    static_cast<void>(store.save_all({"upgrade", ""}, records, options));
}

} // namespace

void upgrade_curve_currencies(storage::Store& store, const std::function<void(std::string_view)>& log) {
    if (!store.is_upgrade_due(kUpgrade)) {
        return;
    }
    std::map<std::string, std::string> currencies;
    std::vector<std::string> without;
    {
        const auto snapshot = store.snapshot();
        std::map<std::string, Codes> curves = curves_without_currency(*snapshot);
        if (!curves.empty()) {
            find_uses(*snapshot, curves);
        }
        for (const auto& [id, codes] : curves) {
            if (codes.size() == 1) {
                currencies.emplace(id, *codes.begin());
            } else {
                without.push_back(codes.empty() ? id : fmt::format("{} (used in {})", id, fmt::join(codes, ", ")));
            }
        }
    }
    if (!currencies.empty()) {
        save_currencies(store, currencies);
    }
    store.end_upgrade(kUpgrade);
    if (log && !(currencies.empty() && without.empty())) {
        constexpr std::size_t kShown = 10;
        log(fmt::format(
            "upgrade: {} curves of money have the currency of what uses them, {} have none{}{}", currencies.size(), without.size(),
            without.empty() ? "" : ": give them one, such as ",
            fmt::join(without.begin(), without.begin() + static_cast<std::ptrdiff_t>(std::min(without.size(), kShown)), ", ")));
    }
}

std::unique_ptr<storage::Store> open_upgraded(storage::StoreSettings settings) {
    const auto log = settings.log;
    auto store = storage::open_store(std::move(settings));
    upgrade_curve_currencies(*store, log);
    return store;
}

} // namespace costcurve::commands
