// What an importer gives: documents, bill lines and telemetry samples as they are read, and issues with their rows.
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
#include "server/bill/bill_line.hpp"

namespace costcurve::imports {

/// A document of one of the kinds that files hold.
using Document = std::variant<model::Curve, model::Device, model::Offer, model::Server, model::Site, model::Performance,
                              model::Endpoint, model::Model, model::Measurement>;

/// One reading of a sensor or a counter of one device.
struct Sample {
    std::string source;       ///< names the device: host and number, or its UUID
    std::string device;       ///< our device's id; "" where the model's name is unknown
    std::string metric;       ///< a name of `telemetry_metrics`: power_w, utilization, energy_j …
    std::int64_t time_ms = 0; ///< Unix milliseconds
    double value = 0.0;
    std::size_t row = 0; ///< the line that it stands in, from 1
};

/// An issue with one row: why it was rejected, or what is odd. `row` counts as a spreadsheet does, so a table's first line is row
/// 1; in a JSON list it is the element, from 1; 0 is the whole file.
struct Complaint {
    std::size_t row = 0;
    std::string reason;
};

/// Issues of one sort: the first ones, and the total count. Memory is bounded.
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

/// Receives what an importer reads, in the file's order. An unset function discards its argument.
struct Report {
    std::function<void(Document&& document)> on_document;
    std::function<void(const BillLine& line)> on_bill_line;
    std::function<void(const Sample& sample)> on_sample;

    std::string format_version; ///< of a specification that has several, by the columns of the file: "1.3" of FOCUS; else ""
    std::size_t rows = 0;       ///< read, without header lines
    std::size_t skipped = 0;    ///< rows that are fine and of no use here: CPU instances, exact duplicates, requests that failed
    Complaints rejected;        ///< rows that could not be used, and why
    Complaints warnings;        ///< rows that were used although something is odd

    void add(Document&& document) const { // documents are large: moved only once
        if (on_document) {
            on_document(std::move(document));
        }
    }
    /// Adds all documents of a map by id.
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
