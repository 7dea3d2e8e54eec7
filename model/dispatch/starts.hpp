// Instances that start for bursts and stop after them (model.md, section 4, "Bursts").
#pragma once

#include <optional>
#include <string_view>

#include "model/compile.hpp"
#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Seconds for which an instance is paid that starts for a burst: boot_s, the burst and idle_timeout_s, rounded up to
/// billing_step_s, and no less than minimum_seconds. Nothing where the offer leaves one of the first three unstated, or is of a
/// purchase whose instances always run.
[[nodiscard]] std::optional<double> seconds_paid(const Offer& offer, const Burst& burst);

/// The part of the time between bursts in which an instance runs that is needed in bursts alone. In [0, 1]; 1: it is held all the
/// hour, as starting it costs no less or can't be reckoned.
[[nodiscard]] double part_between_bursts(const Offer& offer, const Burst& burst);

/// Whether a workload's requests may wait until an instance has booted: it has an objective of ttft_s or e2e_s, its times are
/// known, and with boot_s taken off each objective holds at the same batch and load. In a fluid queue no request waits longer than
/// boot_s: what comes meanwhile is served at the rate at which it comes (G. F. Newell, Applications of Queueing Theory, 2nd ed.
/// 1982, chapter 2).
[[nodiscard]] bool may_wait_for_boot(const Offer& offer, const Workload& workload, const Performance& performance,
                                     std::optional<int> batch);

/// Why a workload's instances are held for bursts, of an entry on a pool that follows demand.
enum class Held { not_at_all, unstated, cheaper, objectives, shares, pair, deferrable };
[[nodiscard]] Held why_held(const ScenarioDocument& document, const Compiled& compiled, std::size_t entry);
/// The same in words.
[[nodiscard]] std::string_view words_of(Held why);

/// Notes which pools start instances for bursts, and which entries have replicas on these.
void compile_starts(const ScenarioDocument& document, Compiled& compiled);

} // namespace costcurve::model
