// The reader of each format: a pure function from bytes to documents, in its own file. The table in formats.cpp lists them.
#pragma once

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// Reads a table by a mapping of its columns (server/import/columns/formats, compiled in).
HardError read_by_mapping(std::string_view mapping, Bytes& bytes, const Options& options, Report& report);
extern const std::string_view slurm_prices_mapping; // NOLINT(readability-identifier-naming): by the file's name

template <const std::string_view& mapping> HardError read_mapped(Bytes& bytes, const Options& options, Report& report) {
    return read_by_mapping(mapping, bytes, options, report);
}

HardError read_aiconfigurator(Bytes& bytes, const Options& options, Report& report);
HardError read_columns(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_calculon(Bytes& bytes, const Options& options, Report& report);
HardError read_day_ahead(Bytes& bytes, const Options& options, Report& report);
HardError read_model_config(Bytes& bytes, const Options& options, Report& report);
HardError read_epoch_hardware(Bytes& bytes, const Options& options, Report& report);
HardError read_grid_carbon(Bytes& bytes, const Options& options, Report& report);
HardError read_hourly_carbon(Bytes& bytes, const Options& options, Report& report);
HardError read_hourly_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_llm_trace(Bytes& bytes, const Options& options, Report& report);
HardError read_request_log(Bytes& bytes, const Options& options, Report& report);
HardError read_request_rate(Bytes& bytes, const Options& options, Report& report);
HardError read_gpu_duty_cycle(Bytes& bytes, const Options& options, Report& report);
HardError read_job_list(std::span<const NamedText> files, const Options& options, Report& report);

HardError read_measured_run(Bytes& bytes, const Options& options, Report& report);
HardError read_rate_measurements(Bytes& bytes, const Options& options, Report& report);
HardError read_accelerator_recipes(Bytes& bytes, const Options& options, Report& report);
HardError read_mlperf_training(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_mlperf_inference(Bytes& bytes, const Options& options, Report& report);
HardError read_ml_energy(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_dawnbench(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_inferencex(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_aiperf(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_genai_perf(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_inference_perf(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_vllm_bench(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_training_costs(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_price_index(Bytes& bytes, const Options& options, Report& report);
HardError read_skypilot(Bytes& bytes, const Options& options, Report& report);
HardError read_focus(Bytes& bytes, const Options& options, Report& report);
HardError read_focus_commitments(Bytes& bytes, const Options& options, Report& report);
HardError read_spot_traces(std::span<const NamedText> files, const Options& options, Report& report);
HardError read_tpu_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_epoch_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_opencost(Bytes& bytes, const Options& options, Report& report);
HardError read_opencost_allocation(Bytes& bytes, const Options& options, Report& report);
HardError read_api_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_litellm_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_gpu_price_feed(Bytes& bytes, const Options& options, Report& report);
HardError read_genai_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_inferencex_costs(Bytes& bytes, const Options& options, Report& report);
HardError read_llm_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_openrouter(Bytes& bytes, const Options& options, Report& report);
HardError read_gpu_catalog(Bytes& bytes, const Options& options, Report& report);
HardError read_instance_power(Bytes& bytes, const Options& options, Report& report);
HardError read_openei(Bytes& bytes, const Options& options, Report& report);
HardError read_power_distribution(Bytes& bytes, const Options& options, Report& report);
HardError read_specpower(Bytes& bytes, const Options& options, Report& report);
HardError read_utilization_distribution(Bytes& bytes, const Options& options, Report& report);
HardError read_zeus_power(std::span<const NamedText> files, const Options& options, Report& report);

} // namespace costcurve::imports
