// The charts of a run: what is done by each day, what more devices do to its cost and its end, and the hours that do no work.
import { post } from "../api.js";
import { categoryAxis, grid, line, moneyAxis, seriesLines, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { amount, figures } from "../decision/words.js";
import { h } from "../dom.js";
import { count, number, percent, short, wholePercent } from "../format.js";
import { deviceShort } from "../plan/names.js";
import { devicesAt, epochsBy, hoursOf, metBy, progressOf, scenarioAt } from "./run_hours.js";

const mostLines = 4;
const factors = [0.5, 1, 2, 4];
const bends = 60; // days of an axis at most that stand in the table

// A and B, then the first plans of other devices.
const deviceOf = ({ plan }) => plan.replicas[0]?.device;
function drawnOf({ rows, pair }) {
  const shown = [...new Set(pair)];
  for (const row of rows) if (shown.length < mostLines && shown.every((one) => deviceOf(one) !== deviceOf(row))) shown.push(row);
  return shown;
}
const colourIn = (colours, { colour }) => colours.plans[colour - 1];
const plansOf = (rows) => rows.map((row) => ({ name: row.title, colour: `var(--p${row.colour})`, series: [row.key, `low ${row.key}`, `band ${row.key}`] }));
const rounded = (value) => number(Number(value.toPrecision(2)));
const deadlineOf = ({ request }) => request.workloads[0].within_days;
// The deadline and all behind it, to the end of the axis.
const endOf = (deadline, last) => Math.ceil(Math.max(1.15 * deadline, last));
const behind = (deadline, last, colours) => ({
  markLine: {
    symbol: "none",
    silent: true,
    data: [{ xAxis: deadline }],
    lineStyle: { color: colours.text, type: "solid", width: 1.5 },
    label: { formatter: "deadline", position: "insideStartTop", color: colours.muted, rotate: 0, distance: 4 },
  },
  markArea: { silent: true, itemStyle: { color: colours.line, opacity: 0.5 }, data: [[{ xAxis: deadline }, { xAxis: endOf(deadline, last) }]] },
});
const daysAxis = (colours, deadline, last) => ({ ...valueAxis("Days from the start", colours, short), min: 0, max: endOf(deadline, last) });

// By day what each plan has done, written and met, at the mean.
function dayTable(shown, days) {
  const met = ({ row }, what) => (day) => metBy(row.plan.scenario, row.result, day)[what];
  const column = (one, name, unit, value) => ({ name: `${one.row.title}, ${name}`, unit, value: ({ day }) => value(day), show: (value) => number(value, "", 1) });
  return {
    columns: [
      { name: "day", unit: "days", value: ({ day }) => day, show: (value) => number(value, "", 1) },
      ...shown.map((one) => ({ ...column(one, "epochs", "epochs", (day) => epochsBy(one.whole, day)), show: (value) => number(value, "", 2) })),
      ...shown.map((one) => column(one, "interruptions", "interruptions", met(one, "interruptions"))),
      ...shown.map((one) => column(one, "checkpoints", "checkpoints", met(one, "checkpoints"))),
    ],
    rows: days.map((day) => ({ day })),
  };
}

function progressSpec(view) {
  const { own } = view;
  const deadline = deadlineOf(view);
  const shown = drawnOf(view).map((row) => {
    const { scenario } = row.plan;
    const at = (result) => (result ? progressOf(scenario, result) : null);
    const [fast, slow] = (own.ends?.get(row.key)?.results ?? []).map(at);
    const whole = at(row.result);
    return { row, scenario, whole, fast, slow: view.pair.includes(row) ? slow : null, hours: hoursOf(scenario, row.result) };
  });
  const last = Math.max(...shown.map(({ whole, slow }) => (slow ?? whole).at(-1).day));
  const step = Math.ceil(last / bends);
  const whole = Array.from({ length: Math.ceil(last / step) + 1 }, (_, i) => i * step);
  const days = [...new Set([...whole, ...shown.flatMap((one) => [one.whole, one.fast, one.slow].flatMap((all) => (all ?? []).map(({ day }) => day)))])].sort((a, b) => a - b);
  const epochs = Math.max(...shown.map((one) => one.whole.at(-1).epochs));
  return {
    title: "A run, day by day",
    name: "progress",
    note: [
      "Interruptions and waiting at their mean.",
      shown.some(({ slow }) => slow) ? "Bands: over the rate’s 8 in 10, for A and B." : "",
      `${shown[0].row.title}: ${rounded(shown[0].hours.interruptions)} interruptions and ${count(Math.round(shown[0].hours.checkpoints), "checkpoint")} a run.`,
    ].join(" "),
    legend: plansOf(shown.map(({ row }) => row)),
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "axis",
        formatter: (points) => {
          const day = points[0].value[0];
          const text = (value) => `${number(value, "", 2)} of ${number(epochs)} epochs`;
          return [`day ${number(day, "", 1)}`, ...shown.map(({ row, whole }) => `${row.title}: ${text(epochsBy(whole, day))}`)].join("\n");
        },
      },
      xAxis: daysAxis(colours, deadline, last),
      yAxis: { ...vertical(valueAxis("Epochs done", colours, short)), max: epochs, splitNumber: 3 },
      series: shown.flatMap((one, i) => {
        const colour = colourIn(colours, one.row);
        const points = one.whole.map(({ day, epochs: done }) => [day, done]);
        const more = { lineStyle: { width: view.pair.includes(one.row) ? 2.4 : 1.6 }, ...(i ? {} : behind(deadline, last, colours)) };
        const drawn = line(one.row.key, points, colour, more);
        if (!one.slow) return [drawn];
        const area = { type: "line", stack: one.row.key, showSymbol: false, silent: true, lineStyle: { width: 0 }, emphasis: { disabled: true } };
        const by = days.map((day) => [day, epochsBy(one.slow, day), epochsBy(one.fast, day)]);
        return [
          { ...area, name: `low ${one.row.key}`, data: by.map(([day, low]) => [day, low]) },
          { ...area, name: `band ${one.row.key}`, data: by.map(([day, low, high]) => [day, high - low]), areaStyle: { color: colour, opacity: 0.16 } },
          drawn,
        ];
      }),
    }),
    table: dayTable(shown, days),
  };
}

// Each plan drawn at each size: the API's rate of that many devices, and its evaluation. A size that holds no run or does not end is left out.
async function sizesOf(view, rateOf, signal) {
  const one = async (row, factor) => {
    const devices = devicesAt(row.plan.scenario, factor);
    if (!devices) return null;
    if (factor === 1) return { row, devices, result: row.result, cost: row.cost };
    const rate = await rateOf(row, view.request, signal, devices).catch(() => null);
    if (!rate) return null;
    const scenario = scenarioAt(row.plan.scenario, factor, rate.tokens_per_s);
    const result = await post("/v1/evaluate", { scenario }, signal).catch(() => null);
    const isWhole = result && result.decisive !== null && result.infeasible_because.every(({ code }) => code === "deadline");
    return isWhole && Object.values(result.by_workload)[0].days !== null ? { row, devices, result, cost: result.decisive } : null;
  };
  const all = await Promise.all(drawnOf(view).flatMap((row) => factors.map((factor) => one(row, factor))));
  return all.filter(Boolean).map((size) => ({ ...size, days: Object.values(size.result.by_workload)[0].days }));
}

function sizesSpec(view, sizes) {
  const { answer } = view;
  const { decide_by: by, unit: currency } = answer;
  const deadline = deadlineOf(view);
  const rows = [...new Set(sizes.map(({ row }) => row))];
  const last = Math.max(...sizes.map(({ days }) => days));
  const shown = (value) => amount(value, { decide_by: by, currency });
  const name = ({ devices, row }) => `${number(devices)} ${deviceShort(deviceOf(row))}`;
  // A plan's own size is labelled where no other label is near.
  const costs = sizes.map(({ cost }) => cost);
  const span = Math.max(...costs) - Math.min(...costs);
  const isNear = (a, b) => Math.abs(a.days - b.days) < 0.15 * last && Math.abs(a.cost - b.cost) < 0.15 * span;
  const labelled = [];
  for (const size of sizes) if (size.result === size.row.result && !labelled.some((one) => isNear(one, size))) labelled.push(size);
  const axis = (colours) =>
    figures[by].money ? moneyAxis(currency, colours, figures[by].name) : valueAxis(`${figures[by].name} (${figures[by].unit})`, colours, short);
  return {
    title: "What more devices do",
    name: "devices",
    note: "Cost and end with half, twice and four times the devices, each at the rate of so many; interruptions at their mean.",
    legend: plansOf(rows),
    option: (colours) => ({
      grid,
      tooltip: { trigger: "item", formatter: ({ data: { size } }) => `${name(size)}, ${size.row.line}\nday ${number(size.days, "", 1)}, ${shown(size.cost)}` },
      xAxis: daysAxis(colours, deadline, last),
      yAxis: { ...vertical(axis(colours)), scale: true, splitNumber: 3 },
      series: rows.map((row, i) => {
        const own = sizes.filter((size) => size.row === row).sort((a, b) => a.days - b.days);
        const position = i ? "top" : "bottom";
        const label = (size) => ({ show: labelled.includes(size), formatter: name(size), position, color: colours.text });
        const data = own.map((size) => ({ value: [size.days, size.cost], size, label: label(size) }));
        return line(row.key, data, colourIn(colours, row), {
          showSymbol: true,
          lineStyle: { width: 1.6 },
          ...(i ? {} : behind(deadline, last, colours)),
        });
      }),
    }),
    table: {
      columns: [
        { name: "plan", value: ({ row }) => row.title },
        { name: "devices", unit: "devices", value: ({ devices }) => devices },
        { name: "days", unit: "days", value: ({ days }) => days, show: (value) => number(value, "", 1) },
        { name: figures[by].name, unit: figures[by].money ? currency : figures[by].unit, value: ({ cost }) => cost, show: shown },
      ],
      rows: sizes,
    },
  };
}

const losses = [
  { name: "checkpoints", of: ({ written }) => written },
  { name: "work done twice", of: ({ redone }) => redone },
  { name: "restarting", of: ({ restarting }) => restarting },
  { name: "waiting, not paid", of: ({ waiting }) => waiting },
];
function lossesSpec({ rows }) {
  const all = rows.map((row) => ({ row, hours: hoursOf(row.plan.scenario, row.result) }));
  const parts = losses.map((one, i) => ({ ...one, i, values: all.map(({ hours }) => one.of(hours)) })).filter(({ values }) => values.some(Boolean));
  return {
    title: "Hours that do no work",
    name: "hours",
    note: "Of the hours from a run’s start to its end, at the mean.",
    legend: parts.map(({ name, i }) => ({ name, colour: `var(--c${i + 1})` })),
    option: (colours, width) => ({
      grid: { left: 8, right: 56, top: 8, bottom: 32, containLabel: true },
      tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, formatter: (points) => [points[0].name, ...seriesLines(points, percent)].join("\n") },
      yAxis: {
        ...categoryAxis(
          "",
          all.map(({ row }) => row.title),
          colours,
        ),
        inverse: true,
        axisLabel: { color: colours.text, interval: 0, width: width < 500 ? 126 : 190, overflow: "break", fontSize: 10, lineHeight: 10 },
      },
      xAxis: { ...valueAxis("Share of the hours", colours, wholePercent), splitNumber: 3 },
      series: parts.map(({ name, values, i }, n) => ({
        type: "bar",
        stack: "all",
        name,
        data: values,
        barMaxWidth: 14,
        itemStyle: { color: colours.costs[i], borderColor: colours.page, borderWidth: 0.5 },
        emphasis: { disabled: true },
        label:
          n === parts.length - 1
            ? { show: true, position: "right", color: colours.text, formatter: ({ dataIndex }) => percent(1 - all[dataIndex].hours.useful) }
            : undefined,
      })),
    }),
    table: {
      columns: [
        { name: "plan", value: ({ row }) => row.title },
        ...[...losses, { name: "work", of: ({ useful }) => useful }].map(({ name, of }) => ({
          name,
          unit: "fraction of hours",
          value: ({ hours }) => of(hours),
          show: percent,
        })),
        { name: "interruptions a run", value: ({ hours }) => hours.interruptions, show: rounded },
        { name: "checkpoints a run", value: ({ hours }) => hours.checkpoints, show: (value) => number(value, "", 0) },
      ],
      rows: all,
    },
  };
}

export function runCharts(rateOf) {
  const element = h("div", { class: "charts" });
  const drawn = [];
  let known = { key: "", sizes: [] };
  const draw = (i, spec) => {
    if (drawn[i]) return drawn[i].update(spec);
    drawn[i] = chart(spec);
    element.append(drawn[i].element);
  };
  return {
    element,
    async show(view, from, signal) {
      draw(0, progressSpec(view));
      const key = JSON.stringify([view.request, drawnOf(view).map((row) => row.key)]);
      const asked = key === known.key ? known : { key, sizes: sizesOf(view, rateOf, signal) };
      const sizes = await asked.sizes;
      signal.throwIfAborted();
      known = { key, sizes };
      draw(1, sizesSpec(view, sizes));
      draw(2, lossesSpec(view));
    },
  };
}
