// Walks the field tables along a pointer and remembers the last source and revision on the way.
#include "model/questions/explain_inputs.hpp"

#include <cassert>
#include <charconv>

#include "model/walk.hpp"

namespace costcurve::model {

namespace {

// Takes the first segment off a pointer.
std::string_view take_segment(std::string_view& pointer) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view segment = pointer.substr(std::min<std::size_t>(1, pointer.size()), end - 1);
    pointer.remove_prefix(end);
    return segment;
}

// A stored document answers for itself; one that stands inline in it may name a source of its own.
template <class T> void remember(const T& document, TermInput& input) {
    if constexpr (is_stored<T>) {
        if (document.stored.revision > 0) {
            input.source = document.source;
            input.revision = document.stored.revision;
        }
    }
    if constexpr (requires { document.source; }) {
        if (!document.source.empty()) {
            input.source = document.source;
        }
    }
}

template <class T> bool find(const T& member, std::string_view rest, const FieldSpec& spec, TermInput& input);

template <class T> bool find_in_list(const std::vector<T>& list, std::string_view rest, TermInput& input) {
    const std::string_view segment = take_segment(rest);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(segment.data(), segment.data() + segment.size(), index);
    return error == std::errc() && end == segment.data() + segment.size() && index < list.size() &&
           find(list[index], rest, {}, input);
}

template <class T> bool find_field(const T& document, std::string_view rest, TermInput& input) {
    remember(document, input);
    const std::string_view segment = take_segment(rest);
    bool found = false;
    for_each_field<T>([&](const auto& field) {
        if (field.name == segment) {
            found = find(document.*field.member, rest, field.spec, input);
        }
    });
    return found;
}

// The value, where the pointer ends here; else the search goes on in the member's parts.
template <class T> bool find(const T& member, std::string_view rest, const FieldSpec& spec, TermInput& input) {
    if (rest.empty()) {
        input.unit = spec.unit;
    }
    if constexpr (is_optional<T>) {
        return member ? find(*member, rest, spec, input) : rest.empty();
    } else if constexpr (std::is_arithmetic_v<T>) {
        input.value = static_cast<double>(member);
        return rest.empty();
    } else if constexpr (std::is_same_v<T, Rate>) {
        if (member.curve) {
            remember(*member.curve, input);
        } else {
            input.value = member.number;
        }
        return rest.empty();
    } else if constexpr (std::is_same_v<T, Curve>) {
        remember(member, input);
        return rest.empty();
    } else if constexpr (std::is_same_v<T, UnitPrice> || std::is_same_v<T, UnitsPerRequest>) {
        return rest.empty() ? find(member.total, rest, spec, input) : find_field(member, rest, input);
    } else if constexpr (is_list_of_fields<T>) {
        return rest.empty() || find_in_list(member, rest, input);
    } else if constexpr (has_fields<T>) {
        return find_field(member, rest, input);
    } else {
        return rest.empty();
    }
}

} // namespace

std::string in_currency(std::string_view unit, const std::string& currency) {
    for (const std::string_view word : {"scenario currency", "currency of the server", "currency"}) {
        if (unit.substr(0, word.size()) == word) {
            return currency + std::string(unit.substr(word.size()));
        }
    }
    return std::string(unit);
}

TermInput read_input(const ScenarioDocument& scenario, std::string pointer) {
    TermInput input;
    const bool found = find_field(scenario, pointer, input);
    assert(found && "a term names a field that no field table has");
    static_cast<void>(found);
    input.name = std::move(pointer);
    input.unit = in_currency(input.unit, scenario.currency);
    return input;
}

} // namespace costcurve::model
