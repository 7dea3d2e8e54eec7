// One look-up a member; a wrong type is said once.
#include "server/api/members.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "server/api/decode_value.hpp"
#include "server/api/json_text.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::api {

using model::Code;
using nlohmann::json;

namespace {

constexpr std::size_t kMostName = 256; // bytes

} // namespace

Members::Members(const json& object, std::string pointer, const std::vector<std::string_view>& allowed)
    : object_(object), pointer_(std::move(pointer)) {
    if (!object.is_object()) {
        issues.push_back({pointer_, Code::wrong_type, fmt::format("give an object {{{}}}", fmt::join(allowed, ", "))});
        return;
    }
    for (const auto& [name, value] : object.items()) {
        if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
            add(name, Code::unknown_field, fmt::format("allowed: {}", fmt::join(allowed, ", ")));
        }
    }
}

std::string Members::at(std::string_view name) const { return join_pointer(pointer_, name); }

void Members::add(std::string_view name, Code code, std::string message) { issues.push_back({at(name), code, std::move(message)}); }

const json* Members::find(std::string_view name) const {
    if (!object_.is_object()) {
        return nullptr;
    }
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
}

void Members::require(std::string_view name, std::string_view what) {
    if (object_.is_object() && find(name) == nullptr) {
        add(name, Code::missing, fmt::format("{} is required: {}", name, what));
    }
}

const json* Members::found(std::string_view name, bool (json::*is)() const, std::string_view type) {
    const json* const value = find(name);
    if (value != nullptr && !(value->*is)()) {
        add(name, Code::wrong_type, fmt::format("{} is {}; it must be {}", name, shown(*value), type));
        return nullptr;
    }
    return value;
}

std::optional<std::string> Members::text(std::string_view name) {
    const json* const value = found(name, &json::is_string, "text");
    if (value == nullptr) {
        return std::nullopt;
    }
    std::string read = value->get<std::string>();
    if (read.empty() || read.size() > kMostName) {
        add(name, Code::out_of_range, fmt::format("{} has {} bytes; allowed 1 to {}", name, read.size(), kMostName));
        return std::nullopt;
    }
    return read;
}

std::vector<std::string> Members::texts(std::string_view name, std::size_t most) {
    const json* const value = found(name, &json::is_array, "a list of texts");
    std::vector<std::string> all;
    if (value == nullptr) {
        return all;
    }
    if (value->empty() || value->size() > most) {
        add(name, Code::out_of_range, fmt::format("{} has {} entries; allowed 1 to {}", name, value->size(), most));
        return all;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        const json& entry = (*value)[i];
        const std::string where = fmt::format("{}/{}", at(name), i);
        if (!entry.is_string() || entry.get_ref<const std::string&>().empty() ||
            entry.get_ref<const std::string&>().size() > kMostName) {
            issues.push_back({where, Code::wrong_type, fmt::format("it must be a text of 1 to {} bytes", kMostName)});
        } else if (std::find(all.begin(), all.end(), entry.get_ref<const std::string&>()) != all.end()) {
            issues.push_back({where, Code::duplicate, fmt::format("{} stands twice", shown(entry))});
        } else {
            all.push_back(entry.get<std::string>());
        }
    }
    return all;
}

std::optional<double> Members::number(std::string_view name, double low, double high, std::string_view unit) {
    const json* const value = found(name, &json::is_number, "a number");
    if (value == nullptr) {
        return std::nullopt;
    }
    const double read = value->get<double>();
    if (read < low || read > high) {
        add(name, Code::out_of_range, fmt::format("{} is {} {}; allowed {} to {} {}", name, read, unit, low, high, unit));
        return std::nullopt;
    }
    return read;
}

std::optional<std::int64_t> Members::whole(std::string_view name, std::int64_t low, std::int64_t high) {
    const json* const value = found(name, &json::is_number, "a whole number");
    if (value == nullptr) {
        return std::nullopt;
    }
    const double read = value->get<double>(); // exact below 2^53
    if (read != std::floor(read)) {
        add(name, Code::wrong_type, fmt::format("{} is {}; it must be a whole number", name, read));
        return std::nullopt;
    }
    if (read < static_cast<double>(low) || read > static_cast<double>(high)) {
        add(name, Code::out_of_range, fmt::format("{} is {}; allowed {} to {}", name, shown(*value), low, high));
        return std::nullopt;
    }
    return static_cast<std::int64_t>(read);
}

const json* Members::list(std::string_view name, std::size_t most) {
    const json* const value = found(name, &json::is_array, "a list");
    if (value != nullptr && (value->empty() || value->size() > most)) {
        add(name, Code::out_of_range, fmt::format("{} has {} entries; allowed 1 to {}", name, value->size(), most));
        return nullptr;
    }
    return value;
}

std::vector<double> Members::numbers(std::string_view name, std::size_t most) {
    constexpr double kMostNumber = 1e15;
    std::vector<double> all;
    const json* const value = list(name, most);
    for (std::size_t i = 0; value != nullptr && i < value->size(); ++i) {
        const json& entry = (*value)[i];
        if (entry.is_number() && std::fabs(entry.get<double>()) <= kMostNumber) {
            all.push_back(entry.get<double>());
        } else {
            issues.push_back({fmt::format("{}/{}", at(name), i), entry.is_number() ? Code::out_of_range : Code::wrong_type,
                              fmt::format("it is {}; it must be a number from -1e15 to 1e15", shown(entry))});
        }
    }
    return all;
}

std::optional<std::size_t> Members::choice(std::string_view name, std::span<const std::string_view> words) {
    const json* const value = found(name, &json::is_string, "text");
    if (value == nullptr) {
        return std::nullopt;
    }
    const auto word = std::find(words.begin(), words.end(), value->get_ref<const std::string&>());
    if (word == words.end()) {
        add(name, Code::unknown_value, fmt::format("{} is {}; allowed: {}", name, shown(*value), fmt::join(words, ", ")));
        return std::nullopt;
    }
    return static_cast<std::size_t>(word - words.begin());
}

void Members::add_all(model::Failure found) {
    issues.insert(issues.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
}

bool Members::flag(std::string_view name) {
    const json* const value = found(name, &json::is_boolean, "true or false");
    return value != nullptr && value->get<bool>();
}

std::optional<std::int64_t> Members::time_ms(std::string_view name) {
    constexpr std::int64_t kMicroseconds = 1000;
    const auto read = text(name);
    if (!read) {
        return std::nullopt;
    }
    const auto moment = storage::parse_time(*read);
    if (!moment || *moment < 0) {
        add(name, Code::bad_format,
            fmt::format("{} is \"{}\"; give a time of RFC 3339 from 1970, such as 2026-11-21T10:00:00Z", name,
                        shortened(*read, 60)));
        return std::nullopt;
    }
    return *moment / kMicroseconds;
}

std::optional<model::YearMonth> Members::month(std::string_view name) {
    const auto read = text(name);
    if (!read) {
        return std::nullopt;
    }
    constexpr std::size_t kLength = 7;
    const bool formed = read->size() == kLength && (*read)[4] == '-' &&
                        std::all_of(read->begin(), read->end(), [](char c) { return c == '-' || (c >= '0' && c <= '9'); }) &&
                        std::count(read->begin(), read->end(), '-') == 1;
    const model::YearMonth made =
        formed ? model::YearMonth{std::stoi(read->substr(0, 4)), std::stoi(read->substr(5, 2))} : model::YearMonth{0, 0};
    if (made.month < 1 || made.month > 12 || made.year < 1970) {
        add(name, Code::bad_format,
            fmt::format("{} is \"{}\"; give a month as YYYY-MM, such as 2026-11", name, shortened(*read, 60)));
        return std::nullopt;
    }
    return made;
}

} // namespace costcurve::api
