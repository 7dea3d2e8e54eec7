// Documents to JSON: one overload a type of member, driven by the field tables; and the tables themselves.
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "model/calendar.hpp"
#include "model/fields.hpp"
#include "server/api/encode.hpp"
#include "server/api/json_text.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

template <class T> constexpr bool has_fields = !std::is_same_v<std::decay_t<decltype(fields<T>)>, int>;

template <class T> void write_object(JsonWriter& out, const T& document);

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
void write(JsonWriter& out, const std::map<std::string, double>& numbers) {
    out.begin_object();
    for (const auto& [name, number] : numbers) {
        out.member(name, number);
    }
    out.end_object();
}
void write(JsonWriter& out, const Curve& curve) {
    out.begin_object().member("kind", name_of(curve.kind)).member("axis", name_of(curve.axis));
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
    out.end_array().end_object();
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
void write(JsonWriter& out, const T& document) { write_object(out, document); }
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
                              std::is_same_v<M, std::string> || std::is_same_v<M, UnitsPerRequest>;
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

// Every document and curve inside another, by the field tables; each kind and id once.
class DocumentsUsed {
public:
    template <class M> void visit(const M& member) {
        if constexpr (has_fields<M>) {
            // Workloads and pools are parts of the scenario, not documents.
            if constexpr (requires { member.source; } && !std::is_same_v<M, Workload> && !std::is_same_v<M, Pool>) {
                add(document_name<M>, member.id, member.source);
            }
            for_each_field<M>([&](const auto& field) { visit(member.*field.member); });
        }
    }
    template <class M> void visit(const std::optional<M>& member) {
        if (member) {
            visit(*member);
        }
    }
    template <class M> void visit(const std::vector<M>& members) {
        for (const M& member : members) {
            visit(member);
        }
    }
    void visit(const Rate& rate) { visit(rate.curve); }
    void visit(const UnitPrice& price) {
        for (const Rate* const rate : {&price.total, &price.input, &price.output}) {
            visit(*rate);
        }
    }

    JsonWriter out;

private:
    void add(std::string_view kind, const std::string& id, const std::string& source) {
        if (id.empty() || !seen_.emplace(kind, id).second) {
            return;
        }
        out.begin_object().member("kind", kind).member("id", id).key("revision").null().key("source");
        if (source.empty()) {
            out.null();
        } else {
            out.value(source);
        }
        out.end_object();
    }
    std::set<std::pair<std::string_view, std::string>> seen_;
};

} // namespace

std::string encode_documents_used(const ScenarioDocument& scenario) {
    DocumentsUsed used;
    used.out.begin_array();
    used.visit(scenario);
    used.out.end_array();
    return used.out.take();
}

std::string encode_scenario(const ScenarioDocument& scenario) {
    JsonWriter out;
    write_object(out, scenario);
    return out.take();
}

std::string sha256(std::string_view text) {
    static const EVP_MD* const kSha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr); // once: a look-up costs more than 5 KB of it
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, kSha256, nullptr);
    std::string hex;
    for (unsigned i = 0; i < size; ++i) {
        hex += "0123456789abcdef"[digest[i] >> 4U];
        hex += "0123456789abcdef"[digest[i] & 15U];
    }
    return hex;
}

std::string encode_fields() {
    JsonWriter out;
    out.begin_array();
    write_table<Device>(out, "device");
    write_table<Curve>(out, "curve");
    write_table<Offer>(out, "offer");
    write_table<Server>(out, "server");
    write_table<Site>(out, "site");
    write_table<Performance>(out, "performance");
    write_table<Estimate>(out, "estimate");
    write_table<ScenarioDocument>(out, "scenario");
    write_table<Finance>(out, "finance");
    write_table<Workload>(out, "workload");
    write_table<Demand>(out, "demand");
    write_table<Checkpoint>(out, "checkpoint");
    write_table<RunsOn>(out, "runs_on");
    write_table<Porting>(out, "porting");
    write_table<Pool>(out, "pool");
    write_table<ServerPurchase>(out, "purchase");
    out.end_array();
    return out.take();
}

} // namespace costcurve::api
