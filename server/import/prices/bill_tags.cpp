// Tags of bills as canonical JSON, parsed by simdjson. Written here, as importers have no JSON writer.
#include "server/import/prices/bill_tags.hpp"

#include <fmt/format.h>

#include "server/import/text/json.hpp"
#include "server/import/text/unread_fields.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kMaxKeys = 256;
constexpr std::size_t kMaxBytes = 1024; // of a key or a value
constexpr std::size_t kMaxEntries = 10'000;

void append_quoted(std::string& text, std::string_view value) {
    constexpr unsigned char kFirstPrintable = 0x20;
    text += '"';
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (static_cast<unsigned char>(c) < kFirstPrintable) {
            text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            text += c;
        }
    }
    text += '"';
}

// The text that a value is; a complaint of what is none.
std::string value_of(const Json& value, std::string_view key, std::string& complaint) {
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) {
        return std::string(text);
    }
    if (value.is_number() || value.is_bool()) {
        return simdjson::minify(value);
    }
    complaint = fmt::format("{} is a list or an object; a text is needed", key.substr(0, 60));
    return "";
}

} // namespace

std::string canonical_tags(const std::map<std::string, std::string>& tags) {
    std::string text;
    for (const auto& [key, value] : tags) {
        text += text.empty() ? '{' : ',';
        append_quoted(text, key);
        text += ':';
        append_quoted(text, value);
    }
    return text.empty() ? text : text + "}";
}

ReadTags read_tags(std::string_view cell) {
    ReadTags read;
    UnreadFields of_the_cell; // whose members are all read: they are none of the bill's
    const JsonFile file(cell);
    if (file.error()) {
        read.complaint = file.error()->message;
        return read;
    }
    const auto object = object_of(*file.root());
    if (!object) {
        read.complaint = "it is a list";
        return read;
    }
    for (const auto& [key, value] : *object) {
        if (value.is_null()) {
            continue;
        }
        std::string text = value_of(value, key, read.complaint);
        if (read.complaint.empty() && (key.size() > kMaxBytes || text.size() > kMaxBytes)) {
            read.complaint = fmt::format("a key or a value has more than {} bytes", kMaxBytes);
        } else if (read.complaint.empty() && read.tags.size() == kMaxKeys) {
            read.complaint = fmt::format("it has more than {} keys", kMaxKeys);
        }
        if (!read.complaint.empty()) {
            read.tags.clear();
            return read;
        }
        read.tags.emplace(std::string(key), std::move(text));
    }
    return read;
}

const TagCells::Entry& TagCells::canonical(std::string_view cell, std::string_view winner) {
    std::string both(cell);
    both.append(1, '\0').append(winner);
    if (entries_.size() >= kMaxEntries && !entries_.contains(both)) {
        entries_.clear();
    }
    const auto [found, added] = entries_.try_emplace(std::move(both));
    Entry& entry = found->second;
    if (!added) {
        return entry;
    }
    ReadTags read = cell.empty() ? ReadTags{} : read_tags(cell);
    entry.complaint = std::move(read.complaint);
    if (!winner.empty()) {
        ReadTags over = read_tags(winner);
        entry.complaint += (entry.complaint.empty() || over.complaint.empty() ? "" : "; ") + over.complaint;
        over.tags.merge(read.tags);
        read.tags = std::move(over.tags);
    }
    entry.tags = canonical_tags(read.tags);
    return entry;
}

} // namespace costcurve::imports
