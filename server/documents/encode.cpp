// Encodes documents as JSON by the field tables.
#include "server/documents/encode.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "model/documents/automation.hpp"
#include "model/documents/calendar.hpp"
#include "model/documents/walk.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::documents {

namespace {

using namespace costcurve::model;

/// Which fields stand in the text: all, with their defaults, as people see them; or those that are stated, as they are stored.
enum class Defaults { written, left_out };
class DocumentWriter : public JsonWriter {
public:
    explicit DocumentWriter(Defaults defaults) : leaves_out_defaults(defaults == Defaults::left_out) {}
    const bool leaves_out_defaults;
};

template <class T> void write_object(DocumentWriter& out, const T& document);

template <class T> void write_revision(DocumentWriter& out, const T& document) {
    if constexpr (is_stored<T>) {
        if (document.stored.revision > 0) {
            out.member("revision", static_cast<double>(document.stored.revision));
        }
    }
}
void write(DocumentWriter& out, double number) { out.value(number); }
void write(DocumentWriter& out, int number) { out.value(number); }
void write(DocumentWriter& out, bool flag) { out.value(flag); }
void write(DocumentWriter& out, const std::string& text) { out.value(text); }
void write(DocumentWriter& out, const Identity& identity) { out.value(identity.id); }
void write(DocumentWriter& out, const Date& date) { out.value(date.text); }
void write(DocumentWriter& out, const YearMonth& month) { out.value(to_text(month)); }
template <class E>
requires std::is_enum_v<E>
void write(DocumentWriter& out, E choice) { out.value(name_of(choice)); }
void write(DocumentWriter& out, const std::vector<std::string>& names) {
    out.begin_array();
    for (const std::string& name : names) {
        out.value(name);
    }
    out.end_array();
}
template <class E>
requires std::is_enum_v<E>
void write(DocumentWriter& out, const std::vector<E>& choices) {
    out.begin_array();
    for (const E choice : choices) {
        out.value(name_of(choice));
    }
    out.end_array();
}
template <class Number>
requires std::is_arithmetic_v<Number>
void write(DocumentWriter& out, const std::vector<Number>& numbers) {
    out.begin_array();
    for (const Number number : numbers) {
        out.value(number);
    }
    out.end_array();
}
void write(DocumentWriter& out, const ScenarioChoice& choice) {
    if (choice.coverage == Coverage::some) {
        write(out, choice.ids);
    } else {
        out.value(name_of(choice.coverage));
    }
}
void write(DocumentWriter& out, const Secret& /*never*/) { out.null(); }
template <class Value>
requires(!has_fields<Value>) void write(DocumentWriter& out, const std::map<std::string, Value>& values) {
    out.begin_object();
    for (const auto& [name, value] : values) {
        out.member(name, value);
    }
    out.end_object();
}
void write(DocumentWriter& out, const Curve& curve) {
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
    const Curve defaults;
    if (!out.leaves_out_defaults || curve.interpolation != defaults.interpolation) {
        out.member("interpolation", name_of(curve.interpolation));
    }
    if (!out.leaves_out_defaults || curve.outside != defaults.outside) {
        out.member("outside", name_of(curve.outside));
    }
    if (!curve.currency.empty()) {
        out.member("currency", curve.currency);
    }
    if (curve.utilization_of) {
        out.member("utilization_of", name_of(*curve.utilization_of));
    }
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
void write(DocumentWriter& out, const Rate& rate) {
    if (rate.curve) {
        write(out, *rate.curve);
    } else {
        out.value(rate.number);
    }
}
void write(DocumentWriter& out, const UnitsPerRequest& units) {
    if (units.split) {
        write_object(out, units);
    } else {
        out.value(units.total);
    }
}
void write(DocumentWriter& out, const UnitPrice& price) {
    if (price.split) {
        write_object(out, price);
    } else {
        write(out, price.total);
    }
}
template <class T>
requires has_fields<T>
void write(DocumentWriter& out, const T& document) {
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
void write(DocumentWriter& out, const std::map<std::string, T>& parts) {
    out.begin_object();
    for (const auto& [name, part] : parts) {
        out.key(name);
        write(out, part);
    }
    out.end_object();
}
template <class T>
requires has_fields<T>
void write(DocumentWriter& out, const std::vector<T>& documents) {
    out.begin_array();
    for (const T& document : documents) {
        write(out, document);
    }
    out.end_array();
}

template <class M> bool is_present(const M& /*member*/) { return true; }
template <class M> bool is_present(const std::optional<M>& member) { return member.has_value(); }
template <class T>
requires has_fields<T> || std::is_arithmetic_v<T>
bool is_present(const std::vector<T>& parts) { return !parts.empty(); }
bool is_present(const std::string& text) { return !text.empty(); }
bool is_present(const Date& date) { return !date.text.empty(); }
bool is_present(const Identity& identity) { return !identity.id.empty(); }
bool is_present(const Secret& /*secret*/) { return false; }
template <class M> const M& content(const M& member) { return member; }
template <class M> const M& content(const std::optional<M>& member) { return *member; }

// One function a type of member, not one a field.
template <class M>
void write_member(DocumentWriter& out, std::string_view name, const FieldSpec& spec, const M& member, const M& by_default) {
    if (out.leaves_out_defaults && !is_stated(spec, member, by_default)) {
        return;
    }
    if (is_present(member)) {
        out.key(name);
        write(out, content(member));
    } else if (is_present(by_default)) {
        out.member(name, ""); // a text that is empty where it need not be
    }
}

template <class T> void write_object(DocumentWriter& out, const T& document) {
    out.begin_object();
    for_each_field<T>([&](const auto& field) {
        if (applies(field.spec, document)) {
            write_member(out, field.name, field.spec, document.*field.member, defaults_of<T>().*field.member);
        }
    });
    write_revision(out, document);
    out.end_object();
}

template <class T> std::string text_of(const T& document, Defaults defaults) {
    DocumentWriter out(defaults);
    write(out, document);
    return out.take();
}

} // namespace

std::string encode_document(const AnyDocument& document) {
    return std::visit([](const auto& alternative) { return text_of(alternative, Defaults::written); }, document);
}

std::string encode_scenario(const ScenarioDocument& scenario) { return text_of(scenario, Defaults::written); }

std::string encode_canonical(const AnyDocument& document) {
    return std::visit([](const auto& alternative) { return text_of(alternative, Defaults::left_out); }, document);
}

std::string encode_canonical(const ScenarioDocument& scenario) { return text_of(scenario, Defaults::left_out); }

} // namespace costcurve::documents
