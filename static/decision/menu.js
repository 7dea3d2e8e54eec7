// What is done with a decision as a whole: kept, renamed, duplicated, deleted, watched.
import { getAll, put, remove } from "../api.js";
import { announce, h } from "../dom.js";
import { mayWrite } from "../home/role.js";
import { goTo, linkTo } from "../router.js";
import { errorState } from "../states.js";
import { forget } from "../store.js";

export const idOf = (name) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/^[^a-z0-9]+|[-._]+$/g, "")
    .slice(0, 100);

// The first id of this name that no decision has.
export async function freeId(name) {
  const taken = new Set((await getAll("/v1/decisions")).map((one) => one.id));
  const base = idOf(name) || "decision";
  for (let n = 1; ; ++n) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(id)) return id;
  }
}

// Without what the store adds.
export function bodyOf({ etag, revision, recorded_at, recorded_by, unknown_fields, ...document }) {
  return document;
}

// Stores a decision under its id, or a new one, and shows it.
export async function keepDecision(document) {
  const id = document.id ?? (await freeId(document.name));
  await put(`/v1/decisions/${id}`, { ...document, id }, { "If-None-Match": "*" });
  forget(); // its colours hold from now on
  goTo(linkTo("decision", { id }));
}

// A dialog of one name field; `run` gets the name.
function ask(title, action, value, run) {
  const wrong = h("div", {});
  const field = h("input", { id: "decision-name", value, required: true, maxlength: 200 });
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-labelledby": "ask-title", onclose: () => dialog.remove() },
    h(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          try {
            await run(field.value.trim());
            dialog.close();
          } catch (error) {
            wrong.replaceChildren(errorState(error));
          }
        },
      },
      h("h2", { id: "ask-title" }, title),
      h("label", { for: "decision-name" }, "Name"),
      field,
      wrong,
      h(
        "div",
        { class: "row" },
        h("button", { type: "submit", class: "btn first" }, action),
        h("button", { type: "button", class: "btn", onclick: () => dialog.close() }, "Cancel"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}

// A comparison and a nightly schedule that recalculates it: an event, and a webhook's message, when another plan becomes the cheapest.
async function watch({ stored, plans, baseline }) {
  const id = stored.id;
  const references = plans.map((plan) => plan.reference);
  await put(
    `/v1/comparisons/${id}`,
    { id, name: stored.name, scenarios: [references[baseline], ...references.filter((_, i) => i !== baseline)] },
    {},
  );
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  await put(`/v1/schedules/${id}`, { id, cron: "0 2 * * *", time_zone: zone, scenarios: references }, {});
  announce("It is recalculated every night at 2; a flip is an event, under the bell");
  goTo(linkTo("jobs", { page: "schedules" }));
}

export function menuPart(context) {
  const { stored, all, plans, baseline } = context;
  const wrong = h("div", {});
  const body = () => ({
    ...bodyOf(stored),
    scenarios: all.map((plan) => plan.reference),
    baseline: plans[baseline].reference,
    colours: Object.fromEntries(all.map((plan) => [plan.reference, plan.colour])),
  });
  const tried = (run) => async () => {
    try {
      await run();
    } catch (error) {
      if (error.name !== "AbortError") wrong.replaceChildren(errorState(error));
    }
  };
  const save = (document) => put(`/v1/decisions/${encodeURIComponent(stored.id)}`, document, { "If-Match": stored.etag });
  const reload = () => {
    forget();
    goTo(linkTo("decision", { id: stored.id }));
  };
  const isStored = Boolean(stored.id);
  const isChanged =
    isStored && JSON.stringify([...stored.scenarios].sort()) !== JSON.stringify(all.map((plan) => plan.reference).sort());
  const items = isStored
    ? [
        isChanged ? ["Save these plans", tried(async () => (await save(body()), reload()))] : null,
        [
          "Rename…",
          () =>
            ask("Rename the decision", "Rename", stored.name, async (name) => (await save({ ...bodyOf(stored), name }), reload())),
        ],
        [
          "Duplicate…",
          () =>
            ask("Duplicate the decision", "Duplicate", `${stored.name}, again`, (name) =>
              keepDecision({ ...body(), name, id: undefined }),
            ),
        ],
        ["Tell me when this flips", tried(() => watch(context))],
        [
          "Delete…",
          tried(
            async () =>
              confirm(`Delete "${stored.name}"? Its history stays in the store.`) &&
              (await remove(`/v1/decisions/${encodeURIComponent(stored.id)}`, { "If-Match": stored.etag }),
              goTo(linkTo("decisions"))),
          ),
        ],
      ].filter(Boolean)
    : [
        [
          "Keep as a decision…",
          () =>
            ask("Keep as a decision", "Keep", "", (name) =>
              keepDecision({ name, scenarios: body().scenarios, baseline: body().baseline, colours: body().colours }),
            ),
        ],
      ];
  if (!isStored && all.some((plan) => plan.reference.startsWith("/"))) return h("span", {});
  const buttons = items.map(([text, run]) => h("button", { type: "button", class: "btn bare", onclick: run }, text));
  mayWrite(context.signal).then(
    (may) => may || buttons.forEach((button) => Object.assign(button, { disabled: true, title: "This needs the role editor" })),
    () => {}, // said where it is stored
  );
  return h(
    "div",
    { class: "menu" },
    h(
      "details",
      { class: "menu-drop" },
      h("summary", { class: "btn", id: "decision-menu" }, isStored ? "Decision" : "Keep"),
      h(
        "div",
        { class: "menu-list" },
        buttons,
      ),
    ),
    wrong,
  );
}
