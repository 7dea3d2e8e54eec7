// Hosted models as price lists name and price them: one spelling of a model, one endpoint of a price by class.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "server/import/importer.hpp"
#include "server/import/report.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// A model's slug, family-version-size without its maker and without "-instruct", of a name as hosts spell it:
/// "groq/llama-3.3-70b-versatile" is llama-3.3-70b, "accounts/fireworks/models/glm-5p2" glm-5.2, "Command-R+" command-r-plus.
[[nodiscard]] std::string model_slug(std::string_view name);

/// Where a name says that a model is served from: "us" of "us.anthropic.claude-sonnet-4-v1:0", "us-gov-east-1" of
/// "bedrock/us-gov-east-1/anthropic.claude-sonnet-4-v1:0"; "" where it does not.
[[nodiscard]] std::string hosted_region(std::string_view name);

/// Prices per million units; 0 of a class is no price: it is left out.
struct ClassPrices {
    double input = 0.0;
    double cached_input = 0.0;
    double cache_write = 0.0;
    double hour_write = 0.0; ///< of what is kept for an hour
    double output = 0.0;
    double reasoning = 0.0;
};
/// Prices, and those of requests whose prompt is longer than a threshold of tokens.
struct PricesByLength : ClassPrices {
    std::map<double, ClassPrices> above = {};
};
/// Prices of a model since a day: of tokens, in tiers of service, and fees; 0 is no fee.
struct HostedPrices : PricesByLength {
    std::map<model::ServiceTier, PricesByLength> tiers = {};
    double request = 0.0; ///< what a request costs beside its tokens
    double search = 0.0;
    double image = 0.0;
    std::vector<std::string> unknown_conditions = {}; ///< what else its price depends on
};

/// A field of a price list that has a class's price.
struct PriceField {
    const char* name;
    double ClassPrices::*price;
    bool is_required = false;
};
/// Reads the prices of an entry, whose fields `number` reads; `convert` makes what they are per a million. Gives the reason why one
/// is no price, or "". Above a threshold no class is required.
[[nodiscard]] std::string read_prices(std::span<const PriceField> fields, const std::function<Number(const char* name)>& number,
                                      ClassPrices& prices, double (*convert)(double price) = nullptr, bool is_above = false);

/// Prices since a day, in days since 1970-01-01.
struct DatedPrices {
    double day = 0.0;
    HostedPrices prices;
};

/// Prices as lists of their history have them: from a day (inclusive) to a day (exclusive); open where a side is not stated.
struct PricePeriod {
    std::optional<double> from = std::nullopt;
    std::optional<double> to = std::nullopt;
    HostedPrices prices = {};
};
/// The points of such a history as a list of `day` has them: each period at its first day, the one that holds on `day` on that day
/// too, and one that had ended by then and has no first day on its last. In order of days.
/// Gives an empty vector, and the reason, where periods overlap, end before they begin or none is left.
[[nodiscard]] std::vector<DatedPrices> dated_prices(std::span<const PricePeriod> periods, double day, std::string& reason);

/// Per token to per million, rounded to twelve decimals: 3e-07 is 0.3.
[[nodiscard]] double per_million(double per_token);

/// The provider that serves a model, of the names that lists of hosted models have: "x-ai" is xai, "google" gemini (Vertex AI where
/// the model is Anthropic's); others as `provider_of`.
[[nodiscard]] std::string model_host(std::string_view host, std::string_view name);

/// An endpoint <provider>.<model>[.<region>] of a row of a price list, whose prices hold since the option's date. `host` and `name`
/// as the list has them.
[[nodiscard]] model::Endpoint hosted_model(std::string_view host, std::string_view name, const HostedPrices& prices,
                                           const Options& options);
/// The same with a point a day, in their order. On a day without a price of cached input, cache writes or reasoning that of input
/// or output holds, where another day has one.
[[nodiscard]] model::Endpoint hosted_model(std::string_view host, std::string_view name, std::span<const DatedPrices> prices,
                                           const Options& options);

/// The endpoints of one list: each once.
class EndpointList {
public:
    explicit EndpointList(Report& report) : report_(report) {}
    /// Adds an endpoint to the report; `name` is its name in the list. Warns where an earlier row of the list has the same id,
    /// such as another interface or an alias of the model: at the same prices the later row is skipped; at other prices both
    /// are in the report, and the merge holds them as disputed.
    void add(model::Endpoint&& endpoint, std::string_view name, std::size_t row);

private:
    Report& report_;
    using Prices = std::tuple<std::optional<model::UnitPrice>, std::vector<model::PriceAbove>, std::optional<model::ServiceTiers>,
                              std::optional<model::HostedFees>, std::optional<model::HostedCache>>;
    std::map<std::string, std::pair<std::string, Prices>> seen_; // by id the names that they are of
};

} // namespace costcurve::imports
