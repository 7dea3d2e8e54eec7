// What an import would change, or has changed: a sentence, prices by device and purchase, rows that changed, rejected rows by reason.
import { h } from "../dom.js";
import { count, number } from "../format.js";
import { largest, movesTable, rowsOf } from "./moves.js";
import { box, day, note, signed, sortable, tag, words } from "./parts.js";
import { heldTable } from "./runs.js";

const listed = 20; // rows of a reason that are named

// Reasons that differ in numbers and names alone are one: after the subject and its colon, without numbers.
function groupsOf(first) {
  const groups = new Map();
  for (const { row, reason } of first) {
    const tail = reason.includes(": ") ? reason.slice(reason.indexOf(": ") + 2) : reason;
    const key = tail
      .replace(/\([^)]*\)/g, "")
      .replace(/\b[\w./-]*\d[\w./-]*\b/g, "…")
      .replace(/\bin [\w…-]+/g, "")
      .replace(/(… )?x …/g, "…")
      .replace(/^\S+ …/, "…")
      .replace(/\s+/g, " ")
      .trim();
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({ row, reason });
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}

function complaints(title, { count: all, rows, first }, kind) {
  if (!all) return note("calm", h("b", {}, `No ${title}.`));
  const about = rows && rows !== all ? ` about ${count(rows, "row")}` : "";
  return h(
    "details",
    { class: `note ${kind}`, id: title.replaceAll(" ", "-") },
    h("summary", {}, h("b", {}, `${number(all)} ${all === 1 ? title.replace(/s$/, "") : title}`), `${about}, by reason`),
    first.length < all ? h("p", {}, `The first ${number(first.length)} are named.`) : null,
    groupsOf(first).map(([, items]) =>
      h(
        "details",
        { class: "reason" },
        h(
          "summary",
          {},
          h("b", {}, count(items.length, items.some((item) => item.row) ? "row" : "complaint")),
          ` such as: ${items[0].reason}`,
        ),
        h(
          "ul",
          {},
          items.slice(0, listed).map((item) => h("li", {}, item.row ? `row ${item.row}: ` : "", item.reason)),
          items.length > listed ? h("li", {}, `and ${number(items.length - listed)} more`) : null,
        ),
      ),
    ),
  );
}

function text(value) {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return number(value);
  return typeof value === "object" ? JSON.stringify(value).slice(0, 80) : String(value);
}
const change = ({ field }) =>
  typeof field.old === "number" && typeof field.new === "number" && field.old > 0 ? field.new / field.old - 1 : null;

const fieldOf = (row) => words(row.field.pointer.replace(/^\//, "").replaceAll("/", " › "));
const units = {
  hourly_price: "per instance-hour, in the offer's currency",
  price_per_million_units: "per million, in the endpoint's currency",
  price: "in its currency",
};
const unit = (row) => units[row.field.pointer.split("/")[1]] ?? null;

function changedRows(summary) {
  const all = summary.changes.flatMap((one) => one.fields.map((field) => ({ ...one, field })));
  const rows = all.filter((row) => !["/source", "/note"].includes(row.field.pointer));
  const isMove = (row) => row.field.old !== row.field.new;
  const isText = rows.some((row) => [row.field.old, row.field.new].some((value) => value !== null && typeof value !== "number"));
  const table = {
    caption: "Changed fields",
    rows: rows.filter(isMove),
    columns: [
      { name: "Document", value: (row) => row.id, text: true },
      ...(new Set(rows.map((row) => row.kind)).size > 1 ? [{ name: "Kind", value: (row) => row.kind, text: true }] : []),
      {
        name: "Field",
        wide: true,
        value: fieldOf,
        show: (value, row) => [value, unit(row) ? h("small", { class: "blk" }, unit(row)) : ""],
        text: true,
      },
      { name: "As of", wide: true, value: (row) => row.field.date ?? null, show: day, text: true },
      { name: "Before", value: (row) => text(row.field.old), by: (row) => row.field.old, text: isText },
      { name: "After", value: (row) => text(row.field.new), by: (row) => row.field.new, text: isText },
      {
        name: "Change",
        unit: "%",
        value: (row) => (change(row) === null ? null : 100 * change(row)),
        show: (value, row) => signed(change(row)),
        by: change,
        text: false,
      },
    ],
  };
  return { table, same: rows.length - table.rows.length, described: all.length - rows.length };
}

export function headline(summary, isDry) {
  const { added, changed, unchanged } = summary.documents;
  const would = isDry ? "would be " : "";
  const top = largest(summary.moved ?? []);
  return [
    h("b", {}, isDry ? "Nothing is stored yet. " : "Stored. "),
    `${count(added, "document")} ${would}added, ${number(changed)} changed, ${number(unchanged)} the same`,
    summary.bill_lines ? `; ${count(summary.bill_lines, "line")} of a bill` : "",
    top ? `. Largest move: ${top}` : "",
    ".",
  ];
}

// What is not plausible; null where nothing is. What an import holds back waits among its runs.
function heldBack(summary, isDry) {
  const table = isDry ? heldTable(summary, "Documents that would be held back") : null;
  return summary.held && isDry
    ? box(
        "What would be held back",
        { name: "import-held", said: `${count(summary.held, "document")}, until somebody accepts`, table, wide: true },
        summary.problem ? note("warn", summary.problem) : null,
        table ? sortable(table, { maxRows: 15 }) : null,
      )
    : null;
}

// The boxes of an answer.
export function outcome(summary, isDry) {
  const { table, same, described } = changedRows(summary);
  const moved = summary.moved?.length ? movesTable(rowsOf(summary.moved)) : null;
  const partly = summary.changes.length < summary.documents.added + summary.documents.changed;
  const read = summary.rows - summary.rejected.rows - summary.skipped;
  const added = summary.changes.filter((one) => one.what === "added");
  return [
    box(
      isDry ? "What the import would change" : "What the import changed",
      { wide: true },
      h(
        "p",
        { id: "headline" },
        headline(summary, isDry),
        " ",
        h("span", { class: "nowrap" }, tag(`${number(read)} of ${number(summary.rows)} rows read`)),
        summary.skipped ? h("span", { class: "small" }, ` ${number(summary.skipped)} skipped`) : null,
      ),
      complaints("rejected rows", summary.rejected, "warn"),
      described ? note("calm", `Of ${count(described, "document")} the source or note changes, too.`) : null,
      summary.warnings.count ? complaints("warnings", summary.warnings, "warn") : null,
    ),
    heldBack(summary, isDry),
    moved
      ? box(
          "Price moves, by device and purchase",
          { name: "import-moves", said: "median of the offers that moved", table: moved.table, wide: true },
          moved.element,
        )
      : null,
    table.rows.length
      ? box(
          "Rows that changed",
          {
            name: "import-changes",
            said: `${number(table.rows.length)} fields${partly ? " of the documents that are listed" : ""}${same ? `; ${number(same)} seen again at the same value` : ""}`,
            table,
            wide: true,
          },
          sortable(table, { sort: "Change", descending: true, maxRows: 15 }),
        )
      : same
        ? note("calm", h("b", {}, "No value changed."), ` ${number(same)} were seen again, at another date.`)
        : null,
    added.length
      ? h(
          "details",
          { class: "box wide" },
          h("summary", {}, `${number(summary.documents.added)} new documents`),
          h(
            "p",
            { class: "ids" },
            added
              .slice(0, 200)
              .map((one) => one.id)
              .join(", "),
            summary.documents.added > 200 ? " …" : "",
          ),
        )
      : null,
  ];
}
