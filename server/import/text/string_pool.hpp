// Texts by number: what must be kept of many rows is small.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace costcurve::imports {

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
