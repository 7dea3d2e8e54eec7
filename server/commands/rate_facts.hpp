// The catalogue's facts that an audit of rates reads, compiled into the binary (deploy/embed.cmake).
#pragma once

#include <string_view>

namespace costcurve::commands {

struct RateFactsTexts {
    std::string_view models;   ///< deploy/catalog/models.json
    std::string_view devices;  ///< deploy/catalog/devices.json
    std::string_view rates;    ///< deploy/catalog/sources/measured_rates.csv
    std::string_view training; ///< deploy/catalog/sources/measured_training.csv
};
[[nodiscard]] RateFactsTexts rate_facts_texts();

} // namespace costcurve::commands
