// A fleet: a row for each workload, all on the same pools. In the address a row is `work=kind,model,number,number,number,region`, the region
// where the work may not run anywhere.
import * as start from "../decision/start.js";
import { h } from "../dom.js";
import { picker } from "../pickers/picker.js";
import { addButton, numberOr, rowNumber, withoutButton } from "./rows.js";
import { chips, commonWords } from "./serve.js";
import { assumedRow } from "./words.js";

// Kinds of work, each with its three numbers.
const kinds = {
  serve: {
    text: "Serve",
    numbers: [
      { label: "Traffic", unit: "requests/s", value: 20, min: 0.000001 },
      { label: "Prompt", unit: "in", value: 500, min: 0 },
      { label: "Answer", unit: "out", value: 300, min: 0 },
    ],
    workload: ([rate, input, output]) => ({
      kind: "inference",
      units_per_request: { input, output },
      demand: { mean_per_s: rate },
    }),
  },
  batch: {
    text: "Batch",
    numbers: [
      { label: "Requests", unit: "requests a month", value: 2000000, min: 0.001 },
      { label: "Prompt", unit: "in", value: 6000, min: 0 },
      { label: "Answer", unit: "out", value: 400, min: 0 },
    ],
    workload: ([requests, input, output]) => ({
      kind: "batch",
      units_per_request: { input, output },
      requests_per_month: requests,
      deadline_hours: 24,
    }),
  },
  train: {
    text: "Train",
    numbers: [
      { label: "Tokens", unit: "B tokens an epoch", value: 2, min: 0.000001 },
      { label: "Epochs", unit: "epochs a month", value: 1, min: 0 },
      { label: "Sequence", unit: "tokens a sequence", value: 4096, min: 1 },
    ],
    workload: ([tokens, epochs, sequence]) => ({
      kind: "training",
      units_per_epoch: tokens * 1e9,
      epochs_per_month: epochs,
      sequence,
    }),
  },
};

const rowOf = (text) => {
  const [kind, model = "", ...values] = text.split(",");
  const { numbers } = kinds[kind] ?? kinds.serve;
  return {
    kind: kinds[kind] ? kind : "serve",
    model,
    values: numbers.map((field, i) => numberOr(values[i], field.value)),
    region: values[numbers.length] ?? "",
  };
};
const textOf = ({ kind, model, values, region }) => [kind, model, ...values, ...(region ? [region] : [])].join(",");
const emptyRow = (kind) => ({ kind, model: "", values: kinds[kind].numbers.map(({ value }) => value), region: "" });
export const rowsOf = (params) => (params.has("work") ? params.getAll("work").map(rowOf) : [emptyRow("serve"), emptyRow("train")]);

export function fleetRequest(params) {
  const rows = rowsOf(params);
  const { workloads, ...rest } = start.rankRequest(params);
  return {
    ...rest,
    workloads: rows.map((row, i) => ({
      id: `${row.kind}-${i + 1}`,
      unit: "token",
      model: row.model,
      ...kinds[row.kind].workload(row.values),
      ...(row.region && { regions: [row.region] }),
    })),
  };
}

const regionField = (row, attributes, keep) =>
  h(
    "span",
    { class: "w" },
    h(
      "select",
      {
        ...attributes,
        value: row.region,
        onchange: ({ target }) => {
          row.region = target.value;
          keep(false);
        },
      },
      start.regionsWith(row.region).map(({ value, text }) => h("option", { value }, text)),
    ),
  );

function rowFields(context, rows, row, i) {
  const keep = (redraw = true) => context.change({ work: rows.map(textOf) }, { redraw });
  const name = `${kinds[row.kind].text} ${i + 1}`;
  const field = (about, n) =>
    rowNumber(context, `work-${i}-${n}`, name, about, row.values[n], (value) => {
      row.values[n] = value;
      keep(false);
    });
  const remove = () => {
    rows.splice(i, 1);
    keep();
  };
  return h(
    "li",
    {},
    h(
      "span",
      { class: "w" },
      h(
        "select",
        {
          id: `work-${i}-kind`,
          "aria-label": `Workload ${i + 1}`,
          value: row.kind,
          onchange: ({ target }) => {
            rows[i] = { ...emptyRow(target.value), model: row.model, region: row.region };
            keep();
          },
        },
        Object.entries(kinds).map(([value, { text }]) => h("option", { value }, text)),
      ),
    ),
    h(
      "span",
      { class: "w model" },
      picker(
        "model",
        context.known,
        row.model,
        (model) => {
          row.model = model;
          keep(false);
        },
        { id: `work-${i}-model`, "aria-label": `${name}: model`, placeholder: "a model" },
      ),
    ),
    kinds[row.kind].numbers.map(field),
    regionField(row, { id: `work-${i}-region`, "aria-label": `${name}: where it may run` }, keep),
    rows.length > 1 ? withoutButton(name, remove) : "",
  );
}

const ofAll = ["shape", "precision", "spares", "where", "ported", "measured"]; // what is assumed of all workloads
export const fleet = {
  name: "fleet",
  title: "Fleet",
  parameters: [
    "work",
    ...start.parameters.filter((name) => !["model", "rps", "input", "output", "latency", "first", "growth"].includes(name)),
  ],
  view: "fleet",
  sentence: (context) => {
    const rows = rowsOf(context.params());
    const add = () => context.change({ work: [...rows, emptyRow("serve")].map(textOf) }, { redraw: true });
    return [
      "One fleet for",
      h(
        "ul",
        { class: "workloads" },
        rows.map((row, i) => rowFields(context, rows, row, i)),
      ),
      addButton("add-workload", "Add a workload", add),
      " all",
      ...commonWords(context),
      ".",
    ];
  },
  assumed: (context) =>
    assumedRow(
      context,
      chips.filter(({ names }) => ofAll.includes(names[0])),
    ),
  withModel: (params, model) => ({ work: rowsOf(params).map((row) => textOf({ ...row, model: row.model || model })) }),
  hasModel: (params) => rowsOf(params).every(({ model }) => model),
  request: fleetRequest,
};
