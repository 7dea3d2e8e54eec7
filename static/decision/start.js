// The question of a decision: fields about the work, its latency, where, how long and for how much; and the request for /v1/rank.
import { getAll } from "../api.js";
import { count, number, typedNumber } from "../format.js";

// A parameter of the address each, with what it is where the address says nothing, or the field is empty.
const fields = [
  { name: "rps", label: "Traffic", value: 5, min: 0.000001, unit: "requests/s", help: "mean in the first month" },
  { name: "growth", label: "Growth", value: 0, min: -100, unit: "% a month" },
  { name: "input", label: "Prompt", value: 500, min: 0, unit: "tokens" },
  { name: "output", label: "Answer", value: 300, min: 0, unit: "tokens" },
  {
    name: "latency",
    label: "Latency",
    value: "",
    min: 0,
    unit: "ms",
    help: "between tokens; empty: 100 at the 95th percentile",
  },
  { name: "first", label: "First token", value: "", min: 0, unit: "ms", help: "empty: 2000 at the 95th percentile" },
  { name: "cached", label: "Cached", value: 0, min: 0, unit: "tokens", help: "of the prompt" },
  { name: "input_p95", label: "Long prompts", value: "", min: 1, unit: "tokens", help: "a request in 20 has more; empty: all alike" },
  { name: "output_p95", label: "Long answers", value: "", min: 1, unit: "tokens", help: "a request in 20 has more; empty: all alike" },
  { name: "burst", label: "Bursts", value: "", min: 1, unit: "× mean", help: "peak over the hour's mean; empty: none" },
  { name: "burst_s", label: "One lasts", value: 60, min: 0.001, unit: "s" },
  { name: "bursts", label: "Bursts a day", value: 24, min: 0.001, unit: "a day" },
  { name: "months", label: "Horizon", value: 36, min: 1, isWhole: true, unit: "months" },
  { name: "budget", label: "Budget", value: "", min: 0, help: "for the horizon; empty: none" },
  { name: "dollar", label: "One US dollar is", value: "", min: 0.000001, help: "the catalogue's prices are in dollars" },
  { name: "discount", label: "Discount rate", value: 0, min: 0, max: 100, unit: "% a year" },
  { name: "samples", label: "Draws", value: 400, min: 0, isWhole: true, unit: "samples", help: "of demand, rates and prices" },
];
// What the strip of the plans asks besides.
const promises = [
  { name: "availability", label: "Availability", value: 99.9, min: 0, max: 99.9999, unit: "%" },
  { name: "spares", label: "Spare replicas", value: 1, min: 0, isWhole: true, unit: "or more" },
  { name: "week", label: "An engineer's week", value: 4000, min: 0 },
];
const places = [
  { value: "", text: "anywhere" },
  { value: "cloud", text: "cloud" },
  { value: "owned", text: "own servers" },
  { value: "api", text: "hosted models" },
  { value: "pair", text: "prompts and answers on pools of their own" },
];
const shapes = [
  { value: "", text: "people at work" },
  { value: "consumer", text: "an audience" },
  { value: "flat", text: "the same at every hour" },
];
const precisions = [
  { value: "", text: "as published" },
  ...["bf16", "fp8", "int8", "fp4", "int4"].map((word) => ({ value: word, text: `${word} or wider` })),
];
const evidences = [
  { value: "", text: "measured and estimated" },
  { value: "measured", text: "measured, or between measurements" },
];
const regions = [
  { value: "", text: "any country" },
  { value: "eu", text: "European Union" },
  { value: "eea", text: "European Economic Area" },
  { value: "uk", text: "United Kingdom" },
  { value: "us", text: "United States" },
  { value: "apac", text: "Asia and Pacific" },
];
const spots = [
  { value: "", text: "above a base that does without" },
  { value: "never", text: "never" },
  { value: "all", text: "alone too" },
];
const ported = [
  { value: "", text: "GPUs and CPUs" },
  { value: "tpu", text: "TPUs too" },
  { value: "asic", text: "other accelerators too" },
];
// The fields of a question, by the name of their parameter: numbers, and what is chosen of a list.
export const questionNumbers = Object.fromEntries([...fields, ...promises].map((field) => [field.name, field]));
export const questionChoices = { where: places, shape: shapes, precision: precisions, measured: evidences, region: regions, spot: spots, ported };
// With the one of the address, which may be any seller's region.
export const regionsWith = (named) => (regions.some(({ value }) => value === named) ? regions : [...regions, { value: named, text: named }]);

export const seed = 1; // of a ranking and of the decision made of it: the same draws give the same chances
const dollars = "USD";
// The currency of the plans and of the budget: any may stand in the address.
export const currencies = [dollars, "AUD", "BRL", "CAD", "CHF", "CNY", "DKK", "EUR", "GBP", "INR", "JPY", "KRW", "NOK", "PLN", "SEK", "SGD"];
export const currencyOf = (params) => (/^[A-Z]{3}$/.test(params.get("currency") ?? "") ? params.get("currency") : dollars);

const rankedBy = ["energy_kwh", "carbon_kg"]; // in place of the cost
export const parameters = [
  ...Object.keys(questionNumbers),
  ...Object.keys(questionChoices),
  ...["by", "currency", "model", "start", "device", "provider", "purchase", "site"],
];
const given = (params, field) => {
  const text = params.get(field.name) ?? field.value;
  return typedNumber(String(text));
};
export const startOf = (params) => params.get("start") ?? new Date().toISOString().slice(0, 7);

// Models of which the catalogue has facts or a price, as the options of a picker.
export async function knownModels(signal) {
  const [models, endpoints] = await Promise.all([getAll("/v1/models", {}, signal), getAll("/v1/endpoints", {}, signal)]);
  const hosts = new Map();
  for (const { model } of endpoints) hosts.set(model, (hosts.get(model) ?? 0) + 1);
  const hosted = (id) => (hosts.has(id) ? count(hosts.get(id), "host") : "no host");
  const open = models.map(({ id, name, parameters: size }) => ({
    value: id,
    text: name ?? id,
    more: [id, size ? `${number(Number((size / 1e9).toPrecision(3)))} B parameters` : null, hosted(id)].filter(Boolean).join(" · "),
    hosts: hosts.get(id) ?? 0,
    group: "Weights are published",
  }));
  const stored = new Set(models.map(({ id }) => id));
  const closed = [...hosts.keys()]
    .filter((id) => !stored.has(id))
    .map((id) => ({ value: id, text: id, more: hosted(id), hosts: hosts.get(id), group: "Hosted alone" }));
  const byName = (list) => list.sort((a, b) => a.text.localeCompare(b.text, "en", { numeric: true }));
  return [...byName(open), ...byName(closed)];
}

// Tokens of a request: the mean of all, and where one in twenty has more than the 95th percentile, requests of many sizes.
function requestOf({ input, output, cached, input_p95, output_p95 }) {
  const known = Math.min(cached ?? 0, input);
  const mean = { input: input - known, ...(known && { cached_input: known }), output };
  const p95 = { ...(input_p95 && { input: input_p95 }), ...(output_p95 && { output: output_p95 }) };
  return Object.keys(p95).length ? { token_mix: { mean, p95 } } : { units_per_request: mean };
}

// The question for /v1/rank.
export function rankRequest(params) {
  const value = Object.fromEntries([...fields, ...promises].map((field) => [field.name, given(params, field)]));
  const finance = {
    ...(value.discount && { discount_rate: value.discount / 100, decide_by: "npv" }),
    ...(rankedBy.includes(params.get("by")) && { decide_by: params.get("by") }),
    ...(params.has("week") && { engineer_week_cost: value.week }),
  };
  const currency = currencyOf(params);
  const limits = {
    ...(params.get("measured") && { evidence: "interpolated" }),
    ...(params.get("precision") && { precision: params.get("precision") }),
    ...(params.get("region") && { regions: params.getAll("region") }),
  };
  const slo = {
    ...(value.latency && { itl_s: value.latency / 1000 }),
    ...(value.first && { ttft_s: value.first / 1000 }),
  };
  return {
    start: startOf(params),
    months: value.months,
    ...(currency !== dollars && { currency, ...(value.dollar && { exchange_rates: { [dollars]: value.dollar } }) }),
    workloads: [
      {
        id: "serve",
        kind: "inference",
        unit: "token",
        model: params.get("model"),
        ...requestOf(value),
        demand: {
          mean_per_s: value.rps,
          growth_per_month: value.growth / 100,
          ...(value.burst && { burst: { factor: value.burst, seconds: value.burst_s, per_day: value.bursts } }),
        },
        ...(Object.keys(slo).length && { slo }),
      },
    ],
    ...(Object.keys(finance).length && { finance }),
    ...(params.has("availability") && { availability: Number((value.availability / 100).toPrecision(12)) }),
    ...(params.has("spares") && { spares: value.spares }),
    ...(params.get("spot") && { spot: params.get("spot") }),
    ...(params.get("ported") && { ported: params.getAll("ported") }),
    ...(params.get("shape") && { shape: params.get("shape") }),
    samples: value.samples,
    ...(value.samples && { seed }),
    ...(params.get("where") && { include: [params.get("where")] }),
    ...(Object.keys(limits).length && { limits }),
    ...(params.get("as_of") && { as_of: params.get("as_of") }),
  };
}
