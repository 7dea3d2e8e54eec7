// The charts of Result: cost by month, units by pool, and a heat map of the hours of the week.
import { areas, categoryAxis, dateAxis, grid, moneyAxis, seriesLines, stack, stackTooltip, valueAxis, vertical } from "../axes.js";
import { categoriesOf } from "../categories.js";
import { chart } from "../chart.js";
import { pieceColour, ramp } from "../colours.js";
import { h } from "../dom.js";
import { missing, money, month, number, percent, plural, short } from "../format.js";

export function monthlyChart({ answer }, measure, by, tools) {
  const { currency, by_month } = answer;
  const pools = Object.keys(answer.by_pool);
  const parts =
    by === "pool"
      ? pools.map((name) => ({ name, colour: pieceColour(pools, name), value: (item) => item.by_pool[name]?.[measure] ?? 0 }))
      : categoriesOf(
          by_month.map((row) => row.by_category),
          measure,
        ).map(({ name, label, colour }) => ({ name: label, colour, value: (row) => row.by_category[name]?.[measure] ?? 0 }));
  const used = parts.filter((part) => by_month.some((row) => part.value(row)));
  return chart({
    title: `${measure === "cash" ? "Cash" : "Cost"} by month`,
    name: "monthly",
    wide: true,
    tools,
    legend: used,
    note:
      measure === "cash"
        ? "Cash in the month it is paid; negative is income. The last month includes the residual value of assets."
        : "Capital cost is spread over the months in service.",
    option: (colours, width) => ({
      grid,
      tooltip: stackTooltip(currency),
      xAxis: dateAxis(
        "Month",
        by_month.map((row) => month(row.month)),
        colours,
        width,
      ),
      yAxis: vertical(moneyAxis(currency, colours, measure === "cash" ? "Cash" : "Cost")),
      series: stack(
        used.map((part) => ({ ...part, values: by_month.map(part.value) })),
        colours,
      ),
    }),
    table: {
      columns: [
        { name: "month", value: (row) => row.month, text: true },
        ...used.map((part) => ({ name: part.name, unit: currency, value: part.value, show: (value) => money(value, currency) })),
        { name: "total", unit: currency, value: (row) => row[measure], show: (value) => money(value, currency) },
      ],
      rows: by_month,
    },
  }).element;
}

// An area chart per workload: units by the pool that serves them.
export function servedCharts({ answer, profile }) {
  const pools = profile.pools.map((pool) => pool.id);
  return profile.workloads.map(({ id, unit }) => {
    const parts = profile.served.filter((served) => served.workload === id && served.units.some((units) => units > 0));
    const shown = parts.map((part) => ({ name: part.pool, colour: pieceColour(pools, part.pool), values: part.units }));
    const demanded = answer.by_workload[id];
    const missed = demanded.units_demanded ? demanded.units_unserved / demanded.units_demanded : 0;
    return chart({
      title: `Which pool serves ${id}`,
      name: `served-${id}`,
      legend: shown,
      note: missed > 1e-9 ? `${percent(missed)} of the demand is unserved.` : "All of the demand is served.",
      option: (colours, width) => ({
        grid,
        tooltip: {
          trigger: "axis",
          formatter: (points) => [points[0].name, ...seriesLines(points, (value) => number(value, plural(unit)))].join("\n"),
        },
        xAxis: { ...dateAxis("Month", profile.months.map(month), colours, width), boundaryGap: profile.months.length === 1 },
        yAxis: vertical(valueAxis(`Served (${plural(unit)} per month)`, colours)),
        series: profile.months.length === 1 ? stack(shown, colours) : areas(shown),
      }),
      table: {
        columns: [
          { name: "month", value: (row) => row.month, text: true },
          ...parts.map((part) => ({
            name: part.pool,
            unit: plural(unit),
            value: (row) => part.units[row.index],
            show: (value) => number(value),
          })),
        ],
        rows: profile.months.map((month, index) => ({ month, index })),
      },
    }).element;
  });
}

// Quantities by hour of the week: {key, name, unit, values[168]}.
export function weekFigures(profile) {
  const share = (part, whole) => part.map((value, i) => (whole[i] > 0 ? value / whole[i] : null));
  return [
    ...profile.workloads
      .filter((workload) => workload.demand_units_per_s)
      .map((workload) => ({
        key: `demand:${workload.id}`,
        name: `Demand of ${workload.id}`,
        unit: `${plural(workload.unit)}/s`,
        values: workload.demand_units_per_s,
      })),
    ...profile.pools.flatMap((pool) =>
      [
        pool.busy_devices && {
          key: `utilization:${pool.id}`,
          name: `Utilization of ${pool.id}`,
          unit: "fraction",
          values: share(pool.busy_devices, pool.available_devices),
        },
        pool.busy_devices && {
          key: `busy:${pool.id}`,
          name: `Busy devices of ${pool.id}`,
          unit: "devices",
          values: pool.busy_devices,
        },
        pool.power_kw && { key: `power:${pool.id}`, name: `Power of ${pool.id}`, unit: "kW", values: pool.power_kw },
        pool.energy_price && {
          key: `tariff:${pool.id}`,
          name: `Energy price of ${pool.id}`,
          unit: `${profile.currency}/kWh`,
          values: pool.energy_price,
        },
      ].filter(Boolean),
    ),
  ];
}

const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const hour = (at) => `${String(at).padStart(2, "0")}:00`;

export function weekChart({ profile }, figure, tools) {
  if (!figure) {
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, "Hours of the week"),
      h("p", { class: "muted" }, "No hourly figures: usage is priced per unit, and training runs whenever capacity is free."),
    );
  }
  const { values, unit, name } = figure;
  const show = (value) => (value === null ? missing : unit === "fraction" ? percent(value) : number(value, unit));
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return chart({
    title: "Hours of the week",
    name: "week",
    tools,
    note:
      `${name} in ${month(profile.month)}: means by hour of the week, ${profile.time_zone}.` +
      (high - low < 1e-9 * Math.abs(high) ? ` It is the same at every hour: ${show(high)}.` : ""),
    option: (colours, width) => ({
      grid: { left: 8, right: 16, top: 8, bottom: 64, containLabel: true },
      tooltip: {
        trigger: "item",
        formatter: (point) =>
          `${days[point.value[1]]} ${hour(point.value[0])}\n${show(values[24 * point.value[1] + point.value[0]])}`,
      },
      xAxis: {
        ...categoryAxis(
          "",
          Array.from({ length: 24 }, (_, at) => hour(at)),
          colours,
        ),
        splitArea: { show: false },
      },
      yAxis: {
        ...categoryAxis(
          "",
          days.map((day) => (width < 500 ? day.slice(0, 2) : day.slice(0, 3))),
          colours,
        ),
        inverse: true,
      },
      visualMap: {
        min: low,
        max: high > low ? high : low + 1,
        calculable: false,
        orient: "horizontal",
        left: "center",
        bottom: 0,
        itemHeight: 160,
        inRange: { color: ramp },
        textStyle: { color: colours.muted },
        formatter: (value) => (unit === "fraction" ? percent(value) : short(value)),
        text: [`${show(high)}`, `${show(low)}`],
      },
      series: [
        {
          type: "heatmap",
          data: values.map((value, i) => [i % 24, Math.floor(i / 24), value ?? "-"]),
          itemStyle: { borderColor: colours.page, borderWidth: 1 },
          emphasis: { disabled: true },
        },
      ],
    }),
    table: {
      columns: [
        { name: "hour", value: (row) => row.hour, text: true },
        ...days.map((day, d) => ({ name: day, unit, value: (row) => values[24 * d + row.at], show: (value) => show(value) })),
      ],
      rows: Array.from({ length: 24 }, (_, at) => ({ hour: hour(at), at })),
    },
  }).element;
}
