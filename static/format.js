// Formats numbers for people: with unit or currency; a missing value is a dash, never 0.
import { words as fieldWords } from "./terms.js";

export const missing = "—";
const isMissing = (value) => value === null || value === undefined || Number.isNaN(value);

// Cached: creating a NumberFormat takes longer than a hundred uses.
const formats = new Map();
function plain(value, options = {}) {
  const name = JSON.stringify(options);
  if (!formats.has(name)) formats.set(name, new Intl.NumberFormat("en", options));
  return formats.get(name).format(value).replace(/^-/, "−"); // a minus sign, no hyphen
}

// Whole units from 1000 on, cents from 0.1 on, four digits below.
function digitsOf(value) {
  const size = Math.abs(value);
  if (size >= 1000 || size === 0) return { maximumFractionDigits: 0 };
  if (size >= 0.1) return { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return { maximumSignificantDigits: 4 };
}

export function money(value, currency, { signed = false } = {}) {
  if (isMissing(value)) return missing;
  return plain(value, { style: "currency", currency, ...digitsOf(value), signDisplay: signed ? "exceptZero" : "auto" });
}

// Figures below each other have one number of decimals: none for thousands, two for cents, four where one is below a tenth.
export function columnDigits(values) {
  const sizes = values.filter((value) => typeof value === "number" && value !== 0).map(Math.abs);
  if (!sizes.length) return 0;
  const least = Math.min(...sizes);
  return least < 0.095 ? 4 : Math.max(...sizes) >= 1000 && least >= 10 ? 0 : 2;
}
export const fixed = (value, digits) =>
  isMissing(value) ? missing : plain(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const fixedMoney = (value, currency, digits) =>
  isMissing(value)
    ? missing
    : plain(value, { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits });

// The sign of a currency, its code where it has none: $, €, CHF.
export const sign = (currency) =>
  new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "narrowSymbol" })
    .formatToParts(0)
    .find(({ type }) => type === "currency").value;

// For axes and large figures: $1.2M.
export function shortMoney(value, currency) {
  if (isMissing(value)) return missing;
  return plain(value, { style: "currency", currency, notation: "compact", maximumSignificantDigits: 3 });
}

export function number(value, unit = "", digits = null) {
  if (isMissing(value)) return missing;
  const size = Math.abs(value);
  const options =
    digits === null
      ? { maximumSignificantDigits: size >= 1000 ? Math.ceil(Math.log10(size + 1)) : 5 }
      : { maximumFractionDigits: digits };
  const text =
    size !== 0 && size < 1e-4
      ? value.toExponential(3)
      : plain(value, size >= 1e12 ? { notation: "compact", maximumSignificantDigits: 4 } : options);
  return unit ? `${text} ${unit}` : text;
}

export const short = (value) => (isMissing(value) ? missing : plain(value, { notation: "compact", maximumSignificantDigits: 3 }));

export function percent(fraction, { signed = false } = {}) {
  if (isMissing(fraction)) return missing;
  const options = { maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: signed ? "exceptZero" : "auto" };
  return `${plain(100 * fraction, options)} %`;
}

export const wholePercent = (fraction) => `${plain(100 * fraction, { maximumFractionDigits: 0 })} %`;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
export const month = (text) => `${months[Number(text.slice(5, 7)) - 1]} ${text.slice(0, 4)}`;

// A day: 2026-11-22 → 22 Nov 2026.
export const date = (text) => (text ? `${Number(text.slice(8, 10))} ${months[Number(text.slice(5, 7)) - 1]} ${text.slice(0, 4)}` : missing);

// A moment in the reader's time zone, which stands beside it.
const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});
export const time = (text) => (!text || Number.isNaN(Date.parse(text)) ? missing : moment.format(new Date(text)));

// Plural of a unit: 1 token, 2 tokens.
export const plural = (word) => (/(s|x|ch|sh)$/.test(word) ? word : `${word}s`);
export const count = (value, word) => `${plain(value)} ${value === 1 ? word : plural(word)}`;

// A field's unit, with the actual currency in place of "currency".
export const unitOf = (unit, currency) => (unit ?? "").replace(/scenario currency|^currency\b/, currency);

// A figure with its unit: money for a currency, percent for a fraction.
export function quantity(value, unit) {
  if (/^[A-Z]{3}$/.test(unit ?? "")) return money(value, unit);
  if (unit === "fraction") return percent(value);
  return number(value, unit ?? "");
}

// A pointer as words: /pools/0/offer/hourly_price → pool owned › offer › hourly price.
export function pointerWords(pointer, scenario = null) {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const words = [];
  for (let i = 0; i < parts.length; ++i) {
    const list = scenario?.[parts[i]];
    if (i === 0 && Array.isArray(list) && list[Number(parts[1])]?.id) {
      words.push(`${parts[0].replace(/s$/, "")} ${list[Number(parts[1])].id}`);
      ++i;
    } else if (/^\d+$/.test(parts[i]) && words.length) {
      words[words.length - 1] += ` ${Number(parts[i]) + 1}`;
    } else {
      words.push(fieldWords(parts[i]));
    }
  }
  return words.join(" › ");
}

// The word for one document of a path: devices, aliases.
export const kindOf = (path) => path.replace(path.endsWith("ses") ? /es$/ : /s$/, "");
