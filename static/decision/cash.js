// Cash paid, month by month: lines with what servers fetch at the end as a marker of its own, and the band of the draws.
import { chart } from "../chart.js";
import { cut, grid, line, moneyAxis, seriesLines, vertical } from "../axes.js";
import { money, month, shortMoney } from "../format.js";
import { valueOf } from "./state.js";

// Cumulative cash at the start and after each month, without what the end settles; that stands apart.
function paid(result) {
  let sum = 0;
  const sums = [0];
  for (const one of result.by_month) sums.push((sum += one.cash));
  const sale = result.total.terminal?.sale ?? 0;
  sums[sums.length - 1] += sale;
  return { sums, sale, end: sum };
}

// Month starts of the axis, and the end.
function dates({ start, months }) {
  const [year, first] = start.split("-").map(Number);
  return Array.from({ length: months + 1 }, (_, i) => new Date(Date.UTC(year, first - 1 + i, 1)).toISOString().slice(0, 7));
}

// What is paid at the end where servers fetch the least and the most of their resale value's range; null where nothing is sold.
function ends(view, { sums, sale }) {
  const resale = view.concepts.find((one) => one.id === "resale");
  const now = resale && valueOf(resale);
  return sale && now ? [resale.low, resale.high].map((factor) => sums.at(-1) - (sale * factor) / now) : null;
}

// How far each label at the end moves down or up so that none covers another, in px of a plot of this height.
const labelHeight = 15;
function apart(sums, plotHeight) {
  const most = Math.max(...sums, 1e-9) * 1.1;
  const wanted = sums.map((end, i) => ({ i, y: plotHeight * (1 - end / most) })).sort((a, b) => a.y - b.y);
  const moved = [];
  let free = -Infinity;
  for (const { i, y } of wanted) {
    const at = Math.max(y, free);
    moved[i] = at - y;
    free = at + labelHeight;
  }
  return moved;
}

const rangeMark = (at, range, color) =>
  range
    ? [
        [
          { coord: [at, range[0]], symbol: "none", lineStyle: { color, type: "solid", width: 6, opacity: 0.35 } },
          { coord: [at, range[1]], symbol: "none" },
        ],
      ]
    : [];

export function cashPart() {
  let figure = null;
  const spec = (view) => {
    const { answer, order, plans, pair, chances } = view;
    const currency = answer.currency;
    const chosen = [...new Set([...pair, ...order])].filter((i) => answer.scenarios[i].result.feasible).slice(0, 4);
    const shown = (chosen.length ? chosen : order.slice(0, 4)).map((i) => ({
      i,
      plan: plans[i],
      result: answer.scenarios[i].result,
      ...paid(answer.scenarios[i].result),
    }));
    const axis = dates(shown[0].result);
    const shifts = apart(
      shown.map((one) => one.sums.at(-1)),
      260,
    );
    const band = (one) => (pair.includes(one.i) && !view.stale.has("chances") ? (chances?.scenarios[one.i].by_month ?? null) : null);
    const name = (one) => `${cut(one.plan.name, 18)} ${shortMoney(one.sums.at(-1), currency)}`;
    return {
      title: "Cash paid, cumulative",
      name: "cash",
      note: [
        "Not discounted.",
        shown.some((one) => one.sale) ? "Arrow: what the servers fetch at the end; bar: over the range of their resale value." : "",
        shown.some(band) ? "Band: 90 % of the draws, for A and B." : "",
      ].join(" "),
      option: (colours, width) => ({
        grid: { ...grid, right: width < 500 ? 24 : 190, bottom: 20 },
        tooltip: {
          trigger: "axis",
          formatter: (points) => {
            const at = points[0].dataIndex;
            const lines = points.filter((point) => shown.some((one) => one.plan.name === point.seriesName));
            const head = at === axis.length - 1 ? "end, before resale" : month(axis[at]);
            return [head, ...seriesLines(lines, (value) => money(value, currency))].join("\n");
          },
        },
        xAxis: {
          type: "category",
          boundaryGap: false,
          data: axis,
          axisLine: { lineStyle: { color: colours["line-2"] } },
          axisTick: { show: false },
          axisLabel: {
            color: colours.muted,
            hideOverlap: true,
            interval: (at) => at % (axis.length < 30 ? 3 : width < 700 ? 12 : 6) === 0 || at === axis.length - 1,
            formatter: (text, at) => (at === axis.length - 1 ? "end" : month(text)),
          },
        },
        yAxis: { ...vertical(moneyAxis(currency, colours, "Paid")), splitNumber: 3 },
        series: shown.flatMap((one, n) => {
          const colour = colours.plans[one.plan.colour - 1];
          const bold = pair.includes(one.i);
          const lines = [
            {
              ...line(one.plan.name, one.sums, colour),
              lineStyle: { width: bold ? 2.4 : 1.6, color: colour },
              endLabel: { show: width >= 500, formatter: name(one), color: colours.text, distance: 14, offset: [0, shifts[n]] },
              markLine: one.sale
                ? {
                    symbol: ["none", "arrow"],
                    symbolSize: 7,
                    silent: true,
                    label: { show: false },
                    lineStyle: { color: colour, type: "dotted", width: 1.4 },
                    data: [
                      [{ coord: [axis.length - 1, one.sums.at(-1)] }, { coord: [axis.length - 1, one.end] }],
                      ...rangeMark(axis.length - 1, ends(view, one), colour),
                    ],
                  }
                : undefined,
            },
          ];
          const months = band(one);
          if (!months) return lines;
          const last = one.sale ? months.length - 1 : months.length;
          const values = (pick) => [0, ...months.slice(0, last).map(pick)];
          const area = {
            type: "line",
            stack: `band ${one.i}`,
            showSymbol: false,
            silent: true,
            lineStyle: { width: 0 },
            emphasis: { disabled: true },
            tooltip: { show: false },
          };
          return [
            { ...area, name: `low ${one.i}`, data: values((each) => each.p5) },
            {
              ...area,
              name: `band ${one.i}`,
              data: values((each) => each.p95).map((top, at) => top - (at ? months[at - 1].p5 : 0)),
              areaStyle: { color: colour, opacity: 0.14 },
            },
            ...lines,
          ];
        }),
      }),
      legend: shown.map((one) => ({
        name: one.plan.name,
        colour: `var(--p${one.plan.colour})`,
        series: [one.plan.name, `low ${one.i}`, `band ${one.i}`],
      })),
      table: {
        columns: [
          { name: "month", value: (row) => row.month, text: true },
          ...shown.map((one) => ({
            name: one.plan.name,
            unit: currency,
            value: (row) => (row.end ? row.end(one) : one.sums[row.at]),
            show: (value) => money(value, currency),
          })),
        ],
        rows: [
          ...axis.map((text, at) => ({ at, month: at === axis.length - 1 ? "end, before resale" : text })),
          { month: "end, after resale", end: (one) => one.end },
          { month: "end, least resale value", end: (one) => ends(view, one)?.[0] ?? one.end },
          { month: "end, greatest resale value", end: (one) => ends(view, one)?.[1] ?? one.end },
        ],
        foot: { at: axis.length - 1, month: "end, before resale" },
      },
    };
  };
  return {
    element: null,
    show(view) {
      if (!figure) {
        figure = chart(spec(view));
        this.element = figure.element;
        this.element.id = "cash";
      } else figure.update(spec(view));
    },
  };
}
