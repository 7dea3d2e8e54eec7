// Walks the containers of a pod, and adds up what each asks for.
#include "server/gate/deployed/pod_needs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace costcurve::gate::deployed {

namespace {

constexpr auto kAccelerators =
    std::to_array<std::string_view>({"nvidia.com/gpu", "amd.com/gpu", "google.com/tpu", "habana.ai/gaudi", "aws.amazon.com/neuron",
                                     "aws.amazon.com/neurondevice", "gpu.intel.com/i915", "gpu.intel.com/xe"});
constexpr double kMaxDevices = 1e4; // of a pod

// Resources by their first letters that are accelerators, and no offer is of them.
struct UnpricedRow {
    std::string_view prefix;
    std::string_view what;
};
constexpr auto kUnpriced = std::to_array<UnpricedRow>({
    {"nvidia.com/mig-", "is a part of an accelerator, which is not priced"},
    {"nvidia.com/gpu.shared", "is a part of an accelerator, which is not priced"},
    {"aws.amazon.com/neuroncore", "is a part of an accelerator, which is not priced"},
    {"aliyun.com/gpu-mem", "is a part of an accelerator, which is not priced"},
    {"cambricon.com/", "is an accelerator that is not priced"},
    {"furiosa.ai/", "is an accelerator that is not priced"},
    {"huawei.com/Ascend", "is an accelerator that is not priced"},
    {"rebellions.ai/", "is an accelerator that is not priced"},
    {"tenstorrent.com/", "is an accelerator that is not priced"},
});

// Resources of other makers that are none.
constexpr auto kNoAccelerators =
    std::to_array<std::string_view>({"rdma/", "vpc.amazonaws.com/", "devices.kubevirt.io/", "smarter-devices/", "intel.com/sgx",
                                     "sgx.intel.com/", "github.com/fuse", "networking.gke.io", "openshift.io/", "hugepages-"});

bool may_be_accelerator(std::string_view resource) {
    return resource.find('/') != std::string_view::npos && !is_accelerator_resource(resource) &&
           std::ranges::none_of(kNoAccelerators, [&](std::string_view prefix) { return resource.starts_with(prefix); });
}

// A template in the place of a list of resources, or of a name in it, may be one of accelerators.
bool is_unrendered_list(const JsonValue& resources) {
    return is_template(resources.text()) ||
           std::ranges::any_of(resources.members(), [](const JsonMember& member) { return is_template(member.name); });
}

void add_resources(const JsonValue& container, PodNeeds& needs) {
    const JsonValue* resources = at_path(container, "resources/limits");
    resources = resources != nullptr ? resources : at_path(container, "resources/requests");
    resources = resources != nullptr ? resources : at_path(container, "resources");
    if (resources == nullptr) {
        return;
    }
    needs.unrendered = is_unrendered_list(*resources) ? "list of resources" : needs.unrendered;
    for (const JsonMember& member : resources->members()) {
        const auto row = std::ranges::find_if(kUnpriced, [&](const UnpricedRow& of) { return member.name.starts_with(of.prefix); });
        if (row != kUnpriced.end() || may_be_accelerator(member.name)) {
            needs.unpriced =
                fmt::format("{} {}", member.name, row == kUnpriced.end() ? "is not known, and may be an accelerator" : row->what);
        }
        if (!is_accelerator_resource(member.name)) {
            continue;
        }
        const std::optional<double> count = number_at(member.value, "");
        needs.unrendered = count ? needs.unrendered : std::string(member.name);
        if (count && (*count < 0.0 || *count != std::floor(*count))) {
            needs.unpriced = fmt::format("{} {} is no number of accelerators", member.name, *count);
        }
        needs.devices += static_cast<int>(std::clamp(count.value_or(0.0), 0.0, kMaxDevices));
        needs.resource = member.name;
    }
}

// A container's words as it is started: its command, then its arguments.
std::vector<std::string> words_of(const JsonValue& container) {
    std::vector<std::string> words;
    for (const std::string_view name : {"command", "args"}) {
        if (const JsonValue* const list = container.find(name)) {
            for (const JsonValue& word : list->entries()) {
                words.emplace_back(word.is_whole() ? std::to_string(word.whole()) : std::string(word.text()));
            }
        }
    }
    return words;
}

void add_container(const JsonValue& container, PodNeeds& needs) {
    add_resources(container, needs);
    ServingArguments serving = read_serving_arguments(words_of(container));
    if (needs.serving.model.empty() && (serving.is_stated() || !needs.serving.is_stated())) {
        needs.serving = std::move(serving);
    }
}

void add_selectors(const JsonValue& pod, LabelValues& labels) {
    add_labels(pod.find("nodeSelector"), labels);
    const JsonValue* const terms =
        at_path(pod, "affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions");
    if (terms == nullptr) {
        return;
    }
    for (const JsonValue& term : terms->entries()) {
        const JsonValue* const values = term.find("values");
        if (text_at(term, "operator") == "In" && values != nullptr) {
            std::vector<std::string>& allowed = labels[text_at(term, "key")];
            allowed.clear();
            for (const JsonValue& value : values->entries()) {
                allowed.emplace_back(value.text());
            }
        }
    }
}

} // namespace

bool is_accelerator_resource(std::string_view name) { return std::ranges::find(kAccelerators, name) != kAccelerators.end(); }

PodNeeds read_pod(const JsonValue& pod) {
    PodNeeds needs;
    for (const JsonMember& member : pod.members()) {
        if (member.name == "containers") {
            for (const JsonValue& container : member.value.entries()) {
                add_container(container, needs);
            }
        } else if (member.value.contains("resources") || member.value.contains("args")) {
            add_container(member.value, needs);
        }
    }
    if (const JsonValue* const first = pod.find("initContainers")) {
        for (const JsonValue& container : first->entries()) {
            PodNeeds alone;
            add_resources(container, alone);
            needs.unrendered = needs.unrendered.empty() ? alone.unrendered : needs.unrendered;
            needs.resource = alone.devices > needs.devices ? alone.resource : needs.resource;
            needs.devices = std::max(needs.devices, alone.devices);
        }
    }
    const JsonValue* const claims = pod.find("resourceClaims");
    if (claims != nullptr && claims->size() > 0 && needs.devices == 0) {
        needs.unpriced = "its resourceClaims may be accelerators, which are not read";
    }
    add_selectors(pod, needs.labels);
    const std::string label = unrendered_label(needs.labels);
    needs.unrendered = needs.unrendered.empty() ? label : needs.unrendered;
    return needs;
}

double devices_below(const JsonValue& value) { // NOLINT(misc-no-recursion): no deeper than 32 levels, which was checked
    double devices = 0.0;
    if (value.contains("resources")) {
        PodNeeds needs;
        add_resources(value, needs);
        devices += needs.devices > 0 ? needs.devices : number_at(value, "resources/limits/gpu").value_or(0.0);
    }
    for (const JsonMember& member : value.members()) {
        devices += devices_below(member.value);
    }
    for (const JsonValue& entry : value.entries()) {
        devices += devices_below(entry);
    }
    return devices;
}

std::optional<double> count_at(const JsonValue& value, std::string_view path, double otherwise) {
    return at_path(value, path) == nullptr ? std::optional(otherwise) : number_at(value, path);
}

} // namespace costcurve::gate::deployed
