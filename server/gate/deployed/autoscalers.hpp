// Autoscalers of pods: within which numbers they keep the replicas of an object.
#pragma once

#include "server/gate/deployed/deployment.hpp"

namespace costcurve::gate::deployed {

/// Adds the autoscaler that an object is; false where it is none. An issue where its numbers are none.
[[nodiscard]] bool read_autoscaler(const JsonValue& object, const std::string& file, Deployment& deployment,
                                   model::Failure& issues);

/// Gives the pods of each autoscaler's object its least replicas in place of their own, and asks about its range.
void settle_autoscalers(Deployment& deployment);

} // namespace costcurve::gate::deployed
