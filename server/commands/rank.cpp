// `costcurve rank`: plans for a model and a request rate, or for a request of POST /v1/rank, over the stored catalogue.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/performance/classes.hpp"
#include "server/answers/rank/rank.hpp"
#include "server/answers/workbook/rank_workbook.hpp"
#include "server/commands/bar.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/scenarios.hpp"
#include "server/commands/table.hpp"
#include "server/commands/text_table.hpp"
#include "server/jobs/threads.hpp"

namespace costcurve::commands {

namespace {

std::string units_text(const model::Pool& pool) {
    if (pool.kind == model::PoolKind::cloud) {
        return fmt::format("{}{}", pool.min_instances == pool.max_instances ? "" : "up to ", pool.max_instances);
    }
    int units = pool.provisioned_units.value_or(0);
    for (const model::ServerPurchase& purchase : pool.purchases) {
        units += purchase.servers;
    }
    return pool.kind == model::PoolKind::owned || pool.provisioned_units ? fmt::format("{}", units) : "";
}

// "; at the peak 3 of them 62 % busy, 0.41 s to the first token, 0.021 s between".
std::string peak_text(const model::PeakLoad& peak) {
    const auto seconds = [](const std::optional<double>& time) {
        return time ? fmt::format("{:.2g} s", *time) : std::string(kMissing);
    };
    return peak.utilization > 0.0 ? fmt::format("; at the peak {:.6g} of them {} busy, {} to the first token, {} between",
                                                peak.replicas, percent(peak.utilization), seconds(peak.ttft_s), seconds(peak.itl_s))
           : peak.replicas > 0.0  ? ", for when others are out"
                                  : ", none at the peak, when others hold its devices";
}

// "2x bf16, 16-bit cache, 256 at once, 41 % of what its bandwidth allows, MFU 18 %, 1 spare".
std::string replica_text(const model::Replica& replica, bool trains) {
    std::string text = fmt::format("{:.6g}x{}{}", replica.devices, replica.precision.empty() ? "" : " ", replica.precision);
    text += replica.kv_bits ? fmt::format(", {}-bit cache", *replica.kv_bits) : "";
    text += replica.concurrency ? fmt::format(", {} at once", *replica.concurrency) : "";
    text +=
        replica.ceiling ? fmt::format(", {} of what its {} allows", percent(*replica.ceiling), name_of(*replica.ceiling_of)) : "";
    text += replica.mfu ? fmt::format(", MFU {}", percent(*replica.mfu)) : "";
    text += replica.spares > 0 ? fmt::format(", {} spare{}", replica.spares, trains ? " hosts" : "") : "";
    return text;
}

// Of a workload on each pool of devices.
std::string replicas_text(const model::ScenarioPlan& plan, const model::Workload& workload) {
    std::string text;
    for (const model::Replica& replica : model::replicas_of(plan)) {
        if (replica.workload == workload.id) {
            text += (text.empty() ? "" : " + ") + replica_text(replica, workload.kind == model::WorkloadKind::training);
            text += replica.at_peak ? peak_text(*replica.at_peak) : "";
        }
    }
    return text;
}

// "1 run: 8.2 days, a run in ten over 9.6, 94 % within 10; goodput 97 %; 12,300 USD an epoch".
std::string run_text(const model::ScenarioPlan& plan, std::size_t place) {
    if (!plan.run) {
        return "";
    }
    const model::PlanRow row = model::row_of(plan);
    const std::string fall_back = row.fall_back_after_days
                                      ? fmt::format("; on demand after day {:g}, {} {} with what is left by chance",
                                                    *row.fall_back_after_days, money(row.expected_cost), plan.scenario.currency)
                                      : "";
    const bool is_rarely_late = *row.days_p90 < *row.days; // few runs are interrupted, and those for long
    return fmt::format("  {} run: {:.3g} days{}, a run in ten over {:.3g}, {} in time; goodput {}; {} {} an epoch{}\n", place + 1,
                       *row.days, is_rarely_late ? " in the mean, as a few are late by far" : "", *row.days_p90,
                       percent(row.probability_in_time), percent(row.goodput), money(row.cost_per_epoch), plan.scenario.currency,
                       fall_back);
}

// Cost per million units over the whole horizon, idle months of owned servers included.
std::optional<double> per_million(const model::ScenarioPlan& plan) {
    double units = 0.0;
    for (const model::WorkloadSummary& workload : plan.summary.workloads) {
        units += workload.units_served;
    }
    return units > 0.0 ? std::optional(plan.summary.total.cost / units * 1e6) : std::nullopt;
}

// The run that came nearest, where no plan meets the deadline.
std::string nearest_text(const std::optional<model::NearestRun>& nearest) {
    return nearest
               ? fmt::format("nearest is {}, {:.6g} devices: {:.3g} days, a run in ten over {:.3g}, in time {}; give it more days "
                             "(--within-days)\n",
                             nearest->name, nearest->devices, nearest->days, nearest->days_p90,
                             percent(nearest->probability_in_time))
               : "";
}

// The device that came nearest, where no plan meets the objectives of latency.
std::string nearest_text(const std::optional<model::NearestDevice>& nearest) {
    return nearest
               ? fmt::format("nearest to the objectives of {} is {:.4g}x {}, {}: a request that waits for no other takes {:.3g} "
                             "s to its first token, {:.3g} s between tokens and {:.3g} s in all at the {:.4g}th percentile, {:.3g} "
                             "times the objective; state no less\n",
                             nearest->workload, nearest->devices, nearest->device, nearest->precision, nearest->ttft_s,
                             nearest->itl_s, nearest->e2e_s, nearest->percentile, nearest->times_over)
               : "";
}

// Explains the columns of probabilities.
std::string probabilities_text(const model::RankUncertainty& uncertainty, const model::RankQuestion& question) {
    return fmt::format(
        "  p10 to p90, best: of {} samples (seed {}) of demand, rates and prices, sized anew in each, of {} plans in the "
        "running;\n  one that is not listed is the best in {}, none can do the work in {}. Holds: in which the size as it stands "
        "does the work\n",
        question.samples.value_or(0), question.seed, uncertainty.in_running, percent(uncertainty.probability_others),
        percent(uncertainty.probability_none));
}

// "110,000 to 150,000".
std::string interval_text(const model::PlanChances& chances) {
    return chances.low ? fmt::format("{} to {}", money(chances.low), money(chances.high)) : std::string(kMissing);
}

// The outcome of dividing requests by size over devices, and how far it is proven.
std::string mix_text(const std::optional<model::MixReport>& mix) {
    if (!mix) {
        return "";
    }
    std::vector<std::string> without;
    for (const model::MixBucket& bucket : mix->buckets) {
        if (bucket.ways == 0) {
            without.push_back(fmt::format("bucket {} of {} ({} of its requests): {}", bucket.bucket, bucket.workload,
                                          percent(bucket.share), bucket.reason));
        }
    }
    std::string gap = mix->gap_fraction ? fmt::format("; proven within {}", percent(*mix->gap_fraction)) : "";
    gap += mix->on_one_device ? fmt::format("; its groups all on one of its devices: {}", money(mix->on_one_device)) : "";
    const bool is_of_one = mix->buckets.front().workload == mix->buckets.back().workload;
    const std::string_view by = is_of_one ? "request size" : "workload and request size";
    return !without.empty() ? fmt::format("  no mix by {}, as nothing serves {}\n\n", by, fmt::join(without, ", "))
           : mix->outcome == model::MixOutcome::listed ? fmt::format("  a mix by {} is in the ranking{}\n\n", by, gap)
                                                       : fmt::format("  no mix by {} costs less than one device{}\n\n", by, gap);
}

// The largest reasons first, where nothing is left.
std::string nothing_text(const model::Ranking& ranking) {
    constexpr std::size_t kMaxReasons = 3;
    std::string text = "nothing in the catalogue can do this work";
    for (std::size_t i = 0; i < std::min(kMaxReasons, ranking.excluded.size()); ++i) {
        const model::Exclusion& exclusion = ranking.excluded[i];
        text += fmt::format("{}{} {} {}", i == 0 ? ": " : ", ", exclusion.count, i == 0 ? "ways are left out as" : "as",
                            exclusion.reason);
        text += exclusion.note ? " (" + *exclusion.note + ")" : "";
    }
    return text + "\n";
}

// Other hosted checkpoints of a workload's model that nobody hosts.
std::string checkpoints_text(const std::vector<model::OtherCheckpoint>& others) {
    std::string text;
    for (std::size_t i = 0; i < others.size(); ++i) {
        const bool is_new = i == 0 || others[i].workload != others[i - 1].workload;
        text += !is_new ? ", "
                        : fmt::format("{}  nobody hosts the model of {}; hosted of its architecture, as other checkpoints: ",
                                      i == 0 ? "" : "; rank them apart\n", others[i].workload);
        text += fmt::format("{} by {} host{}", others[i].model, others[i].hosts, others[i].hosts == 1 ? "" : "s");
    }
    return text.empty() ? "" : text + "; rank them apart\n\n";
}

// The instances or servers of a plan's pools.
std::string units_of(const model::ScenarioPlan& plan) {
    std::string text;
    for (const model::Pool& pool : plan.scenario.pools) {
        text += (text.empty() || units_text(pool).empty() ? "" : " + ") + units_text(pool);
    }
    return text.empty() ? std::string(kMissing) : text;
}

// " of 61 % of the requests, 512 in and 120 out": a group of a mix by its mean.
std::string requests_text(const model::ScenarioPlan& plan, const model::Workload& group) {
    double all = 0.0;
    for (std::size_t w = 0; w < plan.scenario.workloads.size(); ++w) {
        all += plan.summary.workloads[w].units_demanded / units_of_request(mean_request(plan.scenario.workloads[w]));
    }
    const auto place = std::ranges::find(plan.scenario.workloads, group.id, &model::Workload::id) - plan.scenario.workloads.begin();
    const model::UnitsPerRequest mean = mean_request(group);
    const double own = plan.summary.workloads[static_cast<std::size_t>(place)].units_demanded / units_of_request(mean);
    return fmt::format(" of {} of the requests, {:.0f} in and {:.0f} out in the mean", percent(all > 0.0 ? own / all : 0.0),
                       prompt_of(mean), mean.output + mean.reasoning);
}

// What each workload runs on; of several what each costs and adds too.
std::string workloads_text(const model::ScenarioPlan& plan, std::size_t place) {
    std::string text;
    for (const model::Workload& workload : plan.scenario.workloads) {
        if (const std::string replicas = replicas_text(plan, workload); !replicas.empty()) {
            text += fmt::format("  {} {}{}{}: {}\n", place + 1, plan.shares.empty() ? "" : workload.id + " ",
                                workload.kind == model::WorkloadKind::training ? "gang" : "replica",
                                plan.is_by_size ? requests_text(plan, workload) : "", replicas);
        }
    }
    for (const model::WorkloadShare& share : plan.shares) {
        text += fmt::format("  {} {}: {} {} of the bill, adds {}{}\n", place + 1, share.workload, money(share.cost),
                            plan.scenario.currency, share.adds ? money(*share.adds) : std::string(kMissing),
                            share.days ? fmt::format("; {:.3g} days", *share.days) : "");
    }
    return text;
}

// "  7 would equal plan 1 at 238,740 USD a server".
std::string wins_text(const model::ScenarioPlan& plan, std::size_t place) {
    if (!plan.wins_at) {
        return "";
    }
    const auto& [pointer, value, currency] = *plan.wins_at;
    const model::PoolKind kind = plan.scenario.pools.front().kind;
    const std::string at =
        kind == model::PoolKind::api
            ? fmt::format("with {} {} its prices", percent(std::abs(value)), value < 0.0 ? "on" : "off")
            : fmt::format("at {} {} {}", money(value), currency, kind == model::PoolKind::owned ? "a server" : "an instance-hour");
    return fmt::format("  {} would equal plan {} {}\n", place + 1, place == 0 ? 2 : 1, at);
}

// What the plan at a place is made of, why it stands there, of which day its prices are, what is sold at its end, and what to know
// before it is chosen.
std::string reasons_text(const model::ScenarioPlan& plan, std::size_t place) {
    std::string text = workloads_text(plan, place);
    text += run_text(plan, place);
    if (!plan.why.empty()) {
        text += fmt::format("  {} against {}: {}\n", place + 1, place == 0 ? 2 : 1, plan.why);
    }
    for (const model::Pool& pool : plan.scenario.pools) {
        text += fmt::format("  {} {}: {}\n", place + 1,
                            pool.kind == model::PoolKind::api     ? "hosted"
                            : pool.kind == model::PoolKind::owned ? "owned"
                                                                  : "rented",
                            priced(pool, plan.scenario.start));
    }
    text += wins_text(plan, place);
    const model::PlanRow row = model::row_of(plan);
    text += row.resale ? fmt::format("  {} resale at the end: {} {}\n", place + 1, money(row.resale), plan.scenario.currency) : "";
    text += row.warnings.empty() ? "" : fmt::format("  {} warnings: {}\n", place + 1, fmt::join(row.warnings, ", "));
    return text;
}

// "  each by itself: chat on …, 397,529; tuning on …, 151,190: 548,719 USD together, 339,253 less than plan 1".
std::string apart_text(const model::Ranking& ranking, const std::string& unit) {
    if (ranking.apart.empty()) {
        return "";
    }
    std::string text;
    double total = 0.0;
    for (const model::PlanApart& one : ranking.apart) {
        text +=
            fmt::format("{}{} on {}, {}", text.empty() ? "  each by itself: " : "; ", one.workload, one.name, money(one.decisive));
        total += one.decisive;
    }
    text += fmt::format(": {}{} together", money(total), unit);
    if (!ranking.plans.empty()) {
        const double more = total - ranking.plans.front().decisive;
        text += fmt::format(", {} {} than plan 1", money(std::abs(more)), more < 0.0 ? "less" : "more");
    }
    return text + "\n\n";
}

// A line each, below the plans.
std::string assumptions_text(const std::vector<model::Assumption>& assumptions) {
    std::string text = assumptions.empty() ? "" : "\n  assumed:\n";
    for (const model::Assumption& line : assumptions) {
        text += fmt::format("  {} {}{}{}: {}; {}\n", line.what, line.value, line.unit.empty() ? "" : " ", line.unit, line.why,
                            line.change);
    }
    return text;
}

// Numbers of ways that were considered, ranked and left out, by reason.
std::string excluded_text(const model::Ranking& ranking, const std::string& currency) {
    std::string text =
        fmt::format("\n  {} ways considered, {} whole scenarios evaluated; {} in the ranking, {} listed; left out:\n",
                    ranking.considered, ranking.evaluated, ranking.ranked, ranking.plans.size());
    for (const model::Exclusion& exclusion : ranking.excluded) {
        text += fmt::format("  {:6} {}{}, such as {}{}\n", exclusion.count, exclusion.reason,
                            exclusion.note ? " (" + *exclusion.note + ")" : "", exclusion.examples.front(),
                            exclusion.reason == code_name(model::Code::missing_exchange_rate)
                                ? "; give --rate CURRENCY=" + currency + " of each currency"
                                : "");
    }
    return text;
}

std::string ranking_text(const answers::RankInputs& inputs, const model::Ranking& ranking) {
    const std::string& currency = inputs.question.work.currency;
    const bool is_money = ranking.decide_by != model::Objective::energy_kwh && ranking.decide_by != model::Objective::carbon_kg;
    Table table;
    std::vector<std::string> header = {"plan",
                                       "instances or servers",
                                       fmt::format("{}{}", name_of(ranking.decide_by), is_money ? ", " + currency : ""),
                                       fmt::format("{}/million units", currency),
                                       "utilization",
                                       "evidence"};
    if (ranking.uncertainty) {
        header.insert(header.end(), {"p10 to p90", "best", "holds"});
    }
    table.row(header);
    std::string reasons;
    for (std::size_t i = 0; i < ranking.plans.size(); ++i) {
        const model::ScenarioPlan& plan = ranking.plans[i];
        const model::WorkloadSummary& first = plan.summary.workloads.front();
        std::vector<std::string> row = {
            fmt::format("{} {}{}{}", i + 1, plan.scenario.name,
                        answers::is_without_hosts(ranking.decide_by, plan.summary).value_or(false) ? ", without hosts" : "",
                        !is_money && answers::is_power_assumed(plan.summary) ? ", watts assumed" : ""),
            units_of(plan),
            money(plan.decisive),
            money(plan.run || plan.is_by_size ? per_million(plan) : first.cost_per_million_units),
            percent(model::row_of(plan).utilization),
            std::string(first.evidence ? name_of(*first.evidence) : "hosted")};
        if (ranking.uncertainty) {
            row.push_back(interval_text(*plan.chances) + (plan.chances->tied ? ", level" : ""));
            row.push_back(percent(plan.chances->best));
            row.push_back(percent(plan.chances->feasible));
        }
        table.row(row);
        reasons += reasons_text(plan, i);
    }
    std::string text = ranking.plans.empty() ? nothing_text(ranking) : table.text() + "\n" + reasons + "\n";
    text += checkpoints_text(ranking.other_checkpoints) + nearest_text(ranking.nearest);
    text += nearest_text(ranking.nearest_run) + mix_text(ranking.mix);
    text += ranking.level.empty() ? "" : fmt::format("  {}\n\n", ranking.level);
    text += apart_text(ranking, is_money ? " " + currency : "");
    text += ranking.uncertainty ? probabilities_text(*ranking.uncertainty, inputs.question) : "";
    text += ignored_text(inputs.question.ignore_unserved) + assumptions_text(ranking.assumptions);
    return text + excluded_text(ranking, currency);
}

int print_ranking(const std::string& format, const answers::RankInputs& inputs, const model::Ranking& ranking) {
    if (format == "table") {
        fmt::print("{}", printable(ranking_text(inputs, ranking)));
        return kDone;
    }
    const std::string json = answers::encode_ranking(inputs, ranking);
    const auto text = format == "xlsx" ? answers::encode_rank_workbook(json) : model::Result<std::string>(json + "\n");
    return !text ? refuse(text.error()) : write_file("", *text) ? kDone : kWorldFailed;
}

bool is_file(const std::string& name) { return name == "-" || name.ends_with(".json"); }

} // namespace

int rank(const RankOptions& options) {
    answers::WorkInWords bare;
    bare.model = options.work.model;
    if (is_file(bare.model) && options.work != bare) {
        fmt::print(stderr, "{}: a file states the work itself; of the options --samples, --seed and --format go with it\n",
                   bare.model);
        return kWrongInput;
    }
    if (options.work.trains && !options.work.tokens && !options.work.tokens_per_epoch) {
        fmt::print(stderr, "--train needs --tokens, of the whole run, or --tokens-per-epoch with --epochs\n");
        return kWrongInput;
    }
    const std::optional<std::string> text = is_file(bare.model) ? read_file(bare.model) : "";
    if (!text) {
        fmt::print(stderr, "{}: can't be read; is the path right?\n", bare.model);
        return kWorldFailed;
    }
    const model::Result<ParsedJson> body = is_file(bare.model) ? answers::parse_body(*text) : answers::request_of(options.work);
    return with_store(options.database, [&](const storage::Store* store) -> int {
        documents::Source source(*store, std::nullopt);
        auto inputs = body.and_then([&](const ParsedJson& request) { return answers::rank_inputs(request, source); });
        if (!inputs) {
            return refuse(inputs.error());
        }
        if (options.samples) {
            inputs->question.samples = *options.samples == 0 ? std::nullopt : options.samples;
        }
        inputs->question.seed = options.seed.value_or(inputs->question.seed);
        if (inputs->catalog.offers.empty() && inputs->catalog.servers.empty() && inputs->catalog.endpoints.empty()) {
            fmt::print(stderr, "{} has no offers, servers or endpoints; costcurve import json deploy/catalog/*.json stores ours\n",
                       options.database);
            return kWrongInput;
        }
        Bar bar;
        jobs::Watch watch;
        watch.progress = [&](std::size_t done, std::size_t total) { bar.show("ranking", done, total); };
        jobs::Threads threads(0, std::move(watch));
        const auto ranking = model::rank(inputs->question, inputs->catalog, threads.runner());
        return ranking ? print_ranking(options.format, *inputs, *ranking) : refuse(ranking.error());
    });
}

} // namespace costcurve::commands
