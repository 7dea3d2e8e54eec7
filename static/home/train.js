// The sentence of a run of training, and its question for /v1/rank.
import * as start from "../decision/start.js";
import { typedNumber } from "../format.js";
import { commonWords, placeChip, portedChip } from "./serve.js";
import { assumedRow, choiceWord, modelWord, numberWord } from "./words.js";

const billion = 1e9;
// Beside those of serving.
const fields = {
  tokens: { name: "tokens", label: "Tokens of an epoch", value: 2, min: 0.000001, unit: "B tokens" },
  epochs: { name: "epochs", label: "Epochs", value: 3, min: 0.001, unit: "epochs" },
  sequence: {
    name: "sequence",
    label: "Sequence",
    value: "",
    min: 1,
    isWhole: true,
    unit: "tokens",
    help: "of a sample; empty: 4,096",
  },
  days: {
    name: "days",
    label: "Within",
    value: 10,
    min: 0.01,
    max: 36600,
    unit: "days",
    help: "from its start to its end, nine times in ten",
  },
  months: {
    name: "months",
    label: "Horizon",
    value: 12,
    min: 1,
    isWhole: true,
    unit: "months",
    help: "what is owned or committed is paid for",
  },
  spares: { name: "spares", label: "Spare hosts", value: "", min: 0, isWhole: true, unit: "hosts" },
};
const methods = [
  { value: "", text: "all parameters" },
  { value: "lora", text: "low-rank adapters" },
];
const spots = [
  { value: "", text: "where it is in time" },
  { value: "never", text: "never" },
];
// What a run multiplies in: bf16 where nothing is said.
const precisions = ["", "fp8", "fp16"].map((value) => ({ value, text: value || "bf16" }));

const word = (context, name, options) => numberWord(context, fields[name], options);
const chip = (name, text, label, options) => ({
  names: [name],
  text,
  label,
  field: (context) => choiceWord(context, { name, label, options }),
});
const chips = [
  chip("method", "all parameters are trained", "Trained are", methods),
  { names: ["sequence"], text: "sequences of 4,096", label: "Sequences of", field: (context) => word(context, "sequence") },
  chip("precision", "computed in bf16", "Computed in", precisions),
  { names: ["spares"], text: "spare hosts where that costs less", label: "Spare", field: (context) => word(context, "spares") },
  chip("spot", "spot where it is in time", "Spot", spots),
  placeChip,
  portedChip,
];

export function trainRequest(params) {
  const value = (name) => typedNumber(params.get(name) ?? String(fields[name].value));
  const { workloads, shape, availability, spares, samples, ...rest } = start.rankRequest(params); // what a run has in common with serving
  const { precision, ...limits } = rest.limits ?? {};
  const text = (name) => (params.get(name) ? { [name]: params.get(name) } : {});
  const sequence = value("sequence");
  return {
    ...rest,
    limits,
    months: value("months"),
    samples,
    workloads: [
      {
        id: "train",
        kind: "training",
        unit: "token",
        model: params.get("model"),
        units_per_epoch: value("tokens") * billion,
        epochs: value("epochs"),
        within_days: value("days"),
        ...(sequence && { sequence }),
        ...text("method"),
        ...text("precision"),
      },
    ],
    ...(value("spares") !== null && { spares: value("spares") }),
    ...text("spot"),
  };
}

export const train = {
  name: "train",
  title: "Train",
  parameters: [
    ...Object.keys(fields),
    ...[
      "model",
      "start",
      "region",
      "where",
      "currency",
      "dollar",
      "discount",
      "budget",
      "method",
      "precision",
      "spot",
      "ported",
      "samples",
      "device",
    ],
  ],
  view: "train",
  sentence: (context) => [
    "Train ",
    modelWord(context),
    " on ",
    word(context, "epochs"),
    " of ",
    word(context, "tokens"),
    ", each run within ",
    word(context, "days"),
    ",",
    ...commonWords(context, fields.months),
    ".",
  ],
  assumed: (context) => assumedRow(context, chips),
  request: trainRequest,
};
