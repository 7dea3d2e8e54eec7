// Documents to JSON: one overload a type of member, driven by the field tables; and the tables themselves.
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "model/calendar.hpp"
#include "model/standing.hpp"
#include "model/walk.hpp"
#include "server/api/encode.hpp"
#include "server/api/json_text.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

template <class T> void write_object(JsonWriter& out, const T& document);

template <class T> void write_revision(JsonWriter& out, const T& document) {
    if constexpr (is_stored<T>) {
        if (document.stored.revision > 0) {
            out.member("revision", static_cast<double>(document.stored.revision));
        }
    }
}
void write(JsonWriter& out, double number) { out.value(number); }
void write(JsonWriter& out, int number) { out.value(number); }
void write(JsonWriter& out, bool flag) { out.value(flag); }
void write(JsonWriter& out, const std::string& text) { out.value(text); }
void write(JsonWriter& out, const Identity& identity) { out.value(identity.id); }
void write(JsonWriter& out, const Date& date) { out.value(date.text); }
void write(JsonWriter& out, const YearMonth& month) { out.value(to_text(month)); }
template <class E>
requires std::is_enum_v<E>
void write(JsonWriter& out, E choice) { out.value(name_of(choice)); }
void write(JsonWriter& out, const std::vector<std::string>& names) {
    out.begin_array();
    for (const std::string& name : names) {
        out.value(name);
    }
    out.end_array();
}
template <class E>
requires std::is_enum_v<E>
void write(JsonWriter& out, const std::vector<E>& choices) {
    out.begin_array();
    for (const E choice : choices) {
        out.value(name_of(choice));
    }
    out.end_array();
}
void write(JsonWriter& out, const ScenarioChoice& choice) {
    if (choice.coverage == Coverage::some) {
        write(out, choice.ids);
    } else {
        out.value(name_of(choice.coverage));
    }
}
void write(JsonWriter& out, const Secret& /*never*/) { out.null(); }
void write(JsonWriter& out, const std::map<std::string, double>& numbers) {
    out.begin_object();
    for (const auto& [name, number] : numbers) {
        out.member(name, number);
    }
    out.end_object();
}
void write(JsonWriter& out, const Curve& curve) {
    if (curve.stored.is_reference) {
        out.value(curve.id);
        return;
    }
    out.begin_object();
    for (const auto& [name, text] : {std::pair("id", &curve.id), {"source", &curve.source}, {"note", &curve.note}}) {
        if (!text->empty()) {
            out.member(name, *text);
        }
    }
    out.member("kind", name_of(curve.kind)).member("axis", name_of(curve.axis));
    out.member("interpolation", name_of(curve.interpolation)).member("outside", name_of(curve.outside));
    out.key("points").begin_array();
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        out.begin_array();
        if (curve.axis == Axis::date) {
            out.value(date_text(curve.x[i]));
        } else {
            out.value(curve.x[i]);
        }
        out.value(curve.y[i]);
        out.end_array();
    }
    out.end_array();
    write_revision(out, curve);
    out.end_object();
}
void write(JsonWriter& out, const Rate& rate) {
    if (rate.curve) {
        write(out, *rate.curve);
    } else {
        out.value(rate.number);
    }
}
void write(JsonWriter& out, const UnitsPerRequest& units) {
    if (units.split) {
        write_object(out, units);
    } else {
        out.value(units.total);
    }
}
void write(JsonWriter& out, const UnitPrice& price) {
    if (price.split) {
        write_object(out, price);
    } else {
        write(out, price.total);
    }
}
template <class T>
requires has_fields<T>
void write(JsonWriter& out, const T& document) {
    if constexpr (is_stored<T>) {
        if (document.stored.is_reference) {
            out.value(document.id);
            return;
        }
    }
    write_object(out, document);
}
template <class T>
requires has_fields<T>
void write(JsonWriter& out, const std::vector<T>& documents) {
    out.begin_array();
    for (const T& document : documents) {
        write(out, document);
    }
    out.end_array();
}

template <class M> bool is_present(const M& /*member*/) { return true; }
template <class M> bool is_present(const std::optional<M>& member) { return member.has_value(); }
bool is_present(const std::string& text) { return !text.empty(); }
bool is_present(const Date& date) { return !date.text.empty(); }
bool is_present(const Identity& identity) { return !identity.id.empty(); }
bool is_present(const Secret& /*secret*/) { return false; }
template <class M> const M& content(const M& member) { return member; }
template <class M> const M& content(const std::optional<M>& member) { return *member; }

template <class T> void write_object(JsonWriter& out, const T& document) {
    [[maybe_unused]] static const T defaults{};
    out.begin_object();
    for_each_field<T>([&](const auto& field) {
        if constexpr (requires { document.kind; }) {
            if (!field.spec.only_for.empty() && field.spec.only_for != name_of(document.kind)) {
                return;
            }
        }
        const auto& member = document.*field.member;
        if (is_present(member)) {
            out.key(field.name);
            write(out, content(member));
        } else if (is_present(defaults.*field.member)) {
            out.member(field.name, ""); // a text that is empty where it need not be
        }
    });
    write_revision(out, document);
    out.end_object();
}

// The type of a member as forms and the API's description name it.
template <class M> constexpr std::string_view type_name() {
    if constexpr (std::is_same_v<M, double>) {
        return "number";
    } else if constexpr (std::is_same_v<M, int>) {
        return "integer";
    } else if constexpr (std::is_same_v<M, bool>) {
        return "boolean";
    } else if constexpr (std::is_enum_v<M>) {
        return "choice";
    } else if constexpr (std::is_same_v<M, Identity>) {
        return "device";
    } else if constexpr (std::is_same_v<M, Rate>) {
        return "rate";
    } else if constexpr (std::is_same_v<M, Curve>) {
        return "curve";
    } else if constexpr (std::is_same_v<M, std::vector<std::string>>) {
        return "texts";
    } else if constexpr (std::is_same_v<M, std::map<std::string, double>>) {
        return "numbers";
    } else if constexpr (std::is_same_v<M, UnitsPerRequest> || std::is_same_v<M, UnitPrice>) {
        return "number or {input, output}";
    } else if constexpr (std::is_same_v<M, ScenarioChoice>) {
        return "all, changed or ids";
    } else if constexpr (std::is_same_v<M, Secret>) {
        return "secret";
    } else if constexpr (has_fields<M>) {
        return document_name<M>;
    } else {
        return "text";
    }
}
template <class M> constexpr bool is_vector = false;
template <class M> constexpr bool is_vector<std::vector<M>> = true;
template <> constexpr bool is_vector<std::vector<std::string>> = false;
template <class M> struct Unwrapped { using type = M; };
template <class M> struct Unwrapped<std::optional<M>> { using type = M; };
template <class M> struct Unwrapped<std::vector<M>> { using type = M; };
template <> struct Unwrapped<std::vector<std::string>> { using type = std::vector<std::string>; };

template <class T, class M> void write_field(JsonWriter& out, const Field<T, M>& field) {
    using Inner = typename Unwrapped<M>::type;
    const FieldSpec& spec = field.spec;
    out.begin_object().member("name", field.name).member("type", type_name<Inner>());
    if (!spec.unit.empty()) {
        out.member("unit", spec.unit);
    }
    if (std::isfinite(spec.min)) {
        out.member(spec.above_min ? "above" : "min", spec.min);
    }
    if (std::isfinite(spec.max)) {
        out.member("max", spec.max);
    }
    if constexpr (is_vector<M>) {
        out.member("array", true); // min and max count its entries
    }
    out.member("required", spec.required);
    if (!spec.only_for.empty()) {
        out.member("only_for", spec.only_for);
    }
    if constexpr (std::is_enum_v<Inner>) {
        out.key("choices").begin_array();
        for (const std::string_view name : enum_names<Inner>) {
            out.value(name);
        }
        out.end_array();
    }
    if constexpr (std::is_same_v<Inner, Rate> || std::is_same_v<Inner, Curve>) {
        out.member("curve", name_of(spec.curve));
    }
    constexpr bool is_plain = std::is_arithmetic_v<M> || std::is_enum_v<M> || std::is_same_v<M, Rate> ||
                              std::is_same_v<M, std::string> || std::is_same_v<M, UnitsPerRequest> ||
                              std::is_same_v<M, ScenarioChoice>;
    if constexpr (is_plain) {
        const T defaults{};
        if (!spec.required && is_present(defaults.*field.member)) {
            out.key("default");
            write(out, defaults.*field.member);
        }
    }
    out.member("help", spec.help).end_object();
}

template <class T> void write_table(JsonWriter& out, std::string_view name) {
    out.begin_object().member("document", name).key("fields").begin_array();
    for_each_field<T>([&](const auto& field) { write_field(out, field); });
    out.end_array().end_object();
}

} // namespace

std::string encode_documents_used(const ScenarioDocument& scenario) {
    JsonWriter out;
    std::set<std::tuple<std::string_view, std::string, std::int64_t>> seen;
    const auto add = [&]<class T>(const T& document) {
        if (document.id.empty() || !seen.emplace(document_name<T>, document.id, document.stored.revision).second) {
            return;
        }
        out.begin_object().member("kind", document_name<T>).member("id", document.id).key("revision");
        if (document.stored.revision > 0) {
            out.value(static_cast<double>(document.stored.revision));
        } else {
            out.null();
        }
        out.key("source");
        if (document.source.empty()) {
            out.null();
        } else {
            out.value(document.source);
        }
        out.end_object();
    };
    std::string pointer;
    out.begin_array();
    walk(scenario, pointer, {}, [&](const auto& document, const std::string& /*where*/, const FieldSpec& /*spec*/) {
        if constexpr (is_stored<std::decay_t<decltype(document)>>) {
            add(document);
        }
    });
    out.end_array();
    return out.take();
}

std::string encode_document(const work::AnyDocument& document) {
    JsonWriter out;
    std::visit([&](const auto& alternative) { write(out, alternative); }, document);
    return out.take();
}

std::string encode_scenario(const ScenarioDocument& scenario) {
    JsonWriter out;
    write_object(out, scenario);
    return out.take();
}

std::string encode_fields() {
    JsonWriter out;
    out.begin_array();
    for_each_stored_document([&]<class T>(std::type_identity<T>) { write_table<T>(out, part_name<T>); });
    out.end_array();
    return out.take();
}

} // namespace costcurve::api
