// Hosted models as price lists name and price them: one spelling of a model, one endpoint of a price by class.
#pragma once

#include <string>
#include <string_view>

#include "server/import/importer.hpp"
#include "server/import/report.hpp"

namespace costcurve::imports {

/// A model's slug, family-version-size without its maker and without "-instruct", of a name as hosts spell it:
/// "groq/llama-3.3-70b-versatile" is llama-3.3-70b, "accounts/fireworks/models/glm-5p2" glm-5.2, "Command-R+" command-r-plus.
[[nodiscard]] std::string model_slug(std::string_view name);

/// Where a name says that a model is served from: "us" of "us.anthropic.claude-sonnet-4-v1:0", "us-gov-east-1" of
/// "bedrock/us-gov-east-1/anthropic.claude-sonnet-4-v1:0"; "" where it does not.
[[nodiscard]] std::string hosted_region(std::string_view name);

/// Prices of a model since a day, per million units; 0 of a class is no price: it is left out.
struct HostedPrices {
    double input = 0.0;
    double cached_input = 0.0;
    double cache_write = 0.0;
    double output = 0.0;
    double reasoning = 0.0;
};

/// An endpoint <provider>.<model>[.<region>] of a row of a price list. `host` and `name` as the list has them.
[[nodiscard]] model::Endpoint hosted_model(std::string_view host, std::string_view name, const HostedPrices& prices,
                                           const Options& options);

} // namespace costcurve::imports
