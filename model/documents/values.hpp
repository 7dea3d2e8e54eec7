// What members of documents are beside numbers and texts: rates, names of other documents, months and days, words that several use.
#pragma once

#include <optional>
#include <string>

#include "model/documents/curve.hpp"
#include "model/documents/enum_names.hpp"

namespace costcurve::model {

/// A number, or a curve where one is given. A number is a flat curve.
struct Rate {
    double number = 0.0;
    std::optional<Curve> curve;
    friend bool operator==(const Rate&, const Rate&) = default;
};

/// The id of a document that is only compared, never read ("" where it is not named).
struct Identity {
    std::string id;
    friend bool operator==(const Identity&, const Identity&) = default;
};

/// A calendar month.
struct YearMonth {
    int year = 1970;
    int month = 1; ///< 1 to 12
    friend bool operator==(const YearMonth&, const YearMonth&) = default;
};

/// A calendar day, as text `YYYY-MM-DD` ("" where it is not named).
struct Date {
    std::string text;
    friend bool operator==(const Date&, const Date&) = default;
};

/// Which parameters a training run moves.
enum class TrainingMethod { full, lora };
template <> inline constexpr auto enum_names<TrainingMethod> = std::to_array<std::string_view>({"full", "lora"});

} // namespace costcurve::model
