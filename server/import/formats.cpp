// The table of import formats and the checks of their options.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/identity/added_names.hpp"
#include "server/import/importer.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/unread_fields.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

bool is_currency(std::string_view value) {
    return value.size() == 3 && std::all_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_device(std::string_view value) { return device_of(value) || make_id({value}) == value; }

bool is_device_count(std::string_view value) {
    const Number number = parse_number(value);
    return number && number.value >= 1.0 && number.value <= 1e6 && number.value == static_cast<int>(number.value);
}

constexpr auto kOptions = std::to_array<OptionRow>({
    {"source", &Options::source, "where the file is from: repository and commit, or URL; kept in what is made of it"},
    {"date", &Options::date,
     "YYYY-MM-DD: since when prices hold that have no date of their own; the day at which relative times begin",
     [](std::string_view value) {
         double day = 0.0;
         return model::parse_date(value, day);
     },
     Code::bad_format, "give a day that exists, as YYYY-MM-DD"},
    {"provider", &Options::provider, "of price lists that do not name one: aws, gcp, azure, lambda, runpod …"},
    {"region", &Options::region, "of what does not name one"},
    {"currency", &Options::currency, "of price lists that do not name one, such as USD", is_currency, Code::bad_format,
     "give three capital letters, such as USD"},
    {"device", &Options::device, "which device it is about, where the file does not say: an id, or a name such as H100", is_device,
     Code::unknown_value, "give a device's id, or a name that an alias knows, such as H100"},
    {"devices", &Options::devices, "how many of the device the figures are of", is_device_count, Code::out_of_range,
     "give a whole number from 1 to 1000000"},
    {"model", &Options::model, "which model results are of, where the file does not say: an id such as llama-3.3-70b",
     [](std::string_view value) { return make_id({value}) == value; }, Code::bad_format,
     "give a model's id, family, version and size, such as llama-3.3-70b"},
    {"time_zone", &Options::time_zone, "of local times in the file, such as Europe/Brussels",
     [](std::string_view value) { return model::is_time_zone(std::string(value)); }, Code::unknown_value,
     "give an IANA time zone, such as Europe/Brussels"},
    {"unit", &Options::unit, "kWh or MWh: what prices of energy are per, where the header does not say",
     [](std::string_view value) { return lower(value) == "kwh" || lower(value) == "mwh"; }, Code::unknown_value, "give kWh or MWh"},
    {"tdp_w", &Options::tdp_w, "thermal design power of the device in W, where the file does not say",
     [](std::string_view value) {
         const Number tdp = parse_number(value);
         return tdp && tdp.value >= 1.0 && tdp.value <= 20000.0;
     },
     Code::out_of_range, "give 1 to 20000 W"},
    {"id", &Options::id, "of the one curve or document that the file becomes; of several, how their ids begin",
     [](std::string_view value) { return make_id({value}) == value; }, Code::bad_format, "give a slug, [a-z0-9][a-z0-9._-]{0,127}"},
});

constexpr auto kFormats = std::to_array<Format>({
    {"accelerator_recipes",
     "results in recipes of accelerators' makers (tpu-recipes, gpu-recipes, MaxText): tables in Markdown, step lines, vLLM's "
     "printouts",
     "", "source id device devices model", read_accelerator_recipes},
    {"aiconfigurator", "a system file of aiconfigurator (YAML): its device", "", "source device", read_aiconfigurator},
    {"aiperf", "a set: runs of AIPerf at several loads, its JSON or CSV of a run or the records of its requests (JSON lines)",
     "device devices", "source id model", nullptr, read_aiperf},
    {"api_prices", "prices of hosted models per million tokens (CSV, llm-d-planner): an endpoint each", "date", "currency source",
     read_api_prices},
    {"calculon", "a system file of Calculon (JSON): its device", "tdp_w", "source device", read_calculon},
    {"columns",
     "a set: tables of one's own (CSV), and a mapping (YAML) of their columns to the fields of offers, endpoints, servers …", "",
     "source date provider region currency device devices", nullptr, read_columns},
    {"dawnbench", "a set: the JSON of DAWNBench entries, and the TSV of those of training, matched by name", "",
     "source date device devices", nullptr, read_dawnbench},
    {"day_ahead", "day-ahead prices of a power exchange by the hour or quarter (ENTSO-E transparency platform): a tariff a year",
     "id time_zone", "source region currency unit", read_day_ahead},
    {"epoch_hardware", "Epoch AI's table of machine-learning hardware (CSV): devices", "", "source", read_epoch_hardware},
    {"epoch_prices", "Epoch AI's list of hardware prices (CSV): rentals by chip-hour and purchases, each with its date", "",
     "source", read_epoch_prices},
    {"focus",
     "a bill in the FinOps Open Cost and Usage Specification (FOCUS 1.0 to 1.4, CSV): what was paid, by day, resource and tags", "",
     "currency provider region source", read_focus},
    {"focus_commitments",
     "what contracts commit to (FOCUS 1.3 or 1.4, dataset Contract Commitment, CSV): prices of an hour over a term", "",
     "device provider region source", read_focus_commitments},
    {"genai_perf", "a set: runs of GenAI-Perf at several loads, its JSON or CSV of a run or of an analysis", "device devices",
     "source id model", nullptr, read_genai_perf},
    {"genai_prices", "prices of a provider's models per million tokens with the days that they begin on (YAML, genai-prices)",
     "date", "source", read_genai_prices},
    {"gpu_catalog", "GPU types with a cost per hour by cloud (JSON, llm-d-planner)", "date", "source", read_gpu_catalog},
    {"gpu_duty_cycle", "samples of GPU busy percent over time, by container (Alibaba): utilization by hour", "id",
     "source date time_zone", read_gpu_duty_cycle},
    {"gpu_price_feed", "the history of gpu-price-feed (JSON lines): the cheapest on-demand price of a GPU-hour by provider and GPU",
     "", "source", read_gpu_price_feed},
    {"grid_carbon", "carbon intensity of the grid by cloud region: a curve a region", "date", "source provider", read_grid_carbon},
    {"hourly_carbon",
     "carbon intensity of a grid by the hour (CSV, Electricity Maps): a curve a year, of direct and of life-cycle emissions",
     "id time_zone", "source region", read_hourly_carbon},
    {"hourly_prices",
     "electricity prices of the 8760 hours of a year, or of their halves or quarters, a number a line, per MWh (NREL SAM); "
     "option currency says of which",
     "id", "source currency", read_hourly_prices},
    {"inference_perf", "a set: reports of inference-perf (JSON), one a stage of load, and config.yaml", "device devices",
     "source id model", nullptr, read_inference_perf},
    {"inferencex", "a set: JSON of InferenceX (InferenceMAX) runs; those of one configuration become a curve over conc", "",
     "source device devices model", nullptr, read_inferencex},
    {"inferencex_costs", "InferenceX's cost constants (CSV): SemiAnalysis's estimates of a GPU-hour, rented and owned", "date",
     "source", read_inferencex_costs},
    {"instance_power", "watts of cloud instances and their GPUs at four loads (Cloud Carbon Footprint): power curves", "",
     "source provider", read_instance_power},
    {"job_list",
     "jobs with their times and GPUs (Alibaba; Slurm's sacct --parsable2), and the list of nodes that they ran on: demand by hour, "
     "and "
     "utilization where the number of GPUs is known",
     "id", "source date time_zone devices", nullptr, read_job_list},
    {"litellm_prices", "prices of hosted models per token by class (JSON, LiteLLM): an endpoint each", "date", "currency source",
     read_litellm_prices},
    {"llm_prices", "prices of a vendor's models per million tokens with their history (JSON, llm-prices)", "date", "source",
     read_llm_prices},
    {"llm_trace",
     "requests with their tokens in and out, as CSV (Azure, BurstGPT) or JSON lines (Mooncake): demand by hour, of requests and "
     "tokens",
     "id", "source date time_zone", read_llm_trace},
    {"measured",
     "a file of `costcurve measure` (JSON): a measurement of one's own of serving, and the card's power curve, or of training", "",
     "source id device model", read_measured_run},
    {"measured_rates",
     "measured rates of language models with their conditions (CSV, a row a point; aiconfigurator's silicon samples too): "
     "measurements",
     "", "source", read_rate_measurements},
    {"ml_energy", "a set: JSON of the ML.ENERGY leaderboard, files of tasks or models (index.json may be among them)", "", "source",
     nullptr, read_ml_energy},
    {"mlperf_inference", "MLPerf inference results: summary_results.json, or summary.csv of a submitter", "", "source",
     read_mlperf_inference},
    {"mlperf_training", "a set: :::MLLOG logs of an MLPerf training result set, with systems/*.json and scaling.json", "",
     "source device devices id", nullptr, read_mlperf_training},
    {"model_config",
     "a checkpoint's config.json (Llama, Qwen, Mistral, Phi-3, Mixtral, DeepSeek, Kimi K2, gpt-oss): the model with its shape",
     "id", "source", read_model_config},
    {"opencost", "OpenCost's custom price sheet (CSV): prices of nodes and GPUs of a cluster", "date provider",
     "currency region source", read_opencost},
    {"opencost_allocation",
     "OpenCost's allocations (JSON of its API): what namespaces and controllers of a cluster cost, by day, with their labels", "",
     "currency provider region device source", read_opencost_allocation},
    {"openei", "rates of OpenEI's utility rate database (JSON): a tariff each", "", "source id date currency", read_openei},
    {"openrouter", "OpenRouter's list of models (JSON, api/v1/models): prices a token by class, an endpoint each", "date", "source",
     read_openrouter},
    {"power_distribution", "a cumulative distribution of power (value, cdf_percent): a power curve of two points", "id",
     "source devices", read_power_distribution},
    {"price_index", "a FRED series (observation_date, index): a price curve over date, of what costs 1 on `date`", "date",
     "source id currency", read_price_index},
    {"request_log", "requests with their execution seconds or status (Alibaba): demand by hour", "id", "source date time_zone",
     read_request_log},
    {"request_rate", "samples of requests/s over time (Alibaba qps): demand by hour, for each type of request", "id",
     "source date time_zone", read_request_rate},
    {"skypilot", "SkyPilot's catalogue of virtual machines (vms.csv): on-demand and spot prices of instance types and TPU slices",
     "date provider", "currency source", read_skypilot},
    {"slurm_prices", "SkyPilot's template of on-premises prices for Slurm (CSV)", "date provider", "currency source",
     read_mapped<slurm_prices_mapping>},
    {"specpower", "results of SPECpower_ssj2008: power curves of hosts", "", "source", read_specpower},
    {"spot_traces", "a set: traces of spot instances in a zone (JSON, skypilot-org/spot-traces): when they are to be had", "id",
     "source date", nullptr, read_spot_traces},
    {"tpu_prices", "Google's TPU prices of a chip-hour by generation and region (JSON, gpuhunt): on demand, committed, spot",
     "date", "currency source", read_tpu_prices},
    {"training_costs", "a set: Epoch AI's \"All ML Systems\" and, beside it, model_costs.csv; estimates by published MFU or hours",
     "", "source", nullptr, read_training_costs},
    {"utilization_distribution", "a cumulative distribution of utilization (value, cdf_percent): a duration curve", "id", "source",
     read_utilization_distribution},
    {"vllm_bench", "a set: results of vLLM's serving benchmark (JSON), one a number of requests at a time", "device devices",
     "source id model", nullptr, read_vllm_bench},
    {"zeus_power",
     "training under power limits as Zeus measured it (summary_power, with summary_train beside it, and sweeps): throughput", "",
     "source device", nullptr, read_zeus_power},
});

bool names(std::string_view list, std::string_view option) {
    return fmt::format(" {} ", list).find(fmt::format(" {} ", option)) != std::string::npos;
}

// Reads, and reports which fields of the file the reader never accessed.
template <class Read> HardError read_noting_fields(std::string_view format, Report& report, const Read& read) {
    UnreadFields fields;
    HardError error = read();
    if (!error) {
        fields.warn(format, report);
    }
    return error;
}

} // namespace

std::span<const OptionRow> import_options() { return kOptions; }
std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
    const auto found = std::ranges::find(kFormats, name, &Format::name);
    return found == kFormats.end() ? nullptr : &*found;
}

bool needs(const Format& format, std::string_view option) { return names(format.needs, option); }

bool heeds(const Format& format, std::string_view option) { return needs(format, option) || names(format.takes, option); }

model::Failure check_options(const Format& format, const Options& options) {
    const NamesInUse in_use(options.names);
    constexpr std::size_t kMaxValue = 1000; // characters
    model::Failure issues;
    for (const OptionRow& row : kOptions) {
        const std::string& value = options.*row.member;
        const auto wrong = [&](Code code, std::string message) {
            issues.push_back({fmt::format("/{}", row.name), code, std::move(message)});
        };
        if (value.empty()) {
            if (needs(format, row.name)) {
                wrong(Code::missing, fmt::format("{} needs it: {}", format.name, row.help));
            }
            continue;
        }
        if (!heeds(format, row.name)) {
            wrong(Code::not_allowed, fmt::format("{} has no use for it", format.name));
        } else if (value.size() > kMaxValue) {
            wrong(Code::too_large, fmt::format("it is longer than {} characters", kMaxValue));
        } else if (row.is_valid != nullptr && !row.is_valid(value)) {
            wrong(row.code, std::string(row.advice));
        }
    }
    return issues;
}

HardError read_file(const Format& format, Bytes& bytes, const Options& options, Report& report) {
    const NamesInUse in_use(options.names);
    if (format.read != nullptr) {
        return read_noting_fields(format.name, report, [&] { return format.read(bytes, options, report); });
    }
    std::optional<std::string> text = bytes.whole();
    if (!text) {
        return bytes.error();
    }
    const NamedText file{options.name, std::move(*text)};
    return read_noting_fields(format.name, report, [&] { return format.read_set({&file, 1}, options, report); });
}

HardError read_files(const Format& format, std::span<const NamedText> files, const Options& options, Report& report) {
    const NamesInUse in_use(options.names);
    return read_noting_fields(format.name, report, [&] { return format.read_set(files, options, report); });
}

std::string source_of(const Options& options, std::string_view entry) {
    std::string source = options.source;
    for (const std::string_view part : {std::string_view(options.name), entry}) {
        source += (source.empty() || part.empty() ? "" : " ") + std::string(part);
    }
    return source;
}

model::Issue hard_error(Code code, std::size_t row, std::string_view message) {
    return {"", code, row == 0 ? std::string(message) : fmt::format("row {}: {}", row, message)};
}

} // namespace costcurve::imports
