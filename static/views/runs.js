// The month's bill and the last day in words, beside plan and actual.
import { post } from "../api.js";
import { h } from "../dom.js";
import { money, percent } from "../format.js";

const known = (value) => value !== null && value !== undefined;
const change = (fraction) => `${fraction > 0 ? "+" : "−"}${percent(Math.abs(fraction))}`;

export function forecastWords({ month, currency, interval, through, total }) {
  const amount = (value) => money(value, currency);
  if (!through) return `${month} is forecast as planned, ${amount(total.planned)}: no line of a bill is of it.`;
  const range = known(total.low) ? `, ${amount(total.low)} to ${amount(total.high)} (${percent(interval)})` : "";
  return `${month} is forecast at ${amount(total.forecast)}${range}: ${amount(total.so_far ?? 0)} billed through ${through}, ${amount(total.planned)} planned.`;
}

const hourOf = (time) => `${time.slice(0, 10)} ${time.slice(11, 16)}`;

// From when to when the hours were that are compared, as of telemetry that stopped a day ago.
function measuredWords(measures) {
  const hours = measures.flatMap((row) => [row.first_hour, row.last_hour]).filter(known).sort();
  return hours.length ? ` Hours of ${hourOf(hours[0])} to ${hourOf(hours.at(-1))} UTC are compared.` : "";
}

export function driftWords({ drifted, cause, measures, notes = [] }) {
  const said = notes.map((note) => ` ${note[0].toUpperCase()}${note.slice(1)}.`).join("");
  const parts = measures
    .filter((row) => known(row.change_fraction))
    .map((row) => `${row.measure.replaceAll("_", " ")} ${change(row.change_fraction)}`);
  if (!parts.length) return `Drift is not known: it takes hours of telemetry, or days of bills, of four days.${said}`;
  const head = drifted ? `The last day drifts, by ${cause.replaceAll("_", " ")}` : "The last day is like those before at the same load";
  return `${head}: ${parts.join(", ")}.${measuredWords(measures)}${said}`;
}

// What can't be said of one says why, and leaves the other.
export async function runsInWords(request, { month, pool, telemetry, bill }, signal) {
  const said = async (path, more, words) => {
    try {
      return words(await post(path, { ...request, ...more }, signal));
    } catch (error) {
      if (error.name === "AbortError") throw error;
      return error.message;
    }
  };
  const watched = { ...(telemetry ? { telemetry } : {}), ...(bill ? { bill } : {}) };
  const sentences = [
    await said("/v1/forecast", { month }, forecastWords),
    ...(telemetry || bill ? [await said("/v1/drift", { pool, ...watched }, driftWords)] : []),
  ];
  return h("div", { class: "note calm", id: "runs" }, ...sentences.map((text) => h("p", {}, text)));
}
