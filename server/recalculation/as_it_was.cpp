// A scenario with the documents at the revisions that a stored result names.
#include "server/recalculation/as_it_was.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/documents/json/parsed_json.hpp"
#include "server/documents/references.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::recalculation {

using nlohmann::json;

Revisions revisions_of(std::string_view result) {
    Revisions revisions;
    const json body = *parse_json(result);
    for (const json& document : body.at("provenance").at("documents")) {
        if (document.at("revision").is_number()) {
            const auto kind = std::find(storage::kind_names.begin(), storage::kind_names.end(), document.at("kind"));
            revisions[{static_cast<storage::Kind>(kind - storage::kind_names.begin()), document.at("id").get<std::string>()}] =
                document.at("revision").get<std::int64_t>();
        }
    }
    return revisions;
}

std::optional<storage::Revision> load_revision(const storage::DocumentStore& store, const storage::DocumentKey& key,
                                               std::int64_t number) {
    const std::vector<storage::Revision> found = store.snapshot()->history(key, number + 1, 1);
    return found.empty() ? std::nullopt : store.snapshot(storage::format_sequence(found.front().sequence))->load(key);
}

std::optional<answers::Evaluated> evaluate_as_it_was(const std::string& scenario, const Revisions& revisions,
                                                     const LoadRevision& load) {
    documents::Source source([&](const storage::DocumentKey& key) -> std::optional<storage::Revision> {
        const auto found = revisions.find(key);
        return found == revisions.end() ? std::nullopt : load(key, found->second);
    });
    auto evaluated = answers::resolve_stored(scenario, "", source).and_then([](model::ScenarioDocument resolved) {
        return answers::evaluate_resolved(std::move(resolved));
    });
    return evaluated ? std::optional(std::move(*evaluated)) : std::nullopt;
}

} // namespace costcurve::recalculation
