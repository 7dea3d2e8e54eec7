// The history of a document: who recorded what when, and what differs between any two.
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
  const number = (name, fallback) => items.find((one) => String(one.revision) === params.get(name)) ?? fallback;
  const to = number("to", items[0]);
  const from = number("from", items[1] ?? items[0]);
  const read = (one) => (one.deleted ? {} : get(`/v1/${kind}/${state.id}`, { as_of: one.recorded_at }, signal));
  const [before, after] = await Promise.all([read(from), read(to)]);
  const changes = differences(before, after);
  const options = items.map((one) => ({ value: String(one.revision), text: `revision ${one.revision}, ${time(one.recorded_at)}` }));
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
          { name: "revision", of: (row) => row.revision },
          { name: "recorded", of: (row) => row.recorded_at, show: time, text: true },
          { name: "by", of: (row) => row.recorded_by, text: true },
          {
            name: "",
            of: (row) => (row.deleted ? "deleted" : ""),
            text: true,
            show: (value, row) => value || h("a", { href: link({ as_of: row.recorded_at, tab: null }) }, "see it"),
          },
        ],
      }),
    ),
    h(
      "section",
      { class: "panel", "aria-label": "What differs" },
      h("h2", {}, "What differs"),
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
              { name: "field", of: (row) => row.pointer, show: (value) => pointerWords(value, after), text: true },
              { name: "before", of: (row) => text(row.from), text: true },
              { name: "after", of: (row) => text(row.to), text: true },
            ],
          })
        : h("p", { class: "muted" }, "Nothing differs."),
    ),
  );
}
