// Machines on bills: instance types, units and marks of spot, by whole words.
#include "server/import/prices/focus_machines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

struct FocusMachineUnitRow {
    std::string_view unit; // in lower case
    double hours;
};
constexpr auto kHourUnits = std::to_array<FocusMachineUnitRow>({
    {"h", 1.0},
    {"hour", 1.0},
    {"hours", 1.0},
    {"hr", 1.0},
    {"hrs", 1.0},
    {"instance hour", 1.0},
    {"instance hours", 1.0},
    {"instance-hour", 1.0},
    {"instance-hours", 1.0},
    {"units/hour", 1.0}, // Microsoft's words for unit-hours
    {"minute", 1.0 / 60.0},
    {"minutes", 1.0 / 60.0},
    {"second", 1.0 / 3600.0},
    {"seconds", 1.0 / 3600.0},
    {"s", 1.0 / 3600.0},
});

// Meters that are not called as their type is, behind "Standard_".
constexpr std::string_view kRenamedMeter = "Standard_ND96asr_A100_v4";
constexpr std::string_view kItsType = "Standard_ND96asr_v4";

// What may stand before "tokens" in a unit.
struct TokenScale {
    std::string_view word;
    double tokens;
};
constexpr auto kTokenScales = std::to_array<TokenScale>({
    {"thousand ", 1e3},
    {"million ", 1e6},
    {"billion ", 1e9},
    {"k ", 1e3},
    {"m ", 1e6},
    {"b ", 1e9},
    {"input ", 1.0},
    {"output ", 1.0},
    {"cached ", 1.0},
    {"prompt ", 1.0},
    {"completion ", 1.0},
});

bool is_part_of_type(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

// A word that may be an instance type: letters and digits, with a mark between them.
bool may_be_type(std::string_view word) {
    constexpr std::size_t kMin = 5;
    constexpr std::size_t kMax = 48;
    return word.size() >= kMin && word.size() <= kMax && word.find_first_of("0123456789") != std::string_view::npos &&
           word.find_first_of("._-") != std::string_view::npos;
}

std::optional<NamedInstance> instance_in_words(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
        if (!is_part_of_type(text[begin])) {
            ++begin;
            continue;
        }
        std::size_t end = begin;
        while (end < text.size() && is_part_of_type(text[end])) {
            ++end;
        }
        std::string_view word = text.substr(begin, end - begin);
        begin = end;
        word = word.substr(0, word.find_last_not_of(".-_") + 1);
        if (may_be_type(word)) {
            if (auto machine = instance_of(word)) {
                return NamedInstance{std::move(*machine), std::string(word)};
            }
        }
    }
    return std::nullopt;
}

// Azure's meters leave "Standard_" out and write spaces: "NC24ads A100 v4 Spot", alone or between hyphens.
std::optional<NamedInstance> instance_of_meter(std::string_view text) {
    constexpr std::string_view kHyphen = " - ";
    while (!text.empty()) {
        const std::size_t hyphen = text.find(kHyphen);
        std::string_view part = text.substr(0, hyphen);
        text = hyphen == std::string_view::npos ? std::string_view() : text.substr(hyphen + kHyphen.size());
        for (const std::string_view end : {" Spot", " Low Priority"}) {
            part = part.ends_with(end) ? part.substr(0, part.size() - end.size()) : part;
        }
        std::string type = "Standard_" + std::string(part);
        std::replace(type.begin(), type.end(), ' ', '_');
        type = type == kRenamedMeter ? std::string(kItsType) : std::move(type);
        if (may_be_type(type)) {
            if (auto machine = instance_of(type)) {
                return NamedInstance{std::move(*machine), std::move(type)};
            }
        }
    }
    return std::nullopt;
}

// "1,000 tokens", not "0,5 tokens": three digits follow, and one from 1 to 9 begins the number.
bool is_thousands_mark(std::string_view text, std::size_t comma) {
    const auto is_digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    return comma > 0 && is_digit(comma - 1) && text.front() >= '1' && text.front() <= '9' && is_digit(comma + 1) &&
           is_digit(comma + 2) && is_digit(comma + 3) && !is_digit(comma + 4);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    const std::string all = lower(text);
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return all.find(word) != std::string::npos; });
}

} // namespace

std::optional<NamedInstance> find_instance(std::span<const std::string_view> texts) {
    for (const std::string_view text : texts) {
        auto found = instance_in_words(text);
        found = found ? found : instance_of_meter(text);
        if (found) {
            return found;
        }
    }
    return std::nullopt;
}

std::optional<double> hours_in(std::string_view unit) {
    double count = 1.0;
    const auto [end, error] = std::from_chars(unit.data(), unit.data() + unit.size(), count);
    std::string name = lower(unit.substr(error == std::errc() ? static_cast<std::size_t>(end - unit.data()) : 0));
    name.erase(0, name.find_first_not_of(' '));
    const auto found = std::ranges::find(kHourUnits, name, &FocusMachineUnitRow::unit);
    if (found == kHourUnits.end() || (error == std::errc() && !(count > 0.0))) {
        return std::nullopt;
    }
    return found->hours * (error == std::errc() ? count : 1.0);
}

std::optional<double> tokens_in(std::string_view unit) {
    std::string text = lower(unit);
    for (std::size_t at = text.find(','); at != std::string::npos; at = text.find(',', at)) {
        if (!is_thousands_mark(text, at)) {
            return std::nullopt;
        }
        text.erase(at, 1);
    }
    std::string_view rest = text;
    if (!rest.ends_with("token") && !rest.ends_with("tokens")) {
        return std::nullopt;
    }
    double count = 1.0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
    if (error == std::errc()) {
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    for (bool found = true; found;) {
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        found = false;
        for (const TokenScale& scale : kTokenScales) {
            if (!found && rest.starts_with(scale.word)) {
                found = true;
                count *= scale.tokens;
                rest.remove_prefix(scale.word.size());
            }
        }
    }
    return rest.starts_with("token") && count > 0.0 && std::isfinite(count) ? std::optional(count) : std::nullopt;
}

bool says_spot(std::string_view text) { return has_any(text, {"spot", "low priority", "preemptible"}); }
bool is_beside_the_machine(std::string_view text) { return has_any(text, {"ebsoptimized", "ebs-optimized", "ebs optimized"}); }

} // namespace costcurve::imports
