// Axes and series shared by all charts: titles with unit and currency, short figures at the ticks, full figures in tooltips.
import { inTheme } from "./colours.js";
import { money, short, shortMoney } from "./format.js";

// Leaves room for the title of the horizontal axis below and of the vertical axis above.
export const grid = { left: 8, right: 24, top: 28, bottom: 32, containLabel: true };

const named = (name, colours, gap) => ({
  name,
  nameLocation: "middle",
  nameGap: gap,
  nameTextStyle: { color: colours.muted },
  axisLine: { show: true, lineStyle: { color: colours.line } },
  axisTick: { show: false },
  axisLabel: { color: colours.muted, hideOverlap: true, alignMaxLabel: name === "" ? null : "right" },
  splitLine: { lineStyle: { color: colours.line } },
});

// The title of a vertical axis is above it, where there is room.
const above = (axis) => ({ ...axis, nameLocation: "end", nameGap: 10, nameTextStyle: { ...axis.nameTextStyle, align: "left" } });

export const moneyAxis = (currency, colours, what = "Cost") => {
  const axis = named(`${what} (${currency})`, colours, 26);
  return { type: "value", ...axis, axisLabel: { ...axis.axisLabel, formatter: (value) => shortMoney(value, currency) } };
};
export const valueAxis = (name, colours, formatter = short) => {
  const axis = named(name, colours, 26);
  return { type: "value", ...axis, axisLabel: { ...axis.axisLabel, formatter } };
};
export const categoryAxis = (name, values, colours) => ({
  type: "category",
  data: values,
  ...named(name, colours, 26),
  splitLine: { show: false },
});
export const vertical = above;

// An axis of months: as many labels as there is room for, the last one among them.
const monthSteps = [1, 2, 3, 6, 12, 24, 36, 60, 120];
const labelWidth = 74; // px
export function dateAxis(name, values, colours, width) {
  const axis = categoryAxis(name, values, colours);
  const last = values.length - 1;
  const room = Math.max(2, Math.floor((width - 110) / labelWidth));
  const step = monthSteps.find((one) => values.length / one <= room) ?? values.length;
  const isShown = (at) => at === last || (at % step === 0 && last - at >= 0.75 * step);
  return { ...axis, axisLabel: { ...axis.axisLabel, hideOverlap: false, interval: isShown, alignMaxLabel: "right" } };
}

const pointValue = (point) => [point.value].flat().at(-1);
// The lines of a tooltip: each series with its colour, the greatest value first.
export const seriesLines = (points, show) =>
  points
    .filter((point) => typeof pointValue(point) === "number")
    .sort((a, b) => pointValue(b) - pointValue(a))
    .map((point) => `${point.marker}${point.seriesName}: ${show(pointValue(point))}`);

// The tooltip of a stack: each part and the total.
export function stackTooltip(currency, sum = true) {
  return {
    trigger: "axis",
    axisPointer: { type: "shadow" },
    formatter: (points) => {
      const parts = points.filter((point) => point.value && Math.abs(point.value) > 0);
      const total = parts.reduce((sum, point) => sum + point.value, 0);
      return [
        points[0]?.name,
        ...parts.map((point) => `${point.marker}${point.seriesName}: ${money(point.value, currency)}`).reverse(), // as they are stacked
        sum ? `total: ${money(total, currency)}` : null,
      ]
        .filter(Boolean)
        .join("\n");
    },
  };
}

// Stacked bars: one series per part, `values` by bar; parts without a value are left out.
export function stack(parts, colours) {
  return parts
    .filter((part) => part.values.some((value) => value))
    .map((part) => ({
      type: "bar",
      stack: "all",
      name: part.name,
      data: part.values,
      itemStyle: { color: inTheme(part.colour), borderColor: colours.page, borderWidth: 0.5 },
      barMaxWidth: 44,
      emphasis: { focus: "none" },
    }));
}

// The same as stacked areas.
export const areas = (parts) =>
  parts
    .filter((part) => part.values.some((value) => value))
    .map((part) => ({
      type: "line",
      stack: "all",
      name: part.name,
      data: part.values,
      showSymbol: false,
      silent: true,
      lineStyle: { width: 1 },
      areaStyle: { opacity: 0.8 },
      itemStyle: { color: inTheme(part.colour) },
      emphasis: { disabled: true },
    }));

export const line = (name, data, colour, more = {}) => ({
  type: "line",
  name,
  data,
  showSymbol: false,
  symbolSize: 7,
  itemStyle: { color: inTheme(colour) },
  emphasis: { disabled: true },
  ...more,
  lineStyle: { width: 2, color: inTheme(colour), ...more.lineStyle },
});

// Shortens a long name to `maxLength` characters.
export const cut = (text, maxLength) => (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text);
