// Schedules with their next runs, and watched comparisons; a new schedule in words.
import { get, put, remove } from "../api.js";
import { choice, h, labelled } from "../dom.js";
import { quantity } from "../format.js";
import { readable, unreadable } from "../parts.js";
import { go, goTo, linkTo } from "../router.js";
import { empty, errorState } from "../states.js";
import { inWords } from "./cron.js";
import { cronField } from "./cron_field.js";
import { box, confirmed, sortable, tag, when, words } from "./parts.js";

const nextShown = 3;
const scopes = { changed: "what changed since the last run", all: "all" };

// Buttons of a row: change, and delete after a question.
function acts(kind, singular, id, explained) {
  const ask = () =>
    confirmed(`Delete the ${singular} ${id}?`, explained, "Delete", async () => {
      await remove(`/v1/${kind}/${id}`);
      go({});
    });
  return h(
    "div",
    { class: "acts in-line" },
    h("a", { class: "btn small-btn", href: linkTo("scenario", { kind, id }), "aria-label": `Change ${id}` }, "Change"),
    h(
      "button",
      { type: "button", class: "btn small-btn danger", id: `delete-${id}`, "aria-label": `Delete ${id}`, onclick: ask },
      "Delete",
    ),
  );
}

const named = (table) => ({ ...table, columns: table.columns.filter((column) => column.name) });

// What they watch for drift and isn't there: each schedule's own answer has it.
async function warningsOf(items, signal) {
  const watching = items.filter((row) => row.enabled !== false && row.drift?.length);
  const read = await Promise.all(watching.map((row) => get(`/v1/schedules/${row.id}`, {}, signal)));
  const texts = read.flatMap((row) => (row.warnings ?? []).map((warning) => `${row.id}: ${warning}`));
  return texts.length ? h("div", { class: "note warn", role: "alert", id: "unwatched" }, ...texts.map((text) => h("p", {}, text))) : "";
}

export async function schedules(params, place, signal) {
  const { items: found } = await get("/v1/schedules", { limit: 1000 }, signal);
  const items = readable(found);
  const message = h("div", {});
  const turn = async (row) => {
    const { revision, recorded_at, recorded_by, next_runs, ...document } = await get(`/v1/schedules/${row.id}`);
    await put(`/v1/schedules/${row.id}`, { ...document, enabled: row.enabled === false }, { "If-Match": `"${revision}"` });
    go({});
  };
  const table = {
    caption: "Schedules",
    rows: items,
    columns: [
      { name: "Schedule", value: (row) => row.id, text: true },
      {
        name: "When",
        value: (row) => row.cron,
        show: (value, row) => [inWords(value), h("small", { class: "blk" }, h("code", {}, value), ` ${row.time_zone}`)],
        text: true,
      },
      {
        name: "Scenarios",
        value: (row) =>
          [row.scenarios]
            .flat()
            .map((one) => scopes[one] ?? one)
            .join(", "),
        text: true,
        wide: true,
      },
      {
        name: "Next runs",
        value: (row) => (row.next_runs ?? []).join(" "),
        text: true,
        show: (value, row) =>
          row.next_runs?.length
            ? h(
                "ul",
                { class: "plain" },
                row.next_runs.slice(0, nextShown).map((item) => h("li", {}, when(item, row.time_zone, { weekday: "short" }))),
              )
            : "none",
      },
      {
        name: "State",
        value: (row) => (row.enabled === false ? "disabled" : "enabled"),
        text: true,
        show: (value, row) => [
          tag(value),
          " ",
          h(
            "button",
            {
              type: "button",
              class: "btn small-btn",
              id: `turn-${row.id}`,
              "aria-label": `${row.enabled === false ? "Enable" : "Disable"} ${row.id}`,
              onclick: () => turn(row).catch((error) => message.replaceChildren(errorState(error))),
            },
            row.enabled === false ? "Enable" : "Disable",
          ),
        ],
      },
      {
        name: "",
        value: () => "",
        text: true,
        show: (value, row) => acts("schedules", "schedule", row.id, "It runs no more. Results of its runs stay."),
      },
    ],
  };
  place.append(
    unreadable("schedules", found) ?? "",
    await warningsOf(items, signal),
    message,
    items.length
      ? box(
          "Schedules",
          { name: "schedules", said: "times are those of each schedule's zone", table: named(table) },
          sortable(table),
        )
      : empty("No schedules yet", "A schedule recalculates stored scenarios at set times."),
    scheduleForm(items),
  );
}

function scheduleForm(items) {
  const free = (name) => !items.some((item) => item.id === name);
  const name = h("input", {
    id: "schedule-id",
    required: true,
    pattern: "[a-z0-9][a-z0-9._\\-]{0,127}",
    value: ["nightly", "weekly", "monthly"].find(free) ?? "",
    autocomplete: "off",
  });
  const scope = choice(
    Object.entries(scopes).map(([value, text]) => ({ value, text })),
    "changed",
    () => {},
    { id: "schedule-scope" },
  );
  const time = cronField({ id: "schedule-when", value: "every night at 2" });
  const outcome = h("div", {});
  async function store(event) {
    event.preventDefault();
    if (!time.valid()) return document.getElementById("schedule-when").focus();
    const id = name.value.trim();
    try {
      await put(
        `/v1/schedules/${id}`,
        { cron: time.cron(), time_zone: time.zone(), scenarios: scope.value },
        { "If-None-Match": "*" },
      );
      goTo(linkTo("jobs", { page: "schedules" }));
    } catch (error) {
      if (error.status === 412)
        Object.assign(error, { message: `There is a schedule ${id} already. Choose another name.`, errors: [] });
      outcome.replaceChildren(errorState(error));
    }
  }
  return box(
    "New schedule",
    {},
    h(
      "form",
      { class: "stack", id: "schedule-form", onsubmit: store },
      h(
        "div",
        { class: "guesses" },
        labelled("Name", name, "Small letters, digits, dots and hyphens."),
        labelled("Recalculates", scope, "Which stored scenarios."),
      ),
      time.element,
      outcome,
      h(
        "p",
        { class: "actions" },
        h("button", { type: "submit", class: "btn first", id: "save-schedule" }, "Add"),
        h("a", { class: "btn", href: linkTo("scenario", { kind: "schedules", new: "1" }) }, "All fields"),
      ),
    ),
  );
}

export async function comparisons(params, place, signal) {
  const { items: found } = await get("/v1/comparisons", { limit: 1000 }, signal);
  const items = readable(found);
  const standings = await Promise.all(items.map((item) => get(`/v1/comparisons/${item.id}/standings`, { limit: 1 }, signal)));
  const fresh = h("a", { class: "btn small-btn", href: linkTo("scenario", { kind: "comparisons", new: "1" }) }, "New comparison");
  const table = {
    caption: "Watched comparisons",
    rows: items.map((item, i) => ({ ...item, now: standings[i].items[0] })),
    columns: [
      {
        name: "Comparison",
        value: (row) => row.id,
        show: (value, row) => h("a", { href: linkTo("decision", { scenario: row.scenarios ?? [] }) }, value),
        text: true,
      },
      { name: "Plans", value: (row) => (row.scenarios ?? []).join(", "), text: true, wide: true },
      { name: "Decided by", value: (row) => words(row.objective ?? ""), text: true, wide: true },
      {
        name: "Cheapest now",
        value: (row) => row.now?.cheapest ?? row.now?.problem ?? null,
        show: (value) => value ?? "not known",
        text: true,
      },
      {
        name: "Figure",
        value: (row) => row.now?.figure ?? null,
        text: false,
        show: (value, row) => (value === null ? "not known" : quantity(value, row.now.currency ?? "")),
      },
      {
        name: "Above the budget",
        value: (row) =>
          (row.now?.scenarios ?? [])
            .filter((one) => one.over_budget)
            .map((one) => one.scenario)
            .join(", ") || null,
        show: (value) => value ?? "none",
        text: true,
        wide: true,
      },
      { name: "Since", value: (row) => row.now?.recorded_at ?? null, show: (value) => when(value), text: true, wide: true },
      {
        name: "",
        value: () => "",
        text: true,
        show: (value, row) =>
          acts("comparisons", "comparison", row.id, "Its standings are not kept up any more. Its scenarios stay."),
      },
    ],
  };
  place.append(
    unreadable("comparisons", found) ?? "",
    items.length
      ? box("Watched comparisons", { name: "comparisons", table: named(table), tools: fresh }, sortable(table))
      : empty(
          "No comparisons yet",
          "A comparison says which of some scenarios is the cheapest after each recalculation, and sends an event when it changes or goes above its budget.",
          fresh,
        ),
  );
}
