// Jobs: recalculations with progress, schedules with next runs, watched comparisons, events, webhooks and deliveries.
import { events, get, post, remove } from "../api.js";
import { announce, choice, h, labelled, toggle } from "../dom.js";
import { number, quantity, time } from "../format.js";
import { heading, readable, unreadable } from "../parts.js";
import { go, linkTo } from "../router.js";
import { empty, errorState } from "../states.js";
import { section, tableOf } from "../table.js";

const pages = [
  { name: "recalculations", title: "Recalculations", show: recalculations },
  { name: "schedules", title: "Schedules", show: schedules },
  { name: "comparisons", title: "Watched", show: comparisons },
  { name: "events", title: "Events", show: eventLog },
  { name: "webhooks", title: "Webhooks", show: webhooks },
];

export async function jobs(params, place, { signal }) {
  const page = pages.find((page) => page.name === params.get("page")) ?? pages[0];
  place.append(
    heading("Jobs"),
    toggle(
      "Page",
      pages.map((page) => ({ value: page.name, text: page.title })),
      page.name,
      (value) => go({ page: value, run: null }),
    ),
  );
  try {
    await page.show(params, place, signal);
  } catch (error) {
    if (error.status !== 404 || params.get("run")) throw error;
    place.append(empty(`${page.title} are not available`, "This daemon does not support them; a newer one does."));
  }
}

const ended = (run) => ["done", "cancelled"].includes(run.state);

async function recalculations(params, place, signal) {
  const { items } = await get("/v1/recalculations", { limit: 50 }, signal);
  const start = async (which) => {
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
        onclick: () => start(which).catch((error) => message.replaceChildren(errorState(error))),
      },
      text,
    );
  place.append(
    h("p", { class: "actions" }, button("changed", "Recalculate changed scenarios", true), button("all", "Recalculate all")),
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
                value: (row) => row.id,
                show: (value) => h("a", { href: linkTo("jobs", { run: value }) }, value),
                text: true,
              },
              { name: "state", value: (row) => row.state, text: true },
              { name: "scope", value: (row) => row.scenarios, text: true },
              { name: "requested", value: (row) => row.created_at, show: time, text: true },
              { name: "by", value: (row) => row.schedule ?? row.recorded_by, text: true },
              ...["total", "evaluated", "unchanged", "failed"].map((name) => ({
                name,
                unit: "scenarios",
                value: (row) => row[name],
                show: (value) => number(value),
              })),
            ],
          },
          "runs",
        )
      : empty("No runs yet", "A recalculation evaluates stored scenarios again as prices change, and keeps every result."),
  );
}

// A run, updated while it is in progress.
async function live(id, signal) {
  const bar = h("progress", { max: 1, "aria-label": "Progress of the run" });
  const text = h("p", { role: "status" });
  const failures = h("div", {});
  const cancel = h(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: () => remove(`/v1/recalculations/${id}`).catch((error) => failures.replaceChildren(errorState(error))),
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
      (run.waits_for ? `; waiting for ${run.waits_for}` : "");
    if (run.failures?.length)
      failures.replaceChildren(
        tableOf({
          caption: "Failures",
          rows: run.failures,
          columns: [
            { name: "scenario", value: (row) => row.scenario, text: true },
            {
              name: "reason",
              value: (row) => row.errors.map((issue) => `${issue.pointer} ${issue.message}`).join("; "),
              text: true,
            },
          ],
        }),
      );
  };
  const run = await get(`/v1/recalculations/${id}`, {}, signal);
  show(run);
  if (!ended(run)) {
    events(`/v1/recalculations/${id}/events`, {
      signal,
      onEvent: (event, data) => {
        show(data);
        if (ended(data)) {
          announce("The recalculation has ended");
          go({ run: id }, { replace: true });
        }
      },
    }).catch((error) => {
      if (error.name !== "AbortError") failures.replaceChildren(errorState(error));
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

// A list of documents that are edited in the form.
function list(kind, title, found, columns, explained) {
  const items = readable(found);
  const edit = {
    name: "",
    value: () => "",
    text: true,
    show: (value, row) => h("a", { href: linkTo("scenario", { kind, id: row.id }) }, `Change ${row.id}`),
  };
  const fresh = h("a", { class: "button primary", href: linkTo("scenario", { kind, new: "1" }) }, `New ${kind.slice(0, -1)}`);
  const broken = unreadable(kind, found) ?? "";
  return items.length
    ? [
        h("p", { class: "actions" }, fresh),
        broken,
        section(title, { caption: title, rows: items, columns: [...columns, edit] }, kind),
      ]
    : [broken, empty(`No ${kind} yet`, explained, fresh)];
}

const id = { name: "id", value: (row) => row.id, text: true };
const enabled = { name: "enabled", value: (row) => (row.enabled === false ? "no" : "yes"), text: true };

async function schedules(params, place, signal) {
  const { items } = await get("/v1/schedules", { limit: 1000 }, signal);
  place.append(
    ...list(
      "schedules",
      "Schedules",
      items,
      [
        id,
        { name: "cron", value: (row) => row.cron, show: (value) => h("code", {}, value), text: true },
        { name: "time zone", value: (row) => row.time_zone, text: true },
        { name: "scenarios", value: (row) => [row.scenarios].flat().join(", "), text: true },
        enabled,
        {
          name: "next runs",
          value: (row) => (row.next_runs ?? []).join(" "),
          text: true,
          show: (value, row) =>
            row.next_runs?.length
              ? h(
                  "ul",
                  { class: "plain" },
                  row.next_runs.slice(0, 3).map((item) => h("li", {}, time(item))),
                )
              : null,
        },
      ],
      "A schedule recalculates stored scenarios at set times.",
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
        { name: "scenarios", value: (row) => (row.scenarios ?? []).join(", "), text: true },
        { name: "objective", value: (row) => row.objective, text: true },
        { name: "cheapest now", value: (row) => row.now?.cheapest ?? row.now?.problem ?? null, text: true },
        {
          name: "figure",
          value: (row) => row.now?.figure ?? null,
          text: false,
          show: (value, row) => (value === null ? null : quantity(value, row.now.currency ?? "")),
        },
        {
          name: "above the budget",
          value: (row) =>
            (row.now?.scenarios ?? [])
              .filter((scenario) => scenario.over_budget)
              .map((scenario) => scenario.scenario)
              .join(", ") || null,
          text: true,
        },
        { name: "since", value: (row) => row.now?.recorded_at ?? null, show: (value) => value && time(value), text: true },
      ],
      "A comparison says which of some scenarios is the cheapest after each recalculation, and sends an event when it changes or goes above its budget.",
    ),
  );
}

const eventNames = {
  ping: "test",
  recalculation_done: "recalculation done",
  comparison_flipped: "another scenario is the cheapest",
  comparison_changed: "figure changed",
  comparison_infeasible: "the cheapest can't do its work",
  budget_exceeded: "above its budget",
};

function eventText({ kind, data }) {
  if (kind === "budget_exceeded") {
    const amount = (value) => quantity(value, data.currency ?? "");
    const before = data.before === null ? "" : `, ${amount(data.before)} before`;
    return `${data.scenario} at ${amount(data.figure)}, budget ${amount(data.budget)}${before}`;
  }
  if (kind.startsWith("comparison")) {
    const standingText = (standing) =>
      standing?.cheapest
        ? `${standing.cheapest} at ${quantity(standing.figure, standing.currency ?? "")}`
        : (standing?.problem ?? "nothing");
    return `${standingText(data.before)} → ${standingText(data.now)}`;
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
          [{ value: "", text: "all" }, ...Object.entries(eventNames).map(([value, text]) => ({ value, text }))],
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
              { name: "event", value: (row) => row.event },
              { name: "recorded", value: (row) => row.recorded_at, show: time, text: true },
              {
                name: "kind",
                value: (row) => row.kind,
                show: (value) =>
                  ["comparison_flipped", "comparison_infeasible", "budget_exceeded"].includes(value)
                    ? h("span", { class: "badge doubt" }, eventNames[value])
                    : (eventNames[value] ?? value),
                text: true,
              },
              { name: "subject", value: (row) => row.subject, text: true },
              { name: "details", value: eventText, text: true },
            ],
          },
          "events",
        )
      : empty(
          "No events yet",
          "Events are recorded when a recalculation ends and when another scenario of a comparison becomes the cheapest or goes above its budget.",
        ),
  );
}

async function webhooks(params, place, signal) {
  const [{ items }, deliveries] = await Promise.all([
    get("/v1/webhooks", { limit: 1000 }, signal),
    get("/v1/deliveries", { limit: 100 }, signal),
  ]);
  const message = h("div", {});
  const send = (path, text, label) =>
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": label ?? text,
        onclick: () =>
          post(path).then(
            () => go({}),
            (error) => message.replaceChildren(errorState(error)),
          ),
      },
      text,
    );
  const test = (webhook) => send(`/v1/webhooks/${webhook}/test`, `Test ${webhook}`);
  const sendAgain = (row) =>
    row.state === "delivered"
      ? ""
      : send(`/v1/deliveries/${row.id}/retry`, "Send again", `Send event ${row.event} to ${row.webhook} again`);
  place.append(
    ...list(
      "webhooks",
      "Webhooks",
      items,
      [
        id,
        { name: "url", value: (row) => row.url, text: true },
        { name: "events", value: (row) => (row.events?.length ? row.events.join(", ") : "all"), text: true },
        enabled,
        { name: "", value: () => "", show: (value, row) => test(row.id), text: true },
      ],
      "A webhook is a URL that receives signed events.",
    ),
    message,
    deliveries.items.length
      ? section(
          "Deliveries",
          {
            caption: "Deliveries",
            rows: deliveries.items,
            columns: [
              { name: "event", value: (row) => row.event },
              { name: "kind", value: (row) => eventNames[row.kind] ?? row.kind, text: true },
              { name: "webhook", value: (row) => row.webhook, text: true },
              {
                name: "state",
                value: (row) => row.state,
                text: true,
                show: (value) => h("span", { class: `badge ${{ delivered: "good", dead: "doubt" }[value] ?? ""}` }, value),
              },
              { name: "attempts", value: (row) => row.attempts },
              { name: "last status", value: (row) => row.last_status, text: false },
              { name: "last error", value: (row) => row.last_error, text: true },
              { name: "next attempt", value: (row) => row.next_try_at, show: (value) => value && time(value), text: true },
              { name: "", value: () => "", show: (value, row) => sendAgain(row), text: true },
            ],
          },
          "deliveries",
        )
      : "",
  );
}
