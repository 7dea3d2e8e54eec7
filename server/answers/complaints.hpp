// Errors in rows of a file or of telemetry, as answers list them.
#pragma once

#include "server/answers/answer.hpp"
#include "server/import/report.hpp"

namespace costcurve::model {

template <>
inline constexpr auto fields<imports::Complaint> =
    Rows{Field{"row", &imports::Complaint::row, {.min = 1, .omit = true}}, Field{"reason", &imports::Complaint::reason, {}}};
template <> inline constexpr std::string_view document_name<imports::Complaints> = "complaints";
template <>
inline constexpr auto fields<imports::Complaints> =
    Rows{Field{"count", &imports::Complaints::count, {.min = 0}},
         Field{"rows", &imports::Complaints::rows, {.min = 0, .help = "that they are about; the others are of the whole"}},
         Field{"first", &imports::Complaints::first, {}}};

} // namespace costcurve::model
