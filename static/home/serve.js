// The sentences of serving: a model, its traffic and promise, where, how long and for how much; of work that may wait, and of work at a site of
// one's own.
import { getAll } from "../api.js";
import * as start from "../decision/start.js";
import { typedNumber } from "../format.js";
import { assumedRow, choiceWord, modelWord, monthWord, numberWord } from "./words.js";

const row = (name) => start.questionNumbers[name];
export const word = (context, name, options) => numberWord(context, row(name), options);
const currencyOptions = (context) =>
  [...new Set([...start.currencies, start.currencyOf(context.params())])].map((code) => ({ value: code, text: code }));

const requestWords = (context) => [word(context, "input", { unit: "in" }), " and ", word(context, "output", { unit: "out" }), " each,"];

// What each request is promised.
export const promiseWords = (context) => [
  " first token within ",
  word(context, "first", { empty: "2,000" }),
  ", then every ",
  word(context, "latency", { empty: "100" }),
  ", ",
  word(context, "availability", { empty: "99.9" }),
  " of the time,",
];

// The end of each sentence: where, how long, for how much.
export function commonWords(context, months = row("months")) {
  const currency = start.currencyOf(context.params());
  const regions = start.regionsWith(context.params().get("region") ?? "");
  return [
    " in ",
    choiceWord(context, { name: "region", label: "Where it may run", options: regions }),
    ", for ",
    numberWord(context, months),
    " from ",
    monthWord(context, "start", start.startOf(new URLSearchParams())),
    ", within ",
    word(context, "budget", { empty: "any budget", unit: "" }),
    " ",
    choiceWord(context, { name: "currency", label: "Currency", options: currencyOptions(context), value: start.currencies[0] }),
    ...(currency === start.currencies[0] ? [] : [", a US dollar being ", word(context, "dollar", { unit: currency })]),
    ", at a discount rate of ",
    word(context, "discount"),
  ];
}
const numberChip = (name, text, label) => ({ names: [name], text, label, field: (context) => word(context, name) });
const choiceChip = (name, text, label, options) => ({
  names: [name],
  text,
  label,
  field: (context) => choiceWord(context, { name, label, options }),
});
export const placeChip = choiceChip("where", "rented, owned or hosted", "Where", start.questionChoices.where);
export const portedChip = choiceChip("ported", "runs on GPUs: a TPU is a port of 6 weeks", "Runs on", start.questionChoices.ported);
export const precisionChip = choiceChip("precision", "precision as published", "Precision", start.questionChoices.precision);

export const chips = [
  choiceChip("shape", "a week of people at work, 2.68 × the mean at its peak", "Asked by", start.questionChoices.shape),
  numberChip("growth", "no growth", "Growth"),
  precisionChip,
  numberChip("spares", "1 spare", "Spares"),
  placeChip,
  portedChip,
  numberChip("cached", "no prompt cache", "Of the prompt cached"),
  {
    names: ["input_p95", "output_p95"],
    text: "requests of one size",
    label: "One in 20 has over",
    field: (context) => [word(context, "input_p95", { unit: "in" }), " or ", word(context, "output_p95", { unit: "out" })],
  },
  {
    names: ["burst", "burst_s", "bursts"],
    text: "no bursts",
    label: "Bursts of",
    field: (context) => [word(context, "burst"), " for ", word(context, "burst_s"), word(context, "bursts")],
  },
  choiceChip("measured", "rates measured or estimated", "Rates", start.questionChoices.measured),
];

export const serve = {
  name: "",
  title: "Serve",
  parameters: start.parameters,
  view: "plans",
  sentence: (context) => [
    "Serve ",
    modelWord(context),
    " to ",
    word(context, "rps"),
    ", ",
    ...requestWords(context),
    ...promiseWords(context),
    ...commonWords(context),
    ".",
  ],
  assumed: (context) => assumedRow(context, chips),
  request: start.rankRequest,
};

const batchFields = {
  requests: { name: "requests", label: "Requests", value: 2000000, min: 0.001, unit: "requests a month" },
  hours: { name: "hours", label: "Deadline", value: 24, min: 0.01, max: 8784, unit: "hours", help: "what a day brings is done within them" },
};
const numberIn = (params, { name, value }) => typedNumber(params.get(name) ?? "") ?? value;
const without = (names) => start.parameters.filter((name) => !names.includes(name));
const ofServing = ["rps", "growth", "latency", "first", "availability", "spares", "shape", "burst", "burst_s", "bursts", "input_p95", "output_p95"];

export const batch = {
  name: "batch",
  title: "Batch",
  parameters: [...Object.keys(batchFields), ...without(ofServing)],
  view: "batch",
  sentence: (context) => [
    "Answer ",
    numberWord(context, batchFields.requests),
    " with ",
    modelWord(context),
    ", ",
    ...requestWords(context),
    " a day's within ",
    numberWord(context, batchFields.hours),
    ",",
    ...commonWords(context),
    ".",
  ],
  assumed: (context) =>
    assumedRow(
      context,
      chips.filter(({ names }) => !ofServing.includes(names[0])),
    ),
  request(params) {
    const { workloads, spares, availability, shape, ...rest } = start.rankRequest(params);
    const [{ model, units_per_request: units, token_mix: mix }] = workloads;
    const work = { id: "batch", kind: "batch", unit: "token", model, ...(units ? { units_per_request: units } : { token_mix: mix }) };
    const amount = { requests_per_month: numberIn(params, batchFields.requests), deadline_hours: numberIn(params, batchFields.hours) };
    return { ...rest, workloads: [{ ...work, ...amount }] };
  },
};

// Sites of one's own: those of a country, not of a seller's region.
let sites = null;
const siteWords = ({ id, name }) => name ?? id.replace(/^site\./, "").replaceAll("-", " ");
function siteWord(context) {
  if (!sites) {
    sites = [];
    getAll("/v1/sites").then(
      (all) => {
        sites = all.filter(({ country, region }) => country && !region).map((site) => ({ value: site.id, text: siteWords(site) }));
        context.redraw();
      },
      () => (sites = null),
    );
  }
  const options = [{ value: "", text: "a site" }, ...sites];
  return choiceWord(context, { name: "site", label: "Site", options });
}

export const edge = {
  name: "edge",
  title: "Edge",
  parameters: ["site", ...without(["where", "region"])],
  view: "edge",
  sentence: (context) => [
    "Serve ",
    modelWord(context),
    " on own servers at ",
    siteWord(context),
    " to ",
    word(context, "rps"),
    ", ",
    ...requestWords(context),
    ...promiseWords(context),
    " for ",
    ...commonWords(context).slice(3), // without where
    ".",
  ],
  assumed: (context) =>
    assumedRow(
      context,
      chips.filter(({ names }) => names[0] !== "where"),
    ),
  lack: (params) => (params.get("site") ? "" : "Choose a site: its room and power bound what may stand there."),
  // Alone, or with what is rented or hosted above it.
  request(params) {
    const { limits, include, ...rest } = start.rankRequest(params);
    return { ...rest, include: ["owned", "hybrid"], limits: { ...limits, sites: [params.get("site")] } };
  },
};
