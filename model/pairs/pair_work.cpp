// Halves of a request, and the way of the cache between them.
#include "model/pairs/pair_work.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/documents/places.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/device_facts.hpp"
#include "model/performance/model_shape.hpp"
#include "model/performance/performance.hpp"
#include "model/performance/rates.hpp"
#include "model/performance/stated_shape.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

const Pool* pool_of(const RunsOn& entry, const std::vector<Pool>& pools) {
    const auto found = std::ranges::find(pools, entry.pool, &Pool::id);
    return found == pools.end() ? nullptr : &*found;
}

double prompt_tokens_of(const UnitsPerRequest& units) { return units.input + units.cached_input + units.cache_write; }

// A seller's region, or a site.
bool stand_together(const Pool& a, const Pool& b) {
    if (a.offer && b.offer) {
        return !a.offer->region.empty() && a.offer->provider == b.offer->provider && a.offer->region == b.offer->region;
    }
    return a.site && b.site && !a.site->id.empty() && a.site->id == b.site->id;
}

double replica_link(const RunsOn& entry, const Pool& pool) {
    const Device* const device = device_of(pool);
    const bool is_stated = device != nullptr && device->links && device->links->inter_gb_per_s && entry.performance;
    return is_stated ? *device->links->inter_gb_per_s * std::max(1.0, replica_devices(*entry.performance, *device)) : 0.0;
}

template <class Units> void keep_phase(Phase phase, Units& units) {
    if (phase == Phase::prefill) {
        units.output = 1.0;
        units.reasoning = 0.0;
    } else {
        units.cached_input = units.input + units.cached_input + units.cache_write;
        units.input = units.cache_write = 0.0;
    }
}

void check_place(const RunsOn& entry, std::size_t e, const std::string& at, Rules& rules) {
    const Phase expected = e == 0 ? Phase::prefill : Phase::decode;
    if (entry.phase != expected) {
        rules.add(at + "/phase", Code::inconsistent,
                  fmt::format("a pair's {} entry has phase {}; give it, or leave phase out of all entries",
                              e == 0 ? "first" : "second", name_of(expected)));
    }
    if (entry.share) {
        rules.add(at + "/share", Code::not_allowed, "both entries of a pair do all requests: leave share out");
    }
}

// What is sent, and over which link.
void check_transfer(const Workload& workload, const std::vector<Pool>& pools, const std::string& pointer, Rules& rules) {
    const RunsOn& sender = workload.runs_on.front();
    const std::string at = pointer + "/runs_on/0";
    if (!sender.cache_bytes_per_token) {
        rules.add(
            at + "/cache_bytes_per_token", Code::missing,
            "how much a prompt's cache is isn't known: give cache_bytes_per_token (layers x key-value heads x head size x 2 x "
            "bytes of a value), or a stored model as the workload's model");
        return;
    }
    const std::optional<CacheTransfer> transfer = cache_transfer(workload, pools);
    if (!transfer) {
        rules.add(at + "/link_gb_per_s", Code::missing,
                  fmt::format("pools {} and {} are not known to stand in one place: give link_gb_per_s, at which a replica sends "
                              "caches from one to the other",
                              sender.pool, workload.runs_on.back().pool));
        return;
    }
    if (transfer->is_assumed) {
        rules.warn(
            at + "/link_gb_per_s", Code::link_assumed,
            fmt::format("the cache of a prompt, {:.3g} GB, is taken to be sent at {:.4g} GB/s, in {:.3g} s; give link_gb_per_s",
                        transfer->gb_per_request, transfer->gb_per_s, transfer->seconds()));
    }
    if (workload.slo.ttft_s && transfer->seconds() >= *workload.slo.ttft_s) {
        rules.add(at + "/link_gb_per_s", Code::ineligible_latency,
                  fmt::format("to send the cache of a prompt, {:.3g} GB at {:.4g} GB/s, takes {:.3g} s; slo/ttft_s is {} s",
                              transfer->gb_per_request, transfer->gb_per_s, transfer->seconds(), *workload.slo.ttft_s));
    }
}

void check_pair_work(const Workload& workload, const ScenarioDocument& scenario, const std::string& pointer, Rules& rules) {
    if (workload.kind != WorkloadKind::inference || workload.routing != Routing::in_order) {
        rules.add(pointer + "/runs_on/0/phase", Code::not_allowed,
                  "a pair does inference in the order of its entries: leave phase out, or routing");
        return;
    }
    const auto is_routed = [](const Workload& other) { return other.routing == Routing::cheapest && other.runs_on.size() > 1; };
    if (const auto other = std::ranges::find_if(scenario.workloads, is_routed); other != scenario.workloads.end()) {
        rules.add(
            pointer + "/runs_on/0/phase", Code::not_allowed,
            fmt::format("workload {} is routed to the cheapest, which is not reckoned beside a pair: leave out its routing, or "
                        "phase here",
                        other->id));
    }
    const UnitsPerRequest mean = mean_request(workload);
    if (!mean.split || prompt_tokens_of(mean) <= 0.0 || mean.output + mean.reasoning <= 1.0) {
        rules.add(pointer + "/units_per_request", Code::missing,
                  "a pair divides requests: give units_per_request by class, with input and more than one unit of output");
    }
    if (workload.slo.e2e_s && (!workload.slo.ttft_s || *workload.slo.ttft_s >= *workload.slo.e2e_s)) {
        rules.add(pointer + "/slo/ttft_s", Code::missing,
                  "of a pair slo/e2e_s is divided: give ttft_s, which the prompt may take of it, below e2e_s");
    }
}

} // namespace

bool is_pair(const Workload& workload) {
    return workload.runs_on.size() == 2 && workload.runs_on.front().phase == Phase::prefill &&
           workload.runs_on.back().phase == Phase::decode;
}

double cache_bytes_per_token(const Model& model, const Workload& workload, std::string precision) {
    precision = precision.empty() ? workload.precision : precision;
    RateQuestion question;
    question.precision =
        weight_precision(precision.empty() ? published_precision(model) : precision).value_or(WeightPrecision::bf16);
    const double prompt = prompt_tokens_of(mean_request(workload));
    return cache_bytes(shape_of(model).value_or(assumed_shape(model)), prompt, cache_bytes(question)) / prompt;
}

std::optional<CacheTransfer> cache_transfer(const Workload& workload, const std::vector<Pool>& pools) {
    constexpr double kBytesOfGb = 1e9;
    const RunsOn& sender = workload.runs_on.front();
    const Pool* const from = pool_of(sender, pools);
    const Pool* const to = pool_of(workload.runs_on.back(), pools);
    if (from == nullptr || to == nullptr || !sender.cache_bytes_per_token) {
        return std::nullopt;
    }
    const bool is_together = stand_together(*from, *to);
    CacheTransfer transfer;
    transfer.gb_per_request = *sender.cache_bytes_per_token * prompt_tokens_of(mean_request(workload)) / kBytesOfGb;
    transfer.is_egress = !is_together;
    transfer.is_assumed = !sender.link_gb_per_s;
    if (sender.link_gb_per_s) {
        transfer.gb_per_s = *sender.link_gb_per_s;
        return transfer;
    }
    const double stated = std::min(replica_link(sender, *from), replica_link(workload.runs_on.back(), *to));
    transfer.gb_per_s = stated > 0.0 ? stated : kAssumedLinkGb;
    return is_together ? std::optional(transfer) : std::nullopt;
}

Workload work_of_entry(const Workload& workload, std::size_t entry, const std::vector<Pool>& pools) {
    Workload work = workload;
    if (!is_pair(workload)) {
        return work;
    }
    const Phase phase = *workload.runs_on[entry].phase;
    keep_phase(phase, work.units_per_request);
    for (TokenBucket& bucket : work.token_mix) {
        keep_phase(phase, bucket);
    }
    Slo& slo = work.slo;
    if (phase == Phase::prefill) {
        const std::optional<CacheTransfer> transfer = cache_transfer(workload, pools);
        slo.ttft_s = slo.ttft_s && transfer ? std::optional(*slo.ttft_s - transfer->seconds()) : slo.ttft_s;
        slo.itl_s = slo.e2e_s = std::nullopt;
    } else {
        slo.e2e_s = slo.e2e_s && slo.ttft_s ? std::optional(*slo.e2e_s - *slo.ttft_s) : slo.e2e_s;
        slo.ttft_s = std::nullopt;
    }
    return work;
}

double units_per_entry_unit(const Workload& workload, const Workload& of_entry) {
    return is_pair(workload) ? units_of_request(mean_request(workload)) / units_of_request(mean_request(of_entry)) : 1.0;
}

double sent_units_per_s(const Workload& workload, std::size_t entry, const std::vector<Pool>& pools) {
    const std::optional<CacheTransfer> transfer = is_pair(workload) && entry == 0 ? cache_transfer(workload, pools) : std::nullopt;
    return transfer && transfer->gb_per_request > 0.0 ? units_of_request(mean_request(workload)) / transfer->seconds() : HUGE_VAL;
}

double egress_gb_per_unit(const Workload& workload, std::size_t entry, const std::vector<Pool>& pools) {
    if (!is_pair(workload) || entry > 0) {
        return workload.egress_gb_per_unit;
    }
    const std::optional<CacheTransfer> transfer = cache_transfer(workload, pools);
    return transfer && transfer->is_egress ? transfer->gb_per_request / units_of_request(mean_request(workload)) : 0.0;
}

bool check_pair(const Workload& workload, const ScenarioDocument& scenario, const std::string& pointer, Rules& rules) {
    const std::vector<Pool>& pools = scenario.pools;
    const std::vector<RunsOn>& entries = workload.runs_on;
    const std::size_t before = rules.issues.size();
    const bool has_phase = std::ranges::any_of(entries, [](const RunsOn& entry) { return entry.phase.has_value(); });
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const std::string at = fmt::format("{}/runs_on/{}", pointer, e);
        for (const auto& [stated, field] :
             {std::pair(entries[e].cache_bytes_per_token, "cache_bytes_per_token"), {entries[e].link_gb_per_s, "link_gb_per_s"}}) {
            if (stated && entries[e].phase != Phase::prefill) {
                rules.add(fmt::format("{}/{}", at, field), Code::not_allowed,
                          fmt::format("{} goes with phase prefill, which sends caches", field));
            }
        }
        if (has_phase && entries.size() == 2) {
            check_place(entries[e], e, at, rules);
        }
        const Pool* const pool = pool_of(entries[e], pools);
        if (entries[e].phase && pool != nullptr && pool->kind == PoolKind::api) {
            rules.add(at + "/phase", Code::not_allowed,
                      fmt::format("pool {} is an api, which does whole requests: leave phase out", pool->id));
        }
    }
    if (has_phase && entries.size() != 2) {
        rules.add(pointer + "/runs_on", Code::inconsistent,
                  fmt::format("phases go with two entries, prefill and decode; runs_on has {}", entries.size()));
    }
    if (!has_phase || rules.issues.size() > before) {
        return rules.issues.size() == before;
    }
    check_pair_work(workload, scenario, pointer, rules);
    if (rules.issues.size() == before) {
        check_transfer(workload, pools, pointer, rules);
    }
    return rules.issues.size() == before;
}

} // namespace costcurve::model
