// How units of a request are made or billed: the classes of tokens, and values by class.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "model/documents/enum_names.hpp"

namespace costcurve::model {

/// Classes of the units of a request. Cached input is a prefix found in the cache, cache writes are what is put there.
enum class UnitClass { input, cached_input, cache_write, output, reasoning, count_ };
template <>
inline constexpr auto enum_names<UnitClass> = std::to_array<std::string_view>({"input", "cached_input", "cache_write", "output",
                                                                               "reasoning"});
inline constexpr std::size_t kUnitClasses = static_cast<std::size_t>(UnitClass::count_);

/// A number for each class, in the order of the enumeration.
using ClassValues = std::array<double, kUnitClasses>;

/// What documents state by class.
template <class T> struct ByClass {
    T input{};
    T cached_input{};
    T cache_write{};
    T output{};
    T reasoning{};

    [[nodiscard]] const T& operator[](UnitClass unit_class) const {
        const std::array<const T*, kUnitClasses> members = {&input, &cached_input, &cache_write, &output, &reasoning};
        return *members[static_cast<std::size_t>(unit_class)];
    }
    friend bool operator==(const ByClass&, const ByClass&) = default;
};

/// Units of a request: one number, or by class.
struct UnitsPerRequest : ByClass<double> {
    bool split = false;
    double total = 1.0; ///< where not split
    friend bool operator==(const UnitsPerRequest&, const UnitsPerRequest&) = default;
};

/// What a unit of a class weighs against the others; defaults by class where unstated.
struct ClassWeights : ByClass<std::optional<double>> {
    friend bool operator==(const ClassWeights&, const ClassWeights&) = default;
};

} // namespace costcurve::model
