// `costcurve rank`: plans for a model and a request rate, or for a request of POST /v1/rank, over the stored catalogue.
#include <fmt/format.h>

#include "server/answers/rank.hpp"
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
    int servers = 0;
    for (const model::ServerPurchase& purchase : pool.purchases) {
        servers += purchase.servers;
    }
    return pool.kind == model::PoolKind::owned ? fmt::format("{}", servers) : "";
}

// "4x fp8, 256 at once", of each pool of devices.
std::string replicas_text(const model::ScenarioPlan& plan) {
    std::string text;
    for (const model::Replica& replica : model::replicas_of(plan)) {
        if (replica.workload != plan.scenario.workloads.front().id) {
            continue;
        }
        text += fmt::format("{}{:.4g}x{}{}", text.empty() ? "" : " + ", replica.devices, replica.precision.empty() ? "" : " ",
                            replica.precision);
        text += replica.concurrency ? fmt::format(", {} at once", *replica.concurrency) : "";

        text += replica.spares > 0 ? fmt::format(", {} spare", replica.spares) : "";
    }
    return text.empty() ? std::string(kMissing) : text;
}

// "62 %, 0.41 s, 0.021 s": of each pool of devices, in the highest hour.
std::string peak_text(const model::ScenarioPlan& plan) {
    const auto seconds = [](const std::optional<double>& time) {
        return time ? fmt::format("{:.2g} s", *time) : std::string(kMissing);
    };
    std::string text;
    for (const model::Replica& replica : model::replicas_of(plan)) {
        if (replica.workload == plan.scenario.workloads.front().id) {
            text += fmt::format("{}{}, {}, {}", text.empty() ? "" : " + ", percent(replica.at_peak.utilization),
                                seconds(replica.at_peak.ttft_s), seconds(replica.at_peak.itl_s));
        }
    }
    return text.empty() ? std::string(kMissing) : text;
}

// Why there is no plan, where objectives of latency are the reason.
std::string nearest_text(const std::optional<model::NearestDevice>& nearest) {
    return nearest
               ? fmt::format("nearest to the objectives of {} is {:.4g}x {}, {}: a request that waits for no other takes {:.3g} "
                             "s to its first token, {:.3g} s between tokens and {:.3g} s in all at the {:.4g}th percentile, {:.3g} "
                             "times the objective; state no less\n",
                             nearest->workload, nearest->devices, nearest->device, nearest->precision, nearest->ttft_s,
                             nearest->itl_s, nearest->e2e_s, nearest->percentile, nearest->times_over)
               : "";
}

// What the column of probabilities is.
std::string probabilities_text(const model::RankUncertainty& uncertainty, const model::RankQuestion& question,
                               const std::string& level) {
    return fmt::format(
        "{}\n  p10 to p90, best: of {} samples (seed {}) of demand, rates and prices, sized anew in each, of {} plans in the "
        "running;\n  one that is not listed is the best in {}, none can do the work in {}. Holds: in which the size as it stands "
        "does the work\n",
        level.empty() ? "" : fmt::format("\n  {}\n", level), question.samples.value_or(0), question.seed, uncertainty.in_running,
        percent(uncertainty.probability_others), percent(uncertainty.probability_none));
}

// "110,000 to 150,000".
std::string interval_text(const model::PlanChances& chances) {
    return chances.low ? fmt::format("{} to {}", money(chances.low), money(chances.high)) : std::string(kMissing);
}

// The instances or servers of a plan's pools.
std::string units_of(const model::ScenarioPlan& plan) {
    std::string text;
    for (const model::Pool& pool : plan.scenario.pools) {
        text += (text.empty() || units_text(pool).empty() ? "" : " + ") + units_text(pool);
    }
    return text.empty() ? std::string(kMissing) : text;
}

// Why the plan at a place stands there, and of which day its hosted prices are.
std::string reasons_text(const model::ScenarioPlan& plan, std::size_t place) {
    std::string text;
    if (!plan.why.empty()) {
        text += fmt::format("  {} against {}: {}\n", place + 1, place == 0 ? 2 : 1, plan.why);
    }
    for (const model::Pool& pool : plan.scenario.pools) {
        if (pool.kind == model::PoolKind::api) {
            text += fmt::format("  {} hosted: {}\n", place + 1, priced(pool, plan.scenario.start));
        }
    }
    return text;
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

std::string ranking_text(const answers::RankInputs& inputs, const model::Ranking& ranking) {
    const std::string& currency = inputs.question.work.currency;
    const bool is_money = ranking.decide_by != model::Objective::energy_kwh && ranking.decide_by != model::Objective::carbon_kg;
    Table table;
    std::vector<std::string> header = {"plan",
                                       "instances or servers",
                                       "replica",
                                       fmt::format("{}{}", name_of(ranking.decide_by), is_money ? ", " + currency : ""),
                                       fmt::format("{}/million units", currency),
                                       "utilization",
                                       "peak: busy, first token, next",
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
            replicas_text(plan),
            money(plan.decisive),
            money(first.cost_per_million_units),
            percent(model::row_of(plan).utilization),
            peak_text(plan),
            std::string(first.evidence ? name_of(*first.evidence) : "hosted")};
        if (ranking.uncertainty) {
            row.push_back(interval_text(*plan.chances) + (plan.chances->tied ? ", level" : ""));
            row.push_back(percent(plan.chances->best));
            row.push_back(percent(plan.chances->feasible));
        }
        table.row(row);
        reasons += reasons_text(plan, i);
    }
    std::string text = ranking.plans.empty() ? "nothing in the catalogue can do this work\n" + nearest_text(ranking.nearest)
                                             : table.text() + "\n" + reasons;
    if (ranking.uncertainty) {
        text += probabilities_text(*ranking.uncertainty, inputs.question, ranking.level);
    }
    text += ignored_text(inputs.question.ignore_unserved);
    text += assumptions_text(ranking.assumptions);
    text += fmt::format("\n  {} ways considered, {} whole scenarios evaluated; left out:\n", ranking.considered, ranking.evaluated);
    for (const model::Exclusion& exclusion : ranking.excluded) {
        text += fmt::format("  {:6} {}, such as {}{}\n", exclusion.count, exclusion.reason, exclusion.examples.front(),
                            exclusion.reason == code_name(model::Code::missing_exchange_rate)
                                ? "; give --rate CURRENCY=" + currency + " of each currency"
                                : "");
    }
    return text;
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
    const std::optional<std::string> text =
        is_file(options.work.model) ? read_file(options.work.model) : answers::text_of(options.work);
    if (!text) {
        fmt::print(stderr, "{}: can't be read; is the path right?\n", options.work.model);
        return kWorldFailed;
    }
    return with_store(options.database, [&](const storage::Store* store) -> int {
        documents::Source source(*store, std::nullopt);
        auto inputs = answers::parse_rank(*text, source);
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
        if (!ranking) {
            return refuse(ranking.error());
        }
        fmt::print("{}", options.format == "json" ? answers::encode_ranking(*inputs, *ranking) + "\n"
                                                  : printable(ranking_text(*inputs, *ranking)));
        return kDone;
    });
}

} // namespace costcurve::commands
