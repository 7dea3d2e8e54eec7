// The charts of Compare: cost by category, cumulative cash with break-even points, cost bridge, energy and carbon.
import {
  categoryAxis,
  cut,
  dateAxis,
  grid,
  line,
  moneyAxis,
  seriesLines,
  stack,
  stackTooltip,
  valueAxis,
  vertical,
} from "../axes.js";
import { categoriesOf, categoryLabel } from "../categories.js";
import { chart } from "../chart.js";
import { better, inTheme, neutral, scenarioColour, worse } from "../colours.js";
import { toggle } from "../dom.js";
import { missing, money, month, number, quantity, short, unitOf } from "../format.js";
import { metered, meters } from "../parts.js";

const names = (entries, width) => entries.map((entry) => cut(entry.name, width < 500 ? 18 : 34));

export function categoryChart(entries, currency) {
  const parts = categoriesOf(entries.map((entry) => entry.result.by_category));
  return chart({
    title: "Cost by category",
    size: entries.length > 5 ? "tall" : "",
    legend: parts,
    note: "Capital cost is spread over the months in service; the categories sum to the total.",
    option: (colours, width) => ({
      grid: { ...grid, top: 8, bottom: 32 },
      tooltip: stackTooltip(currency),
      xAxis: moneyAxis(currency, colours),
      yAxis: { ...categoryAxis("", names(entries, width), colours), inverse: true },
      series: stack(
        parts.map(({ name, label, colour }) => ({
          name: label,
          colour,
          values: entries.map((entry) => entry.result.by_category[name]?.cost ?? 0),
        })),
        colours,
      ),
    }),
    table: {
      columns: [
        { name: "category", value: (row) => row.name, show: (value, row) => row.label, text: true },
        ...entries.map((entry) => ({
          name: entry.name,
          unit: currency,
          value: (row) => row.value(entry.result),
          show: (value) => money(value, currency),
        })),
      ],
      rows: parts.map(({ name, label }) => ({ name, label, value: (result) => result.by_category[name]?.cost ?? 0 })),
      foot: { name: "total", label: "total", value: (result) => result.total.cost },
    },
  }).element;
}

// What the horizon's end settles in the last month: cash that servers fetch, cost that their sale leaves beyond what was borne.
const settled = {
  cash: (result) => -(result.total.terminal?.sale ?? 0),
  cost: (result) => result.by_month.at(-1).by_category?.disposal?.cost ?? 0,
};

// Cumulative figures by month: `values` with the end's settlement, `line` without it, and `end` where they differ.
export function untilEnd(result, measure) {
  const values = sums(result.by_month.map((row) => row[measure]));
  const end = settled[measure](result);
  return { values, line: [...values.slice(0, -1), values.at(-1) - end], end: end === 0 ? null : values.at(-1) };
}

// The end as a mark of its own, after the last month.
export const endMark = (name, end, colour) => ({
  type: "scatter",
  name,
  symbol: "diamond",
  symbolSize: 10,
  itemStyle: { color: inTheme(colour) },
  data: [["end", end]],
});

// Cumulative sums.
function sums(values) {
  let sum = 0;
  return values.map((value) => (sum += value));
}

export function cashChart(entries, currency, crossings, baseline) {
  const longest = entries.reduce((a, b) => (b.result.months > a.result.months ? b : a)).result;
  const ends = entries.map((entry) => untilEnd(entry.result, "cash"));
  const curves = ends.map((one) => one.line);
  const at = (curve, position) => {
    const before = Math.floor(position);
    const from = before > 0 ? curve[before - 1] : 0;
    return from + (position - before) * ((curve[before] ?? from) - from);
  };
  const marks = crossings.map((crossing) => ({
    coord: [Math.min(curves[baseline].length - 1, Math.max(0, crossing.month - 1)), at(curves[baseline], crossing.month)],
    name: `${entries[crossing.cheaper].name} has the lower cumulative cash from month ${crossing.month.toFixed(1)} on`,
    value: crossing.month.toFixed(1),
  }));
  const crossingTexts = crossings.map(
    (crossing) =>
      `${entries[crossing.cheaper].name} has a lower cumulative cash than ` +
      `${entries[crossing.cheaper === baseline ? crossing.other : baseline].name} from month ${crossing.month.toFixed(1)} on.`,
  );
  return chart({
    title: "Cumulative cash",
    size: entries.length > 5 ? "tall" : "",
    legend: entries.map((entry) => ({ name: entry.name, colour: scenarioColour(entry.reference) })),
    note: [
      crossingTexts.join(" ") ||
        `No scenario that can be compared with ${entries[baseline].name} breaks even with it within the horizon.`,
      " Diamonds: with what the end settles, such as sales of servers, which no break-even counts; the table's last month has it.",
    ],
    option: (colours, width) => ({
      grid: { ...grid, top: 32, bottom: 32 },
      tooltip: {
        trigger: "axis",
        formatter: (points) =>
          [points[0].axisValueLabel, ...seriesLines(points, (value) => money(value, currency))].join("\n"),
      },
      xAxis: dateAxis("Month", [...longest.by_month.map((row) => month(row.month)), "end"], colours, width),
      yAxis: vertical(moneyAxis(currency, colours, "Cumulative cash")),
      series: entries.flatMap((entry, i) => [
        line(
          entry.name,
          curves[i].map((value, m) => [m, value]),
          scenarioColour(entry.reference),
          i === baseline
            ? {
                lineStyle: { width: 3 },
                markPoint: {
                  symbol: "circle",
                  symbolSize: 11,
                  data: marks,
                  itemStyle: { color: colours.page, borderColor: colours.text, borderWidth: 2 },
                  label: { position: "top", color: colours.text, formatter: (mark) => mark.value },
                  tooltip: { formatter: (mark) => mark.name },
                },
              }
            : {},
        ),
        ...(ends[i].end === null ? [] : [endMark(entry.name, ends[i].end, scenarioColour(entry.reference))]),
      ]),
    }),
    table: {
      columns: [
        { name: "month", value: (row) => row.month, text: true },
        ...entries.map((entry, i) => ({
          name: entry.name,
          unit: currency,
          value: (row) => ends[i].values[row.index] ?? null,
          show: (value) => money(value, currency),
        })),
      ],
      rows: longest.by_month.map((row, index) => ({ month: row.month, index })),
    },
  }).element;
}

// The breakdowns of the difference: the figure, the steps, and the note under the chart.
export const breakdowns = [
  {
    value: "driver",
    text: "Driver",
    read: ({ bridge }) => ({
      figure: bridge.figure,
      steps: bridge.steps.map((step) => ({ ...step, cause: step.driver })),
      note: `${bridge.why[0].toUpperCase()}${bridge.why.slice(1)}.`,
    }),
  },
  {
    value: "cause",
    text: "Cause",
    read: ({ steps }) => ({ figure: "cost", steps, note: "Each cause has the difference it makes, applied in this order." }),
  },
  {
    value: "category",
    text: "Category",
    read: (waterfall) => ({ figure: "cost", steps: waterfall.by_category, note: "By category of cost." }),
  },
];

const figureTitles = {
  cost: "Cost",
  cash: "Cash",
  npv: "Net present value",
  npv_after_tax: "Net present value after tax",
};

const driverValue = (value, { unit }, currency) => (unit === undefined ? missing : quantity(value, unitOf(unit, currency)));

export function waterfallChart(answer, entries, chosen, by, choose, changeBy) {
  const waterfall = answer.waterfalls[chosen];
  const { currency } = answer;
  const breakdown = breakdowns.find(({ value }) => value === by) ?? breakdowns[0];
  const { figure, steps, note } = breakdown.read(waterfall);
  const [from, to] = [entries[waterfall.from], entries[waterfall.to]];
  const total = (entry) => entry.result.total[figure];
  const end = (entry) => ({
    name: entry.name,
    label: entry.name,
    low: 0,
    high: total(entry),
    amount: total(entry),
    colour: neutral,
  });
  const rows = [end(from)];
  let running = total(from);
  for (const step of steps) {
    rows.push({
      ...step,
      name: step.cause,
      label: categoryLabel(step.cause),
      low: running,
      high: running + step.amount,
      amount: step.amount,
      colour: step.amount > 0 ? worse : better,
      step: true,
    });
    running += step.amount;
  }
  rows.push(end(to));
  return chart({
    title: "Why they differ",
    name: "waterfall",
    note: `From ${from.name} to ${to.name}, ${figureTitles[figure].toLowerCase()}. ${note}`,
    tools: [choose, toggle("Break down by", breakdowns, breakdown.value, changeBy)],
    option: (colours, width) => ({
      grid: { ...grid, top: 8, bottom: 32, right: 84 },
      tooltip: {
        trigger: "item",
        formatter: (point) =>
          `${rows[point.dataIndex].label}\n${money(rows[point.dataIndex].amount, currency, { signed: rows[point.dataIndex].step })}`,
      },
      xAxis: moneyAxis(currency, colours, figureTitles[figure]),
      yAxis: {
        ...categoryAxis(
          "",
          rows.map((row) => cut(row.label, width < 500 ? 16 : 30)),
          colours,
        ),
        inverse: true,
      },
      series: [
        {
          type: "bar",
          stack: "bridge",
          silent: true,
          data: rows.map((row) => Math.min(row.low, row.high)),
          itemStyle: { color: "transparent" },
          emphasis: { disabled: true },
        },
        {
          type: "bar",
          stack: "bridge",
          barMaxWidth: 32,
          data: rows.map((row) => ({ value: Math.abs(row.high - row.low), itemStyle: { color: inTheme(row.colour) } })),
          label: {
            show: true,
            position: "right",
            color: colours.text,
            formatter: (point) => {
              const row = rows[point.dataIndex];
              return money(row.amount, currency, { signed: row.step });
            },
          },
        },
      ],
    }),
    table: {
      columns: [
        { name: "step", value: (row) => row.name, show: (value, row) => row.label, text: true },
        {
          name: "amount",
          unit: currency,
          value: (row) => row.amount,
          show: (value, row) => money(value, currency, { signed: row.step }),
        },
        ...(breakdown === breakdowns[0]
          ? [
              { name: from.name, value: (row) => row.a ?? null, show: (value, row) => driverValue(value, row, currency) },
              { name: to.name, value: (row) => row.b ?? null, show: (value, row) => driverValue(value, row, currency) },
            ]
          : []),
      ],
      rows,
    },
  }).element;
}

function footprint(entries, member) {
  const { title, unit } = meters[member];
  const values = entries.map((entry) => metered(entry.result, member).value);
  const least = (i) => metered(entries[i].result, member).text.replace("—", "");
  const said = (i, show) => (values[i] === null ? ["not known", least(i)].filter(Boolean).join(", ") : show(values[i]));
  const unknown = entries
    .map((entry) => ({ ...entry, pools: metered(entry.result, member).unknown }))
    .filter((entry) => entry.pools.length)
    .map((entry) => `${entry.name} (${entry.pools.join(", ")})`);
  return chart({
    title,
    size: entries.length > 5 ? "" : "small",
    note: unknown.length ? `Not known, and left out: ${unknown.join("; ")}.` : "",
    option: (colours, width) => ({
      grid: { ...grid, top: 8, right: 48 },
      tooltip: { trigger: "item", formatter: ({ dataIndex }) => `${entries[dataIndex].name}\n${said(dataIndex, (value) => number(value, unit, 1))}` },
      xAxis: valueAxis(`${title} (${unit})`, colours),
      yAxis: { ...categoryAxis("", names(entries, width), colours), inverse: true },
      series: [
        {
          type: "bar",
          barMaxWidth: 26,
          data: values.map((value, i) => ({ value: value ?? 0, itemStyle: { color: inTheme(scenarioColour(entries[i].reference)) } })),
          label: { show: true, position: "right", color: colours.muted, formatter: ({ dataIndex }) => said(dataIndex, short) },
        },
      ],
    }),
    table: {
      columns: [
        { name: "scenario", value: (row) => row.name, text: true },
        {
          name: title,
          unit,
          value: (row) => metered(row.result, member).value,
          show: (value) => number(value, "", 1),
        },
        { name: "not known of", value: (row) => metered(row.result, member).unknown.join(", "), text: true },
      ],
      rows: entries,
    },
  }).element;
}

export const energyChart = (entries) => footprint(entries, "energy_kwh");
export const carbonChart = (entries) => footprint(entries, "carbon_kg");
