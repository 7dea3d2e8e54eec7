// Batches by one of two forms, and conditions by the list that states them.
#include "model/hosted/joined_endpoints.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace costcurve::model {

namespace {

bool has_batch_tier(const Endpoint& endpoint) { return endpoint.service_tiers && endpoint.service_tiers->batch; }

void drop_batch_tier(Endpoint& endpoint) {
    endpoint.service_tiers->batch.reset();
    if (endpoint.service_tiers == ServiceTiers{}) {
        endpoint.service_tiers.reset();
    }
}

// Whether a condition ends with the name of the document's price list in parentheses; `source` begins with that name.
bool is_of_source(const std::string& condition, const std::string& source) {
    bool is_of = false;
    for (std::size_t end = 0; !is_of && end < source.size(); ++end) {
        end = std::min(source.find(' ', end), source.size());
        is_of = end > 0 && condition.ends_with(fmt::format(" ({})", source.substr(0, end)));
    }
    return is_of;
}

} // namespace

void keep_one_batch(Endpoint& stored, Endpoint& given, bool keeps_stored) {
    Endpoint& left = keeps_stored ? given : stored; // whose batches give way
    const Endpoint& kept = keeps_stored ? stored : given;
    if (has_batch_tier(kept)) {
        left.batch_price_fraction = 1.0;
    } else if (kept.batch_price_fraction != 1.0 && has_batch_tier(left)) {
        drop_batch_tier(left);
    }
}

void drop_withdrawn(const Endpoint& newer, Endpoint& older) {
    std::erase_if(older.unknown_conditions, [&](const std::string& condition) {
        return is_of_source(condition, newer.source) &&
               std::ranges::find(newer.unknown_conditions, condition) == newer.unknown_conditions.end();
    });
}

} // namespace costcurve::model
