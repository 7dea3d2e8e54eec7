// Suggestions for misspelled names, by edit distance over letters and digits.
#include "server/documents/near_names.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace costcurve::documents {

namespace {

constexpr std::size_t kMaxNear = 3;
constexpr std::size_t kMaxWrong = 3;   // one letter of so many
constexpr std::size_t kMaxBytes = 100; // of a name that is compared

std::string letters_of(std::string_view name) {
    std::string letters;
    for (const char c : name.substr(0, kMaxBytes)) {
        const bool is_upper = c >= 'A' && c <= 'Z';
        if (is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            letters += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return letters;
}

// Letters to insert, remove or replace so that `name` is `other` (Levenshtein's), or stands somewhere in it.
std::size_t distance(std::string_view name, std::string_view other, bool is_within) {
    std::vector<std::size_t> row(other.size() + 1, 0);
    if (!is_within) {
        std::iota(row.begin(), row.end(), std::size_t{0});
    }
    for (std::size_t i = 0; i < name.size(); ++i) {
        std::size_t corner = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < other.size(); ++j) {
            const std::size_t replaced = corner + (name[i] == other[j] ? 0 : 1);
            corner = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, replaced}));
        }
    }
    return is_within ? *std::min_element(row.begin(), row.end()) : row.back();
}

} // namespace

std::string near_names(std::string_view name, std::span<const std::string_view> known) {
    const std::string letters = letters_of(name);
    std::vector<std::tuple<std::size_t, std::size_t, std::string_view>> near;
    for (const std::string_view candidate : known) {
        const std::string other = letters_of(candidate);
        const std::size_t apart = distance(letters, other, true);
        if (!letters.empty() && apart * kMaxWrong <= letters.size()) {
            near.emplace_back(apart, distance(letters, other, false), candidate);
        }
    }
    std::sort(near.begin(), near.end());
    near.resize(std::min(near.size(), kMaxNear));
    std::string text;
    for (std::size_t i = 0; i < near.size(); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == near.size() ? " and " : ", ", std::get<std::string_view>(near[i]));
    }
    return text.empty() ? "" : fmt::format("; near {} {}", near.size() == 1 ? "is" : "are", text);
}

} // namespace costcurve::documents
