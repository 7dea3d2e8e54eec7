// Files that are neither printed plans nor manifests, by name.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/gate/deployed/deployment.hpp"

namespace costcurve::gate::deployed {

namespace {

constexpr std::string_view kPrint = "print the plan by terraform show -json PLAN (or tofu show -json PLAN)";

// A document that has both members.
struct ForeignRow {
    std::string_view member;
    std::string_view other;
    std::string_view what;
    std::string_view advice;
};
constexpr auto kForeign = std::to_array<ForeignRow>({
    {"terraform_version", "serial", "a state of Terraform, not a plan", kPrint},
    {"AWSTemplateFormatVersion", "", "a template of CloudFormation, which is not read", "state its machines in a scenario"},
    {"apiVersion", "version", "a chart of Helm that was not rendered", "print its objects by helm template CHART"},
    {"steps", "changeSummary", "a preview of Pulumi, which is not read", "state its machines in a scenario"},
});

} // namespace

std::string foreign_text(std::string_view text) {
    constexpr std::string_view kArchive = "PK\x03\x04";
    constexpr std::size_t kFirstLine = 200;
    const bool is_log = text.starts_with('{') && text.substr(0, kFirstLine).find("\"@level\"") != std::string_view::npos;
    return text.starts_with(kArchive) ? fmt::format("it is a plan that is not printed, or an archive: {}", kPrint)
           : is_log                   ? fmt::format("it is a log of terraform plan -json: {}", kPrint)
                                      : "";
}

std::string foreign_document(const JsonValue& document) {
    const auto row = std::ranges::find_if(kForeign, [&](const ForeignRow& of) {
        return document.contains(of.member) && (of.other.empty() || document.contains(of.other));
    });
    return row == kForeign.end() ? "" : fmt::format("it is {}: {}", row->what, row->advice);
}

} // namespace costcurve::gate::deployed
