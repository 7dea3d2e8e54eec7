// The closed form of waiting as a program, for tests/reference/test_queueing.py: a line of JSON a replica on stdin, with `step_s`,
// `requests` ([share, prompt_s, steps]), `first_s`, `percentile`, and `per_s` or limits (`ttft_s`, `itl_s`, `e2e_s`); on stdout
// its times at these arrivals, or the highest arrivals that keep the limits, and the microseconds that it took.
#include <chrono>
#include <iostream>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "model/queueing/replica_queue.hpp"

namespace {

using nlohmann::json;
namespace model = costcurve::model;

std::optional<double> limit_of(const json& request, const char* name) {
    return request.contains(name) ? std::optional(request[name].get<double>()) : std::nullopt;
}

json answer(const json& request) {
    model::QueueServer server;
    server.step_s = request["step_s"].get<std::vector<double>>();
    server.first_s = request.value("first_s", 0.0);
    for (const json& kind : request["requests"]) {
        server.requests.push_back({kind[0].get<double>(), kind[1].get<double>(), kind[2].get<double>()});
    }
    const auto begun = std::chrono::steady_clock::now();
    const model::ReplicaQueue queue(std::move(server));
    const double percentile = request.value("percentile", 95.0);
    json found = {{"largest_per_s", queue.largest_per_s()}};
    if (request.contains("per_s")) {
        const double per_s = request["per_s"].get<double>();
        found["ttft_s"] = queue.percentile_s(model::QueueTime::ttft, percentile, per_s);
        found["itl_s"] = queue.percentile_s(model::QueueTime::itl, percentile, per_s);
        found["e2e_s"] = queue.percentile_s(model::QueueTime::e2e, percentile, per_s);
    } else {
        found["per_s"] =
            queue.highest_per_s({limit_of(request, "ttft_s"), limit_of(request, "itl_s"), limit_of(request, "e2e_s"), percentile});
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begun;
    found["took_us"] = took.count();
    return found;
}

} // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        std::cout << answer(json::parse(line)).dump() << "\n";
    }
    return 0;
}
