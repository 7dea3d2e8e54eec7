// `costcurve recalculate`: a run in this process, for cron and systemd timers; a bar on a terminal, a report, an exit status.
#include <chrono>

#include <fmt/format.h>

#include "model/version.hpp"
#include "server/commands/bar.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/commands/text_table.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/standings.hpp"

namespace costcurve::commands {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

storage::RunRequest request_of(const RecalculateOptions& options) {
    storage::RunRequest request;
    request.scope = !options.scenarios.empty() ? storage::Scope::some : options.all ? storage::Scope::all : storage::Scope::changed;
    request.scenarios = options.scenarios;
    request.model_version = model::kModelVersion;
    return request;
}

std::string report_text(const storage::Run& run, const std::vector<storage::RunFailure>& failures, double seconds) {
    std::string text =
        fmt::format("recalculation {} is {}: {} scenario{} in {:.2f} s, {} evaluated, {} unchanged, {} failed\n", run.id,
                    name_of(run.state), run.total, run.total == 1 ? "" : "s", seconds, run.evaluated, run.unchanged, run.failed);
    for (const storage::RunFailure& failure : failures) {
        text += fmt::format("  {}: {}\n", failure.scenario, failure.problem);
    }
    if (run.failed > static_cast<std::int64_t>(failures.size())) {
        text += fmt::format("  and {} more\n", run.failed - static_cast<std::int64_t>(failures.size()));
    }
    return printable(std::move(text));
}

} // namespace

int recalculate(const RecalculateOptions& options) {
    constexpr std::size_t kShown = 20;
    keep_memory();
    const auto opened = open_upgraded({.path = options.database.path, .max_database_mb = options.database.max_mb});
    storage::Store& store = *opened;
    const auto begun = store.begin_run({"cli", ""}, request_of(options));
    if (const auto* const missing = std::get_if<std::vector<std::string>>(&begun)) {
        for (const std::string& id : *missing) {
            fmt::print(stderr, "{}", printable(fmt::format("no scenario has the id {}\n", id)));
        }
        return kWrongInput;
    }
    const auto id = std::get<std::int64_t>(begun);
    const Clock::time_point start = Clock::now();
    {
        Bar bar;
        const auto progress = [&](const storage::Run& run, std::size_t done) {
            const double rate = static_cast<double>(done) / std::max(seconds_since(start), 1e-3);
            const double left = static_cast<double>(run.total) - static_cast<double>(done);
            bar.show(fmt::format("recalculating, {:.0f}/s, {:.0f} s left", rate, rate > 0 ? left / rate : 0.0), done,
                     static_cast<std::uintmax_t>(run.total));
            return true;
        };
        const auto log = [](std::string_view what, std::string_view of) {
            fmt::print(stderr, "{}", printable(fmt::format("{}: {}\n", of, what)));
        };
        recalculation::execute_run(
            store, id,
            {.model_version = std::string(model::kModelVersion),
             .recalculate = recalculation::guarded_recalculate(log),
             .threads = options.threads,
             .progress = progress,
             .at_end = [&](storage::RunCompletion& ending) { recalculation::record_end_logged(ending, log); }});
    }
    const storage::Run run = store.run(id).value();
    const std::vector<storage::RunFailure> failures = store.run_failures(id, kShown);
    const double seconds = seconds_since(start);
    fmt::print("{}", options.json ? recalculation::encode_run(run, run.done(), "", seconds, failures) + "\n"
                                  : report_text(run, failures, seconds));
    return run.failed > 0 || run.state != storage::RunState::done ? kWrongInput : kDone;
}

} // namespace costcurve::commands
