// The deployment in plans and manifests: machines with accelerators, pods that request some, and open questions. Values of
// environments, secrets and configuration are never read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/documents/json/parsed_json.hpp"
#include "server/gate/report.hpp"

namespace costcurve::gate::deployed {

/// A group of equal rented machines.
struct Machines {
    std::string file = {};
    std::string resource = {}; ///< the address in the plan without indices, or the pods' object
    std::string provider = {}; ///< aws, azure, gcp; "" where nothing names one
    std::string type = {};     ///< as offers call it (sku); "" where only the device is known
    std::string region = {};   ///< "" where it is not known
    bool is_spot = false;
    std::string terms = {}; ///< other than on demand and spot, such as capacity-block: no price is looked up; "" of these
    double count = 0.0;
    double max_count = 0.0;     ///< with autoscaling; 0: as many as there are
    std::string device = {};    ///< spelling or id, of accelerators that the type does not name
    int devices = 0;            ///< of a machine, where `device` is stated
    std::string open = {};      ///< a question about the count; "" of none
    std::string unsettled = {}; ///< why no price is looked up: its labels allow several machines; "" where one is named
};

/// The most replicas of an object.
inline constexpr double kMaxReplicas = 1e5;

/// Pods of one template that ask for accelerators.
struct Pods {
    std::string file = {};
    std::string object = {}; ///< Deployment/name
    std::string role = {};   ///< of several templates of an object: leader, prefill; "" of the only one
    std::string name_space = {};
    double replicas = 1.0;
    double pods_per_replica = 1.0;
    int devices = 0;                                             ///< of a pod
    std::string resource = {};                                   ///< nvidia.com/gpu
    Machines on;                                                 ///< what its selectors say of the machine; `count` is not known
    std::map<std::string, std::vector<std::string>> labels = {}; ///< that its node must have, and their values
    std::string queue = {};                                      ///< of Kueue; "" of none
    std::string model = {};                                      ///< as the server's arguments name it; "" of none
    std::string precision = {};
    double max_tokens = 0.0;            ///< of a request, 0: not stated
    int max_requests = 0;               ///< at once, 0: not stated
    int server_devices = 0;             ///< that its server's arguments take, 0: not stated
    int server_pods = 1;                ///< that its server's arguments spread it over
    bool is_ranked = false;             ///< the other pods of its server are objects of their own
    std::vector<std::string> open = {}; ///< what its server's arguments leave open, a sentence each

    /// Deployment/name, or LeaderWorkerSet/name/leader.
    [[nodiscard]] std::string subject() const { return role.empty() ? object : object + "/" + role; }
};

/// Nodes that pods get, by the labels that they may have: a node pool of Karpenter, a flavor of Kueue.
struct NodeGroup {
    std::string file = {};
    std::string name = {};
    std::map<std::string, std::vector<std::string>> labels = {}; ///< the values that are allowed
    double max_devices = 0.0;                                    ///< accelerators that its limits allow; 0: not stated
};

/// Accelerators of a flavor that a queue of Kueue admits at once.
struct Quota {
    std::string file = {};
    std::string queue = {}; ///< a ClusterQueue
    std::string flavor = {};
    std::string resource = {};
    double devices = 0.0;
};

/// Keeps the replicas of an object within a range.
struct Autoscaler {
    std::string file = {};
    std::string kind = {};
    std::string name_space = {}; ///< "" where it is not stated
    std::string target = {};     ///< Deployment/name
    double min = 0.0;
    double max = 0.0;
};

struct Deployment {
    std::vector<Machines> machines;
    std::vector<Pods> pods;
    std::vector<NodeGroup> node_pools = {}; ///< of Karpenter
    std::vector<NodeGroup> flavors;
    std::vector<Quota> quotas;
    std::vector<Autoscaler> autoscalers = {};
    std::map<std::string, std::string> queues = {}; ///< a LocalQueue's ClusterQueue; "" where two of a name differ
    std::vector<Question> questions;
    std::vector<NotRead> not_read = {}; ///< by kind of thing

    void add(Machines machines); ///< to those that are alike
    void ask(const std::string& file, const std::string& subject, std::string what, double devices);
    void leave(const std::string& file, const std::string& what, std::string_view why, std::size_t count = 1);
};

/// Whether a document is the plan of Terraform or OpenTofu as `show -json` prints it; a Kubernetes object, or a list of them.
[[nodiscard]] bool is_plan(const JsonValue& document);
[[nodiscard]] bool is_object(const JsonValue& document);

/// The group of an object's apiVersion: apps of apps/v1.
[[nodiscard]] std::string group_of(const JsonValue& object);

/// What a file is that another tool has written, or one of Terraform that is no printed plan, and what to do; "" where it is none
/// of these. Of the text as it is, and of a document in it.
[[nodiscard]] std::string foreign_text(std::string_view text);
[[nodiscard]] std::string foreign_document(const JsonValue& document);

/// Adds the plan's planned state with resolved counts. Fails on format versions other than 0 and 1, and on a plan without values.
[[nodiscard]] model::Failure read_plan(const JsonValue& plan, const std::string& file, Deployment& deployment);
/// Adds what the object asks for. Fails where a number that is needed is a template that was not rendered.
[[nodiscard]] model::Failure read_object(const JsonValue& object, const std::string& file, Deployment& deployment);

/// What is at a path of names and indices, such as scaling_config/0/max_size; null where there is nothing.
[[nodiscard]] const JsonValue* at_path(const JsonValue& value, std::string_view path);
/// The text there; "" where there is none.
[[nodiscard]] std::string text_at(const JsonValue& value, std::string_view path);
/// The number there, or of a text there; nothing where there is none.
[[nodiscard]] std::optional<double> number_at(const JsonValue& value, std::string_view path);

} // namespace costcurve::gate::deployed
