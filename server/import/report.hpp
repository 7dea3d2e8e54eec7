// What an importer gives: documents, bill lines and telemetry samples as it reads them, and complaints with their rows.
// Values only: no files, no store, no JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"

namespace costcurve::imports {

/// A document of one of the kinds that files hold.
using Document = std::variant<model::Curve, model::Device, model::Offer, model::Server, model::Site, model::Performance,
                              model::Endpoint, model::Model, model::Measurement>;

/// What a provider charged for one kind of thing on one day, as bills say it (FOCUS names in comments).
struct BillLine {
    std::string provider; ///< ProviderName, as a slug
    std::string account;  ///< BillingAccountId, and behind a "/" SubAccountId; "" where the bill names none
    std::string region;   ///< RegionId
    std::string sku;      ///< SkuId, or the instance type where it is known
    std::string purchase; ///< on_demand, spot, committed, or "" of what is no machine
    std::string device;   ///< our device's id; "" of what is none of ours
    std::string currency; ///< BillingCurrency
    double day = 0.0;     ///< ChargePeriodStart, in days since 1970-01-01 UTC
    double hours = 0.0;   ///< ConsumedQuantity, where it is hours of instances; 0 elsewhere
    double device_hours = 0.0;
    double billed_cost = 0.0;
    double effective_cost = 0.0; ///< commitments spread over what they cover
    double list_cost = 0.0;
    std::string category =
        "usage";                 ///< ChargeCategory in lower case; allocation of what a cluster's tool divides, which another bills
    std::string resource = {};   ///< ResourceId
    std::string tags = {};       ///< Tags as canonical JSON (bill_tags.hpp); "" of none
    std::string commitment = {}; ///< CommitmentDiscountId
    std::string commitment_status = {}; ///< CommitmentDiscountStatus in lower case: used, unused
    std::string consumed_unit = {};     ///< ConsumedUnit; "" where nothing is known to be consumed
    std::string priced_unit = {};       ///< PricingUnit
    std::string virtual_currency = {};  ///< PricingCurrency, where it is none of ISO 4217
    double consumed_quantity = 0.0;     ///< in consumed_unit
    double priced_quantity = 0.0;       ///< in priced_unit
    double virtual_currency_cost = 0.0; ///< PricingCurrencyEffectiveCost, of a virtual currency
    double tokens = 0.0;                ///< of language models, where a unit is one of tokens; 0 elsewhere
};

/// One reading of a sensor or a counter of one device.
struct Sample {
    std::string source;       ///< names the device: host and number, or its UUID
    std::string device;       ///< our device's id; "" where the model's name is unknown
    std::string metric;       ///< a name of `telemetry_metrics`: power_w, utilization, energy_j …
    std::int64_t time_ms = 0; ///< Unix milliseconds
    double value = 0.0;
    std::size_t row = 0; ///< the line that it stands in, from 1
};

/// Something about one row: why it was left out, or what is odd in it. `row` counts as a spreadsheet does: the first line of a
/// table is row 1; of a JSON list it is the element, from 1; 0 is the whole file.
struct Complaint {
    std::size_t row = 0;
    std::string reason;
};

/// Complaints of one sort: the first ones, and how many there are of all. Memory stays bounded.
struct Complaints {
    static constexpr std::size_t kMax = 1000;
    std::vector<Complaint> first;
    std::size_t count = 0;
    std::size_t rows = 0; ///< that they are about: those of one row come one after the other
    std::size_t last_row = 0;

    void add(std::size_t row, std::string reason) {
        rows += row != 0 && row != last_row ? 1U : 0U;
        last_row = row;
        if (++count <= kMax) {
            first.push_back({row, std::move(reason)});
        }
    }
};

/// Where an importer puts what it reads. The functions are called in the file's order; an unset one drops what it would get.
struct Report {
    std::function<void(Document&& document)> on_document;
    std::function<void(const BillLine& line)> on_bill_line;
    std::function<void(const Sample& sample)> on_sample;

    std::size_t rows = 0;    ///< read, without header lines
    std::size_t skipped = 0; ///< rows that are fine and of no use here: CPU instances, exact duplicates, requests that failed
    Complaints rejected;     ///< rows that could not be used, and why
    Complaints warnings;     ///< rows that were used although something is odd

    void add(Document&& document) const { // a document is large: it is moved once on its way
        if (on_document) {
            on_document(std::move(document));
        }
    }
    /// The documents that a map has by their ids.
    template <class Documents> void add_all(Documents& documents) const {
        for (auto& [id, document] : documents) {
            add(std::move(document));
        }
    }
    void add(const BillLine& line) const {
        if (on_bill_line) {
            on_bill_line(line);
        }
    }
};

} // namespace costcurve::imports
