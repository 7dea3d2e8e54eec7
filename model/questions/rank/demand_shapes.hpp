// Weeks of demand for who knows no better than what kind of service it is.
#pragma once

#include <array>
#include <string_view>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Whose requests they are: of people at work in one time zone, of an audience, or as many at every hour.
enum class ServiceShape { office, consumer, flat };
template <> inline constexpr auto enum_names<ServiceShape> = std::to_array<std::string_view>({"office", "consumer", "flat"});

/// A multiplier of the mean by hour, of mean 1; a number for flat. office: demand.office-hours of the catalogue, a judgement, 2.68
/// at its peak. consumer: demand.alibaba-genai.hour-of-day, requests of a public service on one day (alibaba/clusterdata, GenAI
/// trace v2026), 2.37 at its peak.
[[nodiscard]] Rate demand_shape(ServiceShape shape);

} // namespace costcurve::model
