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
// Whether figures below each other stand in thousands: where each keeps two digits of its own.
export function inThousands(values) {
  const sizes = values.filter(Boolean).map(Math.abs);
  return Math.max(...sizes) >= 1e5 && Math.min(...sizes) >= 1e4;
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

// Shares of one whole in whole per cent that add up to it: each rounded down, what is missing to those that lost most. 0 of many draws is
// "< 1 %".
export function sharesOf(fractions) {
  const all = fractions.map((fraction) => 100 * (fraction ?? 0));
  const whole = all.map((one) => Math.floor(one + 1e-9));
  const missed = Math.round(all.reduce((sum, one) => sum + one, 0)) - whole.reduce((sum, one) => sum + one, 0);
  const lost = all.map((one, i) => i).sort((a, b) => all[b] - whole[b] - (all[a] - whole[a]));
  for (const i of lost.slice(0, missed)) whole[i] += 1;
  return fractions.map((fraction, i) => (isMissing(fraction) ? missing : whole[i] ? `${whole[i]} %` : "< 1 %"));
}
export const share = (fraction) => (fraction < 0.005 ? "< 1 %" : fraction < 1 && fraction > 0.995 ? "> 99 %" : wholePercent(fraction));
// What a share leaves of the whole: the two add up to 100 %, where one ends in a half too.
export const shareBeside = (fraction) => share(fraction ? 1 - fraction - 1e-9 : 1);

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

// A unit with the actual currency in place of "currency".
export const unitOf = (unit, currency) => (unit ?? "").replace(/scenario currency|^currency( of the server)?\b/, currency);
export const isMoney = (unit) => /^[A-Z]{3}$/.test(unit ?? "");

// A figure with the unit that came with it: money for a currency, percent for a fraction, else the number and the unit. `brief` has three
// digits.
export function quantity(value, unit, { brief = false } = {}) {
  if (isMoney(unit)) return brief ? shortMoney(value, unit) : money(value, unit);
  if (unit === "fraction") return percent(value);
  return brief ? rounded(value, unit) : number(value, unit ?? "");
}

// Three digits, or all before the point: 0.679 USD/device-hour, 17,485 tokens/s, 1.52T tokens.
function rounded(value, unit = "") {
  if (isMissing(value)) return missing;
  const size = Math.abs(value);
  if (size >= 1e6) return [short(value), unit].filter(Boolean).join(" ");
  return size >= 100 ? number(value, unit, 0) : number(Number(value.toPrecision(3)), unit);
}

// A latency: 36.3 ms below a second, 1.06 s from there.
export const latency = (seconds) =>
  isMissing(seconds) ? missing : seconds < 0.9995 ? rounded(1000 * seconds, "ms") : rounded(seconds, "s");

// From one figure to another of the same unit, which stands once.
export function fromTo(a, b, unit, options) {
  const [one, other] = [a, b].map((value) => (isMissing(value) ? "–" : quantity(value, unit, options)));
  const end = ` ${unit}`;
  return `${one.endsWith(end) && other.endsWith(end) ? one.slice(0, -end.length) : one} → ${other}`;
}

// What is typed into a field of a number: the number, null where the field is empty, NaN where it is not understood. A comma, a point or a
// space is between thousands only where three digits follow each; 2,5 is 2.5, and 1,000 a thousand.
export function typedNumber(text) {
  const typed = text.trim().replace(/^[−–]/, "-").replace(/[\u00a0\u2009\u202f]/g, " ");
  if (!typed) return null;
  const grouped = /^[+-]?[1-9]\d{0,2}(([, ])\d{3}(\2\d{3})*(\.\d*)?|(\.\d{3})+,\d+|(\.\d{3}){2,})$/.test(typed);
  if (!grouped) return /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i.test(typed) ? Number(typed.replace(",", ".")) : NaN;
  const isPointGrouped = /\.\d{3}(,|\.)/.test(typed);
  return Number(isPointGrouped ? typed.replaceAll(".", "").replace(",", ".") : typed.replace(/[, ]/g, ""));
}
export const notANumber = (text) => `"${text.trim()}" is not a number: write 2.5, or 1,000 for a thousand.`;

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
      words.push(parts[i].startsWith("/") ? pointerWords(parts[i].replaceAll("/*", ""), scenario) : fieldWords(parts[i]));
    }
  }
  return words.join(" › ");
}

// A message of the API with words where it has pointers, without the scenario of a request in front.
export const messageWords = (message, scenario = null) =>
  message
    .replace(/^\/scenarios?(\/\d+)?: /, "")
    .replace(/^[a-z]+(_[a-z]+)+(?= is )/, fieldWords)
    .replace(/(^|\s|\()((?:\/[\w*~.-]*[\w*])+)/g, (_, before, pointer) => before + pointerWords(pointer.replaceAll("/*", ""), scenario));

// The word for one document of a path: devices, aliases.
export const kindOf = (path) => path.replace(path.endsWith("ses") ? /es$/ : /s$/, "");
