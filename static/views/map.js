// The cheapest scenario in each cell of a grid of two inputs, with the line along which two of them cost the same.
import { ask } from "../api.js";
import { categoryAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { scenarioColour } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { number, pointerWords, quantity, short } from "../format.js";
import { go } from "../router.js";
import { fill } from "../states.js";
import { inputChoice, inputsOf, outputChoice, progressBar } from "./questions.js";

export async function map(params, place, of) {
  const [mine, others] = await Promise.all([inputsOf(of, of.first), inputsOf(of, of.other)]);
  const inputs = [...mine, ...others.filter((input) => !mine.some((one) => one.pointer === input.pointer))].filter(
    (input) => input.base > 0 && input.pointer !== "/months",
  );
  const pick = (name, ...wishes) =>
    inputs.find((one) => one.pointer === params.get(name)) ??
    wishes.map((wish) => inputs.find((one) => wish.test(one.pointer))).find(Boolean);
  const x = pick("x", /demand\/mean_per_s$/, /epochs_per_month/, /./);
  const y = pick("y", /hourly_price/, /price$/, /price/, /./) ?? x;
  const steps = Number(params.get("steps") ?? 16);
  const output = params.get("output") ?? "/total/cost";
  const control = (name, input) =>
    labelled(
      name === "x" ? "Across" : "Upward",
      inputChoice(inputs, input.pointer, of, (value) => go({ [name]: value }), { id: name }),
    );
  place.append(
    h(
      "div",
      { class: "controls wide" },
      control("x", x),
      control("y", y),
      outputChoice(of, output),
      labelled(
        "Cells",
        choice(
          [8, 16, 32].map((one) => ({ value: String(one), text: `${one} × ${one}` })),
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
  const question = {
    scenarios: [of.send(of.first), of.send(of.other)],
    x: axisOf(x, steps),
    y: axisOf(y, steps),
    output,
    ...of.rest,
  };
  answerPlace.append(bar.element);
  const asked = ask("/v1/map", question, bar.told, of.signal);
  await fill(answerPlace, async () => drawing(await asked, x, y, of), "Evaluating the cells…");
}

// A third to three times the base; whole numbers where only these make sense.
function axisOf(input, steps) {
  const isWhole = ["servers", "instances", "devices", "sequences"].some((word) => input.unit.startsWith(word));
  const most = input.unit === "fraction" ? Math.min(1, input.base * 3) : input.base * 3;
  const spread = Array.from({ length: steps }, (_, i) => input.base / 3 + ((most - input.base / 3) * i) / (steps - 1));
  return { pointer: input.pointer, values: isWhole ? [...new Set(spread.map((value) => Math.max(1, Math.round(value))))] : spread };
}

function drawing(answer, x, y, of) {
  const references = [of.first, of.other];
  const names = references.map(of.name);
  const title = (input) => `${of.words(input.pointer)} (${input.unit === "factor" ? "times as it is" : input.unit})`;
  const index = (values, value) => {
    const above = values.findIndex((one) => one >= value);
    return above <= 0 ? 0 : above - 1 + (value - values[above - 1]) / (values[above] - values[above - 1]);
  };
  const cells = answer.cheapest.flatMap((row, j) => row.map((cheapest, i) => [i, j, cheapest]));
  const wins = (i) => cells.filter((cell) => cell[2] === i).length / cells.length;
  return chart({
    title: "Where the cheapest changes",
    name: "map",
    size: "tall",
    legend: references.map((reference, i) => ({
      name: `${names[i]} (${Math.round(100 * wins(i))} %)`,
      colour: scenarioColour(reference),
    })),
    note: [
      `The cheapest by ${pointerWords(answer.output)} in each cell. `,
      "Dots: both cost the same there, if they go in a straight line between cells (assumed).",
      answer.failed ? ` ${answer.failed} cells could not be evaluated: ${answer.first_failure?.message ?? ""}` : "",
    ],
    option: (colours) => ({
      grid: { left: 8, right: 24, top: 28, bottom: 32, containLabel: true },
      tooltip: {
        trigger: "item",
        formatter: (point) => {
          if (point.seriesType === "scatter") {
            const at = answer.boundary[point.dataIndex];
            return `${quantity(at.x, x.unit)}, ${quantity(at.y, y.unit)}: the same cost`;
          }
          const [i, j, cheapest] = cells[point.dataIndex];
          return [
            `${quantity(answer.x.values[i], x.unit)}, ${quantity(answer.y.values[j], y.unit)}`,
            ...names.map((name, n) => `${name}: ${quantity(answer.values[n][j][i], answer.unit)}${cheapest === n ? " ✓" : ""}`),
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
        {
          type: "scatter",
          symbolSize: 6,
          data: answer.boundary.map((one) => [index(answer.x.values, one.x), index(answer.y.values, one.y)]),
          itemStyle: { color: colours.text, borderColor: colours.page, borderWidth: 1 },
          emphasis: { disabled: true },
        },
      ],
    }),
    table: {
      columns: [
        { name: title(x), of: (row) => answer.x.values[row[0]], show: (value) => number(value) },
        { name: title(y), of: (row) => answer.y.values[row[1]], show: (value) => number(value) },
        { name: "cheapest", of: (row) => names[row[2]] ?? null, text: true },
        ...names.map((name, n) => ({
          name,
          unit: answer.unit,
          of: (row) => answer.values[n][row[1]][row[0]],
          show: (value) => quantity(value, answer.unit),
        })),
      ],
      rows: cells,
    },
  }).element;
}
