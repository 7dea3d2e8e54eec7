// Rates: how fast a model runs on a device, by the requests held at a time, how sure that is, and what it rests on. The URL is the
// question.
import { getAll, post } from "../api.js";
import { deviceWords } from "../document_facts.js";
import { h } from "../dom.js";
import { count, date, latency, number, percent, quantity } from "../format.js";
import { evidence, evidenceMeanings, heading } from "../parts.js";
import { go, linkTo } from "../router.js";
import { empty, fill } from "../states.js";
import { section } from "../table.js";
import { latencyChart, rateChart } from "./rate_charts.js";
import { conditionsOf, isOf, movedBy, sameConditions } from "./rate_points.js";
import { conditionsLink, rateForm, ratesRequest } from "./rate_question.js";
import * as say from "./rate_words.js";

async function knownParts(asOf, signal) {
  const [models, devices] = await Promise.all(
    ["models", "devices"].map((path) => getAll(`/v1/${path}`, { as_of: asOf }, signal)),
  );
  const options = (list, text) =>
    list.map((one) => ({ value: one.id, text: text(one), more: one.id })).sort((a, b) => a.text.localeCompare(b.text, "en", { numeric: true }));
  return {
    models: options(models, (model) => model.name ?? model.id),
    devices: options(
      devices.filter(({ kind }) => kind !== "cpu"),
      deviceWords,
    ),
  };
}

export async function rates(params, place, { signal }) {
  const asOf = params.get("as_of");
  const known = await knownParts(asOf, signal);
  place.append(
    heading("Rates", "How fast a model runs on a device, and how sure that is: what every plan of a language model rests on."),
    h(
      "section",
      { class: "box start", "aria-label": "The rate" },
      rateForm(params, known, (next) => go(next)),
    ),
  );
  if (!known.models.length || !known.devices.length) {
    place.append(empty("The catalogue is empty", "deploy/run stores it at its first start; an import stores it by hand."));
    return;
  }
  if (!params.get("model") || !params.get("device")) return;
  const answerPlace = h("div", { class: "panels" });
  place.append(answerPlace);
  await fill(answerPlace, () => answered(params, asOf, signal), "Looking at what was measured…");
}

async function answered(params, asOf, signal) {
  const request = ratesRequest(params);
  const [answer, measurements] = await Promise.all([
    post("/v1/rates", request, signal),
    getAll("/v1/measurements", { as_of: asOf }, signal),
  ]);
  if (request.sequence) return [trainingSentence(answer), movedTable(movedBy(answer, measurements), answer, runColumns)];
  const same = sameConditions(answer, measurements);
  const moved = movedBy(answer, measurements);
  const others = moved
    .map(({ point }) => point)
    .filter((point) => point?.concurrency && point.output_per_s && !isOf(answer, point));
  return [
    sentence(answer, request),
    rateChart(answer, same, others, loadColumns),
    latencyChart(answer, same, loadColumns),
    section(
      "By load",
      { columns: loadColumns(), rows: answer.loads, caption: "rate and latencies by requests at a time" },
      "rates-loads",
    ),
    same.length ? measuredTable(same) : null,
    movedTable(moved, answer),
    conditionsTable(answer, measurements),
  ];
}

const sentence = (answer, request) =>
  h(
    "section",
    { class: "panel wide", "aria-label": "The rate in words", id: "rate-words" },
    h("h2", {}, say.rateSentence(answer), " ", evidence({ evidence: answer.evidence })),
    h(
      "div",
      {},
      h("p", {}, `${say.intervalSentence(answer)} The rate is ${answer.evidence}: ${evidenceMeanings[answer.evidence]}.`),
      request.slo ? h("p", {}, "These are the most requests at a time that keep the objectives.") : null,
      h("p", {}, say.latencySentence(answer), " ", say.waitingSentence(answer) ?? ""),
      h("p", {}, say.boundSentence(answer)),
      h("p", {}, say.powerSentence(answer)),
      h("p", { class: "muted" }, say.stepSentence(answer)),
    ),
    h(
      "div",
      { class: "actions" },
      h(
        "a",
        {
          class: "button",
          href: linkTo("plans", {
            model: answer.model,
            device: answer.device,
            input: String(answer.input),
            output: String(answer.output),
          }),
        },
        "Plans of this model on this device",
      ),
      documentLink("models", answer.model),
      documentLink("devices", answer.device),
    ),
  );

const trainingSentence = (answer) =>
  h(
    "section",
    { class: "panel wide", "aria-label": "The rate in words", id: "rate-words" },
    h("h2", {}, say.trainingSentence(answer), " ", evidence({ evidence: answer.evidence })),
    h(
      "div",
      {},
      h("p", {}, `${say.intervalSentence(answer)} The rate is ${answer.evidence}: ${evidenceMeanings[answer.evidence]}.`),
      h("p", {}, say.shareSentence(answer)),
      h("p", { class: "muted" }, say.stepOfRunSentence(answer)),
    ),
    h("div", { class: "actions" }, documentLink("models", answer.model), documentLink("devices", answer.device)),
  );

const documentLink = (kind, id) => h("a", { class: "button", href: linkTo("data", { kind, id }) }, id);

// A measurement by who published it and when.
const measurementLink = ({ id, publisher, date: day }) =>
  h(
    "a",
    { href: linkTo("data", { kind: "measurements", id }), title: id },
    [publisher, day ? date(day) : null].filter(Boolean).join(", ") || id,
  );

const brief = (value) => quantity(value, "", { brief: true });
const figure = (name, member, unit, show) => ({ name, unit, value: (row) => row[member], show, member });
// A latency's unit stands beside each figure, as some are ms and some s.
const time = (name, member) => ({ ...figure(name, member, "s", latency), head: name });
const columnsOfLoads = [
  { ...figure("requests at a time", "concurrency", "", (value) => number(value)), text: true },
  figure("output", "output_per_s", "tokens/s", brief),
  figure("p10", "low", "tokens/s", brief),
  figure("p90", "high", "tokens/s", brief),
  figure("requests", "requests_per_s", "requests/s", brief),
  time("first token", "ttft_s"),
  time("between tokens", "itl_s"),
  time("request", "e2e_s"),
  figure("running", "running", "requests", (value) => number(value, "", 1)),
  figure("power", "watts", "W", brief),
  figure("energy", "joules_per_output", "J/token", brief),
  { ...figure("bound", "bound", "", (value) => h("span", { title: say.boundWords(value) }, value)), text: true },
  figure("of ceiling", "ceiling", "fraction", percent),
  { ...figure("evidence", "evidence", "", (value) => evidence({ evidence: value })), text: true },
];
// All columns, or those of some members beside the load.
const loadColumns = (members = null) =>
  members ? columnsOfLoads.filter(({ member }) => member === "concurrency" || members.includes(member)) : columnsOfLoads;

const percentileOf = (point, column) => point.measurement.percentiles?.[column];
const measuredTime = (name, member) => ({
  ...time(name, member),
  value: (row) => row[member] ?? null,
  show: (value, row) => {
    const percentile = percentileOf(row, member);
    return value === null ? null : `${latency(value)}${percentile ? `, ${number(percentile)}th percentile` : ""}`;
  },
});

const measuredTable = (same) =>
  section(
    "Measured in these conditions",
    {
      columns: [
        { ...figure("requests at a time", "concurrency", "", (value) => number(value)), text: true },
        figure("output", "output_per_s", "tokens/s", brief),
        measuredTime("first token", "ttft_s"),
        measuredTime("between tokens", "itl_s"),
        { name: "request", value: (row) => say.lengthsWords(row), text: true },
        { name: "framework", value: (row) => row.measurement.framework, text: true },
        {
          name: "measurement",
          value: (row) => row.measurement.id,
          show: (_, row) => measurementLink(row.measurement),
          text: true,
        },
      ],
      rows: same,
      caption: "points measured in these conditions",
    },
    "rates-measured",
    "The same model, device, number of devices and precision; tokens in and out within a quarter.",
    20,
  );

// Of what was measured at a point; nothing where its measurement is not among those that were read.
const of = (read) => (row) => (row.point ? read(row.point) : null);
const known = (show) => (value) => (value === null ? null : show(value));
const servedColumns = (answer) => [
  { name: "request", value: of((point) => (point.input === undefined ? null : say.lengthsWords(point))), text: true },
  { name: "requests at a time", value: of((point) => point.concurrency ?? null), show: known((value) => number(value)) },
  { name: "output", unit: "tokens/s", value: of((point) => point.output_per_s ?? null), show: known(brief) },
  { name: "conditions", value: of((point) => (isOf(answer, point) ? "these" : "others")), text: true },
];
const runColumns = () => [
  { name: "model", value: of(({ measurement }) => measurement.model), text: true },
  { name: "sequence", unit: "tokens", value: of((point) => point.sequence ?? null), show: known((value) => number(value)) },
  { name: "trained", unit: "tokens/s", value: of((point) => point.tokens_per_s ?? null), show: known(brief) },
  { name: "method", value: of(({ measurement }) => measurement.method ?? "full"), text: true },
];

function movedTable(moved, answer, columnsOf = servedColumns) {
  if (!moved.length) return null;
  return section(
    "What moved this rate",
    {
      columns: [
        {
          name: "measurement",
          value: (row) => row.id,
          show: (id, row) => measurementLink(row.point?.measurement ?? { id }),
          text: true,
        },
        { name: "point", value: (row) => row.at },
        { name: "weight", unit: "fraction", value: (row) => row.weight, show: (value) => percent(value) },
        {
          name: "devices",
          value: of(({ measurement }) => `${say.replicaWords(measurement)} ${measurement.precision}`),
          text: true,
        },
        ...columnsOf(answer),
      ],
      rows: moved,
      caption: "measurements that moved the rate",
    },
    "rates-from",
    "Up to five measured points that correct the model's rate most, the heaviest first.",
  );
}

function conditionsTable(answer, measurements) {
  const rows = conditionsOf(answer, measurements);
  if (!rows.length) {
    return h(
      "p",
      { class: "muted wide" },
      `Nothing that was measured of ${answer.model} on ${deviceWords(answer.device)} is stored: ` +
        "the rate rests on other models and devices.",
    );
  }
  const points = rows.reduce((sum, row) => sum + row.points, 0);
  return section(
    "All that was measured of this model on this device",
    {
      columns: [
        {
          name: "conditions",
          value: (row) => `${say.replicaWords(row.measurement)} ${row.measurement.precision}, ${say.lengthsWords(row)}`,
          show: (text, row) => (isOf(answer, row) ? `${text} (these)` : h("a", { href: conditionsLink(row) }, text)),
          text: true,
        },
        { name: "points", value: (row) => row.points },
        { name: "fewest requests at a time", value: (row) => row.from, show: (value) => number(value) },
        { name: "most", value: (row) => row.to, show: (value) => number(value) },
        { name: "framework", value: (row) => row.measurement.framework, text: true },
        {
          name: "measurement",
          value: (row) => row.measurement.id,
          show: (_, row) => measurementLink(row.measurement),
          text: true,
        },
      ],
      rows,
      caption: "conditions in which the model was measured on the device",
    },
    "rates-conditions",
    `${count(points, "point")}. Conditions lead to the rate in them, with their points.`,
    20,
  );
}
