// Plans of Terraform and OpenTofu: `show -json`, whose planned values have counts and for_each resolved. Source: HashiCorp, "JSON
// Output Format", format_version 1.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/answers/request.hpp"
#include "server/gate/deployed/accelerator_words.hpp"
#include "server/gate/deployed/deployment.hpp"
#include "server/gate/deployed/machine_types.hpp"
#include "server/gate/deployed/plan_regions.hpp"
#include "server/gate/yaml_text.hpp"

namespace costcurve::gate::deployed {

namespace {

// Where a resource states what. Paths with | between them are tried in their order; of spot, PATH=VALUE.
struct ResourceRow {
    std::string_view type;
    std::string_view provider;
    std::string_view machine;
    std::string_view count; ///< "" is one
    std::string_view max_count;
    std::string_view spot;
    std::string_view place;         ///< a zone or a region
    std::string_view attached = {}; ///< accelerators apart: a list of {type, count}
    std::string_view prefix = {};   ///< of the offers' name of the type
    bool by_zone = false;           ///< count is of each zone
    std::string_view each = {};     ///< lists of machines, to whose entries the other paths belong
};
constexpr auto kResources = std::to_array<ResourceRow>({
    {"aws_instance", "aws", "instance_type", "", "", "instance_market_options/0/market_type=spot", "availability_zone|region"},
    {"aws_spot_instance_request", "aws", "instance_type", "", "", "*", "availability_zone|region"},
    {"aws_eks_node_group", "aws", "instance_types/0", "scaling_config/0/desired_size", "scaling_config/0/max_size",
     "capacity_type=SPOT", "region"},
    {"google_compute_instance", "gcp", "machine_type", "", "", "scheduling/0/provisioning_model=SPOT|scheduling/0/preemptible=true",
     "zone", "guest_accelerator"},
    {"google_container_node_pool", "gcp", "node_config/0/machine_type",
     "node_count|autoscaling/0/min_node_count|initial_node_count", "autoscaling/0/max_node_count",
     "node_config/0/spot=true|node_config/0/preemptible=true", "node_locations/0|location", "node_config/0/guest_accelerator", "",
     true},
    {"google_container_cluster", "gcp", "node_config/0/machine_type", "node_count|autoscaling/0/min_node_count|initial_node_count",
     "autoscaling/0/max_node_count", "node_config/0/spot=true|node_config/0/preemptible=true", "node_locations/0|location",
     "node_config/0/guest_accelerator", "", true, "node_pool"},
    {"google_tpu_v2_vm", "gcp", "accelerator_type", "", "", "scheduling_config/0/spot=true|scheduling_config/0/preemptible=true",
     "zone", "", "tpu-"},
    {"google_tpu_v2_queued_resource", "gcp", "node/0/accelerator_type", "", "",
     "node/0/scheduling_config/0/spot=true|node/0/scheduling_config/0/preemptible=true", "zone", "", "tpu-", false,
     "tpu/0/node_spec"},
    {"aws_sagemaker_endpoint_configuration", "aws", "instance_type", "initial_instance_count", "", "", "region", "", "", false,
     "production_variants|shadow_production_variants"},
    {"lambdalabs_instance", "lambda", "instance_type_name", "", "", "", "region_name"},
    {"azurerm_linux_virtual_machine", "azure", "size", "", "", "priority=Spot", "location"},
    {"azurerm_windows_virtual_machine", "azure", "size", "", "", "priority=Spot", "location"},
    {"azurerm_linux_virtual_machine_scale_set", "azure", "sku", "instances", "", "priority=Spot", "location"},
    {"azurerm_windows_virtual_machine_scale_set", "azure", "sku", "instances", "", "priority=Spot", "location"},
    {"azurerm_kubernetes_cluster", "azure", "default_node_pool/0/vm_size",
     "default_node_pool/0/node_count|default_node_pool/0/min_count", "default_node_pool/0/max_count", "", "location"},
    {"azurerm_kubernetes_cluster_node_pool", "azure", "vm_size", "node_count|min_count", "max_count", "priority=Spot", "location"},
});

// Where terms other than on demand and spot stand, of any resource, and the words that are of these two.
constexpr std::string_view kTermPaths = "instance_market_options/0/market_type|tenancy|capacity_type|priority|"
                                        "scheduling/0/provisioning_model|node_config/0/flex_start";
constexpr auto kUsualTerms =
    std::to_array<std::string_view>({"spot", "default", "ON_DEMAND", "SPOT", "STANDARD", "Regular", "Spot"});

// Throughput that is bought by the unit, by a path with a text that ends so; "" of every one.
struct ThroughputRow {
    std::string_view type;
    std::string_view path;
    std::string_view word;
};
constexpr auto kThroughput = std::to_array<ThroughputRow>({
    {"aws_bedrock_provisioned_model_throughput", "", ""},
    {"azurerm_cognitive_deployment", "sku/0/name", "ProvisionedManaged"},
    {"azurerm_cognitive_deployment", "scale/0/type", "ProvisionedManaged"},
    {"azurerm_cognitive_deployment", "scale/0/type", "Provisioned-Managed"},
});

bool buys_throughput(std::string_view type, const JsonValue& values) {
    return std::ranges::any_of(kThroughput, [&](const ThroughputRow& row) {
        return row.type == type && (row.path.empty() || text_at(values, row.path).ends_with(row.word));
    });
}

// Resources that are an object of Kubernetes, or texts of some.
constexpr std::string_view kManifestPaths = "manifest|yaml_body|yaml";

template <class Visit> void for_each_path(std::string_view paths, const Visit& visit) {
    while (!paths.empty()) {
        const std::string_view path = paths.substr(0, paths.find('|'));
        paths.remove_prefix(std::min(paths.size(), path.size() + 1));
        visit(path);
    }
}

std::optional<double> first_number(const JsonValue& values, std::string_view paths) {
    std::optional<double> found;
    for_each_path(paths, [&](std::string_view path) { found = found ? found : number_at(values, path); });
    return found;
}

std::string first_text(const JsonValue& values, std::string_view paths) {
    std::string found;
    for_each_path(paths, [&](std::string_view path) { found = found.empty() ? text_at(values, path) : found; });
    return found;
}

bool is_spot(const JsonValue& values, std::string_view conditions) {
    bool found = conditions == "*";
    for_each_path(conditions == "*" ? "" : conditions, [&](std::string_view condition) {
        const std::size_t equals = condition.find('=');
        const JsonValue* const value = at_path(values, condition.substr(0, equals));
        const std::string_view wanted = condition.substr(equals + 1);
        found = found || (value != nullptr && (value->text() == wanted || (value->boolean() && wanted == "true")));
    });
    return found;
}

// The first that is not usual; "" where all are.
std::string terms_of(const JsonValue& values) {
    std::string terms;
    for_each_path(kTermPaths, [&](std::string_view path) {
        const JsonValue* const value = at_path(values, path);
        const bool is_flag = value != nullptr && value->boolean();
        const std::string word(is_flag ? path.substr(path.rfind('/') + 1) : value != nullptr ? value->text() : std::string_view());
        const bool is_usual = word.empty() || std::ranges::find(kUsualTerms, word) != kUsualTerms.end();
        terms = terms.empty() && !is_usual ? word : terms;
    });
    return terms;
}

bool is_list_or_absent(const JsonValue& module, std::string_view name) {
    const JsonValue* const list = module.find(name);
    return module.is_object() && (list == nullptr || list->is_null() || list->is_array());
}

class PlanReader {
public:
    PlanReader(const JsonValue& plan, std::string file, Deployment& deployment)
        : regions_(plan), file_(std::move(file)), deployment_(deployment) {}

    void read_module(const JsonValue& module) { // NOLINT(misc-no-recursion): no deeper than 32 levels, which was checked
        if (!is_list_or_absent(module, "resources") || !is_list_or_absent(module, "child_modules")) {
            issues_.push_back(
                {file_ + "#/planned_values", model::Code::wrong_type,
                 "a module's resources or child_modules are no list: print the plan again by terraform show -json PLAN"});
            return;
        }
        if (const JsonValue* const resources = module.find("resources")) {
            for (const JsonValue& resource : resources->entries()) {
                read_resource(resource);
            }
        }
        if (const JsonValue* const modules = module.find("child_modules")) {
            for (const JsonValue& child : modules->entries()) {
                read_module(child);
            }
        }
    }

    [[nodiscard]] model::Failure take_issues() { return std::move(issues_); }

private:
    void read_resource(const JsonValue& resource) {
        const std::string type = text_at(resource, "type");
        if (text_at(resource, "mode") == "data") {
            deployment_.leave(file_, "data " + type, "it is read, not deployed");
            return;
        }
        const auto row = std::ranges::find(kResources, type, &ResourceRow::type);
        const JsonValue* const values = resource.find("values");
        const std::string address = without_indices(text_at(resource, "address"));
        if (values == nullptr) {
            deployment_.leave(file_, type, "no machine that is read");
            return;
        }
        if (row == kResources.end()) {
            read_other(type, *values, address);
            return;
        }
        if (row->each.empty()) {
            const JsonValue* const cluster = regions_.cluster_of(address);
            read_machines(*row, *values, cluster == nullptr ? *values : *cluster, address);
            return;
        }
        std::size_t machines = 0;
        for_each_path(row->each, [&](std::string_view path) {
            const JsonValue* const list = at_path(*values, path);
            for (const JsonValue& entry : list == nullptr ? std::span<const JsonValue>() : list->entries()) {
                read_machines(*row, entry, *values, address);
                ++machines;
            }
        });
        const JsonValue* const removed = values->find("remove_default_node_pool");
        if (machines == 0 && at_path(*values, row->machine) != nullptr && (removed == nullptr || !removed->boolean())) {
            read_machines(*row, *values, *values, address); // the pool that a cluster begins with
        } else if (machines == 0) {
            const std::string machine = accelerated_type_in(*values);
            if (!machine.empty()) {
                deployment_.ask(file_, address, fmt::format("it names {}: how many run?", machine), devices_of(machine));
            }
            deployment_.leave(file_, type, "it has no machines of its own");
        }
    }

    // Of a type that has no row.
    void read_other(const std::string& type, const JsonValue& values, const std::string& address) {
        if (read_manifest(values)) {
            return;
        }
        if (buys_throughput(type, values)) {
            deployment_.ask(file_, address,
                            fmt::format("{} buys throughput, which is not read: state its endpoint in a scenario", type), 1.0);
            return;
        }
        if (const std::string machine = accelerated_type_in(values); !machine.empty()) {
            deployment_.ask(file_, address, fmt::format("{} is not read, and names {}: how many run?", type, machine),
                            devices_of(machine));
        }
        deployment_.leave(file_, type, "no machine that is read");
    }

    // Of kubernetes_manifest and kubectl_manifest. False where the resource is none of these.
    bool read_manifest(const JsonValue& values) {
        bool found = false;
        for_each_path(kManifestPaths, [&](std::string_view path) {
            const JsonValue* const manifest = found ? nullptr : at_path(values, path);
            if (manifest != nullptr && is_object(*manifest)) {
                found = true;
                issues_.add_all(read_object(*manifest, file_, deployment_));
            } else if (manifest != nullptr && manifest->text().find("apiVersion") != std::string_view::npos) {
                found = read_manifest_text(manifest->text());
            }
        });
        return found;
    }

    bool read_manifest_text(std::string_view text) {
        const auto documents = json_of_yaml(text);
        for (const std::string& document : documents ? *documents : std::vector<std::string>()) {
            const auto parsed = answers::parse_body(document);
            if (parsed && is_object(**parsed)) {
                issues_.add_all(read_object(**parsed, file_, deployment_));
            }
        }
        return documents.has_value();
    }

    static std::string type_of(const ResourceRow& row, const JsonValue& values) {
        const std::string type = text_at(values, row.machine);
        return !type.empty() ? std::string(row.prefix) + type
               : row.type == "google_tpu_v2_vm"
                   ? prefixed(row.prefix, tpu_type_of(text_at(values, "accelerator_config/0/type"),
                                                      text_at(values, "accelerator_config/0/topology")))
                   : "";
    }
    static std::string prefixed(std::string_view prefix, const std::string& type) {
        return type.empty() ? "" : std::string(prefix) + type;
    }

    // `whole` are the values of the resource, of which `values` may be an entry, or of the cluster that it is a pool of.
    void read_machines(const ResourceRow& row, const JsonValue& values, const JsonValue& whole, const std::string& address) {
        Machines machines;
        machines.file = file_;
        machines.resource = address;
        machines.provider = row.provider;
        machines.type = type_of(row, values);
        if (machines.type.empty() && at_path(values, "serverless_config/0") != nullptr) {
            deployment_.leave(file_, std::string(row.type), "it is serverless: no machine is rented");
            return;
        }
        if (machines.type.empty()) {
            deployment_.ask(file_, address, fmt::format("{} is known only after apply", row.machine), 1.0);
            return;
        }
        read_attached(row, values, machines);
        if (const auto known = machines.devices > 0 ? std::nullopt : priced_by_device(machines.type)) {
            machines.device = known->device;
            machines.devices = known->devices;
        }
        if (row.machine.ends_with("/0") &&
            at_path(values, std::string(row.machine.substr(0, row.machine.size() - 1)) + "1") != nullptr) {
            machines.unsettled = fmt::format("{} has several types: which of them run is known only later",
                                             row.machine.substr(0, row.machine.size() - 2));
        }
        machines.is_spot = is_spot(values, row.spot);
        machines.terms = terms_of(values);
        machines.region = place_of(row, values, whole, address);
        const double zones = row.by_zone ? zones_of(values, whole, machines) : 1.0;
        const std::optional<double> count = row.count.empty() ? std::optional(1.0) : first_number(values, row.count);
        machines.count = count.value_or(0.0) * zones;
        machines.max_count = first_number(values, row.max_count).value_or(0.0) * zones;
        machines.open = count ? machines.open : "how many machines there are is known only after apply";
        deployment_.add(std::move(machines));
    }

    static void read_attached(const ResourceRow& row, const JsonValue& values, Machines& machines) {
        const JsonValue* const attached = row.attached.empty() ? nullptr : at_path(values, row.attached);
        if (attached != nullptr && attached->size() > 0 && attached->is_array()) {
            machines.device = text_at((*attached)[0], "type");
            machines.devices = static_cast<int>(std::clamp(number_at((*attached)[0], "count").value_or(0.0), 0.0, 1e4));
        }
    }

    // A node pool has so many in each of its zones: of a region without a list Google picks them.
    static double zones_of(const JsonValue& values, const JsonValue& whole, Machines& machines) {
        for (const JsonValue* const part : {&values, &whole}) {
            const JsonValue* const locations = at_path(*part, "node_locations");
            if (locations != nullptr && locations->size() > 0) {
                return static_cast<double>(locations->size());
            }
        }
        const std::string location = text_at(values, "location");
        if (std::ranges::count(location.empty() ? text_at(whole, "location") : location, '-') < 2) {
            machines.open = "its count is by zone and its zones are not stated: node_locations";
        }
        return 1.0;
    }

    std::string place_of(const ResourceRow& row, const JsonValue& values, const JsonValue& whole, const std::string& address) {
        const std::string own = first_text(values, row.place);
        const std::string stated = own.empty() ? first_text(whole, row.place) : own;
        if (!stated.empty()) {
            return region_of(row.provider, stated);
        }
        ProviderRegion region = regions_.of_resource(row.provider, address);
        if (!region.variable.empty() && variables_.insert(region.variable).second) {
            deployment_.ask(file_, region.variable, "the region of a provider is taken to be its value as it stands: is it?", 0.0);
        }
        return std::move(region.name);
    }

    PlanRegions regions_;
    std::set<std::string> variables_; // that regions were taken from
    std::string file_;
    Deployment& deployment_;
    model::Failure issues_;
};

// What the plan says it leaves out.
void ask_for_the_rest(const JsonValue& plan, const std::string& file, Deployment& deployment) {
    const JsonValue* const complete = plan.find("complete");
    const JsonValue* const errored = plan.find("errored");
    if (complete != nullptr && complete->is_boolean() && !complete->boolean()) {
        deployment.ask(file, "plan", "it is not complete: a part is planned after this one is applied", 1.0);
    }
    if (errored != nullptr && errored->boolean()) {
        deployment.ask(file, "plan", "it ended with an error: what comes after is not in it", 1.0);
    }
    if (const JsonValue* const deferred = plan.find("deferred_changes")) {
        for (const JsonValue& change : deferred->entries()) {
            const JsonValue* const after = at_path(change, "resource_change/change/after");
            const std::string machine = after == nullptr ? "" : accelerated_type_in(*after);
            deployment.ask(file, without_indices(text_at(change, "resource_change/address")),
                           "it is deferred: how many run is known only after this plan is applied",
                           machine.empty() ? 1.0 : devices_of(machine));
        }
    }
}

} // namespace

bool is_plan(const JsonValue& document) {
    return document.is_object() && document.contains("format_version") &&
           (document.contains("planned_values") || document.contains("terraform_version") || document.contains("resource_changes"));
}

model::Failure read_plan(const JsonValue& plan, const std::string& file, Deployment& deployment) {
    const std::string version = text_at(plan, "format_version");
    const std::string major = version.substr(0, version.find('.'));
    if (major != "0" && major != "1") {
        return {{file + "#/format_version", model::Code::unknown_value,
                 fmt::format("format_version is \"{}\"; versions 0 and 1 are read", shortened(version, 40))}};
    }
    const JsonValue* const root = at_path(plan, "planned_values/root_module");
    if (root == nullptr) {
        return {{file + "#/planned_values", model::Code::missing,
                 "it has no planned values; print the plan by terraform show -json PLAN (or tofu show -json PLAN)"}};
    }
    PlanReader reader(plan, file, deployment);
    reader.read_module(*root);
    ask_for_the_rest(plan, file, deployment);
    return reader.take_issues();
}

} // namespace costcurve::gate::deployed
