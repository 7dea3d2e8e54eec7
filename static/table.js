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

// Columns are {name, unit, value(row), show(value, row), text}: `value` is the exact value (CSV), `show` its displayed text.
function csvOf({ columns, rows }) {
  return (
    [columns.map(head), ...rows.map((row) => columns.map((column) => column.value(row)))]
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

// Long tables show `maxRows` rows, and more on demand.
export function tableOf({ columns, rows, foot = null, caption }, maxRows = 200) {
  const body = h("tbody", {});
  const more = h("button", { type: "button", class: "quiet" });
  let shown = 0;
  const show = () => {
    body.append(
      ...rows.slice(shown, shown + maxRows).map((row) =>
        h(
          "tr",
          {},
          columns.map((column, i) => cellOf(column, row, i === 0)),
        ),
      ),
    );
    shown = Math.min(rows.length, shown + maxRows);
    more.textContent = `Show more (${shown} of ${rows.length})`;
    more.hidden = shown === rows.length;
  };
  more.addEventListener("click", show);
  show();
  const id = newId("caption");
  return h(
    "div",
    {},
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": id },
      h(
        "table",
        {},
        h("caption", { id, class: "unseen" }, caption),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            columns.map((column) =>
              h(
                "th",
                { scope: "col", class: (column.text ?? typeof column.value(rows[0] ?? {}) === "string") ? "text" : "figure" },
                head(column),
              ),
            ),
          ),
        ),
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
