// Instances that start for bursts and stop after them (model.md, section 4, "Bursts").
#pragma once

#include <optional>
#include <string_view>

#include "model/compile.hpp"
#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Billed seconds of an instance that starts for a burst: boot_s, the burst and idle_timeout_s, rounded up to billing_step_s, and
/// at least minimum_seconds. Empty if one of the offer's fields among the first three is missing, or if its instances always run.
[[nodiscard]] std::optional<double> seconds_paid(const Offer& offer, const Burst& burst);

/// Fraction of the time between bursts that a burst-only instance runs, in [0, 1]. 1: it is held all the hour, as starting it isn't
/// cheaper or its cost isn't known.
[[nodiscard]] double part_between_bursts(const Offer& offer, const Burst& burst);

/// Whether a workload's requests may wait for an instance to boot: it has an objective of ttft_s or e2e_s, its latencies are known,
/// and each objective less boot_s is met at the same batch and load. In a fluid queue no request waits longer than boot_s, as later
/// requests are served at the rate at which they arrive (G. F. Newell, Applications of Queueing Theory, 2nd ed. 1982, chapter 2).
[[nodiscard]] bool may_wait_for_boot(const Offer& offer, const Workload& workload, const Performance& performance,
                                     std::optional<int> batch);

/// Why an entry's instances are held between bursts; for entries on pools that follow demand.
enum class Held { not_at_all, unstated, cheaper, objectives, shares, pair, deferrable };
[[nodiscard]] Held why_held(const ScenarioDocument& document, const Compiled& compiled, std::size_t entry);
/// A reason as text.
[[nodiscard]] std::string_view words_of(Held why);

/// Marks the pools that start instances for bursts, and the entries whose replicas run on such instances.
void compile_starts(const ScenarioDocument& document, Compiled& compiled);

} // namespace costcurve::model
