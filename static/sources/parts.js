// Parts of the pages of Sources: times with their zone, ages, tags of states, tables that sort, confirmation of a deletion.
import { h, newId } from "../dom.js";
import { errorState } from "../states.js";
import { csvButton, tableOf } from "../table.js";

const formats = new Map();
function format(options) {
  const name = JSON.stringify(options);
  if (!formats.has(name)) formats.set(name, new Intl.DateTimeFormat("en-GB", options));
  return formats.get(name);
}

export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

// A time with its zone: 22 Nov 2026, 02:00 CET. Without one it is read in the browser's zone.
export function when(text, timeZone = undefined, more = {}) {
  if (!text || Number.isNaN(Date.parse(text))) return null;
  const shown = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
  try {
    return format({ ...shown, ...more, timeZone }).format(new Date(text));
  } catch {
    return format({ ...shown, ...more, timeZone: "UTC" }).format(new Date(text)); // a zone that this browser does not know
  }
}

// A day of the calendar: 22 Nov 2026.
export const day = (text) =>
  text ? format({ day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(new Date(text.slice(0, 10))) : null;

// Two days as a span: 2 to 6 Apr 2026.
export const span = (from, to) =>
  format({ day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
    .formatRange(new Date(from), new Date(to))
    .replace(/\s*–\s*/, " to ");

export function ago(seconds) {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

// A change in per cent, with its sign; a true minus.
export const signed = (fraction, digits = 1) =>
  fraction === null || fraction === undefined
    ? null
    : `${fraction > 0 ? "+" : fraction < 0 ? "−" : ""}${Math.abs(100 * fraction).toFixed(digits)} %`;

const kinds = {
  fresh: "good",
  ageing: "warn",
  undated: "warn",
  stale: "bad",
  failed: "bad",
  held: "warn",
  dead: "bad",
  delivered: "good",
  landed: "good",
  done: "good",
};
export const tag = (word, title = null) => h("span", { class: `tag ${kinds[word] ?? ""}`, title }, word);

// How old data may be: of a price list, in days.
export const ageingDays = 30;
export const staleDays = 90;
export function stateOfAge(days) {
  if (days === null) return "undated";
  return days > staleDays ? "stale" : days > ageingDays ? "ageing" : "fresh";
}

// nvidia.h100-sxm5-80gb in a person's words: H100 SXM5 80 GB.
export const deviceName = (id) =>
  (id.split(".").slice(1).join(".") || id)
    .replace(/(\d)gb\b/g, "$1 gb")
    .replaceAll("-", " ")
    .toUpperCase();

export const words = (text) => String(text).replaceAll("_", " ");

// A note under a heading: calm, or a warning.
export const note = (kind, ...content) => h("div", { class: `note ${kind}` }, h("div", {}, content));

const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));

// A table whose heads sort it. Columns are those of tableOf; `by` is a column's value to sort by; `wide` ones are left out on a narrow
// screen. Values that are missing come last.
const sorts = new Map(); // by caption: how a table was sorted last, kept while it is drawn again
export function sortable(table, { sort = null, descending = false, maxRows = 100 } = {}) {
  const place = h("div", { class: "sortable" });
  const last = sorts.get(table.caption) ?? { name: sort, down: descending };
  let at = table.columns.findIndex((column) => column.name && column.name === last.name);
  let { down } = last;
  const show = () => {
    const column = table.columns[at];
    const value = column && ((row) => (column.by ?? column.value)(row));
    const known = (row) => value(row) !== null && value(row) !== undefined;
    const rows = column
      ? [
          ...table.rows.filter(known).sort((a, b) => (down ? -1 : 1) * compare(value(a), value(b))),
          ...table.rows.filter((row) => !known(row)),
        ]
      : table.rows;
    place.replaceChildren(tableOf({ ...table, rows, caption: `${table.caption}, as a table` }, maxRows));
    table.columns.forEach((column, i) => column.wide && place.querySelector("table").classList.add(`hide-${i + 1}`));
    place.querySelectorAll("thead th").forEach((head, i) => {
      if (!table.columns[i].name) return;
      const text = head.textContent;
      const press = () => {
        down = at === i ? !down : table.columns[i].text !== true;
        at = i;
        sorts.set(table.caption, { name: table.columns[i].name, down });
        show();
        place.querySelectorAll("thead th")[i].querySelector("button").focus();
      };
      if (at === i) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      head.replaceChildren(h("button", { type: "button", class: "sort", onclick: press }, text));
    });
  };
  show();
  return place;
}

// A box with a heading, what is said beside it, tools, and the table's CSV.
export function box(title, { name = null, said = null, tools = null, table = null, wide = false } = {}, ...content) {
  const id = newId("box");
  return h(
    "section",
    { class: `box ${wide ? "wide" : ""}`, "aria-labelledby": id, "data-figure": name },
    h(
      "div",
      { class: "bar" },
      h("h2", { id }, title),
      said ? h("span", { class: "small" }, said) : null,
      h("span", { class: "tools" }, tools, table && name ? csvButton(name, () => table) : null),
    ),
    content,
  );
}

// Asks before something is deleted; `act` does it.
export function confirmed(question, explained, verb, act) {
  const id = newId("ask");
  const wrong = h("div", {});
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-labelledby": id, onclose: () => dialog.remove() },
    h("h2", { id }, question),
    h("p", { class: "muted" }, explained),
    wrong,
    h(
      "p",
      { class: "actions" },
      h(
        "button",
        {
          type: "button",
          class: "btn danger",
          "data-do": "confirm",
          onclick: () => act().then(close, (error) => wrong.replaceChildren(errorState(error))),
        },
        verb,
      ),
      h("button", { type: "button", class: "btn", autofocus: true, onclick: close }, "Back"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
