// Scenario: form, JSON, revisions; beside it what the draft costs.
import { get, getAll, getWithRevision, put, remove } from "../api.js";
import { announce, h, labelled, toggle } from "../dom.js";
import { draftOf } from "../drafts.js";
import { formOf } from "../form.js";
import { kindOf, messageWords, pointerWords } from "../format.js";
import { heading, scenarioPicker } from "../parts.js";
import { go, goTo, linkTo, whatIf, whatIfParameter } from "../router.js";
import { firstComparison, forget, isExample, scenarios } from "../store.js";
import { resolveConflict } from "./conflict.js";
import { draftPart } from "./draft.js";
import { revisions } from "./revisions.js";

const emptyDraft = {
  scenario: () => ({
    name: "",
    start: `${new Date().getUTCFullYear() + 1}-01`,
    months: 36,
    currency: "USD",
    workloads: [],
    pools: [],
  }),
};

const clean = ({ revision, recorded_at, recorded_by, ...rest }) => rest;

async function open(params, list, kind, signal) {
  const opened = await read(params, list, kind, signal);
  const kept = draftOf([kind, opened.id, opened.etag]);
  return { ...opened, draft: kept.read() ?? opened.draft, keepDraft: kept.write, discard: kept.forget };
}

// The stored document and a copy to edit.
async function read(params, list, kind, signal) {
  const asOf = params.get("as_of");
  const id = params.get(kind === "scenarios" ? "scenario" : "id");
  if (params.get("new") === "1") return { id: "", base: null, etag: null, draft: emptyDraft[kindOf(kind)]?.() ?? {} };
  if (isExample(id ?? "")) {
    const document = list.find((entry) => entry.reference === id)?.document ?? {};
    return { id: document.id ?? "", base: null, etag: null, draft: structuredClone(document) };
  }
  const { document, etag } = await getWithRevision(`/v1/${kind}/${id}`, { as_of: asOf }, signal);
  return { id, base: clean(document), etag, revision: document, draft: clean(structuredClone(document)) };
}

// What a PUT says that a document has lost by it, until its page is shown next.
let lost = { of: "", warnings: [] };

export async function scenario(params, place, { signal }) {
  const [list, fields] = await Promise.all([scenarios(params.get("as_of"), signal), get("/v1/fields", {}, signal)]);
  const stated = params.get("kind") ?? "scenarios";
  const kind = fields.some((table) => table.document === kindOf(stated)) ? stated : "scenarios";
  const isNew = params.get("new") === "1" || (kind === "scenarios" && !list.length);
  if (kind === "scenarios" && !params.get("scenario") && !isNew) params.set("scenario", firstComparison(list)[0]);
  if (isNew) params.set("new", "1");
  const opened = await open(params, list, kind, signal);
  const tab =
    ["json", "revisions"].includes(params.get("tab")) && !(params.get("tab") === "revisions" && !opened.base)
      ? params.get("tab")
      : "form";
  const state = { ...opened, kind, set: whatIf(params), scale: whatIf(params, "scale"), fields, signal, asOf: params.get("as_of") };
  const tools = h(
    "div",
    { class: "controls" },
    kind === "scenarios" && list.length
      ? labelled(
          "Scenario",
          scenarioPicker(list, isNew ? "" : params.get("scenario"), (value) => goTo(linkTo("scenario", { scenario: value })), {
            id: "scenario",
            placeholder: "New",
          }),
        )
      : null,
    h("a", { class: "button", href: linkTo("scenario", { new: "1", kind: kind === "scenarios" ? null : kind }) }, "New"),
  );
  const title = isNew ? `New ${kindOf(kind)}` : state.draft.name || state.id;
  const stored = state.revision
    ? `Revision ${state.revision.revision}, recorded by ${state.revision.recorded_by}`
    : "Not stored yet";
  place.append(
    heading(title, stored, tools),
    toggle(
      "Show as",
      [
        { value: "form", text: "Form" },
        { value: "json", text: "JSON" },
        ...(opened.base ? [{ value: "revisions", text: "Revisions" }] : []),
      ],
      tab,
      (value) => go({ tab: value === "form" ? null : value }),
    ),
  );
  if (lost.warnings.length && lost.of === `${kind}/${state.id}`) {
    place.append(
      h(
        "section",
        { class: "panel wide", id: "saved-warnings", role: "status", "aria-label": "Warnings of what was saved" },
        h("ul", {}, ...lost.warnings.map((warning) => h("li", {}, warning))),
      ),
    );
  }
  lost = { of: "", warnings: [] };
  if (tab === "revisions") place.append(await revisions(params, kind, state, signal));
  else place.append(editor(params, state, tab));
}

function editor(params, state, tab) {
  const pane =
    kindOf(state.kind) === "scenario"
      ? draftPart(state, () =>
          go({ set: whatIfParameter(state.set), scale: whatIfParameter(state.scale) }, { replace: true, quiet: true }),
        )
      : null;
  const unplaced = h("div", { role: "alert" });
  const bar = saveBar(
    state,
    (error) => show(error.errors ?? [], error),
    async () => (await pane?.keep()) ?? true,
  );
  let form = null;
  let timer = 0;
  const changed = () => {
    clearTimeout(timer);
    state.keepDraft(state.draft);
    bar.update();
    timer = setTimeout(() => pane?.evaluate(), 120);
  };
  // Shows issues at their fields; those without a field above the form. Pointers are relative to the request.
  function show(issues, error = null) {
    const mine = issues.map((issue) => ({ ...issue, pointer: issue.pointer.replace(/^\/scenario(?=\/|$)/, "") }));
    const rest = form ? form.issues(mine) : mine;
    const lines =
      rest.length || !error
        ? rest.map(({ pointer, message }) =>
            form
              ? [pointer ? `${pointerWords(pointer, state.draft)}: ` : "", messageWords(message, state.draft)]
              : [pointer ? h("code", {}, pointer) : null, ` ${message}`], // beside the JSON, which has the names
          )
        : issues.length
          ? []
          : [[error.message]];
    unplaced.replaceChildren(...lines.map((line) => h("p", { class: "issue" }, line)));
    bar.count(issues.length);
    if (issues.length) announce(`${issues.length} issues`);
  }
  pane?.whenWrong(show);
  const body = h("div", {});
  state.redraw = () => {
    if (tab === "form") form = formOf(kindOf(state.kind), state.draft, about(state), changed);
    body.replaceChildren(tab === "form" ? form.element : jsonPane(state, changed, unplaced));
    bar.update();
  };
  state.redraw();
  if (state.base || state.draft.workloads?.length) pane?.evaluate(); // a blank draft is no mistake
  const left = h("section", { class: "panel editor", "aria-label": "Document" }, bar.element, unplaced, body);
  const at = params.get("at");
  if (at && form) setTimeout(() => form.reveal(at)?.scrollIntoView({ block: "center" }));
  return pane ? h("div", { class: "split" }, left, pane.element) : left;
}

// Stored documents, requested once per kind.
function about(state) {
  const lists = {};
  const documents = (kind) => (lists[kind] ??= getAll(`/v1/${kind}`, { as_of: state.asOf }, state.signal).catch(() => []));
  const currency = () => state.draft.currency ?? (state.kind === "scenarios" ? "USD" : "currency"); // of a document: the scenario's
  return { fields: state.fields, documents, currency, serverCurrency: () => "currency of the server" };
}

// Indented by two spaces; a point of a curve is on one line.
const pretty = (document) => JSON.stringify(document, null, 2).replace(/\[\s+([^\s[\]{},]+),\s+([^\s[\]{},]+)\s+\]/g, "[$1, $2]");

function jsonPane(state, changed, unplaced) {
  return labelled(
    "JSON",
    h("textarea", {
      class: "json",
      rows: 36,
      spellcheck: "false",
      value: pretty(state.draft),
      oninput: (event) => {
        try {
          const next = JSON.parse(event.target.value);
          for (const name of Object.keys(state.draft)) delete state.draft[name];
          Object.assign(state.draft, next);
          unplaced.replaceChildren();
          event.target.removeAttribute("aria-invalid");
          changed();
        } catch (error) {
          event.target.setAttribute("aria-invalid", "true");
          unplaced.replaceChildren(h("p", { class: "issue" }, `Not JSON: ${error.message}`));
        }
      },
    }),
  );
}

// The id, the Save button, and the number of issues. `applyWhatIf` puts the what-if into the draft; false where it can't.
function saveBar(state, onError, applyWhatIf) {
  const id = h("input", { value: state.id, spellcheck: "false", autocomplete: "off", required: true, oninput: () => update() });
  const button = h("button", { type: "button", class: "primary", id: "save", onclick: () => save() }, "Save");
  const note = h("span", { class: "muted", role: "status" });
  const discard = h(
    "button",
    {
      type: "button",
      class: "quiet",
      id: "discard",
      onclick: () => {
        state.discard();
        go({ set: null, scale: null });
      },
    },
    "Discard changes",
  );
  const isSame = () =>
    state.base &&
    id.value === state.id &&
    !Object.keys(state.set).length &&
    JSON.stringify(state.base) === JSON.stringify(state.draft);
  const isTwin = () => state.base?.name && id.value !== state.id && state.draft.name === state.base.name;
  const tried = (run) => () => run().catch((error) => error.name !== "AbortError" && onError(error));
  const again = (next) => goTo(linkTo("scenario", { kind: state.kind === "scenarios" ? null : state.kind, ...next }));
  const nameOfId = state.kind === "scenarios" ? "scenario" : "id";
  const others = h(
    "span",
    { class: "actions", hidden: !state.base },
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        id: "duplicate",
        onclick: tried(async () => {
          if (!(await applyWhatIf())) return; // what is kept is what is seen
          const next = `${state.id}-copy`;
          const { name } = state.draft;
          await put(
            `/v1/${state.kind}/${next}`,
            { ...state.draft, id: next, ...(name ? { name: `${name} (copy)` } : {}) },
            { "If-None-Match": "*" },
          );
          forget();
          state.discard();
          again({ [nameOfId]: next });
        }),
      },
      "Duplicate",
    ),
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        id: "delete",
        onclick: tried(async () => {
          if (!confirm(`Delete ${state.id}? Its history stays in the store.`)) return;
          await remove(`/v1/${state.kind}/${encodeURIComponent(state.id)}`, { "If-Match": state.etag });
          forget();
          state.discard();
          again({});
        }),
      },
      "Delete",
    ),
  );
  function update() {
    button.disabled = !id.value || Boolean(isSame());
    button.textContent = state.base && id.value !== state.id ? "Save as new" : "Save";
    discard.hidden = !state.base || JSON.stringify(state.base) === JSON.stringify(state.draft);
    note.textContent = isSame()
      ? "No changes"
      : isTwin()
        ? "Unsaved changes; give the new one another name too"
        : "Unsaved changes";
  }
  async function save(draft = state.draft, etag = state.etag) {
    if (!(await applyWhatIf())) return; // what is saved is what is seen
    const isOld = state.base && id.value === state.id;
    const headers = isOld ? { "If-Match": etag } : { "If-None-Match": "*" };
    try {
      const answer = await put(`/v1/${state.kind}/${id.value}`, { ...draft, id: id.value }, headers, state.signal);
      forget();
      state.discard();
      announce(`Saved as revision ${answer.document.revision}`);
      lost = { of: `${state.kind}/${id.value}`, warnings: answer.document.warnings ?? [] };
      const name = state.kind === "scenarios" ? "scenario" : "id";
      goTo(
        linkTo("scenario", {
          kind: state.kind === "scenarios" ? null : state.kind,
          [name]: id.value,
          as_of: null,
        }),
      );
    } catch (error) {
      if (error.status !== 412) return onError(error);
      if (!isOld)
        return onError(
          Object.assign(error, { message: `There is a ${kindOf(state.kind)} ${id.value} already; choose another id` }),
        );
      resolveConflict(state, (merged, latest) => save(merged, latest));
    }
  }
  update();
  return {
    update,
    count: (issues) => {
      if (issues) note.textContent = `${issues} ${issues === 1 ? "issue" : "issues"}`;
      else update();
    },
    element: h("div", { class: "controls" }, labelled("Id", id), button, discard, others, note),
  };
}
