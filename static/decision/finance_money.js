// Amounts of a table: one unit and one number of decimals for all of them.
import { h } from "../dom.js";

const symbolOf = (currency) =>
  new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "narrowSymbol" })
    .formatToParts(0)
    .find((part) => part.type === "currency").value;

export const minus = (text) => text.replace("-", "−");
export const none = "–"; // does not apply
export const blank = () => h("span", {}); // neither a figure nor missing
export const unknown = () => h("span", { class: "unknown" }, "not known");

// {unit, show(value)}: thousands where the greatest has 100,000 or more. `digits` are the decimals of thousands.
export function amounts(values, currency, digits = 1) {
  const most = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
  const scale = most >= 1e5 ? 1000 : 1;
  const decimals = scale > 1 ? digits : most >= 1000 ? 0 : 2;
  const format = new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const show = (value) => {
    if (value === undefined) return blank();
    if (value === null) return unknown();
    return Math.abs(value) <= 1e-9 * Math.max(1, most) ? none : minus(format.format(value / scale));
  };
  return { unit: `${symbolOf(currency)}${scale > 1 ? " thousand" : ""}`, show };
}

// Whether parts add up to the whole, as far as their digits go.
export const addsUp = (parts, whole) =>
  Math.abs(parts.reduce((sum, part) => sum + part, 0) - whole) <= 1e-6 * Math.max(1, Math.abs(whole));

// A row's name with a second line.
export const named = (name, note) => (note ? [name, h("small", { class: "second" }, note)] : name);
