// What one replica or gang does: measured, read from a curve, or estimated (model.md, section 4); the devices it takes, and those
// that it holds in its hosts.
#pragma once

#include <optional>

#include "model/performance/estimate.hpp"

namespace costcurve::model {

/// The number of devices of a replica or gang; below 1 for a fraction or slice of a device.
[[nodiscard]] double replica_devices(const Performance& performance, const Device& device);

/// Memory of a replica or gang in GiB; empty if the device's memory isn't known.
[[nodiscard]] std::optional<double> replica_memory_gib(const Performance& performance, const Device& device);

/// The devices that a replica or gang of `devices` holds, so that no other can have them, where a host has `per_host`:
/// 1/⌊1/g⌋ below 1, D/⌊D/g⌋ up to D, g above it.
[[nodiscard]] double devices_held(double devices, double per_host);
/// The devices that a workload's gang holds, with its spare hosts.
[[nodiscard]] double devices_held(const Workload& workload, double devices, double per_host);

/// What an estimate of the performance reads of the device. A precision or bandwidth that the device lacks counts as 0.
[[nodiscard]] EstimateDevices estimate_devices(const Performance& performance, const Device& device,
                                               const std::string& workload_precision);

/// The batch of a performance: the stated one, else the largest whole one that keeps the workload's objectives and, of a decode
/// estimate, fits into memory (at most 1024). It is looked for from the last point of the throughput, itl_s or ttft_s curve
/// down to 1, or the first point of a curve that ends there.
struct BatchChoice {
    enum class Problem { none, latency, memory };
    Problem problem = Problem::none; ///< the limit that the stated batch, or every batch, violates
    std::optional<int> batch;        ///< empty where none is stated or needed
};
[[nodiscard]] BatchChoice choose_batch(const Performance& performance, const Device& device, const Workload& workload);

/// The rate of a replica or gang before interruptions and learning, and how well it is known.
struct ReplicaRate {
    double units_per_s = 0.0; ///< of units of all classes, as the workload's request has them
    std::optional<int> batch; ///< the batch it was read at, where one was stated or chosen
    Evidence evidence = Evidence::measured;
    bool capped_by_input = false;    ///< the input pipeline, not the accelerator, sets the rate
    double units_per_weighted = 1.0; ///< T/W: units of all classes for each unit of units_per_s
};

/// The rate at a batch. The performance and device have passed make_scenario: what an estimate needs is there.
[[nodiscard]] ReplicaRate replica_rate(const Performance& performance, const Device& device, const Workload& workload,
                                       std::optional<int> batch);

/// The device time that a unit of each class takes, relative to one unit that units_per_s counts.
[[nodiscard]] ClassValues class_weights(const Performance& performance, const Device& device, const Workload& workload,
                                        std::optional<int> batch);

/// The stated objectives; for batch work with a deadline, e2e_s is at most the deadline.
[[nodiscard]] Slo objectives_of(const Workload& workload);

/// Which stated figures of latency the workload's objectives read: a request takes ttft_s + itl_s x (units out - 1), where both
/// and the classes of its units are known.
struct LatencyReads {
    bool itl = false;
    bool ttft = false;
};
[[nodiscard]] LatencyReads latency_reads(const Performance& performance, const Workload& workload);

/// Whether the workload has an objective whose figure is known here: stated, of itl_s given by a decode estimate too, of e2e_s
/// made of both.
[[nodiscard]] bool has_known_latency(const Performance& performance, const Workload& workload);

/// Whether the workload has an objective whose figure isn't known here.
[[nodiscard]] bool has_unknown_latency(const Performance& performance, const Workload& workload);

} // namespace costcurve::model
