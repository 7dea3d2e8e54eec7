// Jobs: recalculations as they go on, schedules with their next runs, watched comparisons, events, webhooks and deliveries.
import { events, get, post, remove } from "../api.js";
import { choice, h, labelled, say, toggle } from "../dom.js";
import { number, quantity, time } from "../format.js";
import { heading } from "../parts.js";
import { go, linkTo } from "../router.js";
import { empty, wrong } from "../states.js";
import { tableOf } from "../table.js";
import { section } from "./result.js";

const pages = [
  { name: "recalculations", title: "Recalculations", show: recalculations },
  { name: "schedules", title: "Schedules", show: schedules },
  { name: "comparisons", title: "Watched", show: comparisons },
  { name: "events", title: "Events", show: eventLog },
  { name: "webhooks", title: "Webhooks", show: webhooks },
];

export async function jobs(params, place, { signal }) {
  const page = pages.find((one) => one.name === params.get("page")) ?? pages[0];
  place.append(
    heading("Jobs"),
    toggle(
      "Page",
      pages.map((one) => ({ value: one.name, text: one.title })),
      page.name,
      (value) => go({ page: value, run: null }),
    ),
  );
  try {
    await page.show(params, place, signal);
  } catch (error) {
    if (error.status !== 404 || params.get("run")) throw error;
    place.append(empty(`${page.title} are not available`, "This daemon does not offer them; a newer one does."));
  }
}

const ended = (run) => ["done", "cancelled"].includes(run.state);

async function recalculations(params, place, signal) {
  const { items } = await get("/v1/recalculations", { limit: 50 }, signal);
  const begin = async (which) => {
    const run = await post("/v1/recalculations", { scenarios: which });
    go({ run: run.id });
  };
  const message = h("div", {});
  const button = (which, text, primary) =>
    h(
      "button",
      {
        type: "button",
        class: primary ? "primary" : "",
        id: `recalculate-${which}`,
        onclick: () => begin(which).catch((error) => message.replaceChildren(wrong(error))),
      },
      text,
    );
  place.append(
    h("p", { class: "actions" }, button("changed", "Recalculate what has changed", true), button("all", "Recalculate everything")),
    message,
  );
  const followed = params.get("run") ?? items.find((run) => !ended(run))?.id;
  if (followed) place.append(await live(followed, signal));
  place.append(
    items.length
      ? section(
          "Runs",
          {
            caption: "Runs",
            rows: items,
            columns: [
              {
                name: "run",
                of: (row) => row.id,
                show: (value) => h("a", { href: linkTo("jobs", { run: value }) }, value),
                text: true,
              },
              { name: "state", of: (row) => row.state, text: true },
              { name: "of", of: (row) => row.scenarios, text: true },
              { name: "asked", of: (row) => row.created_at, show: time, text: true },
              { name: "by", of: (row) => row.schedule ?? row.recorded_by, text: true },
              ...["total", "evaluated", "unchanged", "failed"].map((name) => ({
                name,
                unit: "scenarios",
                of: (row) => row[name],
                show: (value) => number(value),
              })),
            ],
          },
          "runs",
        )
      : empty("No runs yet", "A recalculation evaluates stored scenarios again as prices change, and keeps every result."),
  );
}

// One run, followed while it goes on.
async function live(id, signal) {
  const bar = h("progress", { max: 1, "aria-label": "Progress of the run" });
  const text = h("p", { role: "status" });
  const failures = h("div", {});
  const cancel = h(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: () => remove(`/v1/recalculations/${id}`).catch((error) => failures.replaceChildren(wrong(error))),
    },
    "Cancel",
  );
  const show = (run) => {
    bar.max = Math.max(1, run.total);
    bar.value = ended(run) ? bar.max : run.done;
    cancel.hidden = ended(run);
    text.textContent =
      `${run.state}: ${run.done} of ${run.total} scenarios, ` +
      `${run.evaluated} evaluated, ${run.unchanged} unchanged, ${run.failed} failed` +
      (run.eta_s && !ended(run) ? `, about ${number(run.eta_s, "s", 0)} left` : "") +
      (run.waits_for ? `; it waits for ${run.waits_for}` : "");
    if (run.failures?.length)
      failures.replaceChildren(
        tableOf({
          caption: "Failures",
          rows: run.failures,
          columns: [
            { name: "scenario", of: (row) => row.scenario, text: true },
            { name: "why", of: (row) => row.errors.map((issue) => `${issue.pointer} ${issue.message}`).join("; "), text: true },
          ],
        }),
      );
  };
  const run = await get(`/v1/recalculations/${id}`, {}, signal);
  show(run);
  if (!ended(run)) {
    events(`/v1/recalculations/${id}/events`, {
      signal,
      told: (event, data) => {
        show(data);
        if (ended(data)) {
          say("The recalculation has ended");
          go({ run: id }, { replace: true });
        }
      },
    }).catch((error) => {
      if (error.name !== "AbortError") failures.replaceChildren(wrong(error));
    });
  }
  return h(
    "section",
    { class: "panel", "aria-label": `Run ${id}`, id: "live" },
    h("div", { class: "panel-head" }, h("h2", {}, `Run ${id}`), cancel),
    bar,
    text,
    failures,
  );
}

// What can be switched off, changed, and made anew in the form.
function list(kind, title, items, columns, explained) {
  const edit = {
    name: "",
    of: () => "",
    text: true,
    show: (value, row) => h("a", { href: linkTo("scenario", { kind, id: row.id }) }, `Change ${row.id}`),
  };
  const fresh = h("a", { class: "button primary", href: linkTo("scenario", { kind, new: "1" }) }, `New ${kind.slice(0, -1)}`);
  return items.length
    ? [h("p", { class: "actions" }, fresh), section(title, { caption: title, rows: items, columns: [...columns, edit] }, kind)]
    : [empty(`No ${kind} yet`, explained, fresh)];
}

const id = { name: "id", of: (row) => row.id, text: true };
const enabled = { name: "enabled", of: (row) => (row.enabled === false ? "no" : "yes"), text: true };

async function schedules(params, place, signal) {
  const { items } = await get("/v1/schedules", { limit: 1000 }, signal);
  place.append(
    ...list(
      "schedules",
      "Schedules",
      items,
      [
        id,
        { name: "cron", of: (row) => row.cron, show: (value) => h("code", {}, value), text: true },
        { name: "time zone", of: (row) => row.time_zone, text: true },
        { name: "of", of: (row) => [row.scenarios].flat().join(", "), text: true },
        enabled,
        {
          name: "next runs",
          of: (row) => (row.next_runs ?? []).join(" "),
          text: true,
          show: (value, row) =>
            row.next_runs?.length
              ? h(
                  "ul",
                  { class: "plain" },
                  row.next_runs.slice(0, 3).map((one) => h("li", {}, time(one))),
                )
              : null,
        },
      ],
      "A schedule recalculates stored scenarios at certain times.",
    ),
  );
}

async function comparisons(params, place, signal) {
  const { items } = await get("/v1/comparisons", { limit: 1000 }, signal);
  const standings = await Promise.all(items.map((item) => get(`/v1/comparisons/${item.id}/standings`, { limit: 20 }, signal)));
  place.append(
    ...list(
      "comparisons",
      "Watched comparisons",
      items.map((item, i) => ({ ...item, now: standings[i].items[0] })),
      [
        id,
        { name: "scenarios", of: (row) => (row.scenarios ?? []).join(", "), text: true },
        { name: "objective", of: (row) => row.objective, text: true },
        { name: "cheapest now", of: (row) => row.now?.cheapest ?? row.now?.problem ?? null, text: true },
        {
          name: "figure",
          of: (row) => row.now?.figure ?? null,
          text: false,
          show: (value, row) => (value === null ? null : quantity(value, row.now.currency ?? "")),
        },
        { name: "since", of: (row) => row.now?.recorded_at ?? null, show: (value) => value && time(value), text: true },
      ],
      "A comparison says which of some scenarios is the cheapest after each recalculation, and tells of a flip.",
    ),
  );
}

const words = {
  ping: "test",
  recalculation_done: "recalculation done",
  comparison_flipped: "another is the cheapest",
  comparison_changed: "the figure has moved",
};

function told({ kind, data }) {
  if (kind.startsWith("comparison")) {
    const of = (standing) =>
      standing?.cheapest
        ? `${standing.cheapest} at ${quantity(standing.figure, standing.currency ?? "")}`
        : (standing?.problem ?? "nothing");
    return `${of(data.before)} → ${of(data.now)}`;
  }
  return kind === "recalculation_done" ? `${data.state}: ${data.evaluated} evaluated, ${data.failed} failed` : "";
}

async function eventLog(params, place, signal) {
  const { items } = await get("/v1/events", { kind: params.get("kind"), limit: 200 }, signal);
  place.append(
    h(
      "div",
      { class: "controls" },
      labelled(
        "Kind",
        choice(
          [{ value: "", text: "all" }, ...Object.entries(words).map(([value, text]) => ({ value, text }))],
          params.get("kind") ?? "",
          (value) => go({ kind: value }),
          { id: "kind" },
        ),
      ),
    ),
    items.length
      ? section(
          "Events",
          {
            caption: "Events",
            rows: items,
            columns: [
              { name: "event", of: (row) => row.event },
              { name: "when", of: (row) => row.recorded_at, show: time, text: true },
              {
                name: "what",
                of: (row) => row.kind,
                show: (value) =>
                  value === "comparison_flipped" ? h("span", { class: "badge doubt" }, words[value]) : (words[value] ?? value),
                text: true,
              },
              { name: "about", of: (row) => row.subject, text: true },
              { name: "told", of: told, text: true },
            ],
          },
          "events",
        )
      : empty(
          "No events yet",
          "The end of a recalculation is one, and so is a flip: when another of a comparison's scenarios becomes the cheapest.",
        ),
  );
}

async function webhooks(params, place, signal) {
  const [{ items }, deliveries] = await Promise.all([
    get("/v1/webhooks", { limit: 1000 }, signal),
    get("/v1/deliveries", { limit: 100 }, signal),
  ]);
  const message = h("div", {});
  const test = (webhook) =>
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: () =>
          post(`/v1/webhooks/${webhook}/test`).then(
            () => go({}),
            (error) => message.replaceChildren(wrong(error)),
          ),
      },
      `Test ${webhook}`,
    );
  place.append(
    ...list(
      "webhooks",
      "Webhooks",
      items,
      [
        id,
        { name: "url", of: (row) => row.url, text: true },
        { name: "told of", of: (row) => (row.events?.length ? row.events.join(", ") : "everything"), text: true },
        enabled,
        { name: "", of: () => "", show: (value, row) => test(row.id), text: true },
      ],
      "A webhook is an address that is told of events, signed.",
    ),
    message,
    deliveries.items.length
      ? section(
          "Deliveries",
          {
            caption: "Deliveries",
            rows: deliveries.items,
            columns: [
              { name: "event", of: (row) => row.event },
              { name: "what", of: (row) => words[row.kind] ?? row.kind, text: true },
              { name: "webhook", of: (row) => row.webhook, text: true },
              {
                name: "state",
                of: (row) => row.state,
                text: true,
                show: (value) => h("span", { class: `badge ${{ delivered: "good", dead: "doubt" }[value] ?? ""}` }, value),
              },
              { name: "tries", of: (row) => row.attempts },
              { name: "last status", of: (row) => row.last_status, text: false },
              { name: "last error", of: (row) => row.last_error, text: true },
              { name: "next try", of: (row) => row.next_try_at, show: (value) => value && time(value), text: true },
            ],
          },
          "deliveries",
        )
      : "",
  );
}
