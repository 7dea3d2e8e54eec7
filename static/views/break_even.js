// Break-even of two scenarios, over the horizon or over an input; and how both cost as the input goes from low to high.
import { post } from "../api.js";
import { categoryAxis, grid, line, moneyAxis, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { scenarioColour } from "../colours.js";
import { h, labelled } from "../dom.js";
import { money, month, number, quantity } from "../format.js";
import { go } from "../router.js";
import { inputChoice, inputsOf } from "./questions.js";
import { sums } from "./compare_charts.js";

export async function breakEven(params, place, of) {
  const inputs = (await inputsOf(of, of.first)).filter(
    (input) => input.unit !== "factor" && input.pointer !== "/months" && input.base > 0,
  );
  const input =
    inputs.find((one) => one.pointer === params.get("input")) ??
    inputs.find((one) => one.pointer.endsWith("/demand/mean_per_s")) ??
    inputs[0];
  const pair = { a: of.send(of.first), b: of.send(of.other), ...of.rest };
  const range = (name, fallback) => Number(params.get(name) ?? fallback);
  const [low, high] = [range("low", input.base / 4), range("high", input.base * 2)];
  const field = (name, value) =>
    labelled(
      `${name === "low" ? "From" : "To"} (${input.unit})`,
      h("input", { id: name, inputmode: "decimal", value: String(value), onchange: (event) => go({ [name]: event.target.value }) }),
    );
  const [over, at, both] = await Promise.all([
    post("/v1/break-even", pair, of.signal),
    post("/v1/break-even", { ...pair, input: input.pointer, low, high }, of.signal),
    post("/v1/compare", { scenarios: [pair.a, pair.b], ...of.rest }, of.signal),
  ]);
  place.append(
    horizon(over, both, of),
    h(
      "div",
      { class: "controls wide" },
      labelled(
        "Over the input",
        inputChoice(inputs, input.pointer, of, (value) => go({ input: value, low: null, high: null }), { id: "input" }),
      ),
      field("low", low),
      field("high", high),
    ),
    await curves(at, input, low, high, of),
  );
}

const told = (answer, measure, of, show) => {
  const { crossings, cheaper_after, relation, jumps } = answer[measure];
  const names = { a: of.name(of.first), b: of.name(of.other) };
  if (relation !== "crosses") {
    const always = { a_always_cheaper: `${names.a} is always cheaper`, b_always_cheaper: `${names.b} is always cheaper` };
    return `${measure}: ${always[relation] ?? "they are equal"}`;
  }
  return crossings
    .map(
      (at, i) =>
        `${measure}: ${names[cheaper_after[i]]} is cheaper from ${show(at)} on${jumps[i] ? " (the difference jumps there)" : ""}`,
    )
    .join("; ");
};

const marks = (answer, of, y) => answer.cost.crossings.map((at) => ({ xAxis: at, label: { formatter: number(at) } }));

function horizon(answer, both, of) {
  const results = both.scenarios.map((one) => one.result);
  const { currency } = answer;
  const longest = results.reduce((a, b) => (b.months > a.months ? b : a));
  const of_month = (i, measure) => sums(results[i].by_month.map((one) => one[measure]));
  const names = [of.name(of.first), of.name(of.other)];
  const series = ["cost", "cash"].flatMap((measure) =>
    [0, 1].map((i) => ({
      name: `${names[i]}, ${measure}`,
      values: of_month(i, measure),
      colour: scenarioColour([of.first, of.other][i]),
      dash: measure === "cash",
    })),
  );
  return chart({
    title: "Over the horizon",
    name: "horizon",
    wide: true,
    legend: [0, 1].map((i) => ({ name: names[i], colour: scenarioColour([of.first, of.other][i]) })),
    note: [
      ...["cost", "cash"].map((measure) => `${told(answer, measure, of, (at) => `month ${number(at, "", 1)}`)}. `),
      "Lines are cost, dashes cash; within a month by straight line (assumed).",
    ],
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "axis",
        formatter: (points) =>
          [points[0].name, ...points.map((point) => `${point.seriesName}: ${money(point.value, currency)}`)].join("\n"),
      },
      xAxis: categoryAxis(
        "Month",
        longest.by_month.map((one) => month(one.month)),
        colours,
      ),
      yAxis: vertical(moneyAxis(currency, colours, "So far")),
      series: series.map((one) =>
        line(one.name, one.values, one.colour, one.dash ? { lineStyle: { width: 2, color: one.colour, type: "dashed" } } : {}),
      ),
    }),
    table: {
      columns: [
        { name: "month", of: (row) => row.month, text: true },
        ...series.map((one) => ({
          name: one.name,
          unit: currency,
          of: (row) => one.values[row.index] ?? null,
          show: (value) => money(value, currency),
        })),
      ],
      rows: longest.by_month.map((one, index) => ({ month: one.month, index })),
    },
  }).element;
}

// Both totals at values between low and high, from a map of one row.
async function curves(answer, input, low, high, of) {
  const steps = 41;
  const isWhole = ["servers", "instances", "months"].some((word) => input.unit.startsWith(word));
  const spread = Array.from({ length: steps }, (_, i) => low + ((high - low) * i) / (steps - 1));
  const values = isWhole ? [...new Set(spread.map(Math.round))] : spread;
  const grid_answer = await post(
    "/v1/map",
    {
      scenarios: [of.send(of.first), of.send(of.other)],
      x: { pointer: input.pointer, values },
      y: { pointer: input.pointer === "/finance/discount_rate" ? "/finance/tax_rate" : "/finance/discount_rate", values: [0] },
      ...of.rest,
    },
    of.signal,
  );
  const title = of.words(input.pointer);
  const names = [of.name(of.first), of.name(of.other)];
  return chart({
    title: `Over ${title}`,
    name: "input",
    wide: true,
    legend: [0, 1].map((i) => ({ name: names[i], colour: scenarioColour([of.first, of.other][i]) })),
    note:
      ["cost", "cash"].map((measure) => `${told(answer, measure, of, (at) => quantity(at, input.unit))}. `).join("") +
      "Between the values that were evaluated, a straight line (assumed).",
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "axis",
        formatter: (points) =>
          [
            quantity(points[0].value[0], input.unit),
            ...points.map((point) => `${point.seriesName}: ${money(point.value[1], answer.currency)}`),
          ].join("\n"),
      },
      xAxis: {
        ...valueAxis(`${title} (${input.unit})`, colours, (value) => number(value)),
        min: low,
        max: high,
        splitLine: { show: false },
      },
      yAxis: vertical(moneyAxis(answer.currency, colours, "Total cost")),
      series: [0, 1].map((i) =>
        line(
          names[i],
          values.map((value, n) => [value, grid_answer.values[i][0][n]]),
          scenarioColour([of.first, of.other][i]),
          i === 0
            ? {
                markLine: {
                  symbol: "none",
                  lineStyle: { color: colours.muted, type: "dotted" },
                  label: { color: colours.text },
                  data: marks(answer, of),
                },
              }
            : {},
        ),
      ),
    }),
    table: {
      columns: [
        { name: title, unit: input.unit, of: (row) => values[row], show: (value) => number(value) },
        ...[0, 1].map((i) => ({
          name: names[i],
          unit: answer.currency,
          of: (row) => grid_answer.values[i][0][row],
          show: (value) => money(value, answer.currency),
        })),
      ],
      rows: values.map((_, index) => index),
    },
  }).element;
}
