// Decodes objects by their field tables: references, curves, numbers or objects.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/curve_use.hpp"
#include "model/documents/fields.hpp"
#include "model/documents/renamed_fields.hpp"
#include "model/hosted/token_spread.hpp"
#include "server/documents/decoder.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::documents {

void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Curve& curve) {
    if (!decode_reference(value, pointer, model::document_name<model::Curve>, curve.id, curve.stored)) {
        decode_curve(value, pointer, &spec, curve);
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::ScenarioChoice& choice) {
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
// Messages never show the value of a secret.
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& /*spec*/, model::Secret& secret) {
    if (value.is_string()) {
        secret.text = value.text();
    }
    if (secret.text.size() < model::kMinSecretBytes || secret.text.size() > model::kMaxSecretBytes) {
        add(pointer, value.is_string() ? Code::out_of_range : Code::wrong_type,
            fmt::format("{} must be text of {} to {} bytes", pointer.last(), model::kMinSecretBytes, model::kMaxSecretBytes));
    }
}
// Uses only the id, but a document in its place must be valid.
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Identity& identity) {
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
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Rate& rate) {
    if (value.is_number()) {
        decode(value, pointer, spec, rate.number);
    } else if (value.is_object() || value.is_string()) {
        decode(value, pointer, spec, rate.curve.emplace());
    } else {
        wrong_type(value, pointer, fmt::format("a number{}{}, or a curve", spec.unit.empty() ? "" : " of ", spec.unit));
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::UnitsPerRequest& units) {
    units.split = value.is_object();
    if (units.split) {
        decode_object(value, pointer, units);
    } else {
        decode(value, pointer, spec, units.total);
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::vector<model::TokenBucket>& mix) {
    if (!value.is_object()) {
        decode_list(value, pointer, spec, mix);
        return;
    }
    const std::size_t before = issues.size();
    model::TokenSpread spread;
    decode_object(value, pointer, spread);
    for (const auto& [name, units] : {std::pair{"mean", &spread.mean}, std::pair{"p95", &spread.p95}}) {
        if (const JsonValue* const stated = value.find(name); stated != nullptr && !units->split && issues.size() == before) {
            wrong_type(*stated, pointer / name, "units by class");
        }
    }
    if (issues.size() > before) {
        return;
    }
    if (auto buckets = model::buckets_of(spread)) {
        mix = std::move(*buckets);
    } else {
        add(std::string(pointer) + buckets.error().at, Code::out_of_range, buckets.error().message);
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::UnitPrice& price) {
    const auto names_class = [&](std::string_view name) { return value.contains(name); };
    price.split = value.is_object() &&
                  std::any_of(model::enum_names<model::UnitClass>.begin(), model::enum_names<model::UnitClass>.end(), names_class);
    if (price.split) {
        decode_object(value, pointer, price);
    } else {
        decode(value, pointer, spec, price.total);
    }
}

// ---- objects ----

std::span<const std::string_view> Decoder::store_members(bool is_timed) {
    static constexpr auto kStoreMembers =
        std::to_array<std::string_view>({"revision", "recorded_at", "recorded_by", "unknown_fields", "warnings", "next_runs"});
    return std::span(kStoreMembers).first(kStoreMembers.size() - (is_timed ? 0 : 1));
}

bool Decoder::decode_reference(const JsonValue& value, const Pointer& pointer, std::string_view noun, std::string& id,
                               model::Stored& stored) {
    if (!value.is_string()) {
        return false;
    }
    const std::string_view text = value.text();
    if (is_slug(text)) {
        id = text;
        stored.is_reference = true;
    } else {
        add(pointer, Code::unknown_reference,
            fmt::format("{} is no id of a stored {}: [a-z0-9][a-z0-9._-]{{0,127}}", shown(value), noun));
    }
    return true;
}

// How many of them there are.
std::size_t Decoder::decode_store_members(const JsonValue& value, const Pointer& pointer, const Shape& shape) {
    std::size_t known = 0;
    for (const std::string_view name : shape.store_members) {
        known += value.contains(name) ? 1 : 0;
    }
    if (shape.stored == nullptr) {
        return known;
    }
    if (const JsonValue* const found = value.find("revision")) {
        constexpr double kMaxRevision = 1e15;
        double revision = 0.0;
        decode(*found, pointer / "revision", FieldSpec{.min = 0, .max = kMaxRevision}, revision);
        shape.stored->revision = static_cast<std::int64_t>(std::clamp(revision, 0.0, kMaxRevision)); // else an issue
    }
    return known;
}

// 1 where the member is there.
std::size_t Decoder::decode_if_there(const JsonValue& value, const Pointer& pointer, const Member& member) {
    const JsonValue* const found = value.find(member.name);
    const bool is_there = found != nullptr;
    bool is_stated = is_there;
    if (is_there) {
        const std::size_t before = issues.size();
        member.decode(*this, *found, pointer / member.name, *member.spec, member.place);
        // an empty text that nothing was wrong with says nothing; bodies of old programs may have one
        is_stated = reading == Reading::stored || issues.size() > before || !found->is_string() || !found->text().empty();
    }
    if (member.spec->required && !is_stated) {
        add(pointer / member.name, Code::missing,
            fmt::format("{} is required{}{}", member.name, member.spec->help.empty() ? "" : ": ", member.spec->help));
    }
    return is_there ? 1 : 0;
}

namespace {

// "inference or batch"
std::string kinds_of(std::string_view only_for) {
    std::string text(only_for);
    for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 4)) {
        text.replace(at, 1, " or ");
    }
    return text;
}

} // namespace

bool Decoder::decode_members(const JsonValue& value, const Pointer& pointer, std::span<const Member> members, const Shape& shape) {
    if (!value.is_object()) {
        wrong_type(value, pointer, "an object");
        return false;
    }
    std::size_t known = decode_store_members(value, pointer, shape) + (shape.has_points && value.contains("points") ? 1 : 0);
    // `kind` first: it says which of the other fields there are. Where it is not known, they are not guessed.
    const auto is_kind = [&](const Member& member) { return shape.kind != nullptr && member.name == "kind"; };
    const std::size_t before = issues.size();
    if (const auto kind = std::find_if(members.begin(), members.end(), is_kind); kind != members.end()) {
        known += decode_if_there(value, pointer, *kind);
    }
    const bool is_kind_known = issues.size() == before;
    const std::string_view kind = shape.kind != nullptr ? shape.kind(shape.object) : "";
    for (const Member& member : members) {
        const std::string_view only_for = shape.kind != nullptr ? member.spec->only_for : "";
        if (is_kind(member)) {
            continue;
        }
        if (!is_kind_known && !only_for.empty()) {
            known += value.contains(member.name) ? 1 : 0;
        } else if (only_for.empty() || model::is_for(only_for, kind)) {
            known += decode_if_there(value, pointer, member);
        } else if (value.contains(member.name)) {
            ++known;
            add(pointer / member.name, Code::not_allowed,
                fmt::format("{} belongs to kind {} only", member.name, kinds_of(only_for)));
        }
    }
    const bool is_readable = issues.size() == before;
    if (known < value.size()) {
        report_unknown(value, pointer, members, shape);
    }
    return is_readable;
}

void Decoder::report_unknown(const JsonValue& value, const Pointer& pointer, std::span<const Member> members, const Shape& shape) {
    const bool is_document = shape.noun != model::document_name<model::Stored>; // others list what they may have
    std::string allowed;
    for (const Member& member : members) {
        allowed.append(allowed.empty() ? "" : ", ").append(member.name);
    }
    for (const auto& [name, ignored] : value.members()) {
        const bool known =
            (shape.has_points && name == "points") ||
            std::find(shape.store_members.begin(), shape.store_members.end(), name) != shape.store_members.end() ||
            std::any_of(members.begin(), members.end(), [&, &key = name](const Member& member) { return member.name == key; });
        if (!known && reading == Reading::stored) {
            unknown_fields.push_back(pointer / name);
        } else if (!known) {
            const std::string renamed = model::renamed_text(shape.noun, name);
            add(pointer / name, Code::unknown_field,
                !renamed.empty() ? renamed
                : is_document    ? fmt::format("a {} has no field {}", shape.noun, shortened(name, 100))
                                 : fmt::format("allowed: {}", allowed));
        }
    }
}

// ---- lists ----

std::size_t Decoder::entries(const JsonValue& value, const Pointer& pointer, std::string_view expected, const FieldSpec& spec) {
    if (!value.is_array()) {
        wrong_type(value, pointer, expected);
        return 0;
    }
    return wrong_count(value, pointer, spec) ? 0 : value.size();
}

std::span<const JsonMember> Decoder::named_members(const JsonValue& value, const Pointer& pointer) {
    if (!value.is_object()) {
        wrong_type(value, pointer, "an object of objects");
        return {};
    }
    if (too_many(value, pointer)) {
        return {};
    }
    for (const auto& [name, part] : value.members()) {
        if (name.empty() || name.size() > model::kMaxNameBytes) {
            add(pointer / name, Code::bad_format, fmt::format("a name has 1 to {} bytes", model::kMaxNameBytes));
        }
    }
    return value.members();
}

// ---- curves ----

void Decoder::decode_curve(const JsonValue& value, const Pointer& pointer, const FieldSpec* spec, model::Curve& curve) {
    if (!value.is_object()) {
        wrong_type(value, pointer, "a curve {kind, axis, points, interpolation, outside}");
        return;
    }
    Shape shape = shape_of(curve);
    shape.has_points = true;
    const bool is_readable = decode_members(value, pointer, members_of(curve), shape);
    const JsonValue* const points = value.find("points");
    if (points == nullptr) {
        add(pointer / "points", Code::missing, "points [[x, y], …] is required");
    }
    if (!is_readable || points == nullptr) {
        return;
    }
    const model::Failure misuse = model::check_curve_use(curve, spec, pointer);
    if (!misuse.empty()) {
        issues.add_all(misuse);
        return;
    }
    decode_points(*points, pointer / "points", curve);
}

namespace {

// Whether a point is a pair of numbers within their ranges with x above the previous x.
bool is_good_point(const JsonValue& point, const model::Curve& curve, const model::PointSpecs& specs) {
    if (curve.axis == model::Axis::date || !point.is_array() || point.size() != 2 || !point[0].is_number() ||
        !point[1].is_number()) {
        return false;
    }
    const double x = point[0].number();
    return model::is_good(x, specs.x) && model::is_good(point[1].number(), specs.y) && (curve.x.empty() || x > curve.x.back());
}

} // namespace

void Decoder::decode_points(const JsonValue& points, const Pointer& pointer, model::Curve& curve) {
    if (reading == Reading::stored && points.is_array() && points.empty()) {
        return;
    }
    if (!points.is_array() || points.empty() || points.size() > model::kMaxCurvePoints) {
        add(pointer, points.is_array() ? Code::out_of_range : Code::wrong_type,
            fmt::format("points must be an array of 1 to {} pairs [x, y]", model::kMaxCurvePoints));
        return;
    }
    constexpr std::size_t kMaxPointIssues = 100; // of one curve: a file of wrong points is said once, not a million times
    const std::size_t before = issues.size();
    const model::PointSpecs specs = model::point_specs(curve);
    curve.x.reserve(points.size());
    curve.y.reserve(points.size());
    for (std::size_t i = 0; i < points.size() && issues.size() - before < kMaxPointIssues; ++i) {
        const JsonValue& point = points[i];
        if (is_good_point(point, curve, specs)) { // the common case, without a pointer for messages
            curve.x.push_back(point[0].number());
            curve.y.push_back(point[1].number());
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
            if (!point[0].is_string() || !model::parse_date(point[0].text(), x)) {
                add(at / "0", Code::bad_format, fmt::format("x is {}; give a date as \"YYYY-MM-DD\"", shown(point[0])));
            }
        } else {
            decode(point[0], at / "0", specs.x, x);
        }
        decode(point[1], at / "1", specs.y, y);
        if (!curve.x.empty() && x <= curve.x.back() && issues.size() == before_point) {
            add(at / "0", Code::not_ascending, fmt::format("x is {}, not above the one before it", shown(point[0])));
        }
        curve.x.push_back(x);
        curve.y.push_back(y);
    }
}

} // namespace costcurve::documents
