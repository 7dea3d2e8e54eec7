// Answers about the service itself.
#pragma once

#include "model/ledger.hpp"
#include "server/answers/answer.hpp"

namespace costcurve::answers {

struct HealthAnswer {
    std::string_view status;
};
struct ReadinessAnswer {
    std::string_view status;
};
struct CategoryColour {
    std::string_view light;
    std::string_view dark;
};
struct CategoryAnswer {
    model::Category name{};
    std::string_view label;
    CategoryColour colour;
    model::CategoryGroup group{};
};

inline constexpr auto kHealthWords = std::to_array<std::string_view>({"alive"});
inline constexpr auto kReadinessWords = std::to_array<std::string_view>({"ready"});
inline constexpr std::string_view kColourPattern = "^#[0-9a-f]{6}$";

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<answers::HealthAnswer> =
    Rows{Field{"status", &answers::HealthAnswer::status, {.words = answers::kHealthWords}}};
template <>
inline constexpr auto fields<answers::ReadinessAnswer> =
    Rows{Field{"status", &answers::ReadinessAnswer::status, {.words = answers::kReadinessWords}}};
template <>
inline constexpr auto fields<answers::CategoryColour> =
    Rows{Field{"light", &answers::CategoryColour::light, {.pattern = answers::kColourPattern}},
         Field{"dark", &answers::CategoryColour::dark, {.pattern = answers::kColourPattern}}};
template <>
inline constexpr auto fields<answers::CategoryAnswer> =
    Rows{Field{"name", &answers::CategoryAnswer::name, {}}, Field{"label", &answers::CategoryAnswer::label, {}},
         Field{"colour", &answers::CategoryAnswer::colour, {}}, Field{"group", &answers::CategoryAnswer::group, {}}};

} // namespace costcurve::model
