// A ranking's request from the command line, without a file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::answers {

/// Work stated by options: requests per second of one model, and filters of the ranking.
struct WorkInWords {
    std::string model; ///< a model's slug
    double requests_per_s = 1.0;
    double input_tokens = 500.0; ///< per request
    double output_tokens = 300.0;
    double cached_tokens = 0.0;                  ///< input tokens found in a cache
    double reasoning_tokens = 0.0;               ///< before the answer
    std::optional<double> input_p95, output_p95; ///< if requests differ in length
    std::vector<double> burst;                   ///< factor, seconds, times a day; or none
    std::string precision;
    std::string shape;                        ///< a named shape, or the id of a demand curve
    std::optional<double> requests_per_month; ///< for batch work, instead of requests per second
    std::optional<double> deadline_hours;
    bool trains = false;                            ///< a training run instead of requests
    std::optional<double> tokens, tokens_per_epoch; ///< of the training run; one of both
    double epochs = 1.0;
    std::optional<double> sequence;
    std::optional<double> within_days;
    std::string method;
    double growth_per_month = 0.0;
    double peak_utilization = 1.0;
    model::Slo slo;
    std::string start;         ///< YYYY-MM; "" is this month
    std::optional<int> months; ///< default 36; for a training run 12, or as many as its deadline needs
    std::string decide_by;
    std::vector<std::string> include, providers, regions, devices, purchases, kinds, sites;
    std::string evidence;
    std::optional<double> max_price_age_days;
    std::map<std::string, double> exchange_rates; ///< in USD, by currency
    std::map<std::string, double> discounts;      ///< by provider
    std::size_t top = 10;
    bool ignore_unserved = false;
    std::optional<int> spares;
    std::optional<double> availability;
    std::string spot;
    std::vector<std::string> ported;
    std::optional<double> stored_copies, stored_gb; ///< weights stored at the seller
    std::optional<double> discount_rate, tax_rate;
    friend bool operator==(const WorkInWords&, const WorkInWords&) = default;
};
/// Its request as the JSON values of a POST /v1/rank body.
[[nodiscard]] ParsedJson request_of(const WorkInWords& work);
/// The same as text.
[[nodiscard]] std::string text_of(const WorkInWords& work);

} // namespace costcurve::answers
