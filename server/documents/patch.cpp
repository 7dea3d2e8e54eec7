// Applies what-if sets: through the structs by pointer, or through the scenario's JSON where that fails, for its error message.
#include "server/documents/patch.hpp"

#include <map>
#include <span>

#include <nlohmann/json.hpp>

#include "model/documents/field_check.hpp"
#include "model/documents/walk.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::documents {

namespace {

using model::FieldSpec;
using nlohmann::json;

// Puts one value into its place.
class Setter {
public:
    using Names = std::span<const std::string>;

    Setter(const JsonValue& value, model::Failure& issues) : value_(value), issues_(issues) {}

    /// False where the place is not that of a field, an entry of a list or of a table, or the value claims revisions: the part may
    /// be changed all the same.
    template <class V> bool set(V& part, Names names, const FieldSpec& spec, std::string& pointer) {
        const bool is_set = names.size() == 1 ? set_here(part, names.front(), spec, pointer)
                                              : !names.empty() && set_inside(part, names, spec, pointer);
        if constexpr (model::is_stored<V>) {
            if (is_changed_) {
                part.stored = {};
            }
        }
        return is_set;
    }

private:
    template <class V> bool set_inside(V& part, Names names, const FieldSpec& spec, std::string& pointer) {
        bool is_set = false;
        model::visit_part(part, names.front(), spec, [&](auto& member, const FieldSpec& member_spec) {
            model::unwrap(member, [&]<class M>(M& value) {
                if constexpr (model::has_parts<M>) {
                    const std::size_t length = pointer.size();
                    pointer.append("/").append(names.front());
                    is_set = set(value, names.subspan(1), member_spec, pointer);
                    pointer.resize(length);
                }
            });
        });
        return is_set;
    }

    template <class V> bool set_here(V& part, const std::string& name, const FieldSpec& spec, const std::string& pointer) {
        // What kind a part is says which fields it has: it is read as a whole.
        if (model::has_fields<V> && name == "kind") {
            return false;
        }
        bool is_set = false;
        model::visit_part(part, name, spec, [&]<class M>(M& member, const FieldSpec& member_spec) {
            is_set = set_member<model::has_fields<V>>(member, Pointer(pointer) / name, member_spec);
        });
        return is_set;
    }

    // One function a type of member, not one a field; is_field: of an object, not an entry of a list or a table.
    template <bool is_field, class M> bool set_member(M& member, const Pointer& pointer, const FieldSpec& spec) {
        const M before = member; // NOLINT(performance-unnecessary-copy-initialization): the member is changed below
        Decoder decoder;
        const bool is_set = clears(member) || read_member<is_field>(decoder, member, pointer, spec);
        issues_.add_all(std::move(decoder.issues));
        is_changed_ = !(member == before);
        return is_set && !claims_revisions(member);
    }

    template <bool is_field, class M> bool read_member(Decoder& decoder, M& member, const Pointer& pointer, const FieldSpec& spec) {
        if constexpr (is_field) {
            decoder.replace(value_, pointer, spec, member);
            return true;
        } else if constexpr (model::has_fields<M>) {
            member = M{};
            decoder.decode_object(value_, pointer, member);
            return true;
        } else {
            const bool is_good = value_.is_number() && model::is_good(value_.number(), spec);
            member = is_good ? value_.number() : member;
            return is_good;
        }
    }

    // Null is what is not stated: an optional member is cleared.
    template <class M> bool clears(M& member) const {
        if constexpr (requires { member.reset(); }) {
            if (value_.is_null()) {
                member.reset();
                return true;
            }
        }
        return false;
    }

    template <class M> static bool claims_revisions(M& member) {
        bool claims = false;
        if constexpr (model::is_walked<M>) {
            std::string at;
            model::walk_any(member, at, {}, notes_revision(claims));
        }
        return claims;
    }
    static model::VisitWalked notes_revision(bool& claims) {
        return model::visit_of<true>([&]<class D>(const D& document, const std::string& /*where*/, const FieldSpec& /*spec*/) {
            if constexpr (model::is_stored<D>) {
                claims = claims || document.stored.revision > 0;
            }
        });
    }

    const JsonValue& value_;
    model::Failure& issues_;
    bool is_changed_ = false;
};

// Whether all of it could be set so; else the scenario is of no use.
bool set_fields(const JsonValue& set, model::ScenarioDocument& scenario, const std::string& pointer, model::Failure& issues) {
    std::string at = pointer;
    for (const auto& [place, value] : set.members()) {
        const auto names = model::split_pointer(place);
        if (!names || !Setter(value, issues).set(scenario, *names, {}, at)) {
            return false;
        }
    }
    return true;
}

// Calls visit(document, its text) for each document in the scenario that says it is a stored one.
template <class S, class F> void for_each_pinned(S& scenario, const F& visit) {
    std::string at;
    model::walk(scenario, at, {}, [&]<class D>(D& document, const std::string& /*where*/, const FieldSpec& /*spec*/) {
        if constexpr (model::is_stored<std::remove_const_t<D>>) {
            if (document.stored.revision > 0) {
                visit(document, encode_document(AnyDocument(document)));
            }
        }
    });
}

void apply_set(const JsonValue& set, json& scenario, const std::string& set_pointer, model::Failure& issues) {
    for (const auto& [pointer, value] : set.members()) {
        try {
            const json::json_pointer path{std::string(pointer)};
            if (scenario.contains(path) || scenario.at(path.parent_pointer()).is_object()) {
                scenario[path] = value.tree();
                continue;
            }
        } catch (const json::exception&) { // no pointer, or nothing on its way
        }
        issues.push_back(
            {join_pointer(set_pointer, pointer), model::Code::unknown_reference, "no JSON Pointer to a place in the scenario"});
    }
}

// The same through JSON: whatever a set holds, with every issue of what comes of it.
Decoded<model::ScenarioDocument> set_in_json(const model::ScenarioDocument& base, const JsonValue& set, const std::string& pointer,
                                             const std::string& set_pointer) {
    json scenario = *parse_json(encode_scenario(base));
    model::Failure misplaced;
    apply_set(set, scenario, set_pointer, misplaced);
    if (!misplaced.empty()) {
        return {{}, std::move(misplaced)};
    }
    std::map<std::string, model::Stored> stored;
    for_each_pinned(base, [&](const auto& document, std::string text) { stored.emplace(std::move(text), document.stored); });
    Decoded<model::ScenarioDocument> decoded = decode_scenario(scenario, pointer);
    for_each_pinned(decoded.document, [&](auto& document, const std::string& text) {
        const auto same = stored.find(text);
        document.stored = same == stored.end() ? model::Stored{} : same->second;
    });
    return decoded;
}

} // namespace

model::Result<model::ScenarioDocument> patched(const model::ScenarioDocument& base, const JsonValue& set,
                                               const std::string& pointer, const std::string& set_pointer, Source& source) {
    Decoded<model::ScenarioDocument> changed{base, {}};
    if (!set_fields(set, changed.document, pointer, changed.issues)) {
        changed = set_in_json(base, set, pointer, set_pointer);
    }
    resolve(changed, pointer, source);
    if (!changed.issues.empty()) {
        return tl::unexpected(std::move(changed.issues));
    }
    return std::move(changed.document);
}

} // namespace costcurve::documents
