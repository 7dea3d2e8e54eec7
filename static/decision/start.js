// The start of a decision: fields about the work, its latency, where, how long and for how much; and the question for /v1/rank.
import { getAll } from "../api.js";
import { choice, h } from "../dom.js";
import { typedNumber } from "../format.js";
import { problemOf } from "../number_field.js";

// A parameter of the address each, with what it is where the address says nothing, or the field is empty.
const fields = [
  { name: "rps", label: "Traffic", value: 5, min: 0.000001, unit: "requests/s", help: "mean in the first month" },
  { name: "growth", label: "Growth", value: 0, min: -100, unit: "% a month", more: true },
  { name: "input", label: "Prompt", value: 500, min: 0, unit: "tokens", more: true },
  { name: "output", label: "Answer", value: 300, min: 0, unit: "tokens", more: true },
  {
    name: "latency",
    label: "Latency",
    value: "",
    min: 0,
    unit: "ms",
    help: "between tokens; empty: 100 at the 95th percentile",
  },
  { name: "first", label: "First token", value: "", min: 0, unit: "ms", help: "empty: 2000 at the 95th percentile", more: true },
  { name: "burst", label: "Bursts", value: "", min: 1, unit: "× mean", help: "peak over the hour's mean; empty: none", more: true },
  { name: "burst_s", label: "One lasts", value: 60, min: 0.001, unit: "s", more: true },
  { name: "bursts", label: "Bursts a day", value: 24, min: 0.001, unit: "a day", more: true },
  { name: "months", label: "Horizon", value: 36, min: 1, isWhole: true, unit: "months" },
  { name: "budget", label: "Budget", value: "", min: 0, help: "for the horizon; empty: none" },
  { name: "dollar", label: "One US dollar is", value: "", min: 0.000001, help: "the catalogue's prices are in dollars", foreign: true },
  { name: "discount", label: "Discount rate", value: 0, min: 0, max: 100, unit: "% a year", more: true },
  { name: "samples", label: "Draws", value: 400, min: 0, isWhole: true, unit: "samples", help: "of demand, rates and prices", more: true },
];
const places = [
  { value: "", text: "anywhere" },
  { value: "cloud", text: "cloud" },
  { value: "owned", text: "own servers" },
  { value: "api", text: "hosted models" },
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
// With the one of the address, which may be any seller's region.
const regionsWith = (named) => (regions.some(({ value }) => value === named) ? regions : [...regions, { value: named, text: named }]);

export const seed = 1; // of a ranking and of the decision made of it: the same draws give the same chances
const dollars = "USD";
// The currency of the plans and of the budget: any may stand in the address.
const currencies = [dollars, "AUD", "BRL", "CAD", "CHF", "CNY", "DKK", "EUR", "GBP", "INR", "JPY", "KRW", "NOK", "PLN", "SEK", "SGD"];
const currencyOf = (params) => (/^[A-Z]{3}$/.test(params.get("currency") ?? "") ? params.get("currency") : dollars);

export const parameters = [...fields.map((field) => field.name), "currency", "model", "start", "where", "region", "measured", "shape", "precision"];
const given = (params, field) => {
  const text = params.get(field.name) ?? field.value;
  return typedNumber(String(text));
};
const startOf = (params) => params.get("start") ?? new Date().toISOString().slice(0, 7);

// Models of which the catalogue has facts or a price.
export async function knownModels(signal) {
  const [models, endpoints] = await Promise.all([getAll("/v1/models", {}, signal), getAll("/v1/endpoints", {}, signal)]);
  return [...new Set([...models.map((model) => model.id), ...endpoints.map((endpoint) => endpoint.model)])].sort();
}

// `submit` gets the parameters of the address; what is as where the address says nothing is null.
export function startForm(params, known, submit) {
  const onsubmit = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const numbers = new Set(fields.map((field) => field.name));
    const plain = new Map([...fields.map((field) => [field.name, String(field.value)]), ["currency", dollars]]);
    const stated = (name) => {
      const number = numbers.has(name) ? typedNumber(data.get(name) ?? "") : null; // an empty field is as where the address says nothing
      return number === null ? (numbers.has(name) ? plain.get(name) : data.get(name)) : String(number);
    };
    submit(Object.fromEntries(parameters.map((name) => [name, stated(name) === plain.get(name) ? null : stated(name)])));
  };
  const labelled = (label, id, control, unit, help) =>
    h(
      "div",
      {},
      h("label", { for: id }, label),
      h("div", { class: "in" }, control, typeof unit === "string" ? h("span", {}, unit) : (unit ?? "")),
      help ? h("small", {}, help) : "",
    );
  const select = (label, name, options, value, required = false) =>
    labelled(
      label,
      name,
      choice(options, value, () => {}, { name, id: name, required }),
    );
  const model = params.get("model") ?? "";
  const currency = currencyOf(params);
  const unit = choice(
    [...new Set([...currencies, currency])].map((code) => ({ value: code, text: code })),
    currency,
    () => showCurrency(),
    { name: "currency", id: "currency", "aria-label": "Currency of the plans and the budget" },
  );
  const foreign = h("span", {});
  // What a dollar is is asked where it is another currency.
  function showCurrency() {
    const isForeign = unit.value !== dollars;
    const input = form.querySelector("#dollar");
    foreign.textContent = unit.value;
    input.required = isForeign;
    input.disabled = !isForeign; // is then not sent
    input.closest("div:not(.in)").hidden = !isForeign;
  }
  const number = (field) =>
    labelled(
      field.label,
      field.name,
      h("input", {
        id: field.name,
        name: field.name,
        inputmode: "decimal",
        autocomplete: "off",
        value: params.get(field.name) ?? field.value,
        placeholder: String(field.value),
        oninput: ({ target }) => target.setCustomValidity(problemOf(target.value, field)),
      }),
      field.name === "budget" ? unit : field.foreign ? foreign : field.unit,
      field.help,
    );
  const form = h(
    "form",
    { class: "form", onsubmit, "aria-label": "What is served" },
    select("Model", "model", [{ value: "", text: "choose one" }, ...known.map((id) => ({ value: id, text: id }))], model, true),
    fields.filter((field) => !field.more).map(number),
    select("Where", "where", places, params.get("where") ?? ""),
    h(
      "details",
      {
        class: "more",
        open: parameters.some(
          (name) => (["region", "measured", "shape", "precision"].includes(name) || fields.some((field) => field.name === name && field.more)) && params.get(name),
        ),
      },
      h("summary", {}, "Growth, tokens, week, bursts, start, discounting, region, weights, evidence"),
      h(
        "div",
        { class: "form" },
        fields.filter((field) => field.more).map(number),
        labelled(
          "From",
          "start",
          h("input", { type: "month", name: "start", id: "start", value: startOf(params), required: true }),
        ),
        select("In", "region", regionsWith(params.get("region") ?? ""), params.get("region") ?? ""),
        select("Asked by", "shape", shapes, params.get("shape") ?? ""),
        select("Weights", "precision", precisions, params.get("precision") ?? ""),
        select("Rates", "measured", evidences, params.get("measured") ?? ""),
      ),
    ),
    h("button", { type: "submit", class: "btn first", disabled: known.length === 0 }, "Find plans"),
  );
  showCurrency();
  return form;
}

// The question for /v1/rank.
export function rankRequest(params) {
  const value = Object.fromEntries(fields.map((field) => [field.name, given(params, field)]));
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
        units_per_request: { input: value.input, output: value.output },
        demand: {
          mean_per_s: value.rps,
          growth_per_month: value.growth / 100,
          ...(value.burst && { burst: { factor: value.burst, seconds: value.burst_s, per_day: value.bursts } }),
        },
        ...(Object.keys(slo).length && { slo }),
      },
    ],
    ...(value.discount && { finance: { discount_rate: value.discount / 100 } }),
    ...(params.get("shape") && { shape: params.get("shape") }),
    samples: value.samples,
    ...(value.samples && { seed }),
    ...(params.get("where") && { include: [params.get("where")] }),
    ...(Object.keys(limits).length && { limits }),
    ...(params.get("as_of") && { as_of: params.get("as_of") }),
  };
}
