// Serving requests of many sizes: a row for each size and its share. In the address a row is `size=prompt,answer,share in per cent`.
import * as start from "../decision/start.js";
import { h } from "../dom.js";
import { addButton, numberOr, rowNumber, withoutButton } from "./rows.js";
import { chips, commonWords, promiseWords, word } from "./serve.js";
import { assumedRow, modelWord } from "./words.js";

const numbers = [
  { label: "Prompt", unit: "in", value: 500, min: 0 },
  { label: "Answer", unit: "out", value: 300, min: 0 },
  { label: "Share", unit: "% of requests", value: 10, min: 0.001, max: 100 },
];
// Where the address has none: long prompts with short answers, and short ones with long.
const common = [
  [1500, 30, 60],
  [200, 800, 40],
];
const rowOf = (text) => numbers.map((about, i) => numberOr(text.split(",")[i], about.value));
const rowsOf = (params) => (params.has("size") ? params.getAll("size").map(rowOf) : common.map((row) => [...row]));

function request(params) {
  const rows = rowsOf(params);
  const all = rows.reduce((sum, [, , share]) => sum + share, 0);
  const asked = start.rankRequest(params);
  const [{ units_per_request, token_mix, ...workload }] = asked.workloads;
  return {
    ...asked,
    workloads: [{ ...workload, token_mix: rows.map(([input, output, share]) => ({ input, output, share: share / all })) }],
  };
}

function sizeRows(context) {
  const rows = rowsOf(context.params());
  const keep = (redraw = true) => context.change({ size: rows.map((row) => row.join(",")) }, { redraw });
  const line = (row, i) => {
    const name = `Size ${i + 1}`;
    const field = (about, n) =>
      rowNumber(context, `size-${i}-${n}`, name, about, row[n], (value) => {
        row[n] = value;
        keep(false);
      });
    const remove = () => {
      rows.splice(i, 1);
      keep();
    };
    return h("li", {}, numbers.map(field), rows.length > 2 ? withoutButton(name, remove) : "");
  };
  const add = () => {
    rows.push(numbers.map(({ value }) => value));
    keep();
  };
  return [h("ul", { class: "workloads sizes" }, rows.map(line)), addButton("add-size", "Add a size", add)];
}

export const sizes = {
  name: "mix",
  title: "By size",
  parameters: [
    "size",
    ...start.parameters.filter((name) => !["input", "output", "input_p95", "output_p95", "cached"].includes(name)),
  ],
  view: "mix",
  sentence: (context) => [
    "Serve ",
    modelWord(context),
    " to ",
    word(context, "rps"),
    " of these sizes,",
    ...sizeRows(context),
    " shares of all, each with its",
    ...promiseWords(context),
    ...commonWords(context),
    ".",
  ],
  assumed: (context) =>
    assumedRow(
      context,
      chips.filter(({ names }) => !["cached", "input_p95"].includes(names[0])),
    ),
  request,
};
