// Leaves of documents: type, range and form of each, and the words for what is wrong.
#include "server/api/decode_value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/calendar.hpp"
#include "server/api/json_text.hpp"

namespace costcurve::api {

using nlohmann::json;

using model::FieldSpec;

namespace {

constexpr std::size_t kMostShown = 60;

std::string with_unit(double value, std::string_view unit) {
    return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

std::string allowed_range(const FieldSpec& spec) {
    const bool low = std::isfinite(spec.min);
    const bool high = std::isfinite(spec.max);
    const std::string_view above = spec.above_min ? "above " : "";
    if (low && high) {
        return fmt::format("allowed {}{} to {}", above, spec.min, with_unit(spec.max, spec.unit));
    }
    if (low) {
        return fmt::format("allowed {}{} or more", spec.above_min ? "more than " : "", with_unit(spec.min, spec.unit));
    }
    return "allowed any finite number";
}

bool is_currency(std::string_view text) {
    return text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

} // namespace

std::string shown(const json& value) {
    if (value.is_array()) {
        return "an array";
    }
    if (value.is_object()) {
        return "an object";
    }
    return shortened(value.dump(-1, ' ', false, json::error_handler_t::replace), kMostShown);
}

Pointer::operator std::string() const {
    if (parent_ == nullptr) {
        return std::string(name_);
    }
    const std::string parent = *parent_;
    return name_.data() == nullptr ? fmt::format("{}/{}", parent, index_) : join_pointer(parent, name_);
}

std::string Pointer::last() const {
    const std::string text = *this;
    return text.empty() ? "the document" : text.substr(text.rfind('/') + 1);
}

bool is_slug(std::string_view text) {
    const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (text.empty() || text.size() > 128 || !plain(text.front())) {
        return false;
    }
    return std::all_of(text.begin(), text.end(), [&](char c) { return plain(c) || c == '.' || c == '_' || c == '-'; });
}

void ValueDecoder::add(std::string pointer, Code code, std::string message) {
    issues.push_back({std::move(pointer), code, std::move(message)});
}
void ValueDecoder::wrong_type(const json& value, const Pointer& pointer, std::string_view expected) {
    add(pointer, Code::wrong_type, fmt::format("{} is {}; it must be {}", pointer.last(), shown(value), expected));
}
bool ValueDecoder::too_many(const json& value, const Pointer& pointer) {
    if (value.size() <= kMostNames) {
        return false;
    }
    add(pointer, Code::out_of_range, fmt::format("{} has {} entries; allowed up to {}", pointer.last(), value.size(), kMostNames));
    return true;
}

bool ValueDecoder::wrong_count(const json& value, const Pointer& pointer, const FieldSpec& spec) {
    const auto size = static_cast<double>(value.size());
    if (size >= spec.min && size <= spec.max) {
        return false;
    }
    add(pointer, Code::out_of_range, fmt::format("{} has {} entries; allowed {} to {}", pointer.last(), size, spec.min, spec.max));
    return true;
}

void ValueDecoder::decode(const json& value, const Pointer& pointer, const FieldSpec& spec, double& number) {
    if (!value.is_number()) {
        wrong_type(value, pointer, fmt::format("a number{}{}", spec.unit.empty() ? "" : " of ", spec.unit));
        return;
    }
    number = value.get<double>();
    const bool low = spec.above_min ? number <= spec.min : number < spec.min;
    if (low || number > spec.max) {
        add(pointer, Code::out_of_range,
            fmt::format("{} is {}; {}", pointer.last(), with_unit(number, spec.unit), allowed_range(spec)));
    }
}
void ValueDecoder::decode(const json& value, const Pointer& pointer, const FieldSpec& spec, int& number) {
    double wide = 0.0;
    const std::size_t before = issues.size();
    decode(value, pointer, spec, wide);
    if (issues.size() > before) {
        return;
    }
    if (wide != std::floor(wide)) {
        wrong_type(value, pointer, "a whole number");
    } else {
        number = static_cast<int>(wide);
    }
}
void ValueDecoder::decode(const json& value, const Pointer& pointer, const FieldSpec& /*spec*/, bool& flag) {
    if (value.is_boolean()) {
        flag = value.get<bool>();
    } else {
        wrong_type(value, pointer, "true or false");
    }
}
void ValueDecoder::decode(const json& value, const Pointer& pointer, const FieldSpec& spec, std::string& text) {
    if (!value.is_string()) {
        wrong_type(value, pointer, "text");
        return;
    }
    text = value.get<std::string>();
    if (text.size() > kMostText) {
        add(pointer, Code::out_of_range, fmt::format("{} has {} bytes; allowed up to {}", pointer.last(), text.size(), kMostText));
    } else if (spec.format == model::Format::slug && !is_slug(text)) {
        add(pointer, Code::bad_format,
            fmt::format("{} is {}; ids match [a-z0-9][a-z0-9._-]{{0,127}}", pointer.last(), shown(value)));
    } else if (spec.format == model::Format::currency && !is_currency(text)) {
        add(pointer, Code::bad_format, fmt::format("currency is {}; give an ISO 4217 code such as USD", shown(value)));
    }
}
void ValueDecoder::decode(const json& value, const Pointer& pointer, const FieldSpec& spec, std::vector<std::string>& names) {
    if (!value.is_array()) {
        wrong_type(value, pointer, "an array of texts");
        return;
    }
    if (too_many(value, pointer) || wrong_count(value, pointer, spec)) {
        return;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        decode(value[i], pointer / i, spec, names.emplace_back());
    }
}
void ValueDecoder::decode(const json& value, const Pointer& pointer, const FieldSpec& spec,
                          std::map<std::string, double>& numbers) {
    if (!value.is_object()) {
        wrong_type(value, pointer, "an object of numbers");
        return;
    }
    if (too_many(value, pointer)) {
        return;
    }
    for (const auto& [name, number] : value.items()) {
        if (spec.format == model::Format::currency && !is_currency(name)) {
            add(pointer / name, Code::bad_format, "give ISO 4217 codes such as EUR");
        }
        decode(number, pointer / name, spec, numbers[name]);
    }
}
void ValueDecoder::decode(const json& value, const Pointer& pointer, const FieldSpec& /*spec*/, model::YearMonth& month) {
    double day = 0.0;
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (!model::parse_date(text + "-01", day) || text < "1970" || text > "2200") {
        add(pointer, value.is_string() ? Code::bad_format : Code::wrong_type,
            fmt::format("{} is {}; give a month as \"YYYY-MM\", from 1970-01 to 2199-12", pointer.last(), shown(value)));
        return;
    }
    std::from_chars(text.data(), text.data() + 4, month.year);
    std::from_chars(text.data() + 5, text.data() + 7, month.month);
}
void ValueDecoder::decode(const json& value, const Pointer& pointer, const FieldSpec& /*spec*/, model::Date& date) {
    double day = 0.0;
    date.text = value.is_string() ? value.get<std::string>() : "";
    if (!model::parse_date(date.text, day)) {
        add(pointer, value.is_string() ? Code::bad_format : Code::wrong_type,
            fmt::format("{} is {}; give a date as \"YYYY-MM-DD\"", pointer.last(), shown(value)));
    }
}

std::optional<std::size_t> ValueDecoder::decode_choice(const json& value, const Pointer& pointer,
                                                       std::span<const std::string_view> names) {
    if (value.is_string()) {
        const auto found = std::find(names.begin(), names.end(), value.get_ref<const std::string&>());
        if (found != names.end()) {
            return static_cast<std::size_t>(found - names.begin());
        }
    }
    add(pointer, value.is_string() ? Code::unknown_value : Code::wrong_type,
        fmt::format("{} is {}; allowed: {}", pointer.last(), shown(value), fmt::join(names, ", ")));
    return std::nullopt;
}

} // namespace costcurve::api
