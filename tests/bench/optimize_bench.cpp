// How long the optimizer takes over a fleet, and how near its bound it ends: wall time of one question after another.
#include <chrono>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/questions/optimize/optimize.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/jobs/threads.hpp"
#include "tests/bench/scenarios.hpp"

namespace costcurve::bench {

namespace {

void time_question(std::string_view name, const model::Placed& scenario, const model::OptimizeQuestion& question,
                   const model::OptimizeEffort& effort, std::size_t workers) {
    jobs::Threads threads(workers, {});
    const auto start = std::chrono::steady_clock::now();
    const auto optimum = model::optimize(scenario, question, effort, threads.runner());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!optimum) {
        fmt::print("{}: {}\n", name, optimum.error().front().message);
        return;
    }
    fmt::print("{}: {:.2f} s, objective {:.6g}, bound {:.6g}, gap {:.2f} %, {} plans, {} linear programmes; plan", name, seconds,
               optimum->best.objective, optimum->bound, 100 * optimum->gap_fraction, optimum->evaluations, optimum->bounds);
    for (const int value : optimum->best.plan) {
        fmt::print(" {}", value);
    }
    fmt::print("\n");
}

} // namespace

} // namespace costcurve::bench

int main() {
    using namespace costcurve;
    const model::Placed fleet{documents::decode_scenario(*parse_json(bench::fleet_scenario())).document, ""};
    model::OptimizeQuestion question;
    question.decide = {{"/pools/0/purchases/0/servers", 0, 12}, {"/pools/0/purchases/1/servers", 0, 12},
                       {"/pools/1/max_instances", 0, 12},       {"/pools/2/max_instances", 0, 12},
                       {"/pools/3/max_instances", 0, 40},       {"/pools/4/max_instances", 0, 12}};
    bench::time_question("fleet, two threads", fleet, question, {}, 2);
    bench::time_question("fleet, one thread", fleet, question, {}, 1);
    question.subject_to.max_unserved_fraction = 0.001;
    bench::time_question("fleet, a thousandth unserved", fleet, question, {}, 2);
    question.decide.push_back({"/pools/0/purchases/1/month", 1, 23});
    bench::time_question("fleet, with the month of the second purchase", fleet, question, {}, 2);
    return 0;
}
