// The labels of a line of Prometheus text, and which of them say whose figure it is.
#pragma once

#include <string>
#include <string_view>

namespace costcurve::imports {

/// The labels that name a device, or a server and where it runs.
struct Labels {
    std::string hostname, uuid, gpu, model, instance;
    std::string partition;                   // of AMD's boards, from 0
    std::string gpu_uuid;                    // of AMD's boards that state no serial number
    std::string name_space, pod;             // as the exporter states them, or Prometheus of what it scraped
    std::string own_name_space, own_pod;     // of the exposition where Prometheus has labels of that name too
    std::string scraped, engine, model_name; // host:port; a server's part; what it serves
    std::string make, chip_id, chip_model;   // of GKE's accelerators
};

/// Takes blanks and tabs off the beginning.
void trim_left(std::string_view& text);
/// True of the name of a metric or a label.
[[nodiscard]] bool is_metric_name(std::string_view text);

/// Reads {name="value",…}; a comma may stand at the end. Why it can't, or "".
[[nodiscard]] std::string read_labels(std::string_view text, Labels& labels);

} // namespace costcurve::imports
