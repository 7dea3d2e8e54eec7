// A deployment as a scenario: pools of offers that are found by provider, type, region and purchase, and the models that run there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/documents/references.hpp"
#include "server/gate/deployed/deployment.hpp"

namespace costcurve::gate::deployed {

struct Terms {
    std::map<std::string, std::string> offers; ///< by a resource's address, a type or a device: the offer's id
    model::YearMonth start;
};

struct DeployedScenario {
    std::string json;                ///< a scenario that names offers by id; "" where no machine has a price
    std::vector<Question> questions; ///< those of most devices first
    std::vector<NotRead> not_read;

    /// What is about devices: the cost is not known without an answer.
    [[nodiscard]] std::vector<std::string> open() const;
};

/// Machines are paid for all the time, as many as there are; pods run on the plan's machines of their device, and where there are
/// none on machines of their own, packed by the devices that each asks for (best fit, the largest first). Models have no demand: it
/// stands in no manifest. No price of another region or purchase stands in for one that isn't there.
[[nodiscard]] DeployedScenario scenario_of(Deployment deployment, const Terms& terms, documents::Source& source);

} // namespace costcurve::gate::deployed
