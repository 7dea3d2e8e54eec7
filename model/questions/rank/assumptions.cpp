// Figures and their lines, side by side.
#include "model/questions/rank/assumptions.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace costcurve::model {

namespace {

// True where it was not stated.
bool state_absent(std::optional<double>& figure, double value) {
    if (figure) {
        return false;
    }
    figure = value;
    return true;
}

// A line's value is a number, or words.
struct AssumptionRow {
    bool Assumed::*member;
    std::string_view what;
    double number;
    std::string_view words;
    std::string_view unit, why, change;
};
constexpr auto kAssumptionRows = std::to_array<AssumptionRow>({
    {&Assumed::spares, "spares", kDefaultSpares, "", "replicas", "a replica that fails is stood in for until it is back",
     "state spares, or --spares"},
    {&Assumed::availability, "availability", kDefaultAvailability, "", "fraction",
     "so much of the demand stays served where hosts fail; spares are added until it does",
     "state availability of the workload or the request, or --availability"},
    {&Assumed::spot, "spot", 0.0, "burst", "",
     "spot may be taken from all replicas at once: it serves above a base that does without", "state spot, or --spot"},
    {&Assumed::failures, "failures", kFailuresPerHour, "", "1/host-hour",
     "419 unexpected interruptions of 2048 hosts in 54 days of "
     "training (The Llama 3 Herd of Models, 2024, "
     "section 3.3.4)",
     "state interruptions_per_hour of the offer, "
     "failures_per_hour of the server"},
    {&Assumed::replacement, "replacement", kReplacementS, "", "s",
     "no price list states when another instance is there; a judgement", "state replacement_s of the offer"},
    {&Assumed::repair, "repair", kRepairHours, "", "hours", "no price list states when a server is back; a judgement",
     "state repair_hours of the server"},
    {&Assumed::restart, "restart", kRestartS, "", "s", "a replica that starts anew loads its model first; a judgement",
     "state checkpoint.restart_s of the workload"},
    {&Assumed::spot_hours, "spot_hours", 0.0, "0.9", "fraction",
     "spot is not to be had at all times, and its price list "
     "does not state when",
     "state availability_fraction of the offer"},
    {&Assumed::resale, "resale", 0.0, "0.65, 0.42, 0.27, 0.18, 0.1", "fractions of the price after 1 to 5 years",
     "a server whose residual_fraction is a number would be sold at book value, which is no market; a judgement",
     "state residual_fraction of the server as a curve"},
    {&Assumed::porting, "porting", kPortingWeeks, "", "engineer-weeks",
     "a workload whose team runs GPUs is brought to a TPU (not from JAX) or another accelerator once; a judgement",
     "state ported, or --ported tpu,asic, where that is done"},
    {&Assumed::engineer_week, "engineer_week", kEngineerWeekUsd, "", "USD", "what a week of an engineer costs; a judgement",
     "state finance.engineer_week_cost"},
    {&Assumed::hosts, "hosts", 0.0, "always up", "",
     "hosts of models state neither outages nor precision, kernels or spare capacity; they are taken to serve all "
     "that is sent",
     "include cloud, owned or hybrid alone (--include)"},
});

} // namespace

void assume_failures(Pool& pool, Assumed& assumed) {
    if (pool.offer) {
        Offer& offer = *pool.offer;
        if (offer.purchase != Purchase::spot) {
            assumed.failures |= state_absent(offer.interruptions_per_hour, kFailuresPerHour);
        } else {
            assumed.spot_hours |= !offer.availability_fraction;
        }
        if (offer.interruptions_per_hour.value_or(0.0) > 0.0) {
            assumed.replacement |= state_absent(offer.replacement_s, kReplacementS);
        }
    }
    if (pool.server) {
        assumed.failures |= state_absent(pool.server->failures_per_hour, kFailuresPerHour);
        if (*pool.server->failures_per_hour > 0.0) {
            assumed.repair |= state_absent(pool.server->repair_hours, kRepairHours);
        }
    }
}

void assume_restart(Workload& workload, Assumed& assumed) {
    if (workload.kind == WorkloadKind::inference) {
        assumed.restart |= state_absent(workload.checkpoint.restart_s, kRestartS);
    }
}

double porting_weeks(DeviceKind kind, std::string_view framework) {
    const bool is_usual = kind == DeviceKind::gpu || kind == DeviceKind::cpu;
    return is_usual || (kind == DeviceKind::tpu && framework == "jax") ? 0.0 : kPortingWeeks;
}

std::vector<Assumption> lines_of(const Assumed& assumed) {
    std::vector<Assumption> lines;
    for (const AssumptionRow& line : kAssumptionRows) {
        if (assumed.*line.member) {
            lines.push_back({std::string(line.what), line.words.empty() ? fmt::format("{}", line.number) : std::string(line.words),
                             std::string(line.unit), std::string(line.why), std::string(line.change)});
        }
    }
    return lines;
}

} // namespace costcurve::model
