// The options of `costcurve rank`, by the rows of what they state.
#include "server/answers/rank.hpp"
#include "server/commands/option_rows.hpp"

namespace costcurve::commands {

void add_rank(CLI::App& verb, RankOptions& options) {
    verb.add_option("MODEL", options.work.model,
                    "a model's id, such as llama-3.1-70b, or a JSON file of POST /v1/rank; - is standard input")
        ->required();
    verb.add_option("--rps", options.work.requests_per_s, "requests/s on average")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    verb.add_option("--input", options.work.input_tokens, "tokens of a request's prompt")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    verb.add_option("--output", options.work.output_tokens, "tokens of its answer")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    add_member<model::Demand>(verb, "--growth", "growth_per_month", options.work.growth_per_month);
    add_member<model::Workload>(verb, "--peak-utilization", "peak_utilization", options.work.peak_utilization);
    add_member<model::Slo>(verb, "--ttft-s", "ttft_s", options.work.slo.ttft_s);
    add_member<model::Slo>(verb, "--itl-s", "itl_s", options.work.slo.itl_s);
    add_member<model::Slo>(verb, "--e2e-s", "e2e_s", options.work.slo.e2e_s);
    add_member<model::Slo>(verb, "--percentile", "percentile", options.work.slo.percentile)->capture_default_str();
    add_renamed(verb, "rank");
    add_member<model::ScenarioDocument>(verb, "--start", "start", options.work.start)
        ->required(false)
        ->description("YYYY-MM; this month where it isn't given");
    add_member<model::ScenarioDocument>(verb, "--months", "months", options.work.months)->required(false)->capture_default_str();
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
    add_format(verb, options.format, "table or json", {"table", "json"});
    add_database(verb, options.database)->capture_default_str();
}

} // namespace costcurve::commands
