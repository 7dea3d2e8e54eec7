// Default weekly shapes of demand, for those who know only the kind of service.
#pragma once

#include <array>
#include <string_view>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Who sends the requests: people at work in one time zone, an audience of consumers, or a source that is constant over the day.
enum class ServiceShape { office, consumer, flat };
template <> inline constexpr auto enum_names<ServiceShape> = std::to_array<std::string_view>({"office", "consumer", "flat"});

/// Hourly multipliers of the mean demand, averaging 1; a constant for flat. office: demand.office-hours of the catalogue, a
/// judgement, peak 2.68. consumer: demand.alibaba-genai.hour-of-day, requests of a public service on one day (alibaba/clusterdata,
/// GenAI trace v2026), peak 2.37.
[[nodiscard]] Rate demand_shape(ServiceShape shape);

} // namespace costcurve::model
