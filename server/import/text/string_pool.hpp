// Texts by number, and maps by text: what must be kept of many rows is small, and is found without a copy.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace costcurve::imports {

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
/// A map that is searched by views of its texts, without a copy of them.
template <class Value> using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

class StringPool {
public:
    /// The same number for the same text. O(1).
    std::uint32_t intern(std::string_view name) {
        const auto [found, added] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
        if (added) {
            names_.push_back(&found->first);
        }
        return found->second;
    }
    /// The text of a number that `intern` gave.
    [[nodiscard]] const std::string& operator[](std::uint32_t number) const { return *names_[number]; }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<const std::string*> names_;
};

} // namespace costcurve::imports
