// Events and runs: recalculations with progress, schedules with next runs, watched comparisons, events, webhooks and deliveries.
import { events, get, post, remove } from "../api.js";
import { announce, h } from "../dom.js";
import { number } from "../format.js";
import { go, linkTo } from "../router.js";
import { eventLog, webhooks } from "../sources/events.js";
import { follow } from "../sources/follow.js";
import { box, confirmed, sortable, tag, when } from "../sources/parts.js";
import { comparisons, schedules } from "../sources/schedules.js";
import { empty, errorState } from "../states.js";
import { tableOf } from "../table.js";

const pages = [
  { name: "recalculations", title: "Runs", show: recalculations },
  { name: "schedules", title: "Schedules", show: schedules },
  { name: "comparisons", title: "Watched", show: comparisons },
  { name: "events", title: "Events", show: eventLog },
  { name: "webhooks", title: "Webhooks", show: webhooks },
];

export async function jobs(params, place, { signal }) {
  const page = pages.find((page) => page.name === params.get("page")) ?? pages[0];
  place.append(
    h(
      "div",
      { class: "title" },
      h(
        "div",
        {},
        h("h1", {}, "Events and runs"),
        h("p", {}, "What is recalculated, when, what came of it, and which webhooks are called."),
      ),
      h(
        "div",
        { class: "end" },
        h(
          "nav",
          { class: "seg", "aria-label": "Events and runs" },
          pages.map((one) =>
            h("a", { href: linkTo("jobs", { page: one.name }), "aria-current": one === page ? "page" : null }, one.title),
          ),
          h("a", { href: linkTo("data", { page: "feeds" }) }, "Feeds and prices"),
        ),
      ),
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
  const start = async (which) => go({ run: (await post("/v1/recalculations", { scenarios: which })).id });
  const message = h("div", {});
  const button = (which, text, kind) =>
    h(
      "button",
      {
        type: "button",
        class: `btn ${kind}`,
        id: `recalculate-${which}`,
        onclick: () => start(which).catch((error) => message.replaceChildren(errorState(error))),
      },
      text,
    );
  const list = h("div", {});
  const livePlace = h("div", {});
  place.append(
    h("p", { class: "actions" }, button("changed", "Recalculate changed scenarios", "first"), button("all", "Recalculate all", "")),
    message,
    livePlace,
    list,
  );
  let followed = params.get("run");
  if (followed) livePlace.append(await live(followed, signal));
  // A run that another began, a schedule or a feed, is followed too.
  const show = async ({ items }) => {
    list.replaceChildren(runsOf(items));
    const going = items.find((run) => !ended(run));
    if (going && going.id !== followed) {
      followed = going.id;
      livePlace.replaceChildren(await live(followed, signal));
    }
  };
  await follow(() => get("/v1/recalculations", { limit: 50 }, signal), show, { signal, place });
}

function runsOf(items) {
  if (!items.length)
    return empty("No runs yet", "A recalculation evaluates stored scenarios again as prices change, and keeps every result.");
  const figure = (name) => ({
    name,
    value: (row) => row[name.toLowerCase()],
    show: (value) => number(value),
    wide: name === "Total" || name === "Unchanged",
  });
  const table = {
    caption: "Runs",
    rows: items,
    columns: [
      { name: "Run", value: (row) => row.id, show: (value) => h("a", { href: linkTo("jobs", { run: value }) }, value), text: true },
      { name: "State", value: (row) => row.state, show: (value) => tag(value), text: true },
      { name: "Scope", value: (row) => [row.scenarios].flat().join(", "), text: true, wide: true },
      { name: "Requested", value: (row) => row.created_at, show: (value) => when(value), text: true },
      { name: "By", value: (row) => row.schedule ?? row.recorded_by, text: true, wide: true },
      ...["Total", "Evaluated", "Unchanged", "Failed"].map(figure),
    ],
  };
  return box("Runs", { name: "runs", said: "scenarios; newest first", table }, sortable(table, { maxRows: 50 }));
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
      onclick: () =>
        confirmed(`Cancel run ${id}?`, "What it has stored stays.", "Cancel the run", () => remove(`/v1/recalculations/${id}`)),
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
      onEvent: async (event, data) => {
        show(data);
        if (!ended(data)) return;
        announce("The recalculation has ended");
        show(await get(`/v1/recalculations/${id}`, {}, signal)); // with its failures
      },
    }).catch((error) => {
      if (error.name !== "AbortError") failures.replaceChildren(errorState(error));
    });
  }
  return h(
    "section",
    { class: "box", "aria-label": `Run ${id}`, id: "live" },
    h("div", { class: "bar" }, h("h2", {}, `Run ${id}`), cancel),
    bar,
    text,
    failures,
  );
}
