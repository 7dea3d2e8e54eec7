// Axes of curves: dates with month and year, weekdays from Monday, hours as times; y fitted to what is drawn.
import { categoryAxis, valueAxis, vertical } from "./axes.js";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const day = 86400000; // ms
const room = 0.08; // of the range, above and below the data

const minutesIn = (hour) => Math.round(hour * 60);
const twoDigits = (number) => String(number).padStart(2, "0");
const clock = (hour) => `${twoDigits(Math.floor(minutesIn(hour) / 60))}:${twoDigits(minutesIn(hour) % 60)}`;

// A value of x in words, for the tooltip.
export function xText(axis, x) {
  const hour = minutesIn(x) / 60; // a whole minute, which may be the next day's first
  if (axis === "hour_of_week") return `${weekdays[Math.floor(hour / 24) % 7]} ${clock(hour % 24)}`;
  if (axis === "hour_of_day") return clock(x);
  if (axis === "date") return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(x));
  return String(x);
}

function dates(name, points, colours) {
  const base = categoryAxis(name, undefined, colours);
  const known = points.map(([date]) => Date.parse(date)).filter((time) => !Number.isNaN(time));
  const [first, last] = [Math.min(...known), Math.max(...known)];
  // One date alone stands in the middle of two months.
  const alone = known.length && first === last ? { min: first - 30 * day, max: last + 30 * day } : {};
  const label = {
    year: "{yyyy}",
    month: "{MMM} {yyyy}",
    day: "{d} {MMM} {yyyy}",
    hour: "{d} {MMM} {yyyy}",
    minute: "",
    second: "",
    millisecond: "",
    none: "",
  };
  return {
    ...base,
    type: "time",
    minInterval: day,
    splitNumber: 4,
    ...alone,
    axisLabel: { ...base.axisLabel, formatter: label, alignMaxLabel: null },
  };
}

// A whole period of hours: the axis has its days, or its hours, whatever points there are.
function hours(name, axis, colours) {
  const base = valueAxis(name, colours);
  const isWeek = axis === "hour_of_week";
  const formatter = (value) => (isWeek ? (weekdays[value / 24] ?? "") : clock(value));
  return {
    ...base,
    min: 0,
    max: isWeek ? 168 : 24,
    interval: isWeek ? 24 : 6,
    axisLabel: { ...base.axisLabel, formatter, align: isWeek ? "left" : "center", hideOverlap: true, alignMaxLabel: null },
    splitLine: { ...base.splitLine, show: isWeek },
  };
}

export function xAxis(name, curve, isLog, colours) {
  if (curve.axis === "date") return dates(name, curve.points ?? [], colours);
  if (curve.axis === "hour_of_week" || curve.axis === "hour_of_day") return hours(name, curve.axis, colours);
  return { ...valueAxis(name, colours), type: isLog ? "log" : "value", min: "dataMin", max: "dataMax", splitLine: { show: false } };
}

// A step's last value holds: to the period's end, of dates a little further, at most until today.
export function held(curve, points) {
  const last = points.at(-1);
  const end = { hour_of_week: 168, hour_of_day: 24 }[curve.axis];
  const shown = (x) => [...points, { value: [x, last[1]], symbol: "none" }];
  if (curve.interpolation !== "step" || points.length < 2) return points;
  if (end) return shown(end);
  if (curve.axis !== "date") return points;
  const [from, to] = [Date.parse(points[0][0]), Date.parse(last[0])];
  const until = Math.min(Date.now(), to + Math.max(day, (to - from) / 8));
  return until > to ? shown(new Date(until).toISOString().slice(0, 10)) : points;
}

// From a little below the lowest value to a little above the highest, never across 0 without need; ticks are round.
export function yAxis(name, curve, colours) {
  const values = (curve.points ?? []).map(([, y]) => y).filter((y) => typeof y === "number");
  const base = vertical(valueAxis(name, colours));
  if (!values.length) return base;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) return { ...base, min: low > 0 ? low * 0.9 : low - 1, max: high > 0 ? high * 1.1 : high + 1 };
  const edge = room * (high - low);
  return { ...base, scale: true, boundaryGap: [low - edge < 0 && low >= 0 ? 0 : room, room] };
}
