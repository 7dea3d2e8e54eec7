// Parses JSON. simdjson reads valid text of usual size; anything else goes to nlohmann's parser, which reports what is wrong and
// where.
#include "server/documents/json/parsed_json.hpp"

#include <algorithm>
#include <iterator>
#include <memory_resource>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "server/documents/json/json_text.hpp"

namespace costcurve {

using nlohmann::json;

// Memory of one document.
struct ParsedJson::Memory {
    explicit Memory(std::size_t bytes) : pieces(bytes) {}

    template <class T> std::span<T> room(std::size_t size) {
        return {static_cast<T*>(pieces.allocate(std::max<std::size_t>(size, 1) * sizeof(T), alignof(T))), size};
    }
    template <class T> std::span<const T> copy(std::span<const T> from) {
        const std::span<T> to = room<T>(from.size());
        std::uninitialized_copy(from.begin(), from.end(), to.begin());
        return to;
    }
    std::string_view copy(std::string_view text) {
        const std::span<const char> kept = copy(std::span(text.data(), text.size()));
        return {kept.data(), kept.size()};
    }

    std::pmr::monotonic_buffer_resource pieces;
    JsonValue root;
};

namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 12U;

JsonValue integer(std::int64_t number) { return number < 0 ? JsonValue(number) : JsonValue(static_cast<std::uint64_t>(number)); }

// Brings members into their order. The name that stands twice, where one does.
std::optional<std::string_view> sort_members(std::span<JsonMember> members) {
    std::sort(members.begin(), members.end(), [](const JsonMember& a, const JsonMember& b) { return a.name < b.name; });
    const auto twice = std::adjacent_find(members.begin(), members.end(),
                                          [](const JsonMember& a, const JsonMember& b) { return a.name == b.name; });
    return twice == members.end() ? std::nullopt : std::optional(twice->name);
}

// Builds the document from the parser's events; stops at too much depth or a key that stands twice. Entries and members of what is
// still open wait on two stacks.
template <class Memory> class Builder final : public nlohmann::json_sax<json> {
public:
    explicit Builder(Memory& memory) : memory_(memory) {}

    std::string error;

    bool null() override { return put(JsonValue()); }
    bool boolean(bool value) override { return put(JsonValue(value)); }
    bool number_integer(number_integer_t value) override { return put(integer(value)); }
    bool number_unsigned(number_unsigned_t value) override { return put(JsonValue(std::uint64_t{value})); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return put(JsonValue(value)); }
    bool string(string_t& value) override { return put(JsonValue(memory_.copy(std::string_view(value)))); }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*size*/) override { return open(true, members_.size()); }
    bool end_object() override {
        const std::span<JsonMember> members = std::span(members_).subspan(open_.back().first);
        if (const auto twice = sort_members(members)) {
            error = fmt::format("the key \"{}\" stands twice in one object", shortened(*twice, 100));
            return false;
        }
        const JsonValue object(memory_.copy(std::span<const JsonMember>(members)));
        members_.resize(open_.back().first);
        open_.pop_back();
        return put(object);
    }
    bool start_array(std::size_t /*size*/) override { return open(false, entries_.size()); }
    bool end_array() override {
        const JsonValue array(memory_.copy(std::span<const JsonValue>(entries_).subspan(open_.back().first)));
        entries_.resize(open_.back().first);
        open_.pop_back();
        return put(array);
    }
    bool key(string_t& name) override {
        members_.push_back({memory_.copy(std::string_view(name)), {}});
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception& exception) override {
        constexpr int kNumberOverflow = 406;
        error = exception.id == kNumberOverflow ? fmt::format("a number at byte {} is too large for a double", position)
                                                : fmt::format("not JSON: syntax error or invalid UTF-8 at byte {}", position);
        return false;
    }

private:
    struct Open {
        bool is_object;
        std::size_t first; ///< its first entry or member on the stack
    };

    bool open(bool is_object, std::size_t first) {
        if (open_.size() >= kMaxDepth) {
            error = fmt::format("more than {} levels of nesting", kMaxDepth);
            return false;
        }
        open_.push_back({is_object, first});
        return true;
    }
    bool put(JsonValue value) {
        if (open_.empty()) {
            memory_.root = value;
        } else if (open_.back().is_object) {
            members_.back().value = value;
        } else {
            entries_.push_back(value);
        }
        return true;
    }

    Memory& memory_;
    std::vector<Open> open_; ///< outermost first
    std::vector<JsonValue> entries_;
    std::vector<JsonMember> members_;
};

// The value of an element at a depth; nothing where it is too deep or has a key twice, which Builder then says.
template <class Memory> std::optional<JsonValue> value_of(const simdjson::dom::element& element, int depth, Memory& memory) {
    using simdjson::dom::element_type;
    if (depth == kMaxDepth && (element.is_object() || element.is_array())) {
        return std::nullopt;
    }
    switch (element.type()) {
    case element_type::OBJECT: {
        const simdjson::dom::object object = element.get_object().value_unsafe();
        const std::span<JsonMember> members = memory.template room<JsonMember>(object.size());
        auto place = members.begin();
        for (const simdjson::dom::key_value_pair member : object) {
            const std::optional<JsonValue> value = value_of(member.value, depth + 1, memory);
            if (!value) {
                return std::nullopt;
            }
            *place++ = {memory.copy(member.key), *value};
        }
        return sort_members(members) ? std::nullopt : std::optional(JsonValue(std::span<const JsonMember>(members)));
    }
    case element_type::ARRAY: {
        const simdjson::dom::array array = element.get_array().value_unsafe();
        const std::span<JsonValue> entries = memory.template room<JsonValue>(array.size());
        auto place = entries.begin();
        for (const simdjson::dom::element entry : array) {
            const std::optional<JsonValue> value = value_of(entry, depth + 1, memory);
            if (!value) {
                return std::nullopt;
            }
            *place++ = *value;
        }
        return JsonValue(std::span<const JsonValue>(entries));
    }
    case element_type::STRING:
        return JsonValue(memory.copy(element.get_string().value_unsafe()));
    case element_type::DOUBLE:
        return JsonValue(element.get_double().value_unsafe());
    case element_type::INT64:
        return integer(element.get_int64().value_unsafe());
    case element_type::UINT64:
        return JsonValue(element.get_uint64().value_unsafe());
    case element_type::BOOL:
        return JsonValue(element.get_bool().value_unsafe());
    default:
        return JsonValue();
    }
}

// False where the text is longer than the parser keeps memory for, or not JSON as strict as ours.
template <class Memory> bool parse_at_once(std::string_view text, Memory& memory) {
    constexpr std::size_t kMaxBytes = 1U << 18U; // of a text; the parser takes some 15 bytes for each
    simdjson::dom::parser parser(kMaxBytes);
    const auto root = parser.parse(text.data(), text.size());
    const auto value = root.error() == simdjson::SUCCESS ? value_of(root.value_unsafe(), 0, memory) : std::nullopt;
    memory.root = value.value_or(JsonValue());
    return value.has_value();
}

template <class Memory> JsonValue copied(const json& tree, Memory& memory) {
    switch (tree.type()) {
    case json::value_t::object: {
        const std::span<JsonMember> members = memory.template room<JsonMember>(tree.size());
        auto place = members.begin();
        for (const auto& [name, value] : tree.get_ref<const json::object_t&>()) { // by ascending name
            *place++ = {memory.copy(std::string_view(name)), copied(value, memory)};
        }
        return JsonValue(std::span<const JsonMember>(members));
    }
    case json::value_t::array: {
        const std::span<JsonValue> entries = memory.template room<JsonValue>(tree.size());
        std::transform(tree.begin(), tree.end(), entries.begin(), [&](const json& entry) { return copied(entry, memory); });
        return JsonValue(std::span<const JsonValue>(entries));
    }
    case json::value_t::string:
        return JsonValue(memory.copy(std::string_view(tree.get_ref<const std::string&>())));
    case json::value_t::boolean:
        return JsonValue(tree.get<bool>());
    case json::value_t::number_unsigned:
        return JsonValue(tree.get<std::uint64_t>());
    case json::value_t::number_integer:
        return integer(tree.get<std::int64_t>());
    case json::value_t::number_float:
        return JsonValue(tree.get<double>());
    default:
        return JsonValue();
    }
}

} // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
    const std::span<const JsonMember> all = members();
    const auto at = std::lower_bound(all.begin(), all.end(), name,
                                     [](const JsonMember& member, std::string_view wanted) { return member.name < wanted; });
    return at != all.end() && at->name == name ? &at->value : nullptr;
}

json JsonValue::tree() const {
    switch (type_) {
    case Type::object: {
        json::object_t object;
        for (const JsonMember& member : members()) {
            object.emplace_hint(object.end(), member.name, member.value.tree());
        }
        return json(std::move(object));
    }
    case Type::array: {
        json::array_t array;
        array.reserve(size_);
        for (const JsonValue& entry : entries()) {
            array.push_back(entry.tree());
        }
        return json(std::move(array));
    }
    case Type::text:
        return json(std::string(text()));
    case Type::boolean:
        return json(of_.flag);
    case Type::decimal:
        return json(of_.decimal);
    case Type::negative:
        return json(of_.negative);
    case Type::whole:
        return json(of_.whole);
    default:
        return json(nullptr);
    }
}

void JsonValue::write(JsonWriter& writer) const {
    switch (type_) {
    case Type::object:
        writer.begin_object();
        for (const JsonMember& member : members()) {
            member.value.write(writer.key(member.name));
        }
        writer.end_object();
        return;
    case Type::array:
        writer.begin_array();
        for (const JsonValue& entry : entries()) {
            entry.write(writer);
        }
        writer.end_array();
        return;
    case Type::text:
        writer.value(text());
        return;
    case Type::boolean:
        writer.value(of_.flag);
        return;
    case Type::decimal:
        writer.value(of_.decimal);
        return;
    case Type::negative:
        writer.value(of_.negative);
        return;
    case Type::whole:
        writer.value(of_.whole);
        return;
    default:
        writer.null();
    }
}

std::string JsonValue::dump() const {
    JsonWriter writer;
    write(writer);
    return writer.take();
}

ParsedJson::ParsedJson(std::size_t bytes) : memory_(std::make_unique<Memory>(bytes)), root_(&memory_->root) {}
ParsedJson::ParsedJson(const json& tree) : ParsedJson(kFirstBytes) { memory_->root = copied(tree, *memory_); }
ParsedJson::ParsedJson(ParsedJson&& other) noexcept = default;
ParsedJson& ParsedJson::operator=(ParsedJson&& other) noexcept = default;
ParsedJson::~ParsedJson() = default;

tl::expected<ParsedJson, JsonError> parse(std::string_view text) {
    ParsedJson parsed(std::clamp(text.size() * 3, kFirstBytes, 16 * kFirstBytes)); // values take about so much
    if (parse_at_once(text, *parsed.memory_)) {
        return parsed;
    }
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) { // the parser would take it for the end
        return tl::unexpected(JsonError{fmt::format("not JSON: a NUL byte at {}", nul)});
    }
    Builder builder(*parsed.memory_);
    if (json::sax_parse(text.begin(), text.end(), &builder)) {
        return parsed;
    }
    return tl::unexpected(JsonError{builder.error});
}

tl::expected<json, JsonError> parse_json(std::string_view text) {
    return parse(text).map([](const ParsedJson& parsed) { return parsed->tree(); });
}

void prepare_parser() { [[maybe_unused]] const bool is_valid = simdjson::validate_utf8("", 0); }

} // namespace costcurve
