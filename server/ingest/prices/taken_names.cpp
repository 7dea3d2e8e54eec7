// Finds models whose name another model has, by the ids that imports make of names.
#include "server/ingest/prices/taken_names.hpp"

#include <fmt/format.h>

#include "server/import/identity/model_name.hpp"

namespace costcurve::ingest {

std::string reason_of_spelling(const storage::Snapshot& snapshot, const model::Model& model) {
    const auto is_stored = [&](const std::string& id) { return snapshot.load({storage::Kind::model, id}).has_value(); };
    if (is_stored(model.id)) {
        return "";
    }
    if (const std::string other = imports::model_id_of(model.id); other != model.id && is_stored(other)) {
        return fmt::format("its id is a spelling of {}, which is stored: give that id", other);
    }
    for (const std::string& alias : model.aliases) {
        if (const std::string other = imports::model_id_of(alias); other != model.id && is_stored(other)) {
            return fmt::format("its alias {} names {}, which is stored: give that id, or another alias", alias, other);
        }
    }
    return "";
}

} // namespace costcurve::ingest
