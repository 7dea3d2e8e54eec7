// The cheapest of the scenarios in each cell of a grid of two inputs, the line where that changes, and where we are; a click on a cell goes to
// the decision between the scenarios there.
import { post, postWithProgress } from "../api.js";
import { grid, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { inTheme, neutral, scenarioColour } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { number, quantity, short } from "../format.js";
import { go, goTo, linkTo, whatIf, whatIfParameter } from "../router.js";
import { fill } from "../states.js";
import { figureWords } from "../terms.js";
import { inputsOfAll, outputChoice, progressBar, sharedInputs } from "./question_parts.js";

// What can be an axis: the assumptions of all scenarios, and the inputs that one of them states.
async function inputsFor(context, output) {
  const [shared, single] = await Promise.all([sharedInputs(context), inputsOfAll(context, output)]);
  return [
    ...shared.map((input) => ({ ...input, group: "of all scenarios" })),
    ...single
      .filter((input) => input.base > 0 && input.pointer !== "/months")
      .map((input) => ({ ...input, group: "as one states it", most: Infinity })),
  ].map((input) => ({ ...input, title: context.words(input.pointer) }));
}

export async function map(params, place, context) {
  const output = params.get("output") ?? "";
  const inputs = await inputsFor(context, output);
  const pick = (name, ...patterns) =>
    inputs.find((input) => input.pointer === params.get(name)) ??
    patterns.map((pattern) => inputs.find((input) => pattern.test(input.pointer))).find(Boolean);
  const x = pick("x", /demand\/mean_per_s$/, /epochs_per_month/, /./);
  const y = pick("y", /hourly_price/, /price$/, /price/, /./) ?? x;
  const steps = Number(params.get("steps") ?? 16);
  const options = inputs.map((input) => ({ value: input.pointer, group: input.group, text: textOf(input) }));
  const control = (name, input) =>
    labelled(
      name === "x" ? "Horizontal axis" : "Vertical axis",
      choice(options, input.pointer, (value) => go({ [name]: value }), { id: name }),
    );
  place.append(
    h(
      "div",
      { class: "controls wide" },
      control("x", x),
      control("y", y),
      outputChoice(context, output),
      labelled(
        "Cells",
        choice(
          [8, 16, 32].map((item) => ({ value: String(item), text: `${item} × ${item}` })),
          String(steps),
          (value) => go({ steps: value }),
          { id: "steps" },
        ),
      ),
    ),
  );
  if (x.pointer === y.pointer) {
    place.append(h("p", { class: "box wide" }, "Choose two different inputs."));
    return;
  }
  const answerPlace = h("div", { class: "wide" });
  const bar = progressBar();
  place.append(answerPlace);
  answerPlace.append(bar.element);
  await fill(answerPlace, async () => asked([x, y], steps, output, bar, context), "Evaluating the cells…");
}

const textOf = (input) =>
  input.unit === "factor" ? `${input.title} (times)` : `${input.title} (${quantity(input.base, input.unit)})`;

// One cell tells whether the API takes an input that one scenario states as a value, or, as not all have it, as a factor.
async function asked(inputs, steps, output, bar, context) {
  const request = {
    scenarios: context.references.map(context.scenario),
    ...(output && { output }),
    ...context.rest,
  };
  const [x, y] = inputs.map((input) => ({ pointer: input.pointer, values: [input.isFactor ? 1 : input.base] }));
  const probe = await post("/v1/map", { ...request, x, y }, context.signal);
  const axes = inputs.map((input, i) => axisOf(input, [probe.x, probe.y][i].unit === "factor", steps));
  const body = { ...request, x: sent(axes[0]), y: sent(axes[1]) };
  return drawing(await postWithProgress("/v1/map", body, bar.update, context.signal), axes, context);
}

const sent = ({ pointer, values }) => ({ pointer, values });

// From a third to three times; whole numbers for counts. `values` are sent, `scale` times as much is shown.
function axisOf(input, isFactor, steps) {
  const scale = input.isFactor ? input.base : 1;
  const now = isFactor ? 1 : input.base;
  const isWhole = !isFactor && ["servers", "instances", "devices", "sequences"].some((word) => input.unit.startsWith(word));
  const high = Math.min(input.unit === "fraction" && !isFactor ? 1 : 3 * now, input.most);
  const evenly = Array.from({ length: steps }, (_, i) => now / 3 + ((high - now / 3) * i) / (steps - 1));
  const values = isWhole ? [...new Set(evenly.map((value) => Math.max(1, Math.round(value))))] : evenly;
  return { ...input, isFactor, unit: isFactor && scale === 1 ? "factor" : input.unit, scale, now, values };
}

const title = (axis) => `${axis.title} (${axis.unit === "factor" ? "multiple" : axis.unit})`;
const said = (axis, value) => (axis.unit === "factor" ? `${number(value)} times` : quantity(value * axis.scale, axis.unit));

// Where a cell begins and ends: half way to its neighbours.
function edges(values) {
  const middles = values.slice(1).map((value, i) => (value + values[i]) / 2);
  const first = values.length > 1 ? values[0] - (middles[0] - values[0]) : values[0] * 0.9;
  const last = values.length > 1 ? values.at(-1) + (values.at(-1) - middles.at(-1)) : values[0] * 1.1;
  return [first, ...middles, last];
}

// An axis from the first edge to the last, which are no round numbers and have no label.
const between = (axis, ends) => ({
  ...axis,
  min: ends[0],
  max: ends.at(-1),
  splitLine: { show: false },
  axisLabel: { ...axis.axisLabel, showMinLabel: false, showMaxLabel: false },
});

// Lines between neighbours of which another is the cheapest: [x, y, x, y].
function frontier(cheapest, xs, ys) {
  const rows = cheapest.flatMap((row, j) =>
    row.slice(1).flatMap((one, i) => (one === row[i] ? [] : [[xs[i + 1], ys[j], xs[i + 1], ys[j + 1]]])),
  );
  const columns = cheapest
    .slice(1)
    .flatMap((row, j) => row.flatMap((one, i) => (one === cheapest[j][i] ? [] : [[xs[i], ys[j + 1], xs[i + 1], ys[j + 1]]])));
  return [...rows, ...columns];
}

// The address of the decision between the scenarios at a cell.
function decisionAt(axes, at, context) {
  const named = { set: { ...whatIf() }, scale: { ...whatIf(undefined, "scale") } };
  axes.forEach((axis, n) => {
    const values = named[axis.isFactor ? "scale" : "set"];
    const before = axis.isFactor ? (values[axis.pointer] ?? 1) : 1; // an axis is on top of what is scaled already
    values[axis.pointer] = Number((before * axis.values[at[n]]).toPrecision(6));
  });
  return linkTo("decision", {
    scenario: context.references,
    set: whatIfParameter(named.set),
    scale: whatIfParameter(named.scale),
  });
}

const nearest = (values, value) =>
  values.reduce((best, one, i) => (Math.abs(one - value) < Math.abs(values[best] - value) ? i : best), 0);

const cross = "path://M0 4.5h10M5 -0.5v10";
const hatches = [0.25, 0.5, 0.75, 1]; // how far the lines of a hatched cell go along its sides

function hatched({ x, y, width, height }, stroke) {
  const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth: 1 } });
  return {
    type: "group",
    children: hatches.flatMap((part) => [
      line(x, y + part * height, x + part * width, y),
      ...(part < 1 ? [line(x + part * width, y + height, x + width, y + part * height)] : []),
    ]),
  };
}

function drawing(answer, axes, context) {
  const [x, y] = axes;
  const names = context.references.map(context.name);
  const cells = answer.cheapest.flatMap((row, j) => row.map((cheapest, i) => [i, j, cheapest]));
  const share = (test) => `${Math.round((100 * cells.filter(test).length) / cells.length)} %`;
  const winners = names.map((_, n) => n).filter((n) => cells.some((cell) => cell[2] === n));
  const isOther = ([i, j, cheapest]) => cheapest === null && !answer.same_work[j][i];
  const isNone = (cell) => cell[2] === null && !isOther(cell);
  const unable = (i, j) => names.filter((_, n) => !answer.feasible[n][j][i]);
  const [xs, ys] = axes.map((axis) => edges(axis.values.map((value) => value * axis.scale)));
  const figure = chart({
    title: "Where the cheapest changes",
    name: "map",
    size: "tall",
    legend: [
      ...winners.map((n) => ({
        name: `${names[n]} (${share((cell) => cell[2] === n)})`,
        colour: scenarioColour(context.references[n]),
      })),
      ...(cells.some(isNone) ? [{ name: `hatched: no scenario can do its work (${share(isNone)})`, colour: neutral }] : []),
      ...(cells.some(isOther) ? [{ name: `empty: they do not do the same work (${share(isOther)})`, colour: neutral }] : []),
    ],
    note: [
      `The cheapest by ${figureWords(answer.output)} of those that can do their work in each cell; lines where that changes, to a cell's width. `,
      "Cross: what the scenarios state. A click on a cell, or its name in the table, goes to the decision there.",
      answer.failed ? ` ${answer.failed} cells could not be evaluated: ${answer.first_failure?.message ?? ""}` : "",
    ],
    option: (colours) => ({
      grid: { ...grid, right: 24 },
      tooltip: { trigger: "item", formatter: ({ dataIndex }) => tip(answer, cells[dataIndex], axes, names) },
      xAxis: between(valueAxis(title(x), colours, short), xs),
      yAxis: vertical(between(valueAxis(title(y), colours, short), ys)),
      series: [
        {
          type: "custom",
          clip: true,
          data: cells.map(([i, j]) => [x.values[i] * x.scale, y.values[j] * y.scale]),
          encode: { x: 0, y: 1 },
          renderItem: ({ dataIndex }, api) => {
            const [i, j, cheapest] = cells[dataIndex];
            const [left, bottom] = api.coord([xs[i], ys[j]]);
            const [right, top] = api.coord([xs[i + 1], ys[j + 1]]);
            const shape = { x: left, y: top, width: right - left + 0.3, height: bottom - top + 0.3 };
            if (cheapest !== null) {
              return { type: "rect", shape, style: { fill: inTheme(scenarioColour(context.references[cheapest])), opacity: 0.55 } };
            }
            return isNone(cells[dataIndex]) ? hatched(shape, colours.muted) : { type: "rect", shape, style: { fill: "none" } };
          },
        },
        {
          type: "custom",
          silent: true,
          name: "frontier",
          data: frontier(answer.cheapest, xs, ys),
          encode: { x: [0, 2], y: [1, 3] },
          renderItem: (_, api) => {
            const [[x1, y1], [x2, y2]] = [api.coord([api.value(0), api.value(1)]), api.coord([api.value(2), api.value(3)])];
            return { type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: colours.text, lineWidth: 2 } };
          },
        },
        {
          type: "scatter",
          silent: true,
          symbol: cross,
          symbolSize: 18,
          itemStyle: { color: "none", borderColor: colours.text, borderWidth: 2 },
          data: [axes.map((axis) => axis.now * axis.scale)],
          z: 5,
        },
      ],
    }),
    table: {
      columns: [
        { name: title(x), value: ([i]) => x.values[i] * x.scale, show: (value) => number(value) },
        { name: title(y), value: ([, j]) => y.values[j] * y.scale, show: (value) => number(value) },
        {
          name: "cheapest",
          value: (row) => names[row[2]] ?? null,
          show: (value, row) =>
            h("a", { href: decisionAt(axes, row, context) }, value ?? (isNone(row) ? "none can do its work" : "not the same work")),
          text: true,
        },
        ...names.map((name, n) => ({
          name,
          unit: answer.unit,
          value: ([i, j]) => answer.values[n][j][i],
          show: (value) => quantity(value, answer.unit),
        })),
        { name: "cannot do its work", value: ([i, j]) => unable(i, j).join(", ") || null, text: true },
      ],
      rows: cells,
    },
  });
  figure.element.querySelector(".chart").addEventListener("click", (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = figure.valueAt([event.clientX - box.left, event.clientY - box.top]);
    if (at)
      goTo(
        decisionAt(
          axes,
          axes.map((axis, n) => nearest(axis.values, at[n] / axis.scale)),
          context,
        ),
      );
  });
  return figure.element;
}

// A cell in words: the scenarios in their order there, those that can't do their work last.
function tip(answer, [i, j, cheapest], axes, names) {
  const worth = (n) => [answer.feasible[n][j][i] ? 0 : 1, answer.values[n][j][i] ?? Infinity];
  const order = names.map((_, n) => n).sort((a, b) => worth(a)[0] - worth(b)[0] || worth(a)[1] - worth(b)[1]);
  const mark = (n) => (!answer.feasible[n][j][i] ? ": cannot do its work" : n === cheapest ? " ✓" : "");
  return [
    axes.map((axis, n) => `${axis.title} ${said(axis, axis.values[[i, j][n]])}`).join(", "),
    ...order.map((n) => `${names[n]}: ${quantity(answer.values[n][j][i], answer.unit)}${mark(n)}`),
    ...(answer.same_work[j][i] ? [] : ["they do not do the same work"]),
  ].join("\n");
}
