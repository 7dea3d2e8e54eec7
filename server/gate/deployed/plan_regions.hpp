// The regions of a plan's providers.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "server/gate/deployed/deployment.hpp"

namespace costcurve::gate::deployed {

/// A region of a zone or a place as plans spell it: us-east-1 of us-east-1a, eastus of East US.
[[nodiscard]] std::string region_of(std::string_view provider, std::string place);

/// Reads the plan's configuration, which it must outlive.
class PlanRegions {
public:
    explicit PlanRegions(const JsonValue& plan);

    /// The region that the block of the resource's provider states, a constant or one variable. `provider` is ours, `address`
    /// without indices. "" where none is stated, or the plan doesn't tell which of several blocks the resource is of.
    [[nodiscard]] std::string of_resource(std::string_view provider, const std::string& address) const;

private:
    void add_blocks(const JsonValue& module, const std::string& path);

    const JsonValue& plan_;
    std::map<std::string, std::string> blocks_; ///< by the resource's address: aws.eu
};

} // namespace costcurve::gate::deployed
