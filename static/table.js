// Tables, and the same rows as CSV with the unrounded figures of the API.
import { h, newId } from "./dom.js";
import { missing } from "./format.js";

// Text that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, CSV injection).
function field(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const head = (column) => (column.unit ? `${column.name} (${column.unit})` : column.name);

// Columns are {name, unit, value(row), show(value, row), text, head, fixed}: `value` is the exact value (CSV), `show` its displayed
// text or element, `showAll(values)` gives such a `show` for all of a column's values, `head` the displayed head where it is another than the CSV's; a `fixed` column sorts nothing.
// The foot is in the CSV where the table states it (`footInCsv`).
function csvOf({ columns, rows, foot = null, footInCsv = false }) {
  const all = footInCsv && foot ? [...rows, foot] : rows;
  return (
    [columns.map(head), ...all.map((row) => columns.map((column) => column.value(row)))]
      .map((cells) => cells.map(field).join(","))
      .join("\r\n") + "\r\n"
  );
}

export function save(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const anchor = h("a", { href: url, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// For a button: saves what `content` promises, and says beside it why there is nothing to save.
export const saver = (name, content, type) => async ({ currentTarget: button }) => {
  button.disabled = true;
  try {
    save(name(), await content(), type);
  } catch (error) {
    if (error.name !== "AbortError") button.parentElement.append(h("span", { class: "bad", role: "alert" }, error.message));
  } finally {
    button.disabled = false;
  }
};

export const csvButton = (name, table) =>
  h(
    "button",
    {
      type: "button",
      class: "quiet",
      "data-csv": name,
      onclick: () => save(`${name}.csv`, csvOf(table()), "text/csv;charset=utf-8"),
    },
    "CSV",
    h("span", { class: "unseen" }, ` of ${name}`),
  );

function cellOf(column, row, first) {
  const value = column.value(row);
  const shown = column.show ? column.show(value, row) : value;
  const content = shown === null || shown === undefined || shown === "" ? missing : shown;
  const isText = column.text ?? typeof value === "string";
  return h(first ? "th" : "td", { scope: first ? "row" : null, class: isText ? "text" : "figure" }, content);
}

// Whether a column is of text; where no row says, as figures.
const isTextual = (column, rows) => column.text ?? rows.some((row) => typeof column.value(row) === "string");

// Numbers before text before what is missing; `sign` is 1 from the least, -1 from the greatest.
function compare(a, b, sign) {
  const gone = (value) => value === null || value === undefined || value === "" || Number.isNaN(value);
  if (gone(a) || gone(b)) return Number(gone(a)) - Number(gone(b));
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}

const sorted = (rows, column, sign) => (column ? [...rows].sort((a, b) => compare(column.value(a), column.value(b), sign)) : rows);

// The head of a column; as a button it sorts: figures from the greatest, text from A, then the other way round, then not at all.
function headOf(column, at, rows, order, sort) {
  const name = column.head ?? head(column);
  const text = isTextual(column, rows);
  const attributes = { scope: "col", class: text ? "text" : "figure" };
  if (!name) return h("th", attributes, h("span", { class: "unseen" }, "Actions"));
  if (!sort || !column.name || column.fixed) return h("th", attributes, name);
  const cell = h(
    "th",
    attributes,
    h("button", { type: "button", class: "sort", title: "Sort by this column", onclick: () => sort(at, text ? 1 : -1) }, name),
  );
  cell.mark = () => {
    if (order.by !== at) cell.removeAttribute("aria-sort");
    else cell.setAttribute("aria-sort", order.sign > 0 ? "ascending" : "descending");
  };
  cell.mark();
  return cell;
}

// Long tables show `maxRows` rows, and more on demand. `sortable: false` keeps the rows as they are; `mark(row)` is a row's class.
// `order` {by, sign} outlasts the table: one who draws it anew passes the same object.
export function tableOf({ columns: stated, rows, foot = null, caption, sortable = true, mark = () => null }, maxRows = 200, order = {}) {
  const columns = stated.map((column) =>
    column.showAll ? { ...column, show: column.showAll(rows.map((row) => column.value(row))) } : column,
  );
  const body = h("tbody", {});
  const more = h("button", { type: "button", class: "quiet" });
  let shown = 0;
  let list = [];
  const show = () => {
    body.append(
      ...list.slice(shown, shown + maxRows).map((row) =>
        h(
          "tr",
          { class: mark(row) },
          columns.map((column, i) => cellOf(column, row, i === 0)),
        ),
      ),
    );
    shown = Math.min(rows.length, shown + maxRows);
    more.textContent = `Show more (${shown} of ${rows.length})`;
    more.hidden = shown === rows.length;
  };
  const arrange = () => {
    list = sorted(rows, columns[order.by], order.sign);
    shown = 0;
    body.replaceChildren();
    show();
  };
  const sort = (by, first) => {
    const next = order.by !== by ? first : order.sign === first ? -first : 0;
    Object.assign(order, next ? { by, sign: next } : { by: null, sign: 0 });
    for (const cell of heads) cell.mark?.();
    arrange();
  };
  const heads = columns.map((column, at) => headOf(column, at, rows, order, sortable && rows.length > 1 ? sort : null));
  more.addEventListener("click", show);
  arrange();
  const id = newId("caption");
  return h(
    "div",
    {},
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": id },
      h(
        "table",
        {},
        h("caption", { id, class: "unseen" }, caption),
        h("thead", {}, h("tr", {}, heads)),
        body,
        foot
          ? h(
              "tfoot",
              {},
              h(
                "tr",
                {},
                columns.map((column, i) => cellOf(column, foot, i === 0)),
              ),
            )
          : null,
      ),
    ),
    more,
  );
}

// A table in a panel, with its CSV.
export function section(title, table, name, note = null, maxRows = 200) {
  return h(
    "section",
    { class: "panel wide", "aria-label": title, "data-figure": name },
    h(
      "div",
      { class: "panel-head" },
      h("h2", {}, title),
      h(
        "div",
        { class: "panel-tools" },
        csvButton(name, () => table),
      ),
    ),
    note ? h("p", { class: "muted" }, note) : null,
    tableOf(table, maxRows),
  );
}
