// Simulations and maps on one thread and on two: wall time, CPU time and samples a second. Figures and machine in README.md.
#include <chrono>
#include <ctime>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/questions/chance/simulate.hpp"
#include "model/questions/map.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/jobs/threads.hpp"
#include "tests/bench/scenarios.hpp"

namespace costcurve::bench {

namespace {

using model::Placed;

Placed placed(const std::string& text) { return {documents::decode_scenario(*parse_json(text)).document, "/scenario"}; }

model::UncertainInput uniform(std::string pointer, double low, double high) {
    model::Distribution distribution;
    distribution.relative = true;
    distribution.low = low;
    distribution.high = high;
    return {std::move(pointer), "/inputs", distribution, std::nullopt};
}

// What simulate_numpy.py draws too.
model::SimulateQuestion question(std::size_t samples) {
    model::SimulateQuestion asked;
    asked.inputs = {uniform("/pools/0/server/price", 0.8, 1.2), uniform("/pools/0/site/energy_price", 0.5, 2.0),
                    uniform("/workloads/0/demand/mean_per_s", 0.5, 1.5), uniform("/pools/0/site/pue", 1.0, 1.2)};
    asked.outputs = {"/total/cost"};
    asked.samples = samples;
    return asked;
}

template <class Ask> void timed(std::string_view name, const Ask& ask) {
    double one = 0.0;
    for (const std::size_t threads : {1U, 2U}) {
        double least = HUGE_VAL;
        double cpu = 0.0;
        for (int run = 0; run < 3; ++run) {
            const std::clock_t cpu_before = std::clock();
            const auto before = std::chrono::steady_clock::now();
            jobs::Threads workers(threads, {});
            if (!ask(workers.runner())) {
                fmt::print("{} failed\n", name);
                return;
            }
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
            if (took.count() < least) {
                least = took.count();
                cpu = static_cast<double>(std::clock() - cpu_before) / CLOCKS_PER_SEC;
            }
        }
        one = threads == 1 ? least : one;
        fmt::print("{:44} {} thread{} {:8.3f} s, CPU {:8.3f} s, speed-up {:.2f}\n", name, threads, threads == 1 ? " " : "s", least,
                   cpu, one / least);
        std::fflush(stdout);
    }
}

} // namespace

} // namespace costcurve::bench

int main(int argc, char** argv) {
    using namespace costcurve;
    using namespace costcurve::bench;
    if (argc == 3 && std::string_view(argv[1]) == "--print") { // for simulate_numpy.py
        fmt::print("{}", argv[2] == std::string_view("flat") ? flat_scenario() : usual_scenario());
        return 0;
    }
    const std::vector<Placed> flat = {placed(flat_scenario())};
    const std::vector<Placed> hourly = {placed(usual_scenario()), placed(usual_scenario())};
    std::vector<Placed> three = hourly;
    three.push_back(flat.front());
    timed("simulate 10,000, one flat scenario",
          [&](const model::Runner& runner) { return simulate(flat, question(10'000), runner); });
    timed("simulate 10,000, two flat scenarios", [&](const model::Runner& runner) {
        return simulate({flat.front(), flat.front()}, question(10'000), runner);
    });
    timed("simulate 10,000, one hourly scenario",
          [&](const model::Runner& runner) { return simulate({hourly.front()}, question(10'000), runner); });
    timed("simulate 10,000, two hourly scenarios",
          [&](const model::Runner& runner) { return simulate(hourly, question(10'000), runner); });
    model::MapQuestion map{{"/pools/0/server/price", "/x", {}}, {"/workloads/0/demand/mean_per_s", "/y", {}}, "/total/cost"};
    for (int i = 0; i < 100; ++i) {
        map.x.values.push_back(200'000 + 1000 * i);
        map.y.values.push_back(1 + 0.1 * i);
    }
    timed("map 100 x 100, two hourly and one flat", [&](const model::Runner& runner) { return map_cheapest(three, map, runner); });
    return 0;
}
