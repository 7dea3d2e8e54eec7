// JSON of published files through simdjson, with errors that name the place. Included by sources only: the header is heavy.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "server/import/importer.hpp"
#include "server/import/text/bytes.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

using Json = simdjson::dom::element;

/// A parsed text. It owns what its elements refer to.
class JsonFile {
public:
    /// Reads all of the bytes, as one JSON text: an object or a list. A key that an object has twice is an error.
    explicit JsonFile(Bytes& bytes);
    explicit JsonFile(std::string_view text);
    /// Nothing if there was an error.
    [[nodiscard]] const std::optional<Json>& root() const { return root_; }
    [[nodiscard]] const HardError& error() const { return error_; }
    ~JsonFile();
    JsonFile(const JsonFile&) = delete;
    JsonFile& operator=(const JsonFile&) = delete;

private:
    void parse(std::string_view text);
    simdjson::dom::parser parser_;
    std::optional<Json> root_;
    HardError error_;
};

/// Marks a member as read, for readers that iterate over an object instead of calling member().
void note_read(std::string_view name);
/// The member of an object; nothing where it is absent or null, or `json` is no object.
[[nodiscard]] std::optional<Json> member(const Json& json, std::string_view name);
/// A member's text; "" if it is absent or not a text.
[[nodiscard]] std::string_view text_of(const Json& json, std::string_view name);
/// A member's number: a JSON number, or a text that contains one ("8", "$1.50"). "1,234" is bad, because its comma is ambiguous.
/// Blank if the member is absent, null or "".
[[nodiscard]] Number number_of(const Json& json, std::string_view name);

/// `json` itself, or its member, as a list; nothing if it is no list.
[[nodiscard]] std::optional<simdjson::dom::array> list_of(const Json& json);
[[nodiscard]] std::optional<simdjson::dom::array> list_of(const Json& json, std::string_view name);
[[nodiscard]] std::optional<simdjson::dom::object> object_of(const Json& json);
[[nodiscard]] std::optional<simdjson::dom::object> object_of(const Json& json, std::string_view name);
/// The texts in a member that is a list; other elements are ignored.
[[nodiscard]] std::vector<std::string_view> texts_of(const Json& json, std::string_view name);

} // namespace costcurve::imports
