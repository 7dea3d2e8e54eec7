// The formats of published files in words, by the subject that they are about.
export const formatGroups = {
  "Prices of GPUs and TPUs": {
    skypilot: "SkyPilot's list of virtual machines",
    gpu_price_feed: "history of gpu-price-feed",
    tpu_prices: "Google's TPU prices (gpuhunt)",
    gpu_catalog: "GPU types with their cost by cloud",
    epoch_prices: "Epoch AI's hardware prices",
    inferencex_costs: "InferenceX's cost constants",
    slurm_prices: "SkyPilot's prices for Slurm",
    opencost: "OpenCost's custom price sheet",
    price_index: "price index of FRED",
    columns: "a table of your own, with a mapping of its columns",
  },
  "Prices of hosted models": {
    litellm_prices: "LiteLLM's list of model prices",
    llm_prices: "a vendor's model prices with their history (llm-prices)",
    genai_prices: "a provider's model prices (genai-prices)",
    openrouter: "OpenRouter's list of models",
    api_prices: "model prices per million tokens (llm-d-planner)",
  },
  Bills: { focus: "a bill in the FOCUS format", opencost_allocation: "OpenCost's allocations" },
  "Energy and carbon": {
    day_ahead: "day-ahead prices of power",
    hourly_prices: "8,760 power prices of a year",
    openei: "OpenEI's utility rates",
    grid_carbon: "carbon of the grid by region",
    instance_power: "watts of cloud instances",
    specpower: "SPECpower results",
    power_distribution: "distribution of power",
  },
  "Measured speed": {
    mlperf_inference: "MLPerf inference results",
    mlperf_training: "MLPerf training logs",
    inferencex: "InferenceX runs",
    ml_energy: "ML.ENERGY leaderboard",
    vllm_bench: "vLLM's serving benchmark",
    inference_perf: "inference-perf reports",
    genai_perf: "GenAI-Perf runs",
    aiperf: "AIPerf runs",
    accelerator_recipes: "recipes of accelerators' makers",
    dawnbench: "DAWNBench entries",
    zeus_power: "Zeus, training under power limits",
    training_costs: "Epoch AI's training runs",
  },
  Devices: {
    epoch_hardware: "Epoch AI's table of hardware",
    aiconfigurator: "system file of aiconfigurator",
    calculon: "system file of Calculon",
  },
  "Demand and use": {
    llm_trace: "trace of requests with their tokens",
    request_log: "log of requests",
    request_rate: "samples of requests per second",
    job_list: "list of jobs with their GPUs",
    gpu_duty_cycle: "samples of GPU busy time",
    utilization_distribution: "distribution of utilization",
  },
};

const named = new Map(Object.values(formatGroups).flatMap((formats) => Object.entries(formats)));
export const formatName = (format) => named.get(format) ?? String(format ?? "").replaceAll("_", " ");

// Options of a select, of those that the daemon reads; what has no words here stands under its name.
export function formatOptions(known) {
  const grouped = Object.entries(formatGroups).flatMap(([group, formats]) =>
    Object.entries(formats)
      .filter(([value]) => known.includes(value))
      .map(([value, text]) => ({ value, text: `${text} (${value})`, group })),
  );
  const others = known
    .filter((value) => !named.has(value))
    .map((value) => ({ value, text: value.replaceAll("_", " "), group: "Other" }));
  return [...grouped, ...others];
}

// The formats and the options that the daemon takes, from its description.
export function importParameters(description) {
  const parameters = description.paths["/v1/imports"].post.parameters.filter((parameter) => parameter.in === "query");
  const format = parameters.find((parameter) => parameter.name === "format");
  const others = ["format", "dry_run", "changes", "force", "keep_stored", "name"];
  return {
    formats: format.schema.pattern.replace(/^\^\(|\)\$$/g, "").split("|"),
    options: parameters.filter((parameter) => !others.includes(parameter.name)),
  };
}
