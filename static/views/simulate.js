// Monte Carlo simulation over uncertain inputs: quantiles, cumulative cash with its 5–95 % band, probability of being the cheapest.
import { postWithProgress } from "../api.js";
import { categoryAxis, cut, grid, line, moneyAxis, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { scenarioColour } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { money, month, number, percent, pointerWords, quantity, short, shortMoney, wholePercent } from "../format.js";
import { go } from "../router.js";
import { fill } from "../states.js";
import { inputChoice, inputsOfAll, outputChoice, sharedInputs } from "./question_parts.js";
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
  const known = (await Promise.all([sharedInputs(context), inputsOfAll(context, output)])).flat();
  const wholeUnits = ["servers", "instances", "months", "devices", "sequences"];
  const inputs = known.filter((input) => input.base !== 0 && !wholeUnits.some((word) => input.unit.startsWith(word)));
  const preferred = [/demand\/mean_per_s$/, /server\/price$/, /hourly_price$/, /price_per_million_units$/, /epochs/];
  const defaults = preferred
    .map((pattern) => inputs.find((input) => pattern.test(input.pointer)))
    .filter(Boolean)
    .map(({ pointer }) => ({ pointer, spread: 0.3 }));
  const named = fromParameters(params).filter(({ pointer }) => known.some((input) => input.pointer === pointer));
  const varied = named.length
    ? named
    : defaults.length
      ? defaults
      : inputs.slice(0, 2).map(({ pointer }) => ({ pointer, spread: 0.2 }));
  const samples = Number(params.get("samples") ?? 1000);
  const budget = params.get("budget") ? Number(params.get("budget")) : null;
  place.append(controls(inputs, varied, context, output, samples, budget));
  const answerPlace = h("div", { class: "wide panels" });
  place.append(answerPlace);
  const at = (reference) => context.references.indexOf(reference);
  const request = {
    scenarios: context.references.map(context.scenario),
    ...(output && { outputs: [output] }),
    samples,
    seed: Number(params.get("seed") ?? 1),
    by_month: true,
    ...(context.other && { break_even: { a: at(context.pair[0]), b: at(context.pair[1]) } }),
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
  const most = input.most ?? (input.unit === "fraction" ? 1 / input.base : Infinity);
  const high = Math.min(1 + spread, most);
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
      "Each has a triangular distribution around its stated value (assumed), independent of the others; all scenarios share the same samples.",
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
  const scenarios = answer.scenarios.map((scenario, i) => ({
    ...scenario,
    name: context.name(context.references[i]),
    reference: context.references[i],
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
    ...scenarios.map((_, i) => fan(scenarios, i, basis, context)),
    answer.break_even ? chance(answer, scenarios, basis, context) : null,
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

// One scale for all, so that bands can be compared.
function fan(scenarios, i, basis, context) {
  const item = scenarios[i];
  const currency = context.document(item.reference)?.currency ?? "USD";
  const rows = item.by_month;
  const colour = scenarioColour(item.reference);
  const ends = scenarios.flatMap((scenario) => scenario.by_month.flatMap((row) => [row.p5, row.p95]));
  return chart({
    title: `Cumulative cash: ${item.name}`,
    name: i === 0 ? "fan" : `fan-${i + 1}`,
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
      yAxis: vertical({ ...moneyAxis(currency, colours, "Cumulative cash"), min: Math.min(0, ...ends), max: Math.max(...ends) }),
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

function chance(answer, scenarios, basis, context) {
  const [a, b] = context.pair.map((reference) => scenarios.find((scenario) => scenario.reference === reference));
  const months = [a, b].reduce((one, other) => (other.by_month.length > one.by_month.length ? other : one)).by_month;
  const rows = answer.break_even.probability.map((share, i) => ({ month: months[i].month, share }));
  const options = scenarios.map(({ reference, name }) => ({ value: reference, text: name }));
  const pick = (name, now, other) =>
    choice(
      options.filter((option) => option.value !== other),
      now,
      (value) => go({ [name]: value }),
      { id: `pair-${name}`, "aria-label": name === "a" ? "Which becomes cheaper" : "Than which" },
    );
  return chart({
    title: "Probability of break-even",
    name: "break-even",
    size: "small",
    tools: scenarios.length > 2 ? [pick("a", a.reference, b.reference), pick("b", b.reference, a.reference)] : null,
    note: `${a.name} has become cheaper than ${b.name} by cumulative cash. ${basis}`,
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
          scenarioColour(a.reference),
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
