// The cheapest scenario in each cell of a grid of two inputs, with the line of equal cost.
import { postWithProgress } from "../api.js";
import { categoryAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { neutral, scenarioColour } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { number, pointerWords, quantity, short } from "../format.js";
import { go } from "../router.js";
import { fill } from "../states.js";
import { inputChoice, inputsOf, outputChoice, progressBar } from "./question_parts.js";

export async function map(params, place, context) {
  const output = params.get("output") ?? "";
  const [mine, others] = await Promise.all([context.first, context.other].map((one) => inputsOf(context, one, output)));
  const inputs = [...mine, ...others.filter((input) => !mine.some((item) => item.pointer === input.pointer))].filter(
    (input) => input.base > 0 && input.pointer !== "/months",
  );
  const pick = (name, ...patterns) =>
    inputs.find((input) => input.pointer === params.get(name)) ??
    patterns.map((pattern) => inputs.find((input) => pattern.test(input.pointer))).find(Boolean);
  const x = pick("x", /demand\/mean_per_s$/, /epochs_per_month/, /./);
  const y = pick("y", /hourly_price/, /price$/, /price/, /./) ?? x;
  const steps = Number(params.get("steps") ?? 16);
  const control = (name, input) =>
    labelled(
      name === "x" ? "Horizontal axis" : "Vertical axis",
      inputChoice(inputs, input.pointer, context, (value) => go({ [name]: value }), { id: name }),
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
  const request = {
    scenarios: [context.scenario(context.first), context.scenario(context.other)],
    x: axisOf(x, steps),
    y: axisOf(y, steps),
    ...(output && { output }),
    ...context.rest,
  };
  answerPlace.append(bar.element);
  const answer = postWithProgress("/v1/map", request, bar.update, context.signal);
  await fill(answerPlace, async () => drawing(await answer, x, y, context), "Evaluating the cells…");
}

// From a third to three times the base value; whole numbers for counts.
function axisOf(input, steps) {
  const isWhole = ["servers", "instances", "devices", "sequences"].some((word) => input.unit.startsWith(word));
  const high = input.unit === "fraction" ? Math.min(1, input.base * 3) : input.base * 3;
  const evenly = Array.from({ length: steps }, (_, i) => input.base / 3 + ((high - input.base / 3) * i) / (steps - 1));
  return { pointer: input.pointer, values: isWhole ? [...new Set(evenly.map((value) => Math.max(1, Math.round(value))))] : evenly };
}

// Cells without a cheapest, by why.
const unranked = [
  { why: "no scenario can do its work", mark: "×", symbol: "path://M0,0L10,10M10,0L0,10" },
  { why: "they do not do the same work", mark: "○", symbol: "emptyCircle" },
];

function drawing(answer, x, y, context) {
  const references = [context.first, context.other];
  const names = references.map(context.name);
  const title = (input) => `${context.words(input.pointer)} (${input.unit === "factor" ? "multiple" : input.unit})`;
  const index = (values, value) => {
    const above = values.findIndex((item) => item >= value);
    return above <= 0 ? 0 : above - 1 + (value - values[above - 1]) / (values[above] - values[above - 1]);
  };
  const cells = answer.cheapest.flatMap((row, j) => row.map((cheapest, i) => [i, j, cheapest]));
  const noneAt = (which) =>
    cells.filter(([i, j, cheapest]) => cheapest === null && answer.same_work[j][i] === (which === 0)).map(([i, j]) => [i, j]);
  const unable = (i, j) => names.filter((_, n) => !answer.feasible[n][j][i]);
  const wins = (i) => cells.filter((cell) => cell[2] === i).length / cells.length;
  return chart({
    title: "Where the cheapest changes",
    name: "map",
    size: "tall",
    legend: [
      ...references.map((reference, i) => ({
        name: `${names[i]} (${Math.round(100 * wins(i))} %)`,
        colour: scenarioColour(reference),
      })),
      ...unranked.flatMap(({ why, mark }, i) => (noneAt(i).length ? [{ name: `${mark} ${why}`, colour: neutral }] : [])),
    ],
    note: [
      `The cheapest by ${pointerWords(answer.output)} in each cell. `,
      "Dots: equal cost, by linear interpolation between cells (assumed).",
      answer.failed ? ` ${answer.failed} cells could not be evaluated: ${answer.first_failure?.message ?? ""}` : "",
    ],
    option: (colours) => ({
      grid: { left: 8, right: 24, top: 28, bottom: 32, containLabel: true },
      tooltip: {
        trigger: "item",
        formatter: (point) => {
          if (point.seriesName === "boundary") {
            const at = answer.boundary[point.dataIndex];
            return `${quantity(at.x, x.unit)}, ${quantity(at.y, y.unit)}: equal cost`;
          }
          const [i, j] = point.data;
          const cheapest = answer.cheapest[j][i];
          const none = answer.same_work[j][i] ? unranked[0].why : unranked[1].why;
          return [
            `${quantity(answer.x.values[i], x.unit)}, ${quantity(answer.y.values[j], y.unit)}`,
            ...names.map((name, n) => {
              const mark = !answer.feasible[n][j][i] ? ": cannot do its work" : cheapest === n ? " ✓" : "";
              return `${name}: ${quantity(answer.values[n][j][i], answer.unit)}${mark}`;
            }),
            ...(cheapest === null ? [none] : []),
          ].join("\n");
        },
      },
      xAxis: categoryAxis(
        title(x),
        answer.x.values.map((value) => short(value)),
        colours,
      ),
      yAxis: vertical(
        categoryAxis(
          title(y),
          answer.y.values.map((value) => short(value)),
          colours,
        ),
      ),
      visualMap: {
        show: false,
        type: "piecewise",
        seriesIndex: 0,
        dimension: 2,
        pieces: references.map((reference, i) => ({ value: i, color: scenarioColour(reference) })),
      },
      series: [
        {
          type: "heatmap",
          data: cells.map(([i, j, cheapest]) => [i, j, cheapest ?? "-"]),
          itemStyle: { borderColor: colours.page, borderWidth: 0.5, opacity: 0.85 },
          emphasis: { disabled: true },
        },
        ...unranked.map(({ why, symbol }, i) => ({
          type: "scatter",
          name: why,
          symbol,
          symbolSize: 7,
          data: noneAt(i),
          itemStyle: { color: neutral, borderColor: neutral, borderWidth: 1.5 },
          emphasis: { disabled: true },
        })),
        {
          type: "scatter",
          name: "boundary",
          symbolSize: 6,
          data: answer.boundary.map((point) => [index(answer.x.values, point.x), index(answer.y.values, point.y)]),
          itemStyle: { color: colours.text, borderColor: colours.page, borderWidth: 1 },
          emphasis: { disabled: true },
        },
      ],
    }),
    table: {
      columns: [
        { name: title(x), value: (row) => answer.x.values[row[0]], show: (value) => number(value) },
        { name: title(y), value: (row) => answer.y.values[row[1]], show: (value) => number(value) },
        { name: "cheapest", value: (row) => names[row[2]] ?? null, text: true },
        ...names.map((name, n) => ({
          name,
          unit: answer.unit,
          value: (row) => answer.values[n][row[1]][row[0]],
          show: (value) => quantity(value, answer.unit),
        })),
        { name: "cannot do its work", value: (row) => unable(row[0], row[1]).join(", ") || null, text: true },
      ],
      rows: cells,
    },
  }).element;
}
