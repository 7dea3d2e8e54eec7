// Decodes members: types, ranges, formats, and error messages.
#include "server/documents/decoder.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::documents {

namespace {

constexpr std::size_t kMaxShown = 60;

} // namespace

std::string shown(const JsonValue& value) {
    if (value.is_array()) {
        return "an array";
    }
    if (value.is_object()) {
        return "an object";
    }
    return shortened(value.dump(), kMaxShown);
}

Pointer::operator std::string() const {
    if (parent_ == nullptr) {
        return std::string(name_);
    }
    const std::string parent = *parent_;
    return name_.data() == nullptr ? fmt::format("{}/{}", parent, index_) : join_pointer(parent, name_);
}

std::string Pointer::last() const {
    if (parent_ != nullptr && name_.data() == nullptr) {
        return fmt::format("{}[{}]", parent_->last(), index_);
    }
    const std::string text = *this;
    return text.empty() ? "the document" : text.substr(text.rfind('/') + 1);
}

void Decoder::add(std::string pointer, Code code, std::string message) {
    issues.push_back({std::move(pointer), code, std::move(message)});
}
void Decoder::wrong_type(const JsonValue& value, const Pointer& pointer, std::string_view expected) {
    add(pointer, Code::wrong_type, fmt::format("{} is {}; it must be {}", pointer.last(), shown(value), expected));
}
bool Decoder::too_many(const JsonValue& value, const Pointer& pointer, std::size_t max) {
    if (value.size() <= max) {
        return false;
    }
    add(pointer, Code::out_of_range, fmt::format("{} has {} entries; allowed up to {}", pointer.last(), value.size(), max));
    return true;
}

bool Decoder::wrong_count(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec) {
    if (spec.of_entries || !std::isfinite(spec.max)) {
        return too_many(value, pointer, spec.max_entries);
    }
    const auto size = static_cast<double>(value.size());
    if (size >= spec.min && size <= spec.max) {
        return false;
    }
    add(pointer, Code::out_of_range, fmt::format("{} has {} entries; allowed {} to {}", pointer.last(), size, spec.min, spec.max));
    return true;
}

void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, double& number) {
    if (!value.is_number()) {
        wrong_type(value, pointer, fmt::format("a number{}{}", spec.unit.empty() ? "" : " of ", spec.unit));
        return;
    }
    number = value.number();
    if (!model::is_good(number, spec)) {
        add(pointer, Code::out_of_range, model::range_message(pointer.last(), number, spec));
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, int& number) {
    std::int64_t wide = number;
    decode(value, pointer, spec, wide);
    number = static_cast<int>(wide);
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::int64_t& number) {
    double wide = 0.0; // exact below 2^53
    const std::size_t before = issues.size();
    decode(value, pointer, spec, wide);
    if (issues.size() == before && wide != std::floor(wide)) {
        wrong_type(value, pointer, "a whole number");
    } else if (issues.size() == before) {
        number = static_cast<std::int64_t>(wide);
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::size_t& number) {
    std::int64_t wide = 0;
    decode(value, pointer, spec, wide);
    number = static_cast<std::size_t>(wide);
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& /*spec*/, bool& flag) {
    if (value.is_boolean()) {
        flag = value.boolean();
    } else {
        wrong_type(value, pointer, "true or false");
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::string& text) {
    if (!value.is_string()) {
        wrong_type(value, pointer, "text");
        return;
    }
    text = value.text();
    if (reading == Reading::strict && text.find('\0') != std::string::npos) {
        add(pointer, Code::bad_format,
            fmt::format("{} has the character U+0000, which not every store can keep; leave it out", pointer.last()));
        return;
    }
    const std::size_t max_bytes = reading == Reading::strict ? spec.max_bytes : model::kMaxTextBytes;
    if (const model::TextFault fault = model::text_fault(text, spec.format, max_bytes); fault != model::TextFault::none) {
        add(pointer, model::code_of(fault), model::text_message(fault, pointer.last(), shown(value), text.size(), max_bytes));
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::vector<std::string>& names) {
    if (!value.is_array()) {
        wrong_type(value, pointer, "an array of texts");
        return;
    }
    if (wrong_count(value, pointer, spec)) {
        return;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        decode(value[i], pointer / i, spec, names.emplace_back());
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec,
                     std::map<std::string, double>& numbers) {
    if (!value.is_object()) {
        wrong_type(value, pointer, "an object of numbers");
        return;
    }
    if (too_many(value, pointer)) {
        return;
    }
    for (const auto& [name, number] : value.members()) {
        if (spec.format == model::Format::currency && !model::is_currency(name)) {
            add(pointer / name, Code::bad_format, "give ISO 4217 codes such as EUR");
        }
        decode(number, pointer / name, spec, numbers[std::string(name)]);
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::map<std::string, int>& numbers) {
    if (!value.is_object()) {
        wrong_type(value, pointer, "an object of whole numbers");
        return;
    }
    if (too_many(value, pointer)) {
        return;
    }
    for (const auto& [name, number] : value.members()) {
        decode(number, pointer / name, spec, numbers[std::string(name)]);
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Tags& tags) {
    if (!value.is_object()) {
        wrong_type(value, pointer, "an object of texts");
        return;
    }
    if (too_many(value, pointer)) {
        return;
    }
    for (const auto& [key, text] : value.members()) {
        const Pointer at = pointer / key;
        if (const model::TextFault fault = model::text_fault(key, spec.format, spec.max_bytes); fault != model::TextFault::none) {
            add(at, model::code_of(fault), model::text_message(fault, "a key of tags", "", key.size(), spec.max_bytes));
        }
        decode(text, at, spec, tags[std::string(key)]);
    }
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& /*spec*/, model::YearMonth& month) {
    double day = 0.0;
    const std::string text(value.text());
    if (!model::parse_date(text + "-01", day) || text < "1970" || text > "2200") {
        add(pointer, value.is_string() ? Code::bad_format : Code::wrong_type,
            fmt::format("{} is {}; give a month as \"YYYY-MM\", from 1970-01 to 2199-12", pointer.last(), shown(value)));
        return;
    }
    std::from_chars(text.data(), text.data() + 4, month.year);
    std::from_chars(text.data() + 5, text.data() + 7, month.month);
}
void Decoder::decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& /*spec*/, model::Date& date) {
    double day = 0.0;
    date.text = value.text();
    if (!model::parse_date(date.text, day)) {
        add(pointer, value.is_string() ? Code::bad_format : Code::wrong_type,
            fmt::format("{} is {}; give a date as \"YYYY-MM-DD\"", pointer.last(), shown(value)));
    }
}

std::optional<std::size_t> Decoder::decode_choice(const JsonValue& value, const Pointer& pointer,
                                                  std::span<const std::string_view> names) {
    if (value.is_string()) {
        const auto found = std::find(names.begin(), names.end(), value.text());
        if (found != names.end()) {
            return static_cast<std::size_t>(found - names.begin());
        }
    }
    add(pointer, value.is_string() ? Code::unknown_value : Code::wrong_type,
        fmt::format("{} is {}; allowed: {}", pointer.last(), shown(value), fmt::join(names, ", ")));
    return std::nullopt;
}

} // namespace costcurve::documents
