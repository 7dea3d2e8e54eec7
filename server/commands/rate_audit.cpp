// `costcurve rate --audit`: how far rates are from measured ones that were left out.
#include <fmt/format.h>

#include "server/answers/rates/rate_audit.hpp"
#include "server/commands/bar.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/rate_facts.hpp"
#include "server/commands/scenarios.hpp"
#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

std::vector<model::LeaveOut> kinds_of(std::string_view word) {
    std::vector<model::LeaveOut> kinds;
    const auto& names = model::enum_names<model::LeaveOut>;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (word == kLeaveOutAll || word == names[i]) {
            kinds.push_back(static_cast<model::LeaveOut>(i));
        }
    }
    return kinds;
}

std::string audit_text(const answers::AuditAnswer& audit) {
    std::string text = fmt::format("left out by {}: {} rows, {} used, {} folds, seed {}\n\n", name_of(audit.leave_out), audit.rows,
                                   audit.used, audit.folds, audit.seed);
    Table table;
    table.row({"class", "rows", "within 0.8 to 1.3", "median error", "bias", "p10 to p90 covers", "p90 / p10"});
    for (const model::AuditClass& row : audit.classes) {
        table.row({row.name, fmt::format("{}", row.count), percent(row.within), percent(row.median_error), percent(row.bias),
                   percent(row.coverage), fmt::format("{:.2f}", row.width)});
    }
    text += table.text();
    if (!audit.worst.empty()) {
        Table worst;
        worst.row({"worst", "device", "precision", "in", "out", "requests", "measured", "predicted", "ratio", "reason"});
        for (const answers::WorstAnswer& row : audit.worst) {
            worst.row({row.model, fmt::format("{:.0f}x {}", row.devices, row.device), row.precision,
                       fmt::format("{:.0f}", row.input), fmt::format("{:.0f}", row.output), fmt::format("{:.0f}", row.concurrency),
                       fmt::format("{:.4g}", row.measured), fmt::format("{:.4g}", row.predicted), fmt::format("{:.2f}", row.ratio),
                       row.reason});
        }
        text += "\n" + worst.text();
    }
    for (const answers::LeftOutAnswer& row : audit.left_out) {
        text += fmt::format("{}  {:6} {}\n", &row == &audit.left_out.front() ? "\n  not predicted:\n" : "", row.count, row.reason);
    }
    return text;
}

} // namespace

int audit_rates(const RateOptions& options) {
    const RateFactsTexts texts = rate_facts_texts();
    const auto facts = answers::read_rate_facts(texts.models, texts.devices);
    if (!facts) {
        return refuse(facts.error());
    }
    answers::AuditedFiles files(*facts);
    files.add_known(texts.rates);
    files.add_known(texts.training);
    for (const std::string& path : options.audited) {
        const std::optional<std::string> bytes = read_file(path);
        if (!bytes) {
            fmt::print(stderr, "{}: can't be read; is the path right?\n", path);
            return kWorldFailed;
        }
        if (const model::Failure issues = files.add(path, *bytes); !issues.empty()) {
            return refuse(issues);
        }
    }
    std::vector<answers::AuditAnswer> audits;
    {
        Bar bar;
        const std::vector<model::LeaveOut> kinds = kinds_of(options.leave_out);
        for (const model::LeaveOut kind : kinds) {
            bar.show("auditing", audits.size(), kinds.size());
            auto audit = answers::audit(files, kind, options.seed);
            if (!audit) {
                return refuse(audit.error());
            }
            audits.push_back(std::move(*audit));
        }
    }
    if (options.format == "json") {
        fmt::print("{}\n",
                   options.leave_out == kLeaveOutAll ? answers::encode_answer(audits) : answers::encode_answer(audits.front()));
        return kDone;
    }
    for (const answers::AuditAnswer& audit : audits) {
        fmt::print("{}{}", &audit == &audits.front() ? "" : "\n", printable(audit_text(audit)));
    }
    return kDone;
}

} // namespace costcurve::commands
