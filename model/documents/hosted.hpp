// Hosted models: what their hosts state of them, and what they charge.
#pragma once

#include <optional>
#include <string>

#include "model/documents/curve.hpp"
#include "model/documents/unit_classes.hpp"
#include "model/documents/values.hpp"

namespace costcurve::model {

/// The price of a hosted model: one, or by class.
struct UnitPrice : ByClass<std::optional<Rate>> {
    bool split = false;
    Rate total; ///< where not split
    friend bool operator==(const UnitPrice&, const UnitPrice&) = default;
};

/// What a hosted model costs and does, as its host states it.
struct HostedModel {
    std::string provider;
    std::string model;
    std::optional<UnitPrice> price_per_million_units;
    double batch_price_fraction = 1.0;
    std::optional<double> max_units_per_s;
    std::optional<double> e2e_s; ///< of a whole request; not known where unstated
    std::optional<double> ttft_s;
    std::optional<double> latency_percentile; ///< of both figures; not known where unstated
    std::optional<double> energy_wh_per_unit; ///< not known where unstated
    std::optional<double> carbon_g_per_unit;
    friend bool operator==(const HostedModel&, const HostedModel&) = default;
};

/// A hosted model with an id of its own, that pools may name.
struct Endpoint : HostedModel {
    std::string id, source, note;
    Stored stored;
    std::string region;
    std::string currency;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

} // namespace costcurve::model
