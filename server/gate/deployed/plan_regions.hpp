// The regions of a plan's providers, and the clusters that its pools are of. Of variables those that a provider's region refers to
// are read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/gate/deployed/deployment.hpp"

namespace costcurve::gate::deployed {

/// A region of a zone or a place as plans spell it: us-east-1 of us-east-1a, eastus of East US.
[[nodiscard]] std::string region_of(std::string_view provider, std::string place);

/// The address of a resource in a plan without the keys of count and for_each.
[[nodiscard]] std::string without_indices(std::string_view address);

/// Where a provider's block puts its resources.
struct ProviderRegion {
    std::string name;     ///< "" where it is not known
    std::string variable; ///< var.region, where the name is its value; the block may make another of it
    friend bool operator==(const ProviderRegion&, const ProviderRegion&) = default;
};

/// Reads the plan's configuration and planned values, which must outlive it.
class PlanRegions {
public:
    explicit PlanRegions(const JsonValue& plan);

    /// The region that the block of the resource's provider states, a constant or one variable. `provider` is ours, `address`
    /// without indices. None where none is stated, or the plan doesn't tell which of several blocks the resource is of.
    [[nodiscard]] ProviderRegion of_resource(std::string_view provider, const std::string& address) const;

    /// The planned values of the one cluster that a pool refers to, in the same module; null where there is none, or several are
    /// in different places.
    [[nodiscard]] const JsonValue* cluster_of(const std::string& address) const;

private:
    void add_blocks(const JsonValue& module, const std::string& path);
    void add_values(const JsonValue& module);

    const JsonValue& plan_;
    std::map<std::string, std::string> blocks_;                   ///< by the resource's address: aws.eu
    std::map<std::string, std::string> clusters_;                 ///< likewise: the address of the cluster that a pool is of
    std::map<std::string, std::vector<const JsonValue*>> values_; ///< of resources, by their addresses without indices
};

} // namespace costcurve::gate::deployed
