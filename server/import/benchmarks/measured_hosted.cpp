// Reads the output of `costcurve measure --hosted` as latencies of an endpoint, to be merged with the stored endpoint.
#include <cmath>

#include <fmt/format.h>

#include "server/import/benchmarks/measured_run.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"

namespace costcurve::imports {

namespace {

constexpr double kFewestRequests = 20.0; // minimum for a 95th percentile

std::optional<double> above_zero(const Json& json, std::string_view name) {
    const Number number = number_of(json, name);
    return number && std::isfinite(number.value) && number.value > 0.0 ? std::optional(number.value) : std::nullopt;
}

} // namespace

HardError read_measured_hosted(const Json& root, const Options& options, Report& report) {
    for (const std::string_view beside : {"address", "model", "requests", "failed", "input", "output", "date"}) {
        note_read(beside);
    }
    const auto phases = list_of(root, "phases");
    model::Endpoint endpoint;
    endpoint.id = options.id.empty() ? std::string(text_of(root, "endpoint")) : options.id;
    endpoint.latency_percentile = above_zero(root, "latency_percentile");
    if (!phases || phases->size() != 1 || make_id({endpoint.id}) != endpoint.id || endpoint.id.empty() ||
        !endpoint.latency_percentile) {
        return hard_error(model::Code::bad_format, 0,
                          "endpoint (an id), latency_percentile and one phase are needed: measure again");
    }
    const Json& row = *phases->begin();
    report.rows = 1;
    endpoint.ttft_s = above_zero(row, "ttft_s");
    endpoint.itl_s = above_zero(row, "itl_s");
    const Number requests = number_of(row, "requests");
    const Number failed = number_of(row, "failed");
    if (!endpoint.ttft_s || !endpoint.itl_s || requests.value < kFewestRequests || failed.value > 0.01 * requests.value) {
        return hard_error(model::Code::bad_format, 1,
                          fmt::format("ttft_s and itl_s, above 0, of {:g} requests or more are needed, 1 % of them failed at most",
                                      kFewestRequests));
    }
    endpoint.max_units_per_s = above_zero(root, "max_units_per_s");
    report.add(std::move(endpoint));
    return std::nullopt;
}

} // namespace costcurve::imports
