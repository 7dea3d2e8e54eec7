// Fills in figures that nobody states, and the line of the answer that explains each.
#include "model/questions/rank/assumptions.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/categories/exchange.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/commitment.hpp"
#include "model/dispatch/starts.hpp"
#include "model/documents/curve.hpp"
#include "model/questions/rank/training_runs.hpp"
#include "model/questions/rank/usual_prices.hpp"

namespace costcurve::model {

namespace {

// Sets an absent figure to the value. True if it was absent.
bool state_absent(std::optional<double>& figure, double value) {
    if (figure) {
        return false;
    }
    figure = value;
    return true;
}

// Value of a used server after 1 to 5 years, as fractions of its price, in words.
std::string resale_values(const Curve& curve) {
    constexpr std::array kMonths{12, 24, 36, 48, 60};
    std::string values;
    for (const int months : kMonths) {
        values += fmt::format("{}{:.4g}", values.empty() ? "" : ", ", read(curve, months));
    }
    return values;
}

// Resale values of the default curve and of other curves that servers state, in words.
std::string resale_words(const Assumed& assumed) {
    std::string words = resale_values(*default_resale().curve);
    for (const std::string& stated : assumed.stated_resales) {
        words += "; " + stated;
    }
    return words;
}

// A row of the table of assumptions. Its value is a number, or words if the value isn't one number.
struct AssumptionRow {
    bool Assumed::*member;
    std::string_view what;
    double number;
    std::string_view words;
    std::string_view unit, why, change;
};
constexpr auto kAssumptionRows = std::to_array<AssumptionRow>({
    {&Assumed::shape, "shape", 0.0, "office", "",
     "nobody asks as much at night: a week of people at work, 2.68 of its mean at its peak",
     "state shape, or --shape consumer or flat, or demand.shape of the workload"},
    {&Assumed::objectives, "slo", 0.0, "2 s to the first token, 0.1 s between tokens, 95th percentile", "",
     "as fast as people who chat read; a way whose latency nobody states is not the first",
     "state slo of the workload, or --ttft-s, --itl-s, --e2e-s"},
    {&Assumed::spares, "spares", kDefaultSpares, "", "replicas",
     "a replica that fails is stood in for until it is back; those of a host fail together", "state spares, or --spares"},
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
    {&Assumed::restart, "restart", kRestartS, "", "s",
     "a replica that starts anew loads its model first, one for batch work each day; a judgement",
     "state checkpoint.restart_s of the workload"},
    {&Assumed::spot_hours, "spot_hours", 0.0, "0.9", "fraction",
     "spot is not to be had at all times, and its price list "
     "does not state when",
     "state availability_fraction of the offer"},
    {&Assumed::server_price, "server_price", 0.0, "as stored", "",
     "prices of some servers have no day or are older than max_price_age_days, and the catalogue's generic ones are assumed, as "
     "their source says: such a server gives way to what is known better within its interval",
     "state price and price_date of the server"},
    {&Assumed::resale, "resale", 0.0, "", "fractions of the price after 1 to 5 years",
     "a server whose residual_fraction is a number would be sold at book value, which is no market; a judgement",
     "state residual_fraction of the server as a curve"},
    {&Assumed::porting, "porting", kPortingWeeks, "", "engineer-weeks",
     "a workload whose team runs GPUs is brought to a TPU (not from JAX) or another accelerator once; a judgement",
     "state ported, or --ported tpu,asic, where that is done"},
    {&Assumed::engineer_week, "engineer_week", kEngineerWeekUsd, "", "USD", "what a week of an engineer costs; a judgement",
     "state finance.engineer_week_cost"},
    {&Assumed::within_days, "within_days", kRunDays, "", "days",
     "without a deadline the smallest gang would run for years; a judgement",
     "state within_days of the workload, or --within-days"},
    {&Assumed::within_days, "chance_in_time", kChanceInTime, "", "fraction",
     "a plan ends in time so often at least: rates are uncertain, and hosts fail", "state a later within_days, or an earlier one"},
    {&Assumed::training_precision, "precision", 0.0, "bf16", "",
     "what most runs multiply in; fp8 is faster where the model bears it", "state precision of the workload, or --precision"},
    {&Assumed::checkpoint, "checkpoint", kCheckpointWriteS, "", "s",
     "what a run waits for each checkpoint to be written; a judgement", "state checkpoint.write_s of the workload"},
    {&Assumed::spot_of_runs, "spot", 0.0, "0.44 interruptions an instance-hour, to be had 0.59 of the hours", "",
     "the medians of 19 traces of AWS' V100 instances in 2023 (Can't Be Late, NSDI 2024; skypilot-org/spot-traces)",
     "state interruptions_per_hour and availability_fraction of the offer"},
    {&Assumed::spare_hosts, "spare_hosts", 0.0, "none, or as many as all but one of a hundred failures find free", "",
     "a gang waits for the host that failed; which of the two costs less is in the plan, spares paid all the run",
     "state spare_hosts of the workload, or --spares 0"},
    {&Assumed::instances, "instances", 0.0, "as many as a gang takes, joined as in the clusters that rates are of", "",
     "no price list states how many a seller has at once, how long one waits for them, or what network joins them",
     "limit providers or devices"},
    {&Assumed::batch_start, "batch_start", 0.0, "at once", "",
     "instances are taken to be there, as many as it takes and with the model loaded, when a day's requests come; no price list "
     "says how soon they are",
     "state deadline_hours less what a start takes"},
    {&Assumed::held_bursts, "bursts", 0.0, "instances held all the hour", "",
     "price lists don't state how soon an instance serves, how long it idles and how its time is rounded; what is not known may "
     "not make a plan cheaper",
     "state boot_s, idle_timeout_s and billing_step_s of the offer"},
    {&Assumed::started_bursts, "boot", 0.0, "as the offer states", "",
     "instances start for each burst, and its requests wait up to boot_s; where no objective is known to leave that, they are held "
     "all the hour",
     "state another boot_s of the offer, or slo of the workload"},
    {&Assumed::hosts, "hosts", 0.0, "always up", "",
     "hosts of models state neither outages nor precision, kernels or spare capacity; they are taken to serve all "
     "that is sent",
     "include cloud, owned or hybrid alone (--include)"},
    {&Assumed::context, "context", 0.0, "long enough", "",
     "nobody states how many tokens a hosted model reads; requests of more than 32,768, which all do, are taken to fit",
     "store the model with its context_tokens"},
    {&Assumed::nothing_stored, "stored_copies", 0.0, "", "copies of the weights",
     "instances load weights from outside, onto disks of their own; storage with the seller is paid by the GB",
     "state stored_copies, or --stored-copies, or stored_gb of the workload"},
    {&Assumed::storage_price, "storage_price", kStorageUsd, "", "USD/GB/month",
     "price lists of machines don't state what storage costs: the highest price of a seller that does is taken",
     "state storage_per_gb_month of the offer, 0 where it is free"},
    {&Assumed::sizes, "sizes", 0.0, "known when a request comes", "",
     "a mix sends requests by their tokens in and out; how long an answer will be is estimated (Griggs et al., arXiv:2404.14527)",
     "include other ways than mix"},
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

void assume_bursts(const Pool& pool, const std::vector<Workload>& workloads, Assumed& assumed) {
    if (!pool.offer || is_commitment(pool.offer->purchase)) {
        return;
    }
    for (const Workload& workload : workloads) {
        if (workload.kind == WorkloadKind::inference && workload.demand.has_bursts()) {
            const bool starts = seconds_paid(*pool.offer, *workload.demand.burst).has_value();
            assumed.started_bursts |= starts;
            assumed.held_bursts |= !starts;
        }
    }
}

void assume_storage(Pool& pool, const ScenarioDocument& work, Assumed& assumed) {
    if (!pool.offer || pool.offer->storage_per_gb_month || std::ranges::none_of(work.workloads, stores_stated_size)) {
        return;
    }
    const std::optional<double> dollar = exchange_rate("USD", work);
    const std::optional<double> own = exchange_rate(pool.offer->currency, work);
    if (dollar && own && *own > 0.0) {
        pool.offer->storage_per_gb_month = kStorageUsd * *dollar / *own;
        assumed.storage_price = true;
    }
}

void assume_resale(Server& server, Assumed& assumed) {
    if (!server.residual_fraction.curve) {
        server.residual_fraction = default_resale();
        assumed.resale = true;
        return;
    }
    const Curve& curve = *server.residual_fraction.curve;
    if (std::string values = resale_values(curve); values != resale_values(*default_resale().curve)) {
        assumed.stated_resales.insert(values + " of " + (curve.id.empty() ? server.id : curve.id));
    }
}

void assume_gangs(Pool& pool, Assumed& assumed) {
    if (pool.offer && pool.offer->purchase == Purchase::spot) {
        Offer& offer = *pool.offer;
        const bool is_assumed = state_absent(offer.interruptions_per_hour, kSpotInterruptionsPerHour) |
                                state_absent(offer.availability_fraction, kSpotThere);
        assumed.spot_of_runs |= is_assumed;
        state_absent(offer.replacement_s, 0.0); // kSpotThere includes the wait for a replacement
    }
    assumed.instances |= pool.offer.has_value();
    assumed.spare_hosts = true;
}

void assume_run(Workload& workload, Assumed& assumed) {
    if (workload.kind != WorkloadKind::training) {
        return;
    }
    if (workload.is_run()) {
        assumed.within_days |= state_absent(workload.within_days, kRunDays);
    }
    const Checkpoint& stated = workload.checkpoint;
    if (stated.write_s == 0.0 && !stated.restart_s && !stated.interval_s) {
        workload.checkpoint.write_s = kCheckpointWriteS;
        assumed.checkpoint = true;
    }
}

void assume_restart(Workload& workload, Assumed& assumed) {
    assumed.restart |= state_absent(workload.checkpoint.restart_s, kRestartS);
}

void assume_objectives(Workload& workload, Assumed& assumed) {
    if (workload.kind == WorkloadKind::inference && !workload.slo.is_stated()) {
        workload.slo = {.ttft_s = kChatTtftS, .itl_s = kChatItlS, .e2e_s = std::nullopt};
        assumed.objectives = true;
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
            std::string value = line.words.empty() ? fmt::format("{}", line.number) : std::string(line.words);
            lines.push_back({std::string(line.what), line.member == &Assumed::resale ? resale_words(assumed) : std::move(value),
                             std::string(line.unit), std::string(line.why), std::string(line.change)});
        }
    }
    return lines;
}

} // namespace costcurve::model
