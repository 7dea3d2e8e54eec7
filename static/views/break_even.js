// Break-even of two scenarios over the horizon or over an input, and both costs over the range of the input.
import { post } from "../api.js";
import { dateAxis, grid, line, moneyAxis, seriesLines, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { scenarioColour } from "../colours.js";
import { h, labelled } from "../dom.js";
import { money, month, number, quantity } from "../format.js";
import { takeNumber } from "../number_field.js";
import { go } from "../router.js";
import { inputChoice, inputsOf } from "./question_parts.js";
import { endMark, untilEnd } from "./until_end.js";
import { widened } from "./widening.js";

export async function breakEven(params, place, context) {
  const inputs = (await inputsOf(context, context.first)).filter(
    (input) => input.unit !== "factor" && input.pointer !== "/months" && input.base > 0,
  );
  const input =
    inputs.find((input) => input.pointer === params.get("input")) ??
    inputs.find((input) => input.pointer.endsWith("/demand/mean_per_s")) ??
    inputs[0];
  const pair = { a: context.scenario(context.first), b: context.scenario(context.other), ...context.restOf(context.pair) };
  const range = (name, fallback) => Number(params.get(name) ?? fallback);
  const isStated = ["low", "high"].some((name) => params.get(name));
  const search = (from, to) => post("/v1/break-even", { ...pair, input: input.pointer, low: from, high: to }, context.signal);
  const field = (name, value) =>
    labelled(
      `${name === "low" ? "From" : "To"} (${input.unit})`,
      h("input", { id: name, inputmode: "decimal", value: String(value), onchange: ({ target }) => takeNumber(target, (entered) => go({ [name]: entered })) }),
    );
  const [over, found, both] = await Promise.all([
    post("/v1/break-even", pair, context.signal),
    widened(search, range("low", input.base / 4), range("high", input.base * 2)),
    post("/v1/compare", { scenarios: [pair.a, pair.b], ...context.restOf(context.pair) }, context.signal),
  ]);
  // A stated range is drawn as it is; what is beyond it is said.
  const isDrawn = !(found.isWider && isStated);
  const low = isDrawn ? found.low : range("low", input.base / 4);
  const high = isDrawn ? found.high : range("high", input.base * 2);
  const at = isDrawn ? found.answer : found.given;
  place.append(
    horizon(over, both, context),
    h(
      "div",
      { class: "controls wide" },
      labelled(
        "Over the input",
        inputChoice(inputs, input.pointer, context, (value) => go({ input: value, low: null, high: null }), { id: "input" }),
      ),
      field("low", low),
      field("high", high),
    ),
    await curves(at, input, { low, high, found, isDrawn }, context),
  );
}

const namesOf = (context) => ({ a: context.name(context.first), b: context.name(context.other) });

const crossingText = (answer, measure, context, show) => {
  const { crossings, cheaper_after, relation, jumps } = answer[measure];
  const names = namesOf(context);
  if (relation !== "crosses") {
    const range = answer.low === null ? "" : ` from ${show(answer.low)} to ${show(answer.high)}`;
    const within = answer.stretches.length ? " where they can be ranked" : range;
    const always = {
      a_always_cheaper: `${names.a} is always cheaper${within}`,
      b_always_cheaper: `${names.b} is always cheaper${within}`,
      none: "neither is called cheaper",
    };
    return `By ${measure}, ${always[relation] ?? `they are equal${within}`}`;
  }
  return crossings
    .map(
      (at, i) =>
        `by ${measure}, ${names[cheaper_after[i]]} is cheaper from ${show(at)} on${jumps[i] ? " (the difference jumps there)" : ""}`,
    )
    .join("; ")
    .replace(/^b/, "B");
};

// The difference once the horizon's end is settled.
function endText(answer, measure, context) {
  const { at_end: end } = answer[measure];
  if (!end?.cheaper) return "";
  const amount = money(Math.abs(end.difference), answer.currency);
  return `By ${measure} at the end, terminal values included, ${namesOf(context)[end.cheaper]} is cheaper by ${amount}. `;
}

// Why neither is called cheaper over the horizon.
function unrankedText({ comparable, differences, feasible }, context) {
  const { a, b } = namesOf(context);
  const unable = [a, b].filter((_, i) => !feasible[i]).map((name) => `${name} is infeasible`);
  const work = comparable ? [] : differences.slice(0, 3).map((part) => `${part.what} ${part.a} against ${part.b}`);
  const reasons = [...unable, ...(work.length ? [`they do not do the same work (${work.join("; ")})`] : [])];
  return reasons.length ? `Not ranked: ${reasons.join("; ")}. ` : "";
}

function stretchText({ from, to, because }, context, show) {
  const { a, b } = namesOf(context);
  const reasons = {
    a_infeasible: `${a} is infeasible`,
    b_infeasible: `${b} is infeasible`,
    both_infeasible: "both are infeasible",
    not_comparable: "they do not do the same work",
    invalid: "the values break a rule",
  };
  return `Not ranked from ${show(from)} to ${show(to)}: ${reasons[because]}. `;
}

const marks = (answer) => answer.cost.crossings.map((at) => ({ xAxis: at, label: { formatter: number(at) } }));

function horizon(answer, both, context) {
  const results = both.scenarios.map((scenario) => scenario.result);
  const { currency } = answer;
  const longest = results.reduce((a, b) => (b.months > a.months ? b : a));
  const names = [context.name(context.first), context.name(context.other)];
  const series = ["cost", "cash"].flatMap((measure) =>
    [0, 1].map((i) => ({
      name: `${names[i]}, ${measure}`,
      ...untilEnd(results[i], measure),
      colour: scenarioColour([context.first, context.other][i]),
      dash: measure === "cash",
    })),
  );
  return chart({
    title: "Over the horizon",
    name: "horizon",
    wide: true,
    legend: [0, 1].map((i) => ({ name: names[i], colour: scenarioColour([context.first, context.other][i]) })),
    note: [
      unrankedText(answer, context),
      ...["cost", "cash"].map((measure) => `${crossingText(answer, measure, context, (at) => `month ${number(at, "", 1)}`)}. `),
      ...["cost", "cash"].map((measure) => endText(answer, measure, context)),
      "Lines are cost, dashes cash, summed to each month's end. Diamonds: with what the end settles, which no crossing counts; the table's last month has it.",
    ],
    option: (colours, width) => ({
      grid,
      tooltip: {
        trigger: "axis",
        formatter: (points) =>
          [points[0].axisValueLabel, ...seriesLines(points, (value) => money(value, currency))].join("\n"),
      },
      xAxis: dateAxis("Month", [...longest.by_month.map((row) => month(row.month)), "end"], colours, width),
      yAxis: vertical(moneyAxis(currency, colours, "Cumulative")),
      series: series.flatMap((curve) => [
        line(
          curve.name,
          curve.line,
          curve.colour,
          curve.dash ? { lineStyle: { type: "dashed" } } : {},
        ),
        ...(curve.end === null ? [] : [endMark(curve.name, curve.end, curve.colour)]),
      ]),
    }),
    table: {
      columns: [
        { name: "month", value: (row) => row.month, text: true },
        ...series.map((curve) => ({
          name: curve.name,
          unit: currency,
          value: (row) => curve.values[row.index] ?? null,
          show: (value) => money(value, currency),
        })),
      ],
      rows: longest.by_month.map((row, index) => ({ month: row.month, index })),
    },
  }).element;
}

// What the search found outside of the range that is drawn, or how far it looked.
function beyond({ answer, isWider, low, high, searched }, isDrawn, context, show) {
  if (!isDrawn)
    return [
      `Beyond this range: ${crossingText(answer, "cost", context, show)}. `,
      h("button", { type: "button", class: "quiet", id: "widen", onclick: () => go({ low: null, high: null }) }, "Draw it"),
      " ",
    ];
  if (isWider) return ["The range was widened until the cheaper changes. "];
  if (!searched || (searched.low === low && searched.high === high)) return [];
  return [`Nor does the cheaper change from ${show(searched.low)} to ${show(searched.high)}. `];
}

// Both totals at values between low and high, from a map with one row.
async function curves(answer, input, { low, high, found, isDrawn }, context) {
  const steps = 41;
  const isWhole = ["servers", "instances", "months"].some((word) => input.unit.startsWith(word));
  const evenly = Array.from({ length: steps }, (_, i) => low + ((high - low) * i) / (steps - 1));
  const values = isWhole ? [...new Set(evenly.map(Math.round))] : evenly;
  const mapAnswer = await post(
    "/v1/map",
    {
      scenarios: [context.scenario(context.first), context.scenario(context.other)],
      x: { pointer: input.pointer, values },
      y: { pointer: input.pointer === "/finance/discount_rate" ? "/finance/tax_rate" : "/finance/discount_rate", values: [0] },
      ...context.restOf(context.pair),
    },
    context.signal,
  );
  const title = context.words(input.pointer);
  const names = [context.name(context.first), context.name(context.other)];
  const show = (value) => quantity(value, input.unit);
  return chart({
    title: `Over ${title}`,
    name: "input",
    wide: true,
    legend: [0, 1].map((i) => ({ name: names[i], colour: scenarioColour([context.first, context.other][i]) })),
    note: [
      ...["cost", "cash"].map((measure) => `${crossingText(answer, measure, context, show)}. `),
      ...answer.stretches.map((stretch) => stretchText(stretch, context, show)),
      ...beyond(found, isDrawn, context, show),
      `Searched from ${show(answer.low)} to ${show(answer.high)}; linear interpolation between evaluated values (assumed).`,
    ],
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "axis",
        formatter: (points) =>
          [
            quantity(points[0].value[0], input.unit),
            ...seriesLines(points, (value) => money(value, answer.currency)),
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
          values.map((value, n) => [value, mapAnswer.values[i][0][n]]),
          scenarioColour([context.first, context.other][i]),
          i === 0
            ? {
                markLine: {
                  symbol: "none",
                  lineStyle: { color: colours.muted, type: "dotted" },
                  label: { color: colours.text },
                  data: marks(answer),
                },
                markArea: {
                  silent: true,
                  itemStyle: { color: colours.muted, opacity: 0.15 },
                  data: answer.stretches.map(({ from, to }) => [{ xAxis: from }, { xAxis: to }]),
                },
              }
            : {},
        ),
      ),
    }),
    table: {
      columns: [
        { name: title, unit: input.unit, value: (row) => values[row], show: (value) => number(value) },
        ...[0, 1].map((i) => ({
          name: names[i],
          unit: answer.currency,
          value: (row) => mapAnswer.values[i][0][row],
          show: (value) => money(value, answer.currency),
        })),
      ],
      rows: values.map((_, index) => index),
    },
  }).element;
}
