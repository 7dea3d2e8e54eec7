// Converts names stored in a database to enums.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "server/storage/error.hpp"
#include "server/storage/record.hpp"

namespace costcurve::storage {

/// The enum value with this name. Throws StoreError (corrupt) if there is none; `what` names the value's owner in the message.
template <class Enum, std::size_t N>
[[nodiscard]] Enum value_named(const std::array<std::string_view, N>& names, std::string_view name, std::string_view what) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw StoreError(StoreError::Cause::corrupt,
                         "the database has " + std::string(what) + " '" + std::string(name) + "'; restore a backup");
    }
    return static_cast<Enum>(found - names.begin());
}

[[nodiscard]] inline Kind kind_of(std::string_view name) { return value_named<Kind>(kind_names, name, "a document of kind"); }

} // namespace costcurve::storage
