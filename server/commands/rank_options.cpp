// The options of `costcurve rank`, by the rows of what they state.
#include <array>
#include <span>

#include "server/answers/rank/rank.hpp"
#include "server/commands/option_rows.hpp"

namespace costcurve::commands {

namespace {

// The workload: the model, its requests and their objectives.
void add_work(CLI::App& verb, answers::WorkInWords& work) {
    verb.add_option("MODEL", work.model,
                    "a model's id, such as llama-3.1-70b, or a JSON file of POST /v1/rank; - is standard input")
        ->required();
    verb.add_option("--rps", work.requests_per_s, "requests/s on average")->check(at_least_zero(false))->capture_default_str();
    verb.add_option("--input", work.input_tokens, "tokens of a request's prompt")
        ->check(at_least_zero(true))
        ->capture_default_str();
    verb.add_option("--output", work.output_tokens, "tokens of its answer")->check(at_least_zero(true))->capture_default_str();
    verb.add_option("--cached", work.cached_tokens, "of the tokens of --input, those that a cache holds")
        ->check(at_least_zero(true));
    verb.add_option("--reasoning", work.reasoning_tokens, "tokens of reasoning before the answer")->check(at_least_zero(true));
    verb.add_option("--input-p95", work.input_p95, "95th percentile of --input: requests differ in length")
        ->check(at_least_zero(false));
    verb.add_option("--output-p95", work.output_p95, "95th percentile of --output")->check(at_least_zero(false));
    add_member<model::RankLimits>(verb, "--precision", "precision", work.precision)
        ->check(CLI::IsMember(words_of(model::enum_names<model::NumberFormat>)));
    verb.add_option("--shape", work.shape, "office, consumer or flat, or the id of a demand curve; office where absent");
    verb.add_option("--burst", work.burst, "bursts inside the hour: times its mean, seconds of one, times a day")
        ->expected(3)
        ->type_name("FACTOR SECONDS PER_DAY");
    add_member<model::Demand>(verb, "--growth", "growth_per_month", work.growth_per_month);
    add_member<model::Workload>(verb, "--peak-utilization", "peak_utilization", work.peak_utilization);
    add_member<model::Slo>(verb, "--ttft-s", "ttft_s", work.slo.ttft_s);
    add_member<model::Slo>(verb, "--itl-s", "itl_s", work.slo.itl_s);
    add_member<model::Slo>(verb, "--e2e-s", "e2e_s", work.slo.e2e_s);
    add_member<model::Slo>(verb, "--percentile", "percentile", work.slo.percentile)->capture_default_str();
}

// What requests that are answered at once alone have.
constexpr auto kOnline = std::to_array<const char*>(
    {"--rps", "--shape", "--burst", "--growth", "--peak-utilization", "--ttft-s", "--itl-s", "--e2e-s", "--percentile"});

void exclude_all(CLI::Option& option, CLI::App& verb, std::span<const char* const> others) {
    for (const char* const other : others) {
        option.excludes(verb.get_option(other));
    }
}

// In place of requests a second: batch work.
void add_batch(CLI::App& verb, answers::WorkInWords& work) {
    CLI::Option* const requests =
        add_member<model::Workload>(verb, "--requests-per-month", "requests_per_month", work.requests_per_month)
            ->required(false)
            ->description("that may wait, in place of --rps: batch work");
    add_member<model::Workload>(verb, "--deadline-hours", "deadline_hours", work.deadline_hours)->needs(requests);
    exclude_all(*requests, verb, kOnline);
}

// In place of requests: a run of training.
void add_run(CLI::App& verb, answers::WorkInWords& work) {
    CLI::Option* const train = verb.add_flag("--train", work.trains, "trains MODEL, in place of serving it");
    CLI::Option* const tokens =
        verb.add_option("--tokens", work.tokens, "of the whole run, all epochs")->needs(train)->check(CLI::PositiveNumber);
    verb.add_option("--tokens-per-epoch", work.tokens_per_epoch, "in place of --tokens")
        ->needs(train)
        ->excludes(tokens)
        ->check(CLI::PositiveNumber);
    add_member<model::Workload>(verb, "--epochs", "epochs", work.epochs)->needs(train)->capture_default_str();
    add_member<model::Workload>(verb, "--sequence", "sequence", work.sequence)->needs(train);
    add_member<model::Workload>(verb, "--within-days", "within_days", work.within_days)
        ->needs(train)
        ->description("that the run may take, nine times in ten; 30 where absent");
    add_member<model::Workload>(verb, "--method", "method", work.method)
        ->needs(train)
        ->check(CLI::IsMember(words_of(model::enum_names<model::TrainingMethod>)));
    constexpr auto kRequests = std::to_array<const char*>(
        {"--input", "--output", "--cached", "--reasoning", "--input-p95", "--output-p95", "--requests-per-month"});
    exclude_all(*train, verb, kOnline);
    exclude_all(*train, verb, kRequests);
}

} // namespace

void add_rank(CLI::App& verb, RankOptions& options) {
    add_work(verb, options.work);
    add_batch(verb, options.work);
    add_run(verb, options.work);
    add_renamed(verb, "rank");
    add_member<model::ScenarioDocument>(verb, "--start", "start", options.work.start)
        ->required(false)
        ->description("YYYY-MM; this month where it isn't given");
    add_member<model::ScenarioDocument>(verb, "--months", "months", options.work.months)
        ->required(false)
        ->description("the horizon; 36 of serving, 12 of training, where absent");
    add_member<model::Finance>(verb, "--decide-by", "decide_by", options.work.decide_by)
        ->check(CLI::IsMember(words_of(model::enum_names<model::Objective>)));
    add_member<model::Finance>(verb, "--discount-rate", "discount_rate", options.work.discount_rate);
    add_member<model::Finance>(verb, "--tax-rate", "tax_rate", options.work.tax_rate);
    add_member<answers::RankRequest>(verb, "--include", "include", options.work.include)
        ->check(CLI::IsMember(words_of(model::enum_names<model::Way>)));
    add_member<model::RankLimits>(verb, "--provider", "providers", options.work.providers);
    add_member<model::RankLimits>(verb, "--region", "regions", options.work.regions);
    add_member<model::RankLimits>(verb, "--device", "devices", options.work.devices);
    add_member<model::RankLimits>(verb, "--purchase", "purchases", options.work.purchases)
        ->check(CLI::IsMember(words_of(model::enum_names<model::Purchase>)));
    add_member<model::RankLimits>(verb, "--kind", "kinds", options.work.kinds)
        ->check(CLI::IsMember(words_of(model::enum_names<model::DeviceKind>)));
    add_member<model::RankLimits>(verb, "--site", "sites", options.work.sites);
    add_member<model::RankLimits>(verb, "--evidence", "evidence", options.work.evidence)
        ->check(CLI::IsMember(words_of(model::enum_names<model::Evidence>)));
    add_member<model::RankLimits>(verb, "--max-price-age-days", "max_price_age_days", options.work.max_price_age_days);
    add_named_numbers(verb, "--rate", model::spec_of(model::field_rows<model::ScenarioDocument>, "exchange_rates"),
                      "CURRENCY=USD for one of it", options.work.exchange_rates);
    add_named_numbers(verb, "--discount", model::spec_of(model::field_rows<answers::RankRequest>, "discounts"), "PROVIDER=fraction",
                      options.work.discounts);
    add_member<answers::RankRequest>(verb, "--samples", "samples", options.samples);
    add_member<answers::RankRequest>(verb, "--seed", "seed", options.seed);
    add_member<answers::RankRequest>(verb, "--top", "top", options.work.top)->capture_default_str();
    add_ignore_unserved(verb, options.work.ignore_unserved);
    add_member<answers::RankRequest>(verb, "--spares", "spares", options.work.spares);
    add_member<answers::RankRequest>(verb, "--availability", "availability", options.work.availability);
    add_member<answers::RankRequest>(verb, "--spot", "spot", options.work.spot)
        ->check(CLI::IsMember(words_of(model::enum_names<model::SpotUse>)));
    add_member<answers::RankRequest>(verb, "--ported", "ported", options.work.ported)
        ->delimiter(',')
        ->check(CLI::IsMember(words_of(model::enum_names<model::DeviceKind>)));
    add_member<answers::RankRequest>(verb, "--stored-copies", "stored_copies", options.work.stored_copies);
    add_member<model::Workload>(verb, "--stored-gb", "stored_gb", options.work.stored_gb)
        ->description("of weights that lie with the seller, in place of --stored-copies")
        ->excludes(verb.get_option("--stored-copies"));
    add_format(verb, options.format, "table, json or xlsx (a workbook, the first plan's costs with formulas)",
               {"table", "json", "xlsx"});
    add_database(verb, options.database)->capture_default_str();
}

} // namespace costcurve::commands
