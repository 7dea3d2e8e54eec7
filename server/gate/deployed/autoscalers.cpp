// A table of kinds of autoscalers, and the pods that each scales.
#include "server/gate/deployed/autoscalers.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/gate/deployed/pod_needs.hpp"

namespace costcurve::gate::deployed {

namespace {

// Sources: kubernetes.io, "HorizontalPodAutoscaler" autoscaling/v2; keda.sh, "ScaledObject specification" v1alpha1.
struct ScalerRow {
    std::string_view kind;
    std::string_view group; ///< of its apiVersion
    std::string_view target_kind;
    std::string_view min_path;
    double min;
    std::string_view max_path;
    double max;
};
constexpr auto kScalers = std::to_array<ScalerRow>({
    {"HorizontalPodAutoscaler", "autoscaling", "", "spec/minReplicas", 1.0, "spec/maxReplicas", 0.0},
    {"ScaledObject", "keda.sh", "Deployment", "spec/minReplicaCount", 0.0, "spec/maxReplicaCount", 100.0},
});

bool scales(const Autoscaler& scaler, const Pods& pods) {
    const bool is_near = scaler.name_space.empty() || pods.name_space.empty() || scaler.name_space == pods.name_space;
    return is_near && scaler.target == pods.object;
}

void scale(const Autoscaler& scaler, Pods& pods, Deployment& deployment) {
    pods.replicas = scaler.min * pods.pods_per_replica;
    if (scaler.max > scaler.min) {
        const double most = scaler.max * pods.pods_per_replica;
        deployment.ask(pods.file, pods.subject(),
                       fmt::format("it may grow from {:g} to {:g} pods by its {}: {:g} are priced", pods.replicas, most,
                                   scaler.kind, pods.replicas),
                       pods.replicas > 0.0 ? 0.0 : most * pods.devices);
    }
}

} // namespace

bool read_autoscaler(const JsonValue& object, const std::string& file, Deployment& deployment, model::Failure& issues) {
    const std::string kind = text_at(object, "kind");
    const std::string group = group_of(object);
    const auto row = std::ranges::find_if(kScalers, [&](const ScalerRow& of) { return of.kind == kind && of.group == group; });
    if (row == kScalers.end()) {
        return false;
    }
    const std::optional<double> min = count_at(object, row->min_path, row->min);
    const std::optional<double> max = count_at(object, row->max_path, row->max);
    const std::string at = fmt::format("{}#{}/{}", file, kind, text_at(object, "metadata/name"));
    if (!min || !max) {
        issues.push_back({at, model::Code::bad_format,
                          "its least or most replicas are no number: render the template first (helm template CHART > FILE)"});
    } else if (*min < 0.0 || *max < *min || *max > kMaxReplicas) {
        issues.push_back(
            {at, model::Code::out_of_range,
             fmt::format("its replicas are from {:g} to {:g}; allowed 0 to {:g}, the least first", *min, *max, kMaxReplicas)});
    } else {
        const std::string target = text_at(object, "spec/scaleTargetRef/kind");
        deployment.autoscalers.push_back({.file = file,
                                          .kind = kind,
                                          .name_space = text_at(object, "metadata/namespace"),
                                          .target = fmt::format("{}/{}", target.empty() ? row->target_kind : target,
                                                                text_at(object, "spec/scaleTargetRef/name")),
                                          .min = *min,
                                          .max = *max});
    }
    return true;
}

void settle_autoscalers(Deployment& deployment) {
    for (const Autoscaler& scaler : deployment.autoscalers) {
        if (std::ranges::none_of(deployment.pods, [&](const Pods& pods) { return scales(scaler, pods); })) {
            deployment.leave(scaler.file, scaler.kind, "it scales no pods that ask for accelerators");
        }
    }
    for (Pods& pods : deployment.pods) {
        std::vector<const Autoscaler*> found;
        for (const Autoscaler& scaler : deployment.autoscalers) {
            if (scales(scaler, pods)) {
                found.push_back(&scaler);
            }
        }
        if (found.size() == 1) {
            scale(*found.front(), pods, deployment);
        } else if (found.size() > 1) {
            deployment.ask(pods.file, pods.subject(), fmt::format("{} autoscalers scale it: how many pods run?", found.size()),
                           std::max(pods.replicas, 1.0) * pods.devices);
        }
    }
}

} // namespace costcurve::gate::deployed
