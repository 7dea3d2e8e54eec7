// Monte Carlo simulation over uncertain inputs: quantiles, cumulative cash with its 5–95 % band, probability of being the cheapest.
import { postWithProgress } from "../api.js";
import { categoryAxis, cut, grid, line, moneyAxis, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { scenarioColour } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { money, month, number, percent, pointerWords, quantity, short, shortMoney, wholePercent } from "../format.js";
import { go } from "../router.js";
import { fill } from "../states.js";
import { inputChoice, inputsOf, outputChoice } from "./question_parts.js";
import { differences, summary } from "./simulate_tables.js";

// An uncertain input in the URL: vary=/pointer:spread, a triangular distribution from 1 - spread to 1 + spread times the stated value.
const fromParameters = (params) =>
  params.getAll("vary").map((entry) => {
    const at = entry.lastIndexOf(":");
    return { pointer: entry.slice(0, at), spread: Number(entry.slice(at + 1)) };
  });
const toParameter = (varied) => varied.map(({ pointer, spread }) => `${pointer}:${spread}`);

export async function simulate(params, place, context) {
  const output = params.get("output") ?? "";
  const [mine, others] = await Promise.all([context.first, context.other].map((one) => inputsOf(context, one, output)));
  const wholeUnits = ["servers", "instances", "months", "devices", "sequences"];
  const inputs = [...mine, ...others.filter((input) => !mine.some((item) => item.pointer === input.pointer))].filter(
    (input) => input.base !== 0 && !wholeUnits.some((word) => input.unit.startsWith(word)),
  );
  const preferred = [/demand\/mean_per_s$/, /server\/price$/, /hourly_price$/, /epochs_per_month$/];
  const defaults = preferred
    .map((pattern) => inputs.find((input) => pattern.test(input.pointer)))
    .filter(Boolean)
    .map(({ pointer }) => ({ pointer, spread: 0.3 }));
  const varied = fromParameters(params).length
    ? fromParameters(params)
    : defaults.length
      ? defaults
      : inputs.slice(0, 2).map(({ pointer }) => ({ pointer, spread: 0.2 }));
  const samples = Number(params.get("samples") ?? 1000);
  const budget = params.get("budget") ? Number(params.get("budget")) : null;
  place.append(controls(inputs, varied, context, output, samples, budget));
  const answerPlace = h("div", { class: "wide panels" });
  place.append(answerPlace);
  const request = {
    scenarios: [context.scenario(context.first), context.scenario(context.other)],
    ...(output && { outputs: [output] }),
    samples,
    seed: Number(params.get("seed") ?? 1),
    by_month: true,
    break_even: { a: 0, b: 1 },
    ...(Number.isFinite(budget) && budget !== null && { budgets: [{ amount: budget }] }),
    ...context.rest,
    inputs: varied.map(({ pointer, spread }) => ({ pointer, distribution: distribution(pointer, spread, inputs) })),
  };
  const progressText = h("p", { class: "muted" });
  await fill(
    answerPlace,
    async () =>
      pictures(
        await postWithProgress(
          "/v1/simulate",
          request,
          ({ done, total }) => {
            progressText.textContent = `${done} of ${total}`;
          },
          context.signal,
        ),
        context,
        varied,
        samples,
      ),
    `Drawing ${number(samples)} samples…`,
  );
}

// Fractions are limited to 1.
function distribution(pointer, spread, inputs) {
  const input = inputs.find((input) => input.pointer === pointer);
  const high = input?.unit === "fraction" ? Math.min(1 + spread, 1 / input.base) : 1 + spread;
  return { kind: "triangular", low: Math.max(0, 1 - spread), mode: Math.min(1, high), high, relative: true };
}

function controls(inputs, varied, context, output, samples, budget) {
  const spreads = [0.05, 0.1, 0.2, 0.3, 0.5].map((value) => ({ value: String(value), text: `± ${percent(value)}` }));
  const change = (next) => go({ vary: toParameter(next) });
  return h(
    "div",
    { class: "panel wide" },
    h("h2", {}, "Uncertain inputs"),
    h(
      "ul",
      { class: "plain" },
      varied.map(({ pointer, spread }, i) =>
        h(
          "li",
          { class: "controls" },
          h("span", {}, context.words(pointer)),
          choice(
            spreads,
            String(spread),
            (value) => change(varied.map((input, n) => (n === i ? { ...input, spread: Number(value) } : input))),
            { id: `spread-${i}`, "aria-label": `Spread of ${context.words(pointer)}` },
          ),
          varied.length > 1
            ? h(
                "button",
                {
                  type: "button",
                  class: "bare",
                  "aria-label": `Remove ${context.words(pointer)}`,
                  onclick: () => change(varied.filter((_, n) => n !== i)),
                },
                "×",
              )
            : null,
        ),
      ),
    ),
    h(
      "p",
      { class: "muted" },
      "Each has a triangular distribution around its stated value (assumed), independent of the others; both scenarios share the same samples.",
    ),
    h(
      "div",
      { class: "controls" },
      labelled(
        "Another input",
        inputChoice(
          inputs.filter((input) => !varied.some((item) => item.pointer === input.pointer)),
          "",
          context,
          (value) => value && change([...varied, { pointer: value, spread: 0.2 }]),
          { id: "vary" },
        ),
      ),
      outputChoice(context, output),
      labelled(
        "Samples",
        choice(
          [500, 1000, 10000].map((value) => ({ value: String(value), text: number(value) })),
          String(samples),
          (value) => go({ samples: value }),
          { id: "samples" },
        ),
      ),
      labelled(
        "Budget for the output",
        h("input", {
          id: "budget",
          inputmode: "decimal",
          value: budget === null ? "" : String(budget),
          onchange: (event) => go({ budget: event.target.value.trim() || null }),
        }),
      ),
    ),
  );
}

function pictures(answer, context, varied, samples) {
  const [output] = Object.keys(answer.scenarios[0].outputs);
  const references = [context.first, context.other];
  const scenarios = answer.scenarios.map((scenario, i) => ({
    ...scenario,
    name: context.name(references[i]),
    reference: references[i],
    figure: scenario.outputs[output],
  }));
  const unknown = scenarios.filter((scenario) => scenario.figure === null).map((scenario) => scenario.name);
  if (unknown.length) return [h("p", { class: "box wide" }, `${pointerWords(output)} is not known of ${unknown.join(", ")}.`)];
  const { unit } = scenarios[0].figure;
  const basis = `${number(samples - answer.failed)} samples, seed ${answer.seed}.`;
  const none = answer.probability_none > 0 ? `No scenario is the cheapest in ${percent(answer.probability_none)} of samples. ` : "";
  const other = answer.not_comparable ? `In ${number(answer.not_comparable)} samples they do not do the same work. ` : "";
  return [
    cheapest(scenarios, none + other + basis),
    distributionChart(scenarios, unit, output, basis),
    ...scenarios.map((scenario) => fan(scenario, basis, context)),
    chance(answer, scenarios, basis),
    summary(scenarios, unit, varied, context),
    differences(answer, scenarios, output, basis),
  ];
}

function cheapest(scenarios, basis) {
  return chart({
    title: "Probability of being the cheapest",
    name: "probability",
    size: "small",
    note: basis,
    option: (colours, width) => ({
      grid: { ...grid, top: 8, right: 64 },
      tooltip: { trigger: "item", formatter: (point) => `${scenarios[point.dataIndex].name}: ${percent(point.value)}` },
      xAxis: { ...valueAxis("Share of samples", colours, wholePercent), min: 0, max: 1 },
      yAxis: {
        ...categoryAxis(
          "",
          scenarios.map((scenario) => cut(scenario.name, width < 500 ? 18 : 34)),
          colours,
        ),
        inverse: true,
      },
      series: [
        {
          type: "bar",
          barMaxWidth: 30,
          data: scenarios.map((scenario) => ({
            value: scenario.probability_cheapest,
            itemStyle: { color: scenarioColour(scenario.reference) },
          })),
          label: { show: true, position: "right", color: colours.text, formatter: (point) => percent(point.value) },
        },
      ],
    }),
    table: {
      columns: [
        { name: "scenario", value: (row) => row.name, text: true },
        { name: "probability", value: (row) => row.probability_cheapest, show: percent },
        { name: "can do its work", value: (row) => row.probability_feasible, show: percent },
      ],
      rows: scenarios,
    },
  }).element;
}

function distributionChart(scenarios, unit, output, basis) {
  const tick = (value) => (/^[A-Z]{3}$/.test(unit) ? shortMoney(value, unit) : short(value));
  const shares = scenarios[0].figure.quantiles.map((_, i, quantiles) => i / (quantiles.length - 1));
  return chart({
    title: "Cumulative distribution",
    name: "distribution",
    size: "small",
    legend: scenarios.map((scenario) => ({ name: scenario.name, colour: scenarioColour(scenario.reference) })),
    note: `Quantiles of ${pointerWords(output)} in steps of 5 %, linearly interpolated. ${basis}`,
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "item",
        formatter: (point) =>
          `${point.seriesName}\n${percent(point.value[1])} of samples are at most ${quantity(point.value[0], unit)}`,
      },
      xAxis: { ...valueAxis(`${pointerWords(output)} (${unit})`, colours, tick), scale: true, splitLine: { show: false } },
      yAxis: vertical({ ...valueAxis("Cumulative probability", colours, wholePercent), min: 0, max: 1 }),
      series: scenarios.map((scenario) =>
        line(
          scenario.name,
          shares.map((share, i) => [scenario.figure.quantiles[i], share]),
          scenarioColour(scenario.reference),
          { showSymbol: true, symbolSize: 4 },
        ),
      ),
    }),
    table: {
      columns: [
        { name: "share", value: (row) => row.share, show: percent },
        ...scenarios.map((scenario) => ({
          name: scenario.name,
          unit,
          value: (row) => scenario.figure.quantiles[row.index],
          show: (value) => quantity(value, unit),
        })),
      ],
      rows: shares.map((share, index) => ({ share, index })),
    },
  }).element;
}

function fan(item, basis, context) {
  const currency = context.document(item.reference)?.currency ?? "USD";
  const rows = item.by_month;
  const colour = scenarioColour(item.reference);
  return chart({
    title: `Cumulative cash: ${item.name}`,
    name: "fan",
    size: "small",
    note: `Median and the band from the 5 % to the 95 % quantile. ${basis}`,
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "axis",
        formatter: (points) => {
          const row = rows[points[0].dataIndex];
          return [
            month(row.month),
            `95 %: ${money(row.p95, currency)}`,
            `50 %: ${money(row.p50, currency)}`,
            `5 %: ${money(row.p5, currency)}`,
          ].join("\n");
        },
      },
      xAxis: categoryAxis(
        "Month",
        rows.map((row) => month(row.month)),
        colours,
      ),
      yAxis: vertical(moneyAxis(currency, colours, "Cumulative cash")),
      series: [
        {
          type: "line",
          stack: "band",
          silent: true,
          showSymbol: false,
          lineStyle: { opacity: 0 },
          data: rows.map((row) => row.p5),
          itemStyle: { color: colour },
        },
        {
          type: "line",
          stack: "band",
          silent: true,
          showSymbol: false,
          lineStyle: { opacity: 0 },
          areaStyle: { color: colour, opacity: 0.25 },
          data: rows.map((row) => row.p95 - row.p5),
          itemStyle: { color: colour },
        },
        line(
          "50 %",
          rows.map((row) => row.p50),
          colour,
        ),
      ],
    }),
    table: {
      columns: [
        { name: "month", value: (row) => row.month, text: true },
        ...["p5", "p50", "p95"].map((name) => ({
          name: `${name.slice(1)} %`,
          unit: currency,
          value: (row) => row[name],
          show: (value) => money(value, currency),
        })),
      ],
      rows,
    },
  }).element;
}

function chance(answer, scenarios, basis) {
  const months = scenarios.reduce((a, b) => (b.by_month.length > a.by_month.length ? b : a)).by_month;
  const rows = answer.break_even.probability.map((share, i) => ({ month: months[i].month, share }));
  return chart({
    title: "Probability of break-even",
    name: "break-even",
    size: "small",
    note: `${scenarios[0].name} has become cheaper than ${scenarios[1].name} by cumulative cash. ${basis}`,
    option: (colours) => ({
      grid,
      tooltip: { trigger: "axis", formatter: (points) => `${points[0].name}: ${percent(points[0].value)}` },
      xAxis: categoryAxis(
        "Month",
        rows.map((row) => month(row.month)),
        colours,
      ),
      yAxis: vertical({ ...valueAxis("Share of samples", colours, wholePercent), min: 0, max: 1 }),
      series: [
        line(
          "share",
          rows.map((row) => row.share),
          scenarioColour(scenarios[0].reference),
        ),
      ],
    }),
    table: {
      columns: [
        { name: "month", value: (row) => row.month, text: true },
        { name: "share", value: (row) => row.share, show: percent },
      ],
      rows,
    },
  }).element;
}
