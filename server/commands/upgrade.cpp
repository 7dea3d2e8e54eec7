// `costcurve upgrade report`: which stored scenarios another version of the model gives another figure, and why.
#include <fmt/format.h>

#include "server/answers/answer.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/commands/text_table.hpp"
#include "server/recalculation/upgrade_report.hpp"

namespace costcurve::commands {

namespace {

std::string with_sign(std::optional<double> fraction) {
    return fraction ? fmt::format("{:+.1f} %", 100 * *fraction) : std::string(kMissing);
}

std::string report_text(const recalculation::UpgradeReport& report, double threshold) {
    std::string text;
    Table table;
    table.row({"scenario", "figure", "result of", "before", fmt::format("by {}", report.model_version), "change"});
    for (const recalculation::UpgradedScenario& moved : report.moved) {
        table.row({moved.scenario, fmt::format("{} {}", moved.figure, moved.currency), moved.from_model_version,
                   money(moved.before), money(moved.now), with_sign(moved.change_fraction)});
    }
    if (!table.empty()) {
        text += table.text();
    }
    for (const recalculation::UpgradedScenario& moved : report.moved) {
        text += fmt::format("\n{}\n", moved.scenario);
        for (const std::string& reason : moved.reasons) {
            text += fmt::format("  {}\n", one_line(reason));
        }
    }
    text += fmt::format("{}{} of {} scenarios with results of another version move by over {:g} % under version {}\n",
                        text.empty() ? "" : "\n", report.moved.size(), report.compared, 100 * threshold, report.model_version);
    for (const recalculation::NotUpgraded& left : report.not_evaluated) {
        text += fmt::format("  {}: it can't be evaluated as it was for result {} of version {}\n", left.scenario, left.result,
                            left.from_model_version);
    }
    return printable(std::move(text));
}

} // namespace

int report_upgrade(const UpgradeOptions& options) {
    keep_memory();
    const auto store = open_upgraded({.path = options.database.path, .max_database_mb = options.database.max_mb});
    const recalculation::UpgradeReport report = recalculation::upgrade_report(*store, options.threshold_percent / 100);
    fmt::print("{}", options.json ? answers::encode_answer(report) + "\n" : report_text(report, options.threshold_percent / 100));
    return kDone;
}

} // namespace costcurve::commands
