// What the tests of rates read of the catalogue: shapes of models, devices, links.
#pragma once

#include <string>
#include <vector>

#include "server/import/benchmarks/rate_rows.hpp"

namespace costcurve::rates {

struct RateFacts {
    imports::ModelShapes shapes;
    imports::DeviceLinks links;
    std::vector<model::Device> devices;
};

/// Of deploy/catalog in the repository.
[[nodiscard]] RateFacts read_rate_facts();

/// A whole file; "" where it can't be read.
[[nodiscard]] std::string file_text(const std::string& path);

} // namespace costcurve::rates
