// The revisions of a document, and the differences between any two.
import { get } from "../api.js";
import { choice, h, labelled } from "../dom.js";
import { pointerWords, time } from "../format.js";
import { differences } from "../json_diff.js";
import { go, link } from "../router.js";
import { tableOf } from "../table.js";

const text = (value) =>
  value === undefined ? null : typeof value === "object" ? JSON.stringify(value).slice(0, 200) : String(value);

export async function revisions(params, kind, state, signal) {
  const { items } = await get(`/v1/${kind}/${state.id}/revisions`, { limit: 1000 }, signal);
  const number = (name, fallback) => items.find((item) => String(item.revision) === params.get(name)) ?? fallback;
  const to = number("to", items[0]);
  const from = number("from", items[1] ?? items[0]);
  const read = (item) => (item.deleted ? {} : get(`/v1/${kind}/${state.id}`, { as_of: item.recorded_at }, signal));
  const [before, after] = await Promise.all([read(from), read(to)]);
  const changes = differences(before, after);
  const options = items.map((item) => ({
    value: String(item.revision),
    text: `revision ${item.revision}, ${time(item.recorded_at)}`,
  }));
  return h(
    "div",
    { class: "panels" },
    h(
      "section",
      { class: "panel", "aria-label": "Revisions" },
      h("h2", {}, "Revisions"),
      tableOf({
        caption: "Revisions",
        rows: items,
        columns: [
          { name: "revision", value: (row) => row.revision },
          { name: "recorded", value: (row) => row.recorded_at, show: time, text: true },
          { name: "by", value: (row) => row.recorded_by, text: true },
          {
            name: "",
            value: (row) => (row.deleted ? "deleted" : ""),
            text: true,
            show: (value, row) => value || h("a", { href: link({ as_of: row.recorded_at, tab: null }) }, "show"),
          },
        ],
      }),
    ),
    h(
      "section",
      { class: "panel", "aria-label": "Differences" },
      h("h2", {}, "Differences"),
      h(
        "div",
        { class: "controls" },
        labelled(
          "From",
          choice(options, String(from.revision), (value) => go({ from: value }), { id: "from" }),
        ),
        labelled(
          "To",
          choice(options, String(to.revision), (value) => go({ to: value }), { id: "to" }),
        ),
      ),
      changes.length
        ? tableOf({
            caption: "Differences",
            rows: changes,
            columns: [
              { name: "field", value: (row) => row.pointer, show: (value) => pointerWords(value, after), text: true },
              { name: "before", value: (row) => text(row.from), text: true },
              { name: "after", value: (row) => text(row.to), text: true },
            ],
          })
        : h("p", { class: "muted" }, "No differences."),
    ),
  );
}
