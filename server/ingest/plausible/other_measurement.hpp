// Whether a measurement that is imported is another one than that which its id names in the store.
#pragma once

#include <string>
#include <variant>

#include <fmt/format.h>

#include "model/documents/kinds.hpp"
#include "model/documents/measurement.hpp"

namespace costcurve::ingest {

/// Why the two are not merged, where they are measurements of other work, model, devices or precision: points of both in one would
/// be of neither. "" where they may be, and of documents of other kinds.
[[nodiscard]] inline std::string other_measurement(const model::AnyDocument& stored, const model::AnyDocument& given) {
    const auto* const before = std::get_if<model::Measurement>(&stored);
    const auto* const after = std::get_if<model::Measurement>(&given);
    if (before == nullptr || after == nullptr) {
        return "";
    }
    const auto conditions = [](const model::Measurement& it) {
        return fmt::format("{} of {} on {}x {} at {}", model::name_of(it.kind), it.model, it.devices, it.device,
                           model::name_of(it.precision));
    };
    const std::string was = conditions(*before);
    const std::string is = conditions(*after);
    return was == is ? ""
                     : fmt::format("the stored one is {}, the file's {}: give another id, or delete the stored one first", was, is);
}

} // namespace costcurve::ingest
