// Tags of bills: what a cell or an allocation says, as one text for the same tags.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace costcurve::imports {

/// {key: value} as JSON, keys ascending, without spaces; "" where there are none.
[[nodiscard]] std::string canonical_tags(const std::map<std::string, std::string>& tags);

/// Tags, and what is wrong with them: "" where nothing is.
struct ReadTags {
    std::map<std::string, std::string> tags;
    std::string complaint = {};
};
/// A cell with a JSON object (KeyValueFormat of FOCUS): values are texts; numbers, true and false are read as the text that they
/// are written with; a key whose value is null is left out. Anything else is a complaint, and the tags are none: no JSON, a list or
/// an object as a value, a key twice, more than 256 keys, a key or value of more than 1024 bytes.
[[nodiscard]] ReadTags read_tags(std::string_view cell);

/// Canonical tags of cells, each text parsed once while it is among the last ones. Not thread-safe.
class TagCells {
public:
    struct Entry {
        std::string tags; ///< canonical
        std::string complaint;
    };
    /// The tags of a cell, under those of `winner`, whose keys win (the tags of what a cost is allocated to); valid until the
    /// next call. "" has no tags.
    [[nodiscard]] const Entry& canonical(std::string_view cell, std::string_view winner = "");

private:
    std::unordered_map<std::string, Entry> entries_;
};

} // namespace costcurve::imports
