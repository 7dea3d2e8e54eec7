// JSON Pointers (RFC 6901) as the names that they are made of.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::model {

/// The names of a pointer, unescaped; none where the text is no pointer. "" is the root: an empty list.
[[nodiscard]] inline std::optional<std::vector<std::string>> split_pointer(std::string_view pointer) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/') {
            names.emplace_back();
            continue;
        }
        const std::string_view escape = pointer[i] == '~' ? pointer.substr(i, 2) : "";
        if (names.empty() || (pointer[i] == '~' && escape != "~0" && escape != "~1")) {
            return std::nullopt;
        }
        names.back() += escape == "~0" ? '~' : escape == "~1" ? '/' : pointer[i];
        i += escape.empty() ? 0 : 1;
    }
    return names;
}

/// The index that a name is, if it is one below `size`: no sign, no leading zero.
[[nodiscard]] inline std::optional<std::size_t> index_of(std::string_view name, std::size_t size) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    const bool whole = error == std::errc() && end == name.data() + name.size() && (name.size() == 1 || name.front() != '0');
    return whole && index < size ? std::optional(index) : std::nullopt;
}

} // namespace costcurve::model
