// Walks a scenario for references and loads what they name.
#include "server/work/resolve.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/curve_use.hpp"
#include "model/walk.hpp"

namespace costcurve::work {

namespace {

using model::Code;

class Resolver {
public:
    Resolver(Source& source, DecodeRevision decode) : source_(source), decode_(decode) {}

    template <class T> void put(T& document, const std::string& pointer, const model::FieldSpec& spec) {
        if (!document.stored.is_reference) {
            return;
        }
        const storage::Snapshot* const snapshot = source_.snapshot();
        if (snapshot == nullptr) {
            add(pointer, fmt::format("{} is the id of a stored {}; nothing is stored here: put the document itself in its place",
                                     document.id, model::document_name<T>));
            return;
        }
        const std::optional<storage::Revision> found = snapshot->load({kind_of<T>, document.id});
        if (!found) {
            add(pointer, fmt::format("no {} has the id {}{}", model::document_name<T>, document.id,
                                     snapshot->as_of().empty() ? "" : " as of " + snapshot->as_of()));
            return;
        }
        document = std::get<T>(decode_(*found));
        document.id = found->record.key.id;
        document.stored = {false, found->revision};
        resolution.as_of = std::max(resolution.as_of, found->recorded_at);
        if constexpr (std::is_same_v<T, model::Curve>) {
            const model::Failure misuse = model::check_curve_use(document, &spec, pointer);
            resolution.issues.insert(resolution.issues.end(), misuse.begin(), misuse.end());
        }
    }
    void put(model::Identity& /*only compared*/, const std::string& /*pointer*/, const model::FieldSpec& /*spec*/) {}

    Resolution resolution;

private:
    void add(const std::string& pointer, std::string message) {
        resolution.issues.push_back({pointer, Code::unknown_reference, std::move(message)});
    }

    Source& source_;
    DecodeRevision decode_;
};

} // namespace

Resolution resolve(model::ScenarioDocument& scenario, const std::string& pointer, Source& source, DecodeRevision decode) {
    Resolver resolver(source, decode);
    std::string at = pointer;
    model::walk(scenario, at, {}, [&](auto& document, const std::string& where, const model::FieldSpec& spec) {
        resolver.put(document, where, spec);
    });
    return std::move(resolver.resolution);
}

void forget_revisions(model::ScenarioDocument& scenario) {
    std::string at;
    model::walk(scenario, at, {}, [](auto& document, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        if constexpr (model::is_stored<std::remove_reference_t<decltype(document)>>) {
            document.stored.revision = 0;
        }
    });
}

} // namespace costcurve::work
