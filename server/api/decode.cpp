// One overload a type of member; the tables in model/fields.hpp say the rest.
#include "server/api/decode.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/calendar.hpp"
#include "model/curve_use.hpp"
#include "model/rules.hpp"
#include "model/walk.hpp"
#include "server/api/decode_value.hpp"
#include "server/api/json_text.hpp"
#include "server/work/standing.hpp"

namespace costcurve::api {

namespace {

using model::has_fields;
using nlohmann::json;

// What the store writes into its answers, beside the fields.
template <class T> constexpr auto kOfTheStore = std::to_array<std::string_view>({"revision", "recorded_at", "recorded_by"});
template <>
constexpr auto kOfTheStore<model::Schedule> = std::to_array<std::string_view>({"revision", "recorded_at", "recorded_by",
                                                                               "next_runs"});

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

class Decoder : public ValueDecoder {
public:
    /// Of a stored body: its curves have no points, which stand in the store beside it.
    bool points_apart = false;
    template <class T> void decode_object(const json& value, const Pointer& pointer, T& document) {
        if (!value.is_object()) {
            wrong_type(value, pointer, "an object");
            return;
        }
        std::size_t known = decode_stored(value, pointer, document);
        // `kind` first: it says which of the other fields there are. Where it is not known, they are not guessed.
        const std::size_t before = issues.size();
        model::for_each_field<T>([&](const auto& field) {
            if (field.name == "kind") {
                known += decode_field(value, pointer, field, document);
            }
        });
        const bool kind_known = issues.size() == before;
        model::for_each_field<T>([&](const auto& field) {
            if (field.name == "kind") {
                return;
            }
            if (!kind_known && !field.spec.only_for.empty()) {
                known += value.count(field.name);
            } else if (applies(field.spec, document)) {
                known += decode_field(value, pointer, field, document);
            } else if (value.contains(field.name)) {
                ++known;
                add(pointer / field.name, Code::not_allowed,
                    fmt::format("{} belongs to kind {} only", field.name, field.spec.only_for));
            }
        });
        if (known < value.size()) {
            report_unknown<T>(value, pointer);
        }
    }

    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, model::Curve& curve) {
        if (value.is_string()) {
            reference(value, pointer, curve);
            return;
        }
        decode_curve(value, pointer, &spec, curve);
    }

    /// `spec` is null where any kind of curve may stand.
    void decode_curve(const json& value, const Pointer& pointer, const FieldSpec* spec, model::Curve& curve) {
        if (!value.is_object()) {
            wrong_type(value, pointer, "a curve {kind, axis, points, interpolation, outside}");
            return;
        }
        const std::size_t before = issues.size();
        std::size_t known = decode_stored(value, pointer, curve) + value.count("points");
        model::for_each_field<model::Curve>([&](const auto& field) { known += decode_field(value, pointer, field, curve); });
        const bool readable = issues.size() == before;
        if (known < value.size()) {
            report_unknown<model::Curve>(value, pointer);
        }
        if (!value.contains("points")) {
            add(pointer / "points", Code::missing, "points [[x, y], …] is required");
        }
        if (!readable || !value.contains("points")) {
            return;
        }
        const model::Failure misuse = model::check_curve_use(curve, spec, pointer);
        if (!misuse.empty()) {
            issues.insert(issues.end(), misuse.begin(), misuse.end());
            return;
        }
        decode_points(value.at("points"), pointer / "points", curve);
    }

private:
    using ValueDecoder::decode;
    template <class E>
    requires std::is_enum_v<E>
    void decode(const json& value, const Pointer& pointer, const FieldSpec& /*spec*/, E& choice) {
        if (const std::optional<std::size_t> found = decode_choice(value, pointer, model::enum_names<E>)) {
            choice = static_cast<E>(*found);
        }
    }

    template <class E>
    requires std::is_enum_v<E>
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, std::vector<E>& choices) {
        if (!value.is_array()) {
            wrong_type(value, pointer, "an array of texts");
            return;
        }
        if (too_many(value, pointer)) {
            return;
        }
        for (std::size_t i = 0; i < value.size(); ++i) {
            decode(value[i], pointer / i, spec, choices.emplace_back());
        }
    }
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, model::ScenarioChoice& choice) {
        if (!value.is_array()) {
            if (const auto found = decode_choice(value, pointer, model::coverage_words)) {
                choice.coverage = static_cast<model::Coverage>(*found);
            }
            return;
        }
        choice.coverage = model::Coverage::some;
        decode(value, pointer, spec, choice.ids);
        if (choice.ids.empty()) {
            add(pointer, Code::out_of_range, "scenarios is empty; give ids, or all or changed");
        }
    }
    // Says nothing of what was sent.
    void decode(const json& value, const Pointer& pointer, const FieldSpec& /*spec*/, model::Secret& secret) {
        if (value.is_string()) {
            secret.text = value.get<std::string>();
        }
        if (secret.text.size() < model::kLeastSecret || secret.text.size() > model::kMostSecret) {
            add(pointer, value.is_string() ? Code::out_of_range : Code::wrong_type,
                fmt::format("{} must be text of {} to {} bytes", pointer.last(), model::kLeastSecret, model::kMostSecret));
        }
    }

    template <class T> void reference(const json& value, const Pointer& pointer, T& document) {
        const auto& id = value.get_ref<const std::string&>();
        if (is_slug(id)) {
            document.id = id;
            document.stored.is_reference = true;
        } else {
            add(pointer, Code::unknown_reference,
                fmt::format("{} is no id of a stored {}: [a-z0-9][a-z0-9._-]{{0,127}}", shown(value), model::document_name<T>));
        }
    }
    // Its answers can be sent back: 1 for each of its members that is there.
    template <class T> std::size_t decode_stored(const json& value, const Pointer& pointer, T& document) {
        std::size_t known = 0;
        if constexpr (model::is_stored<T>) {
            for (const std::string_view name : kOfTheStore<T>) {
                known += value.count(name);
            }
            if (const auto found = value.find("revision"); found != value.end()) {
                double revision = 0.0;
                decode(*found, pointer / "revision", FieldSpec{.min = 0, .max = 1e15}, revision);
                document.stored.revision = static_cast<std::int64_t>(revision);
            }
        }
        return known;
    }

    template <class T> static bool applies(const FieldSpec& spec, const T& document) {
        if constexpr (requires { document.kind; }) {
            return spec.only_for.empty() || spec.only_for == model::name_of(document.kind);
        }
        return true;
    }

    // 1 where the field is there.
    template <class T, class M>
    std::size_t decode_field(const json& value, const Pointer& pointer, const model::Field<T, M>& field, T& document) {
        return decode_named(value, pointer, field.name, field.spec, document.*field.member);
    }
    template <class M>
    std::size_t decode_named(const json& value, const Pointer& pointer, std::string_view name, const FieldSpec& spec, M& member) {
        const auto found = value.find(name);
        if (found != value.end()) {
            decode(*found, pointer / name, spec, member);
            return 1;
        }
        if (spec.required) {
            add(pointer / name, Code::missing, fmt::format("{} is required{}{}", name, spec.help.empty() ? "" : ": ", spec.help));
        }
        return 0;
    }
    template <class T> void report_unknown(const json& value, const Pointer& pointer) {
        for (const auto& [name, ignored] : value.items()) {
            bool known =
                (std::is_same_v<T, model::Curve> && name == "points") || (model::is_stored<T> && is_one_of(kOfTheStore<T>, name));
            model::for_each_field<T>([&, &key = name](const auto& field) { known = known || field.name == key; });
            if (!known) {
                add(pointer / name, Code::unknown_field,
                    fmt::format("a {} has no field {}", model::document_name<T>, shortened(name, 100)));
            }
        }
    }

    // Only the id counts, but a document in its place must be a good one.
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, model::Identity& identity) {
        if (value.is_string()) {
            FieldSpec slug = spec;
            slug.format = model::Format::slug;
            decode(value, pointer, slug, identity.id);
            return;
        }
        model::Device device;
        decode_object(value, pointer, device);
        identity.id = device.id;
    }
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, model::Rate& rate) {
        if (value.is_number()) {
            decode(value, pointer, spec, rate.number);
        } else if (value.is_object() || value.is_string()) {
            decode(value, pointer, spec, rate.curve.emplace());
        } else {
            wrong_type(value, pointer, fmt::format("a number{}{}, or a curve", spec.unit.empty() ? "" : " of ", spec.unit));
        }
    }
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, model::UnitsPerRequest& units) {
        units.split = value.is_object();
        if (units.split) {
            decode_object(value, pointer, units);
        } else {
            decode(value, pointer, spec, units.total);
        }
    }
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, model::UnitPrice& price) {
        price.split = value.is_object() && (value.contains("input") || value.contains("output"));
        if (price.split) {
            decode_object(value, pointer, price);
        } else {
            decode(value, pointer, spec, price.total);
        }
    }
    template <class M> void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, std::optional<M>& member) {
        decode(value, pointer, spec, member.emplace());
    }
    template <class T>
    requires has_fields<T>
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, std::vector<T>& members) {
        if (!value.is_array()) {
            wrong_type(value, pointer, "an array");
            return;
        }
        if (wrong_count(value, pointer, spec)) {
            return;
        }
        members.resize(value.size());
        for (std::size_t i = 0; i < value.size(); ++i) {
            decode_object(value[i], pointer / i, members[i]);
        }
    }
    template <class T>
    requires has_fields<T>
    void decode(const json& value, const Pointer& pointer, const FieldSpec& /*spec*/, T& document) {
        if constexpr (model::is_stored<T>) {
            if (value.is_string()) {
                return reference(value, pointer, document);
            }
        }
        decode_object(value, pointer, document);
    }

    // A pair of numbers within their ranges, x above the one before it.
    static bool is_good_point(const json& point, const model::Curve& curve, const FieldSpec& x_spec, const FieldSpec& y_spec) {
        const auto in_range = [](double value, const FieldSpec& spec) {
            return value <= spec.max && (spec.above_min ? value > spec.min : value >= spec.min);
        };
        if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number()) {
            return false;
        }
        if (curve.axis == model::Axis::date) {
            return false;
        }
        const double x = point[0].get<double>();
        return in_range(x, x_spec) && in_range(point[1].get<double>(), y_spec) && (curve.x.empty() || x > curve.x.back());
    }

    void decode_points(const json& points, const Pointer& pointer, model::Curve& curve) {
        if (points_apart && points.is_array() && points.empty()) {
            return;
        }
        if (!points.is_array() || points.empty() || points.size() > kMostPoints) {
            add(pointer, points.is_array() ? Code::out_of_range : Code::wrong_type,
                fmt::format("points must be an array of 1 to {} pairs [x, y]", kMostPoints));
            return;
        }
        constexpr std::size_t kMostIssues = 100; // of one curve: a file of wrong points is said once, not a million times
        const std::size_t before = issues.size();
        const model::CurveKindRow& row = model::curve_kind_row(curve.kind);
        const model::AxisRange range = model::range_of(curve.axis);
        const bool is_log = curve.interpolation == model::Interpolation::log;
        const FieldSpec x_spec{.min = is_log ? 0.0 : range.low, .max = range.high, .above_min = is_log};
        const FieldSpec y_spec{.unit = row.y_unit, .min = is_log ? 0.0 : row.y_min, .max = row.y_max, .above_min = is_log};
        curve.x.reserve(points.size());
        curve.y.reserve(points.size());
        for (std::size_t i = 0; i < points.size() && issues.size() - before < kMostIssues; ++i) {
            const json& point = points[i];
            if (is_good_point(point, curve, x_spec, y_spec)) { // the common case, without a pointer for messages
                curve.x.push_back(point[0].get<double>());
                curve.y.push_back(point[1].get<double>());
                continue;
            }
            const Pointer at = pointer / i;
            if (!point.is_array() || point.size() != 2) {
                wrong_type(point, at, "a pair [x, y]");
                continue;
            }
            const std::size_t before_point = issues.size();
            double x = 0.0;
            double y = 0.0;
            if (curve.axis == model::Axis::date) {
                if (!point[0].is_string() || !model::parse_date(point[0].get_ref<const std::string&>(), x)) {
                    add(at / "0", Code::bad_format, fmt::format("x is {}; give a date as \"YYYY-MM-DD\"", shown(point[0])));
                }
            } else {
                decode(point[0], at / "0", x_spec, x);
            }
            decode(point[1], at / "1", y_spec, y);
            if (!curve.x.empty() && x <= curve.x.back() && issues.size() == before_point) {
                add(at / "0", Code::not_ascending, fmt::format("x is {}, not above the one before it", shown(point[0])));
            }
            curve.x.push_back(x);
            curve.y.push_back(y);
        }
    }
};

template <class T> Decoded<work::AnyDocument> decode_as(const json& value, const std::string& pointer, bool points_apart) {
    Decoder decoder;
    decoder.points_apart = points_apart;
    T document;
    if constexpr (std::is_same_v<T, model::Curve>) {
        decoder.decode_curve(value, Pointer(pointer), nullptr, document);
    } else {
        decoder.decode_object(value, Pointer(pointer), document);
    }
    return {std::move(document), std::move(decoder.issues)};
}

// By storage::Kind, as work::AnyDocument's alternatives stand.
constexpr auto kDecoders = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{&decode_as<std::variant_alternative_t<I, work::AnyDocument>>...};
}
(std::make_index_sequence<std::variant_size_v<work::AnyDocument>>{});

} // namespace

Decoded<work::AnyDocument> decode_document(storage::Kind kind, const json& value, const std::string& pointer, bool points_apart) {
    return kDecoders[static_cast<std::size_t>(kind)](value, pointer, points_apart);
}

Decoded<model::ScenarioDocument> decode_scenario(const json& value, const std::string& pointer) {
    Decoder decoder;
    model::ScenarioDocument document;
    decoder.decode_object(value, Pointer(pointer), document);
    return {std::move(document), std::move(decoder.issues)};
}

model::Failure check_rules(const work::AnyDocument& document) {
    model::Rules rules;
    std::visit(
        [&](const auto& alternative) {
            if constexpr (requires { model::check_alone(alternative, rules); }) {
                model::check_alone(alternative, rules);
            } else if constexpr (requires { work::check_alone(alternative, rules); }) {
                work::check_alone(alternative, rules);
            }
        },
        document);
    return std::move(rules.issues);
}

} // namespace costcurve::api
