// Distributions by the table of their members, and what is drawn of them.
#include "server/api/uncertainty.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace costcurve::api {

namespace {

using model::Code;
using model::Distribution;
using model::DistributionKind;
using nlohmann::json;

constexpr double kMost = 1e15;
constexpr std::int64_t kMostSeed = (std::int64_t{1} << 53) - 1; // what any reader of JSON keeps

std::string pointer(Members& members, std::string_view name) {
    members.require(name, "a JSON Pointer");
    return members.text(name).value_or("");
}

// The members that its kind has; those of any kind where it has none.
std::vector<std::string_view> allowed_of(const json& value) {
    const auto words = model::enum_names<DistributionKind>;
    const auto known = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    const json* const kind = value.is_object() && value.contains("kind") ? &value["kind"] : nullptr;
    const bool has_kind = kind != nullptr && kind->is_string() && known(kind->get_ref<const std::string&>());
    std::vector<std::string_view> allowed = {"kind", "relative"};
    for (std::size_t k = 0; k < words.size(); ++k) {
        for (const model::DistributionMember& member : model::members_of(static_cast<DistributionKind>(k))) {
            if (!has_kind || kind->get_ref<const std::string&>() == words[k]) {
                allowed.push_back(member.name);
            }
        }
    }
    return allowed;
}

Distribution read_distribution(const json& value, const std::string& at, Members& question) {
    Distribution distribution;
    Members members(value, at, allowed_of(value));
    members.require("kind", fmt::format("one of {}", fmt::join(model::enum_names<DistributionKind>, ", ")));
    if (const auto kind = members.choice("kind", model::enum_names<DistributionKind>)) {
        distribution.kind = static_cast<DistributionKind>(*kind);
        distribution.relative = members.flag("relative");
        for (const model::DistributionMember& member : model::members_of(distribution.kind)) {
            members.require(member.name, member.help);
            if (member.number != nullptr) {
                distribution.*member.number = members.number(member.name, -kMost, kMost, "").value_or(0.0);
            } else {
                distribution.*member.list = members.numbers(member.name, model::kMostListed);
            }
        }
    }
    question.add_all(std::move(members.issues));
    return distribution;
}

model::UncertainInput read_input(const json& value, const std::string& at, std::size_t scenarios, Members& question) {
    Members members(value, at, {"pointer", "distribution", "scenario"});
    model::UncertainInput input{pointer(members, "pointer"), at, {}, std::nullopt};
    if (const auto scenario = members.whole("scenario", 0, static_cast<std::int64_t>(scenarios) - 1)) {
        input.scenario = static_cast<std::size_t>(*scenario);
    }
    members.require("distribution", "an object {kind, …}");
    if (const json* const distribution = members.find("distribution")) {
        input.distribution = read_distribution(*distribution, members.at("distribution"), members);
    }
    question.add_all(std::move(members.issues));
    return input;
}

model::CorrelatedInputs read_correlation(const json& value, const std::string& at, Members& question) {
    Members members(value, at, {"a", "b", "rho"});
    members.require("rho", "Spearman's correlation of their ranks, -1 to 1");
    model::CorrelatedInputs row{pointer(members, "a"), pointer(members, "b"), members.number("rho", -1, 1, "").value_or(0.0), at};
    question.add_all(std::move(members.issues));
    return row;
}

} // namespace

model::Uncertainty read_uncertainty(Members& members, const QuestionLimits& limits, std::size_t scenarios, std::size_t samples) {
    model::Uncertainty uncertainty;
    uncertainty.at = members.at("");
    uncertainty.at.pop_back();
    members.require("inputs", "a list of objects {pointer, distribution}");
    if (const json* const inputs = members.list("inputs", kMostUncertain)) {
        for (std::size_t i = 0; i < inputs->size(); ++i) {
            uncertainty.inputs.push_back(
                read_input((*inputs)[i], fmt::format("{}/{}", members.at("inputs"), i), scenarios, members));
        }
    }
    if (const json* const rows = members.list("correlations", kMostUncertain * kMostUncertain)) {
        for (std::size_t i = 0; i < rows->size(); ++i) {
            uncertainty.correlations.push_back(
                read_correlation((*rows)[i], fmt::format("{}/{}", members.at("correlations"), i), members));
        }
    }
    const std::optional<std::int64_t> asked = members.whole("samples", 2, std::int64_t{1} << 40);
    uncertainty.samples = asked ? static_cast<std::size_t>(*asked) : std::min(samples, limits.samples);
    if (uncertainty.samples > limits.samples) {
        members.add("samples", Code::too_large,
                    fmt::format("samples is {}; allowed up to {}, the setting --max-samples", uncertainty.samples, limits.samples));
    }
    uncertainty.seed = static_cast<std::uint64_t>(members.whole("seed", 0, kMostSeed).value_or(0));
    uncertainty.sampling = static_cast<model::Sampling>(members.choice("sampling", model::enum_names<model::Sampling>).value_or(0));
    return uncertainty;
}

void write_spread(JsonWriter& out, const model::Spread& spread) {
    struct Row {
        std::string_view name;
        double model::Spread::*value;
    };
    static constexpr auto kRows = std::to_array<Row>({{"mean", &model::Spread::mean},
                                                      {"standard_error", &model::Spread::standard_error},
                                                      {"p5", &model::Spread::p5},
                                                      {"p10", &model::Spread::p10},
                                                      {"p50", &model::Spread::p50},
                                                      {"p90", &model::Spread::p90},
                                                      {"p95", &model::Spread::p95},
                                                      {"cvar_95", &model::Spread::cvar_95}});
    out.member("samples", static_cast<double>(spread.samples));
    for (const Row& row : kRows) {
        out.member(row.name, spread.*row.value);
    }
    out.key("quantiles").begin_array();
    for (const double quantile : spread.quantiles) {
        out.value(quantile);
    }
    out.end_array();
}

} // namespace costcurve::api
