// The question of a ranking as fields of a strip: what each has, what it says below, and where an issue of the API belongs.
import { currencies, currencyOf, questionChoices, questionNumbers, startOf } from "../decision/start.js";
import { month, number, percent, shortMoney, typedNumber } from "../format.js";

const numberOf = (params, name) => typedNumber(params.get(name) ?? String(questionNumbers[name].value));
const textOf = (params, name) =>
  questionChoices[name].find(({ value }) => value === (params.get(name) ?? ""))?.text ?? params.get(name);
const join = (...parts) => parts.filter(Boolean).join(", ");

// Hours of a year that are lost at an availability.
export const hoursLost = (percentage) => ((100 - percentage) / 100) * 8760;

// The fields in their order. `main` stand in the strip, `more` in a sheet that a click on the line opens; `line` is what follows.
export const groups = [
  { id: "model", label: "Model", main: ["model"], line: (params, { modelFacts }) => modelFacts(params.get("model")) },
  {
    id: "tokens",
    label: "Tokens a request",
    main: ["input", "output"],
    units: { input: "in", output: "out" },
    more: ["cached", "input_p95", "output_p95"],
    line: (params) =>
      join(
        `${number(numberOf(params, "input") + numberOf(params, "output"))} in the mean`,
        params.get("cached") ? `${number(numberOf(params, "cached"))} cached` : "",
        params.get("input_p95") || params.get("output_p95") ? "of many sizes" : "",
      ),
  },
  {
    id: "traffic",
    label: "Traffic",
    main: ["rps", "peak"],
    units: { rps: "/s mean,", peak: "at the peak" },
    more: ["shape", "growth", "burst", "burst_s", "bursts"],
    line: (params) => {
      const growth = numberOf(params, "growth");
      return join(
        textOf(params, "shape"),
        growth ? `${number(growth)} % growth a month` : "no growth",
        params.get("burst") ? "bursts" : "",
      );
    },
  },
  {
    id: "first-token",
    label: "First token",
    main: ["first"],
    grey: { first: "2000" },
    units: { first: "ms" },
    line: () => "95 % within",
  },
  {
    id: "between",
    label: "Between tokens",
    main: ["latency"],
    grey: { latency: "100" },
    units: { latency: "ms" },
    line: () => "95 % within",
  },
  {
    id: "promise",
    label: "Availability",
    main: ["availability"],
    units: { availability: "%" },
    more: ["spares", "spot"],
    line: (params) => `${number(Number(hoursLost(numberOf(params, "availability")).toPrecision(2)))} h a year`,
  },
  { id: "place", label: "Where", main: ["region"], more: ["where"], line: (params) => whereLine(params) },
  {
    id: "weights",
    label: "Precision",
    main: ["precision"],
    more: ["measured", "ported"],
    line: (params) => (params.get("measured") ? "measured rates" : "any rates"),
  },
  {
    id: "horizon",
    label: "Horizon",
    main: ["months"],
    units: { months: "months" },
    more: ["start", "samples"],
    line: (params) => `from ${month(startOf(params))}`,
  },
  {
    id: "money",
    label: "Money",
    main: ["currency"],
    more: ["dollar", "discount", "budget", "week"],
    line: (params) => {
      const discount = numberOf(params, "discount");
      const budget = params.get("budget") ? `budget ${shortMoney(numberOf(params, "budget"), currencyOf(params))}` : "";
      return join(discount ? `present, ${percent(discount / 100)} a year` : "not discounted", budget);
    },
  },
];

function whereLine(params) {
  const limits = ["device", "provider", "purchase", "site"].reduce((sum, name) => sum + params.getAll(name).length, 0);
  return join(
    params.get("where") ? textOf(params, "where") : "any way",
    limits ? `${number(limits)} limit${limits > 1 ? "s" : ""}` : "",
  );
}

const regionsWith = (named) =>
  questionChoices.region.some(({ value }) => value === named) ? [] : [{ value: named, text: named }];
// {label, options} of what is chosen of a list; null of a number.
export function choiceOf(name, params, { models }) {
  const stated = params.get(name) ?? "";
  if (name === "model") return { label: "Model", options: models };
  if (name === "currency")
    return {
      label: "Currency",
      options: [...new Set([...currencies, currencyOf(params)])].map((code) => ({ value: code, text: code })),
    };
  if (name === "region") return { label: "In", options: [...questionChoices.region, ...regionsWith(stated)] };
  const labels = {
    shape: "Asked by",
    where: "Ways",
    precision: "Weights",
    measured: "Rates",
    spot: "Spot serves",
    ported: "The work runs on",
  };
  return questionChoices[name] ? { label: labels[name], options: questionChoices[name] } : null;
}

// What a field is where the address says nothing, in words.
export function defaultOf(name, { grey = {} } = {}) {
  const field = questionNumbers[name];
  if (field)
    return grey[name]
      ? `${grey[name]} ${field.unit ?? ""}`.trim()
      : field.value === ""
        ? "none"
        : `${number(field.value)} ${field.unit ?? ""}`.trim();
  return questionChoices[name]?.[0].text ?? "the default";
}

const asText = (params, name) => params.getAll(name).join(",");
// The parameters of a group that differ from those of `base`.
export const changedOf = ({ main, more = [] }, params, base) =>
  [...main, ...more].filter((name) => name !== "peak" && asText(params, name) !== asText(base, name));

// To which field an issue of the API belongs, by its pointer.
const pointers = [
  [/mean_per_s/, "rps"],
  [/growth_per_month/, "growth"],
  [/units_per_request\/input/, "input"],
  [/units_per_request\/output/, "output"],
  [/cached_input/, "cached"],
  [/token_mix/, "input_p95"],
  [/burst\/factor/, "burst"],
  [/burst\/seconds/, "burst_s"],
  [/burst\/per_day/, "bursts"],
  [/slo\/ttft/, "first"],
  [/slo\/itl/, "latency"],
  [/availability/, "availability"],
  [/spares/, "spares"],
  [/months/, "months"],
  [/start/, "start"],
  [/exchange_rates|currency/, "dollar"],
  [/discount_rate/, "discount"],
  [/engineer_week/, "week"],
  [/samples/, "samples"],
  [/model/, "model"],
  [/precision/, "precision"],
  [/region/, "region"],
];
export const fieldOf = (pointer) => pointers.find(([pattern]) => pattern.test(pointer ?? ""))?.[1] ?? null;
export const groupOf = (name) => groups.find(({ main, more = [] }) => [...main, ...more].includes(name)) ?? null;

// The week that demand follows: 168 factors of the stated mean, by which the API multiplies it; null where it is flat or not known. A shape's
// points are at whole hours.
const hoursOf = { hour_of_week: 168, hour_of_day: 24 };
export function weekOf(answer) {
  const shape = answer?.plans[0]?.scenario.workloads[0]?.demand?.shape;
  const hours = hoursOf[shape?.axis];
  if (!hours) return null;
  const [[, first]] = shape.points;
  return Array.from({ length: 168 }, (_, hour) => shape.points.filter(([at]) => at <= hour % hours).at(-1)?.[1] ?? first);
}
export { numberOf };
