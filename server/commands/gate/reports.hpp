// A gate's report in the forms that people and their tools read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/gate/report.hpp"

namespace costcurve::commands {

/// The names of the forms.
[[nodiscard]] std::vector<std::string> report_formats();

/// Writes each finding's message.
void add_messages(gate::Report& report);

/// The report, whose findings have messages, in a form of that name: `text` for a terminal, `markdown` for a comment (both "" where
/// the report is silent), `sarif` (2.1.0), `junit` (XML), `json`.
[[nodiscard]] std::string encode_report(const gate::Report& report, std::string_view format);

// The forms, each in a source of its own.
[[nodiscard]] std::string text_report(const gate::Report& report);
[[nodiscard]] std::string markdown_report(const gate::Report& report);
[[nodiscard]] std::string sarif_report(const gate::Report& report);
[[nodiscard]] std::string junit_report(const gate::Report& report);

/// What of a deployment is not known and not read, as lines for a terminal.
[[nodiscard]] std::string deployment_report(const gate::Report& report);

/// "cost per month", "chat: evidence": the rule of a finding in words.
[[nodiscard]] std::string rule_words(const gate::Finding& finding);
/// "51,914 USD/month", "at least …", "estimated", or a dash.
[[nodiscard]] std::string found_words(const gate::Finding& finding);
/// "up to 50,000 USD/month", "from 90.0 %".
[[nodiscard]] std::string allowed_words(const gate::Finding& finding);
/// "the gate is closed: …", by the outcome.
[[nodiscard]] std::string_view outcome_words(gate::Outcome outcome);
/// "fail", "warn", "unknown", "kept".
[[nodiscard]] std::string_view verdict_words(const gate::Finding& finding);
/// "+1,200 USD/month, +4.0 %"; a dash without a base.
[[nodiscard]] std::string change_words(const gate::Change& change);

} // namespace costcurve::commands
