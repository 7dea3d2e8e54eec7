// The forms for tools: SARIF 2.1.0 (OASIS, 2020) and JUnit's XML as CI services read it.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "model/version.hpp"
#include "server/commands/gate/reports.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::commands {

namespace {

using gate::Figure;
using gate::Verdict;

constexpr std::string_view kSarifSchema = "https://json.schemastore.org/sarif-2.1.0.json";

// RFC 3986: what is not reserved, and the slashes of a path.
std::string uri_of(std::string_view path) {
    constexpr std::string_view kPlain = "-._~/";
    std::string uri;
    for (const char c : path) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        uri += is_letter || kPlain.find(c) != std::string_view::npos ? std::string(1, c)
                                                                     : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return path == "-" ? "stdin" : uri;
}

void write_sarif_rules(JsonWriter& out, const std::vector<Figure>& figures) {
    out.key("rules").begin_array();
    for (const Figure figure : figures) {
        out.begin_object().member("id", model::name_of(figure));
        out.key("shortDescription").begin_object().member("text", gate::row_of(figure).help).end_object();
        out.end_object();
    }
    out.end_array();
}

// What can't be judged is a failure by its rule's name, as its kind "open" would be shown by nobody.
void write_sarif_result(JsonWriter& out, const gate::Finding& finding, std::size_t rule) {
    out.begin_object().member("ruleId", model::name_of(finding.figure)).member("ruleIndex", rule).member("kind", "fail");
    out.member("level", finding.level == gate::Level::fail ? "error" : "warning");
    out.key("message").begin_object().member("text", fmt::format("{}: {}", finding.scenario, finding.message)).end_object();
    out.key("locations").begin_array().begin_object().key("physicalLocation").begin_object();
    out.key("artifactLocation").begin_object().member("uri", uri_of(finding.file)).end_object();
    out.key("region").begin_object().member("startLine", 1).end_object();
    out.end_object().end_object().end_array();
    out.key("partialFingerprints").begin_object();
    out.member("costcurve/v1", fmt::format("{}:{}:{}", finding.scenario, model::name_of(finding.figure), finding.part));
    out.end_object().end_object();
}

// Neither control characters nor the two codes that are no characters are allowed in XML 1.0.
std::string xml_text(std::string_view text) {
    std::string escaped;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
        if (text.substr(i).starts_with("\xEF\xBF\xBE") || text.substr(i).starts_with("\xEF\xBF\xBF")) {
            escaped += '?';
            i += 2;
        } else if (is_control) {
            escaped += '?';
        } else if (std::string_view("&<>\"'").find(c) != std::string_view::npos || c == '\t' || c == '\n' || c == '\r') {
            escaped += fmt::format("&#{};", static_cast<int>(c));
        } else {
            escaped += c;
        }
    }
    return escaped;
}

// What breaks a rule that only warns is said, and fails nothing.
std::string junit_case(const gate::Finding& finding) {
    const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\"", xml_text(finding.scenario),
                                         xml_text(rule_words(finding)), xml_text(finding.file));
    const std::string message = xml_text(finding.message);
    if (finding.verdict == Verdict::kept) {
        return head + "/>\n";
    }
    if (finding.level == gate::Level::warn) {
        return fmt::format("{}><system-out>warning: {}</system-out></testcase>\n", head, message);
    }
    const std::string_view element = finding.verdict == Verdict::broken ? "failure" : "error";
    return fmt::format("{}><{} type=\"{}\" message=\"{}\"/></testcase>\n", head, element, model::name_of(finding.figure), message);
}

} // namespace

std::string sarif_report(const gate::Report& report) {
    std::vector<Figure> figures;
    for (const gate::Finding& finding : report.findings) {
        if (std::ranges::find(figures, finding.figure) == figures.end()) {
            figures.push_back(finding.figure);
        }
    }
    JsonWriter out;
    out.begin_object().member("$schema", kSarifSchema).member("version", "2.1.0");
    out.key("runs").begin_array().begin_object();
    out.key("tool").begin_object().key("driver").begin_object();
    out.member("name", "costcurve gate").member("version", model::kModelVersion);
    write_sarif_rules(out, figures);
    out.end_object().end_object();
    out.key("automationDetails").begin_object().member("id", "costcurve/gate/").end_object();
    out.key("results").begin_array();
    for (const gate::Finding& finding : report.findings) {
        if (finding.verdict != Verdict::kept) {
            const auto rule = std::ranges::find(figures, finding.figure) - figures.begin();
            write_sarif_result(out, finding, static_cast<std::size_t>(rule));
        }
    }
    out.end_array().end_object().end_array().end_object();
    return out.take() + "\n";
}

std::string junit_report(const gate::Report& report) {
    std::map<std::string, std::vector<const gate::Finding*>> suites; // by scenario
    for (const gate::Finding& finding : report.findings) {
        suites[finding.scenario].push_back(&finding);
    }
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"costcurve gate\">\n";
    for (const auto& suite : suites) {
        const auto& findings = suite.second;
        const auto count = [&findings](Verdict verdict) {
            return std::ranges::count_if(findings, [verdict](const gate::Finding* finding) {
                return finding->verdict == verdict && finding->level == gate::Level::fail;
            });
        };
        text += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", xml_text(suite.first),
                            findings.size(), count(Verdict::broken), count(Verdict::unknown));
        for (const gate::Finding* finding : findings) {
            text += junit_case(*finding);
        }
        text += "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

} // namespace costcurve::commands
