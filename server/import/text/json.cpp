// Parses JSON with simdjson, with checks of UTF-8 and depth.
#include "server/import/text/json.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "server/import/text/unread_fields.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kMaxDepth = 64;

// A key that an object has twice: which of its values is meant is not known. "" where there is none.
std::string key_that_is_twice(const Json& json) {
    std::string twice;
    if (const auto list = list_of(json)) {
        for (const Json& element : *list) {
            twice = twice.empty() ? key_that_is_twice(element) : twice;
        }
    } else if (const auto object = object_of(json)) {
        std::vector<std::string_view> keys;
        for (const auto& [key, value] : *object) {
            keys.push_back(key);
            twice = twice.empty() ? key_that_is_twice(value) : twice;
        }
        std::sort(keys.begin(), keys.end());
        const auto same = std::adjacent_find(keys.begin(), keys.end());
        twice = same == keys.end() ? twice : std::string(*same);
    }
    return twice;
}

// The members of objects that have a value of their own, and not an object or a list of objects that is descended into.
void find_fields(const Json& json, UnreadFields& fields) {
    if (const auto list = list_of(json)) {
        for (const Json& element : *list) {
            find_fields(element, fields);
        }
    } else if (const auto object = object_of(json)) {
        for (const auto& [key, value] : *object) {
            if (value.is_object() || value.is_array()) {
                find_fields(value, fields);
            } else if (!value.is_null()) {
                fields.find(key);
            }
        }
    }
}

} // namespace

JsonFile::JsonFile(Bytes& bytes) {
    const std::optional<std::string> text = bytes.whole();
    if (text) {
        parse(*text);
    } else {
        error_ = bytes.error();
    }
}

JsonFile::JsonFile(std::string_view text) { parse(text); }

void JsonFile::parse(std::string_view text) {
    simdjson::error_code error = parser_.allocate(std::max<std::size_t>(text.size(), 64), kMaxDepth);
    Json root;
    if (error == simdjson::SUCCESS) {
        error = parser_.parse(text.data(), text.size()).get(root);
    }
    if (error != simdjson::SUCCESS) {
        error_ = hard_error(model::Code::bad_format, 0, fmt::format("it is not JSON: {}", simdjson::error_message(error)));
        return;
    }
    if (!root.is_object() && !root.is_array()) {
        error_ = hard_error(model::Code::bad_format, 0, "an object or a list is needed at the root of the JSON");
        return;
    }
    if (const std::string key = key_that_is_twice(root); !key.empty()) {
        error_ = hard_error(model::Code::bad_format, 0,
                            fmt::format("an object has the key \"{}\" twice; remove one", key.substr(0, 60)));
        return;
    }
    root_ = root;
}

JsonFile::~JsonFile() {
    if (UnreadFields* const fields = UnreadFields::current(); fields != nullptr && root_) {
        find_fields(*root_, *fields);
    }
}

void note_read(std::string_view name) {
    if (UnreadFields* const fields = UnreadFields::current()) {
        fields->ask(name);
    }
}

std::optional<Json> member(const Json& json, std::string_view name) {
    note_read(name);
    Json found;
    if (json[name].get(found) != simdjson::SUCCESS || found.is_null()) {
        return std::nullopt;
    }
    return found;
}

std::string_view text_of(const Json& json, std::string_view name) {
    const std::optional<Json> found = member(json, name);
    std::string_view text;
    return found && found->get(text) == simdjson::SUCCESS ? text : std::string_view();
}

Number number_of(const Json& json, std::string_view name) {
    const std::optional<Json> found = member(json, name);
    if (!found) {
        return {};
    }
    double value = 0.0;
    if (found->get(value) == simdjson::SUCCESS) {
        return {Number::State::good, value};
    }
    std::string_view text;
    return found->get(text) == simdjson::SUCCESS ? in_currency(parse_number(text, DecimalMark::unsaid), "")
                                                 : Number{Number::State::bad, 0.0};
}

std::optional<simdjson::dom::array> list_of(const Json& json) {
    simdjson::dom::array list;
    return json.get(list) == simdjson::SUCCESS ? std::optional(list) : std::nullopt;
}

std::optional<simdjson::dom::array> list_of(const Json& json, std::string_view name) {
    const std::optional<Json> found = member(json, name);
    return found ? list_of(*found) : std::nullopt;
}

std::optional<simdjson::dom::object> object_of(const Json& json) {
    simdjson::dom::object object;
    return json.get(object) == simdjson::SUCCESS ? std::optional(object) : std::nullopt;
}

std::optional<simdjson::dom::object> object_of(const Json& json, std::string_view name) {
    const std::optional<Json> found = member(json, name);
    return found ? object_of(*found) : std::nullopt;
}

std::vector<std::string_view> texts_of(const Json& json, std::string_view name) {
    std::vector<std::string_view> texts;
    const auto list = list_of(json, name);
    if (!list) {
        return texts;
    }
    for (const Json& element : *list) {
        std::string_view text;
        if (element.get(text) == simdjson::SUCCESS) {
            texts.push_back(text);
        }
    }
    return texts;
}

} // namespace costcurve::imports
