// The question of a rate: its fields, parameters of the address, request for /v1/rates, and links from documents and plans.
import { choice, h } from "../dom.js";
import { notANumber, typedNumber } from "../format.js";
import { problemOf } from "../number_field.js";
import { picker } from "../pickers/picker.js";
import { linkTo } from "../router.js";
import { capital, term, words } from "../terms.js";

// What the rate is of: `work` of the address.
const works = [
  { value: "serving", text: "serving requests" },
  { value: "training", text: "training" },
];
const workOf = (params) => (params.get("work") === "training" ? "training" : "serving");

// A parameter of the address each, called as in the request but for the objectives, which are in ms; those without `of` are of both.
const allNumbers = [
  { of: "serving", name: "devices", label: "Devices", min: 1, isWhole: true, unit: "a replica", help: "empty: the fewest that hold the model" },
  { of: "training", name: "devices", label: "Devices", min: 1, isWhole: true, unit: "of the run", help: "empty: the fewest that hold what training keeps" },
  { of: "training", name: "sequence", label: "Sequence", value: 4096, min: 1, isWhole: true, unit: "tokens a sample" },
  { of: "serving", name: "input", label: "Prompt", value: 1000, min: 0, unit: "tokens" },
  { of: "serving", name: "cached_input", label: "Cached", placeholder: 0, min: 0, unit: "tokens of it" },
  { of: "serving", name: "output", label: "Answer", value: 300, min: 1, unit: "tokens" },
  {
    of: "serving",
    name: "concurrency",
    label: "Concurrency",
    placeholder: 32,
    min: 1,
    unit: "requests",
    help: "at a time; empty: 32, or the most that keep an objective",
  },
  {
    of: "serving",
    name: "ttft",
    label: "Time to first token",
    member: "ttft_s",
    min: 0,
    unit: "ms",
    help: "at most; empty: any",
    more: true,
  },
  {
    of: "serving",
    name: "itl",
    label: "Time between tokens",
    member: "itl_s",
    min: 0,
    unit: "ms",
    help: "at most; empty: any",
    more: true,
  },
  {
    of: "serving",
    name: "e2e",
    label: "Time of a request",
    member: "e2e_s",
    min: 0,
    unit: "ms",
    help: "at most; empty: any",
    more: true,
  },
  {
    of: "serving",
    name: "percentile",
    label: "Percentile",
    min: 0,
    max: 99.99,
    unit: "of requests",
    help: "that keep the latencies; 0: the mean; empty: 95 beside an objective, else the mean",
    more: true,
  },
  { of: "training", name: "tokens_per_step", label: "Tokens a step", min: 1, unit: "tokens", help: "of all devices; empty: 16,384 a device", more: true },
];
const allTexts = [
  { name: "model" },
  { name: "device" },
  { name: "precision" },
  { name: "framework" },
  { of: "serving", name: "kv_precision" },
  { of: "training", name: "method" },
];
const ofWork = (list, work) => list.filter(({ of = work }) => of === work);

const precisions = ["bf16", "fp16", "fp8", "int8", "fp4", "int4"];
const methods = [
  { value: "", text: "all parameters" },
  { value: "lora", text: "low-rank adapters (LoRA)" },
];
const defaultConcurrency = 32;
const mostLoads = 1024;

const given = (params, { name, value = null }) => typedNumber(params.get(name) ?? "") ?? value;

// Loads of the curve: 1, 2, 3, 4, 6, 8, 12 … up to the load or 1,024.
function loadsUpTo(load) {
  const loads = [1];
  for (let n = 2; n <= Math.min(1e6, Math.max(mostLoads, load)); n *= 2) loads.push(n, 1.5 * n);
  return loads.filter((n) => n <= Math.max(mostLoads, load));
}

// The request; throws where a number of the address can't be read.
export function ratesRequest(params) {
  const work = workOf(params);
  const numbers = ofWork(allNumbers, work);
  for (const { name } of numbers)
    if (Number.isNaN(typedNumber(params.get(name) ?? ""))) {
      throw Object.assign(new Error(`${name}: ${notANumber(params.get(name))}`), { title: "The address can't be read" });
    }
  const value = Object.fromEntries(numbers.map((field) => [field.name, given(params, field)]));
  const texts = ofWork(allTexts, work).filter(({ name }) => params.get(name));
  const asked = {
    ...Object.fromEntries(texts.map(({ name }) => [name, params.get(name)])),
    ...(params.get("as_of") && { as_of: params.get("as_of") }),
  };
  if (work === "training")
    return { ...asked, ...Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) };
  const objectives = numbers.filter(({ name, member }) => member && value[name] !== null);
  const slo = Object.fromEntries(objectives.map(({ name, member }) => [member, value[name] / 1000]));
  const concurrency = value.concurrency ?? (objectives.length ? null : defaultConcurrency);
  return {
    ...asked,
    input: value.input,
    output: value.output,
    ...(value.devices !== null && { devices: value.devices }),
    ...(value.cached_input && { cached_input: value.cached_input }),
    ...(concurrency !== null && { concurrency }),
    ...(value.percentile !== null && { percentile: value.percentile }),
    ...(objectives.length && { slo }),
    concurrencies: loadsUpTo(concurrency ?? 1),
  };
}

const labelled = (label, id, control, unit = "", help = "") =>
  h(
    "div",
    {},
    h("label", { for: id }, label),
    h("div", { class: "in" }, control, unit ? h("span", {}, unit) : ""),
    help ? h("small", {}, help) : "",
  );

// `known` {models, devices}: lists of {value, text}; `submit` gets the parameters of the address, null where nothing is stated.
export function rateForm(params, known, submit) {
  const work = workOf(params);
  const [numbers, texts] = [ofWork(allNumbers, work), ofWork(allTexts, work)];
  const select = (label, name, options) => {
    const value = params.get(name) ?? "";
    const stated = options.some((option) => option.value === value) ? [] : [{ value, text: value }]; // of an address typed by hand
    return labelled(
      label,
      name,
      choice([...options, ...stated], value, () => {}, { name, id: name }),
    );
  };
  const search = (label, name, options) =>
    labelled(
      label,
      name,
      picker(name, options, params.get(name) ?? "", () => {}, { name, id: name, required: true, placeholder: "search" }),
    );
  const number = (field) =>
    labelled(
      term(field.label),
      field.name,
      h("input", {
        id: field.name,
        name: field.name,
        inputmode: "decimal",
        autocomplete: "off",
        value: params.get(field.name) ?? field.value ?? "",
        placeholder: String(field.value ?? field.placeholder ?? ""),
        oninput: ({ target }) => target.setCustomValidity(problemOf(target.value, field)),
      }),
      field.unit,
      field.help,
    );
  const precisionsAfter = (first) => [{ value: "", text: first }, ...precisions.map((one) => ({ value: one, text: one }))];
  const more = [...numbers.filter((field) => field.more).map(({ name }) => name), "kv_precision", "framework", "method"];
  const stateOf = (form) => {
    const data = new FormData(form);
    const stated = (field) => {
      const value = typedNumber(data.get(field.name) ?? "");
      return value === null || value === field.value ? null : String(value);
    };
    return {
      work: data.get("work") === works[0].value ? null : data.get("work"),
      ...Object.fromEntries(texts.map(({ name }) => [name, data.get(name)?.trim() || null])),
      ...Object.fromEntries(numbers.map((field) => [field.name, stated(field)])),
    };
  };
  const onsubmit = (event) => {
    event.preventDefault();
    submit(stateOf(event.target));
  };
  return h(
    "form",
    { class: "form", onsubmit, "aria-label": "The rate" },
    labelled(
      "Work",
      "work",
      choice(works, work, () => submit(stateOf(document.getElementById("work").form)), { name: "work", id: "work" }),
    ),
    search("Model", "model", known.models),
    search("Device", "device", known.devices),
    number(numbers[0]),
    select("Precision of the weights", "precision", precisionsAfter(work === "training" ? "bf16" : "as published")),
    numbers
      .slice(1)
      .filter((field) => !field.more)
      .map(number),
    h(
      "details",
      { class: "more", open: more.some((name) => params.get(name)) },
      h("summary", {}, work === "training" ? "Method, tokens a step, framework" : "Objectives, precision of the cache, framework"),
      h(
        "div",
        { class: "form" },
        numbers.filter((field) => field.more).map(number),
        work === "training"
          ? select("Method", "method", methods)
          : select(capital(words("kv_precision")), "kv_precision", precisionsAfter("by that of the weights")),
        labelled(
          "Framework",
          "framework",
          h("input", {
            id: "framework",
            name: "framework",
            autocomplete: "off",
            value: params.get("framework") ?? "",
            placeholder: "vllm",
          }),
        ),
      ),
    ),
    h("button", { type: "submit", class: "btn first" }, "Show the rate"),
  );
}

// The address of a rate in the conditions of a measured point.
export const conditionsLink = ({ measurement, input, output, cached_input: cached }, more = {}) =>
  linkTo("rates", {
    model: measurement.model,
    device: measurement.device,
    devices: String(measurement.devices),
    precision: measurement.precision,
    kv_precision: measurement.kv_precision ?? null,
    input: input === undefined ? null : String(Math.round(input)),
    output: output === undefined ? null : String(Math.round(output)),
    cached_input: cached ? String(Math.round(cached)) : null,
    ...more,
  });

// Parameters of a rate from a document of the catalogue, by its kind.
const starts = {
  devices: (device) => (device.kind === "cpu" ? null : linkTo("rates", { device: device.id })),
  models: (model) => linkTo("rates", { model: model.id }),
  measurements: (measurement) => {
    const { model, device, devices, precision, method } = measurement;
    if (measurement.kind === "training")
      return linkTo("rates", {
        work: "training",
        model,
        device,
        devices: String(devices),
        precision,
        method: method === "lora" ? method : null,
        sequence: measurement.points.sequence?.[0] ? String(measurement.points.sequence[0]) : null,
      });
    const [input, output] = ["input", "output"].map((name) => measurement.points[name]?.[0]);
    return conditionsLink({ measurement, input, output });
  },
};

export function rateLink(kind, document) {
  const href = starts[kind]?.(document);
  return href ? h("a", { class: "button", id: "rate", href }, "Rates") : null;
}

// The rate of a replica of a plan, for requests of the plan's work; text alone where the replica is a part of a device.
export function replicaLink({ device, devices, precision, concurrency, model }, { input, output }, text) {
  if (!model || !Number.isInteger(devices)) return text;
  const question = {
    model,
    device,
    devices: String(devices),
    precision,
    input: String(input),
    output: String(output),
    concurrency: concurrency ? String(concurrency) : null,
  };
  return h("a", { href: linkTo("rates", question), title: "How fast it is, and how sure that is" }, text);
}
