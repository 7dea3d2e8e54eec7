// Walks the trees of yaml-cpp, once they are known to be small.
#include "server/gate/yaml_text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/documents/json/json_text.hpp"
#include "server/import/text/yaml.hpp"

namespace costcurve::gate {

namespace {

using model::Code;

bool is_word(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
}

bool take_digits(std::string_view& rest) {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    rest.remove_prefix(digits);
    return digits > 0;
}

// By JSON's grammar, which is a part of YAML's: 007, +5 and 0x1f are texts.
bool is_json_number(std::string_view text) {
    std::string_view rest = text.substr(text.starts_with('-') ? 1 : 0);
    const bool has_leading_zero = rest.size() > 1 && rest[0] == '0' && rest[1] >= '0' && rest[1] <= '9';
    if (has_leading_zero || !take_digits(rest)) {
        return false;
    }
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        if (!take_digits(rest)) {
            return false;
        }
    }
    if (rest.starts_with('e') || rest.starts_with('E')) {
        rest.remove_prefix(1);
        rest.remove_prefix(rest.starts_with('-') || rest.starts_with('+') ? 1 : 0);
        if (!take_digits(rest)) {
            return false;
        }
    }
    return rest.empty();
}

void write_scalar(const YAML::Node& node, JsonWriter& out) {
    const std::string& text = node.Scalar();
    const bool is_plain = node.Tag() != "!"; // not quoted
    if (is_plain && is_word(text, {"", "~", "null", "Null", "NULL"})) {
        out.null();
    } else if (is_plain && is_word(text, {"true", "True", "TRUE"})) {
        out.value(true);
    } else if (is_plain && is_word(text, {"false", "False", "FALSE"})) {
        out.value(false);
    } else if (is_plain && is_json_number(text)) {
        out.raw(text);
    } else {
        out.value(text);
    }
}

struct OddKey {
    std::size_t line;
};

// No deeper than 32 levels, which was checked.
void write_node(const YAML::Node& node, JsonWriter& out) { // NOLINT(misc-no-recursion)
    if (node.IsScalar()) {
        write_scalar(node, out);
    } else if (node.IsSequence()) {
        out.begin_array();
        for (const YAML::Node& entry : node) {
            write_node(entry, out);
        }
        out.end_array();
    } else if (node.IsMap()) {
        out.begin_object();
        for (const auto& member : node) {
            if (!member.first.IsScalar()) {
                throw OddKey{imports::yaml_line(member.first)};
            }
            out.key(member.first.Scalar());
            write_node(member.second, out);
        }
        out.end_object();
    } else {
        out.null();
    }
}

model::Failure failure_of(Code code, const std::string& message, bool has_template) {
    return {{"", code, message + (has_template ? "; it has {{ }}: render the template first (helm template CHART > FILE)" : "")}};
}

} // namespace

model::Result<std::vector<std::string>> json_of_yaml(std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const std::string_view start = text.substr(first);
    const bool is_json = (start.starts_with('{') && !start.starts_with("{{")) || start.starts_with('[');
    const std::size_t limit = is_json ? kMaxJsonText : kMaxYamlText;
    if (text.size() > limit) {
        return tl::unexpected(
            failure_of(Code::too_large, fmt::format("the file has {} bytes; allowed up to {}", text.size(), limit), false));
    }
    if (is_json) {
        return std::vector<std::string>{std::string(text)};
    }
    const bool has_template = text.find("{{") != std::string_view::npos;
    const std::string whole(text);
    if (const imports::HardError error = imports::check_yaml(whole)) {
        return tl::unexpected(
            failure_of(error->code, error->message, has_template && error->message.find("not YAML") != std::string::npos));
    }
    std::vector<std::string> documents;
    try {
        for (const YAML::Node& document : YAML::LoadAll(whole)) {
            if (document && !document.IsNull()) {
                JsonWriter out;
                write_node(document, out);
                documents.push_back(out.take());
            }
        }
    } catch (const OddKey& odd) {
        return tl::unexpected(failure_of(Code::bad_format, fmt::format("line {}: a name is no text", odd.line), has_template));
    } catch (const YAML::Exception& error) { return tl::unexpected(failure_of(Code::bad_format, "it is not YAML", has_template)); }
    return documents;
}

} // namespace costcurve::gate
