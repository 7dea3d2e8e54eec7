// The conflict dialog, if the document was saved by someone else meanwhile: fields changed by both, to choose from before saving.
import { getWithRevision } from "../api.js";
import { h } from "../dom.js";
import { pointerWords } from "../format.js";
import { go } from "../router.js";
import { merged, threeWay } from "../json_diff.js";
import { forget } from "../store.js";

const clean = ({ revision, recorded_at, recorded_by, ...rest }) => rest;
const text = (value) => (value === undefined ? "—" : JSON.stringify(value));
const brief = (value) => (text(value).length > 120 ? `${text(value).slice(0, 120)}…` : text(value));

// `save(document, etag)` is called with the merged document.
export async function resolveConflict(state, save) {
  const { document: latest, etag } = await getWithRevision(`/v1/${state.kind}/${state.id}`, {}, state.signal);
  const theirs = clean(latest);
  const changes = threeWay(state.base, state.draft, theirs);
  const keep = new Set(changes.conflicts.map((conflict) => conflict.pointer));
  const conflictRow = (conflict, i) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, pointerWords(conflict.pointer, state.draft)),
      h("td", { class: "text" }, brief(conflict.base)),
      ...["mine", "theirs"].map((side) =>
        h(
          "td",
          { class: "text" },
          h(
            "label",
            {},
            h("input", {
              type: "radio",
              name: `conflict-${i}`,
              value: side,
              checked: side === "mine",
              onchange: () => (side === "mine" ? keep.add(conflict.pointer) : keep.delete(conflict.pointer)),
            }),
            " ",
            h("code", {}, brief(conflict[side])),
          ),
        ),
      ),
    );
  const list = (title, changes) =>
    changes.length
      ? h(
          "details",
          {},
          h("summary", {}, `${title}: ${changes.length}`),
          h(
            "ul",
            {},
            changes.map((change) =>
              h(
                "li",
                {},
                pointerWords(change.pointer, state.draft),
                " ",
                h("code", {}, `${brief(change.from)} → ${brief(change.to)}`),
              ),
            ),
          ),
        )
      : null;
  const actionButton = (label, run, primary = false) =>
    h(
      "button",
      {
        type: "button",
        class: primary ? "primary" : "",
        onclick: () => {
          dialog.close();
          run();
        },
      },
      label,
    );
  const dialog = h(
    "dialog",
    { class: "dialog wide", "aria-labelledby": "conflict-title", onclose: () => dialog.remove() },
    h("h2", { id: "conflict-title" }, `${latest.recorded_by} saved revision ${latest.revision} meanwhile`),
    h(
      "p",
      {},
      changes.conflicts.length
        ? "Both changed these fields. Choose which value to keep:"
        : "The changes are in different fields and can be merged.",
    ),
    changes.conflicts.length
      ? h(
          "div",
          { class: "scroll", tabindex: "0", role: "region", "aria-label": "Conflicts" },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["field", "before", "yours", "theirs"].map((name) => h("th", { scope: "col", class: "text" }, name)),
              ),
            ),
            h("tbody", {}, changes.conflicts.map(conflictRow)),
          ),
        )
      : null,
    list("Changed only by you", changes.onlyMine),
    list("Changed only by them", changes.onlyTheirs),
    h(
      "p",
      { class: "actions" },
      actionButton("Save merged", () => save(merged(theirs, changes, keep), etag), true),
      actionButton("Overwrite with yours", () => save(state.draft, etag)),
      actionButton("Discard yours", () => {
        state.discard();
        forget();
        go({});
      }),
      actionButton("Back to the form", () => {}),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
