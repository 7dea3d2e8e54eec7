// Bounds of hosts' stated speeds: medians move from day to day, so bounds are for wrong units alone.
#include "server/ingest/prices/stated_speeds.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "server/ingest/prices/every_document.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

struct SpeedRow {
    std::string_view name;
    std::optional<double> model::HostedModel::*member;
    double least;  // s: no answer crosses a network and a model sooner; 0: any
    double usual;  // of a published list of 43 models, 0.18 to 8.8 s, its median; 0: goes by the request
    bool is_limit; // a host's own, of which others say nothing
};
constexpr auto kSpeeds = std::to_array<SpeedRow>({
    {"ttft_s", &model::HostedModel::ttft_s, 0.02, 0.7, false},
    {"e2e_s", &model::HostedModel::e2e_s, 0.02, 0.0, false},
    {"itl_s", &model::HostedModel::itl_s, 0.0002, 0.0, true}, // 5,000 tokens/s; the fastest hosts have 3,000
});

constexpr double kBeyondOwnSpeed = 5.0;
constexpr double kBeyondHosts = 10.0;
constexpr double kAboveAnyHost = 20.0; // what thinks before it answers takes ten times as long
constexpr std::size_t kMinHosts = 8;   // of other models

// What stored endpoints state of one row, but for one host's.
struct StatedByOthers {
    std::vector<double> of_model, of_all;
};
StatedByOthers stated_by_others(const std::vector<model::Endpoint>& stored, const model::Endpoint& endpoint, const SpeedRow& row) {
    StatedByOthers others;
    for (const model::Endpoint& other : stored) {
        const std::optional<double>& value = other.*row.member;
        if (!value || *value <= 0.0 || other.provider == endpoint.provider) {
            continue;
        }
        others.of_all.push_back(*value);
        if (other.model == endpoint.model) {
            others.of_model.push_back(*value);
        }
    }
    return others;
}

// What a value is compared with.
struct Usual {
    double value = 0.0; // 0: nothing
    double above = 0.0; // times
    std::string whose;
};
Usual usual_of(StatedByOthers&& others, const SpeedRow& row) {
    if (row.is_limit) {
        return {};
    }
    if (const std::size_t hosts = others.of_model.size(); hosts > 0) {
        return {median_of(std::move(others.of_model)), kBeyondHosts,
                hosts == 1 ? "that of the model's only other host"
                           : fmt::format("the median of the model's {} other hosts", hosts)};
    }
    if (row.usual <= 0.0) {
        return {};
    }
    const std::size_t hosts = others.of_all.size();
    return {hosts < kMinHosts ? row.usual : median_of(std::move(others.of_all)), kAboveAnyHost,
            hosts < kMinHosts ? "what hosted models usually take" : fmt::format("the median of {} hosted models", hosts)};
}

bool is_far(double value, const Usual& usual) {
    return usual.value > 0.0 && (value <= usual.value / kBeyondHosts || value >= usual.value * usual.above);
}

std::string reason_of_speed(const SpeedRow& row, double value, double before, const Usual& usual) {
    if (value < row.least) {
        return fmt::format("its {} of {:.4g} is below {:g} s, which no host comes to", row.name, value, row.least);
    }
    if (before > 0.0 && is_beyond(value / before, kBeyondOwnSpeed)) {
        return fmt::format("its {} of {:.4g} is {:.3g} times what it was, {:.4g}", row.name, value, value / before, before);
    }
    const bool was_far = before > 0.0 && is_far(before, usual) && !is_beyond(value / before, kJump);
    return is_far(value, usual) && !was_far ? fmt::format("its {} of {:.4g} is {:.3g} times {}, {:.4g}", row.name, value,
                                                          value / usual.value, usual.whose, usual.value)
                                            : "";
}

} // namespace

bool states_speed(const model::Endpoint& endpoint) {
    return std::ranges::any_of(kSpeeds, [&](const SpeedRow& row) { return (endpoint.*row.member).has_value(); });
}

std::map<storage::DocumentKey, std::string> reasons_of_speeds(const storage::Snapshot& snapshot,
                                                              const std::vector<model::Endpoint>& listed) {
    std::map<storage::DocumentKey, std::string> reasons;
    std::vector<model::Endpoint> stored;
    if (!listed.empty()) {
        for_each_document<model::Endpoint>(snapshot, storage::Kind::endpoint, [&](const model::Endpoint& endpoint) {
            if (states_speed(endpoint)) {
                stored.push_back(endpoint);
            }
        });
    }
    for (const model::Endpoint& endpoint : listed) {
        const auto before = std::ranges::find(stored, endpoint.id, &model::Endpoint::id);
        for (const SpeedRow& row : kSpeeds) {
            const std::optional<double>& value = endpoint.*row.member;
            if (!value || *value <= 0.0) {
                continue;
            }
            const double was = before == stored.end() ? 0.0 : ((*before).*row.member).value_or(0.0);
            std::string reason = reason_of_speed(row, *value, was, usual_of(stated_by_others(stored, endpoint, row), row));
            if (!reason.empty()) {
                std::string& all = reasons[{storage::Kind::endpoint, endpoint.id}];
                all += (all.empty() ? "" : "; ") + reason;
            }
        }
    }
    return reasons;
}

} // namespace costcurve::ingest
