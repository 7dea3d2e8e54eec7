// Reads groups of nodes, and gives them to pods.
#include "server/gate/deployed/node_groups.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/gate/deployed/accelerator_words.hpp"
#include "server/gate/deployed/machine_types.hpp"
#include "server/gate/deployed/node_labels.hpp"
#include "server/gate/deployed/pod_needs.hpp"

namespace costcurve::gate::deployed {

namespace {

constexpr std::string_view kUnrendered = "is a template that was not rendered: render it first (helm template CHART > FILE)";

// Source: karpenter.sh/docs/concepts/nodepools, v1: without a requirement spot and on demand are both allowed.
bool read_karpenter(const JsonValue& object, const std::string& file, Deployment& deployment, model::Failure& issues) {
    NodeGroup group{.file = file, .name = text_at(object, "metadata/name")};
    add_labels(at_path(object, "spec/template/metadata/labels"), group.labels);
    const JsonValue* const requirements = at_path(object, "spec/template/spec/requirements");
    for (const JsonValue& requirement : requirements == nullptr ? std::span<const JsonValue>() : requirements->entries()) {
        const JsonValue* const values = requirement.find("values");
        if (text_at(requirement, "operator") == "In" && values != nullptr) {
            std::vector<std::string>& allowed = group.labels[text_at(requirement, "key")];
            for (const JsonValue& value : values->entries()) {
                allowed.emplace_back(value.is_whole() ? std::to_string(value.whole()) : std::string(value.text()));
            }
        }
    }
    group.labels.try_emplace("karpenter.sh/capacity-type", std::vector<std::string>{"spot", "on-demand"});
    if (const JsonValue* const limits = at_path(object, "spec/limits")) {
        for (const JsonMember& member : limits->members()) {
            group.max_devices += is_accelerator_resource(member.name) ? number_at(member.value, "").value_or(0.0) : 0.0;
        }
    }
    if (const std::string label = unrendered_label(group.labels); !label.empty()) {
        issues.push_back(
            {fmt::format("{}#NodePool/{}", file, group.name), model::Code::bad_format, fmt::format("{} {}", label, kUnrendered)});
    } else if (group.max_devices > 0.0 || allow_accelerators(group.labels)) {
        deployment.node_pools.push_back(std::move(group));
    } else if (accelerated_type_in(object).empty()) {
        deployment.leave(file, "NodePool", "it names no accelerator");
    } else {
        return false;
    }
    return true;
}

// Source: docs.coreweave.com, "NodePool" (compute.coreweave.com/v1alpha1): targetNodes, within minNodes and maxNodes where it
// scales.
bool read_coreweave(const JsonValue& object, const std::string& file, Deployment& deployment, model::Failure& issues) {
    Machines machines{.file = file, .resource = "NodePool/" + text_at(object, "metadata/name"), .provider = "coreweave"};
    machines.type = text_at(object, "spec/instanceType");
    const std::optional<double> least = count_at(object, "spec/minNodes", 0.0);
    const std::optional<double> count = least ? count_at(object, "spec/targetNodes", *least) : std::nullopt;
    if (!count || is_template(machines.type)) {
        issues.push_back({fmt::format("{}#{}", file, machines.resource), model::Code::bad_format,
                          fmt::format("its instanceType or nodes {}", kUnrendered)});
        return true;
    }
    if (const auto known = priced_by_device(machines.type)) {
        machines.device = known->device;
        machines.devices = known->devices;
    }
    const JsonValue* const scales = at_path(object, "spec/autoscaling");
    machines.count = *count;
    machines.max_count = scales != nullptr && scales->boolean() ? count_at(object, "spec/maxNodes", 0.0).value_or(0.0) : 0.0;
    deployment.add(std::move(machines));
    return true;
}

bool read_flavor(const JsonValue& object, const std::string& file, Deployment& deployment, model::Failure& issues) {
    NodeGroup group{.file = file, .name = text_at(object, "metadata/name")};
    add_labels(at_path(object, "spec/nodeLabels"), group.labels);
    if (const std::string label = unrendered_label(group.labels); !label.empty()) {
        issues.push_back({fmt::format("{}#ResourceFlavor/{}", file, group.name), model::Code::bad_format,
                          fmt::format("{} {}", label, kUnrendered)});
        return true;
    }
    deployment.flavors.push_back(std::move(group));
    return true;
}

void read_quotas(const JsonValue& flavor, const std::string& queue, const std::string& file, Deployment& deployment,
                 model::Failure& issues) {
    const JsonValue* const resources = flavor.find("resources");
    for (const JsonValue& resource : resources == nullptr ? std::span<const JsonValue>() : resources->entries()) {
        const std::string name = text_at(resource, "name");
        if (!is_accelerator_resource(name)) {
            continue;
        }
        const std::optional<double> devices = number_at(resource, "nominalQuota");
        if (!devices) {
            issues.push_back({fmt::format("{}#ClusterQueue/{}", file, queue), model::Code::bad_format,
                              fmt::format("its quota of {} is no number: render the template first", name)});
        }
        deployment.quotas.push_back({file, queue, text_at(flavor, "name"), name, devices.value_or(0.0)});
    }
}

// Source: kueue.sigs.k8s.io, "ClusterQueue".
bool read_queue(const JsonValue& object, const std::string& file, Deployment& deployment, model::Failure& issues) {
    const std::string queue = text_at(object, "metadata/name");
    const std::size_t before = deployment.quotas.size();
    const JsonValue* const groups = at_path(object, "spec/resourceGroups");
    for (const JsonValue& group : groups == nullptr ? std::span<const JsonValue>() : groups->entries()) {
        const JsonValue* const flavors = group.find("flavors");
        for (const JsonValue& flavor : flavors == nullptr ? std::span<const JsonValue>() : flavors->entries()) {
            read_quotas(flavor, queue, file, deployment, issues);
        }
    }
    if (deployment.quotas.size() == before) {
        deployment.leave(file, "ClusterQueue", "it has no quota of accelerators");
    }
    return true;
}

bool read_local_queue(const JsonValue& object, const std::string& /*file*/, Deployment& deployment, model::Failure& /*issues*/) {
    const std::string cluster = text_at(object, "spec/clusterQueue");
    const auto [queue, is_new] = deployment.queues.try_emplace(text_at(object, "metadata/name"), cluster);
    queue->second = is_new || queue->second == cluster ? cluster : "";
    return true;
}

// False where the object names accelerators in a way that is not read.
using ReadGroup = bool (*)(const JsonValue& object, const std::string& file, Deployment& deployment, model::Failure& issues);
struct GroupRow {
    std::string_view kind;
    std::string_view group; ///< of its apiVersion
    ReadGroup read;
};
constexpr auto kGroups = std::to_array<GroupRow>({
    {"NodePool", "karpenter.sh", read_karpenter},
    {"NodePool", "compute.coreweave.com", read_coreweave},
    {"ResourceFlavor", "kueue.x-k8s.io", read_flavor},
    {"ClusterQueue", "kueue.x-k8s.io", read_queue},
    {"LocalQueue", "kueue.x-k8s.io", read_local_queue},
});

bool names_machine(const Machines& on) { return !on.type.empty() || !on.device.empty(); }

// What the labels of both name; those of the pods come first.
Machines merged(const LabelValues& pods, const LabelValues& group) {
    LabelValues labels = pods;
    labels.insert(group.begin(), group.end());
    Machines on = machine_by_labels(labels);
    on.unsettled = unsettled_labels(labels);
    return on;
}

// Labels that a group doesn't have and that say something of any machine are met by what is made for the pod.
bool fits(const Pods& pods, const NodeGroup& group) {
    return std::ranges::all_of(pods.labels, [&](const auto& wanted) {
        const auto allowed = group.labels.find(wanted.first);
        if (wanted.first == "karpenter.sh/nodepool") {
            return wanted.second == std::vector<std::string>{group.name};
        }
        return allowed == group.labels.end() ? is_machine_label(wanted.first) || wanted.first.starts_with("kubernetes.io/")
                                             : std::ranges::any_of(wanted.second, [&](const std::string& value) {
                                                   return std::ranges::find(allowed->second, value) != allowed->second.end();
                                               });
    });
}

class NodeSettler {
public:
    explicit NodeSettler(Deployment& deployment) : deployment_(deployment) {}

    void settle() {
        for (Pods& pods : deployment_.pods) {
            take_flavor(pods);
        }
        for (Pods& pods : deployment_.pods) {
            take_node_pool(pods);
        }
        for (const Quota& quota : deployment_.quotas) {
            ask_quota(quota);
        }
        for (const NodeGroup& group : deployment_.node_pools) {
            ask_node_pool(group);
        }
        for (const NodeGroup& flavor : deployment_.flavors) {
            if (std::ranges::find(deployment_.quotas, flavor.name, &Quota::flavor) == deployment_.quotas.end()) {
                deployment_.leave(flavor.file, "ResourceFlavor", "no queue has a quota of accelerators of it");
            }
        }
    }

private:
    [[nodiscard]] std::string cluster_queue_of(const Pods& pods) const {
        const auto queue = deployment_.queues.find(pods.queue);
        return queue == deployment_.queues.end() ? "" : queue->second;
    }

    // The one flavor that its queue has of the resource.
    void take_flavor(Pods& pods) {
        const std::string queue = cluster_queue_of(pods);
        const NodeGroup* only = nullptr;
        std::size_t count = 0;
        for (const Quota& quota : deployment_.quotas) {
            const auto flavor = std::ranges::find(deployment_.flavors, quota.flavor, &NodeGroup::name);
            if (!queue.empty() && quota.queue == queue && quota.resource == pods.resource && flavor != deployment_.flavors.end()) {
                only = &*flavor;
                ++count;
            }
        }
        if (count == 1) {
            const std::string provider = pods.on.provider;
            pods.on = merged(pods.labels, only->labels);
            pods.on.provider = provider.empty() ? pods.on.provider : provider;
        } else if (count > 1 && !names_machine(pods.on)) {
            pods.on.unsettled = fmt::format("its queue {} has {} flavors of {}", queue, count, pods.resource);
        }
    }

    void take_node_pool(Pods& pods) {
        std::vector<const NodeGroup*> found;
        for (const NodeGroup& group : deployment_.node_pools) {
            if (fits(pods, group)) {
                found.push_back(&group);
            }
        }
        used_.insert(used_.end(), found.begin(), found.end());
        if (!pods.on.type.empty() || !pods.on.unsettled.empty()) {
            return;
        }
        if (found.size() == 1) {
            pods.on = merged(pods.labels, found.front()->labels);
        } else if (found.size() > 1) {
            pods.on.unsettled = fmt::format("it fits {} node pools", found.size());
        }
    }

    // A quota is no machine: what runs under it are jobs, and it is known of those that are given.
    void ask_quota(const Quota& quota) {
        double devices = 0.0;
        for (const Pods& pods : deployment_.pods) {
            devices +=
                cluster_queue_of(pods) == quota.queue && pods.resource == quota.resource ? pods.devices * pods.replicas : 0.0;
        }
        const std::string subject = "ClusterQueue/" + quota.queue;
        const std::string admits =
            fmt::format("its quota admits {:g} {} of flavor {}", quota.devices, quota.resource, quota.flavor);
        if (devices == 0.0 && quota.devices > 0.0) {
            deployment_.ask(quota.file, subject, admits + ", and no job of it is given: how many run?",
                            deployment_.machines.empty() ? quota.devices : 0.0);
        } else if (devices != quota.devices) {
            deployment_.ask(quota.file, subject, fmt::format("{}, its jobs ask for {:g}, which are priced", admits, devices), 0.0);
        }
    }

    void ask_node_pool(const NodeGroup& group) {
        if (std::ranges::find(used_, &group) == used_.end()) {
            const std::string open = unsettled_labels(group.labels);
            deployment_.ask(group.file, "NodePool/" + group.name,
                            fmt::format("it has as many nodes as pods need, and none of these is given{}: how many run?",
                                        open.empty() ? "" : "; " + open),
                            std::max(group.max_devices, 1.0));
        }
    }

    Deployment& deployment_;
    std::vector<const NodeGroup*> used_;
};

} // namespace

bool read_node_group(const JsonValue& object, const std::string& file, Deployment& deployment, model::Failure& issues) {
    const std::string kind = text_at(object, "kind");
    const std::string group = group_of(object);
    const auto row = std::ranges::find_if(kGroups, [&](const GroupRow& of) { return of.kind == kind && of.group == group; });
    return row != kGroups.end() && row->read(object, file, deployment, issues);
}

void settle_nodes(Deployment& deployment) { NodeSettler(deployment).settle(); }

} // namespace costcurve::gate::deployed
