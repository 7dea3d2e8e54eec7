// Distributions of inputs, and the number of samples within the limits.
#include "server/answers/uncertainty.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace costcurve::documents {

using model::Distribution;
using model::DistributionKind;

namespace {

// The member of a kind; null where it has none of this name.
const model::DistributionMember* distribution_member(DistributionKind kind, std::string_view name) {
    const auto members = model::members_of(kind);
    const auto found = std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.name == name; });
    return found == members.end() ? nullptr : &*found;
}

std::string allowed_members(DistributionKind kind) {
    std::string allowed = "kind, relative";
    for (const model::DistributionMember& member : model::members_of(kind)) {
        allowed.append(", ").append(member.name);
    }
    return allowed;
}

} // namespace

void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& /*spec*/,
                   Distribution& distribution) {
    if (!value.is_object()) {
        decoder.wrong_type(value, pointer, "an object {kind, …}");
        return;
    }
    const JsonValue* const kind = value.find("kind");
    if (kind == nullptr) {
        decoder.add(pointer / "kind", model::Code::missing,
                    fmt::format("kind is required: one of {}", fmt::join(model::enum_names<DistributionKind>, ", ")));
        return;
    }
    const std::optional<std::size_t> number = decoder.decode_choice(*kind, pointer / "kind", model::enum_names<DistributionKind>);
    if (!number) {
        return;
    }
    distribution.kind = static_cast<DistributionKind>(*number);
    const model::FieldSpec bounded{.min = -model::kLargest, .max = model::kLargest};
    const model::FieldSpec listed{.min = 1, .max = model::kMaxListed};
    for (const auto& [name, given] : value.members()) {
        const model::DistributionMember* const member = distribution_member(distribution.kind, name);
        if (name == "relative") {
            decoder.decode(given, pointer / name, {}, distribution.relative);
        } else if (member != nullptr && member->number != nullptr) {
            decoder.decode(given, pointer / name, bounded, distribution.*member->number);
        } else if (member != nullptr) {
            decoder.decode(given, pointer / name, listed, distribution.*member->list);
        } else if (name != "kind") {
            decoder.add(pointer / name, model::Code::unknown_field, fmt::format("allowed: {}", allowed_members(distribution.kind)));
        }
    }
    for (const model::DistributionMember& member : model::members_of(distribution.kind)) {
        if (!value.contains(member.name)) {
            decoder.add(pointer / member.name, model::Code::missing, fmt::format("{} is required: {}", member.name, member.help));
        }
    }
}

} // namespace costcurve::documents

namespace costcurve::answers {

void check_uncertainty(model::Uncertainty& uncertainty, const std::string& pointer, std::size_t scenarios, std::size_t usual,
                       const QuestionLimits& limits, model::Failure& issues) {
    uncertainty.at = pointer;
    for (std::size_t i = 0; i < uncertainty.inputs.size(); ++i) {
        model::UncertainInput& input = uncertainty.inputs[i];
        input.at = fmt::format("{}/inputs/{}", pointer, i);
        if (input.scenario && *input.scenario >= scenarios) {
            issues.push_back({input.at + "/scenario", model::Code::out_of_range,
                              fmt::format("scenario is {}; allowed 0 to {}", *input.scenario, scenarios - 1)});
        }
    }
    for (std::size_t i = 0; i < uncertainty.correlations.size(); ++i) {
        uncertainty.correlations[i].at = fmt::format("{}/correlations/{}", pointer, i);
    }
    if (uncertainty.samples == 0) {
        uncertainty.samples = std::min(usual, limits.samples);
    }
    if (uncertainty.samples > limits.samples) {
        issues.push_back({pointer + "/samples", model::Code::too_large, samples_beyond(uncertainty.samples, limits)});
    }
}

std::string samples_beyond(std::size_t samples, const QuestionLimits& limits) {
    return fmt::format("samples is {}; allowed up to {}, the setting --max-samples", samples, limits.samples);
}

} // namespace costcurve::answers
