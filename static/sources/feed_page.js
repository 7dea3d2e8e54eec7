// One feed: what it is, its state, its runs; enable and disable, run now, dry run, accept and reject what is held, undo, delete.
import { post, remove } from "../api.js";
import { announce, h } from "../dom.js";
import { count, number } from "../format.js";
import { go, linkTo } from "../router.js";
import { empty, errorState } from "../states.js";
import { inWords } from "./cron.js";
import { review, runsOf, turn } from "./feed_acts.js";
import { addressOf } from "./feed_state.js";
import { formatName } from "./formats.js";
import { follow } from "./follow.js";
import { movesTable, rowsOf } from "./moves.js";
import { box, confirmed, day, note, tag, when } from "./parts.js";
import { runsAndHeld } from "./runs.js";

export async function feedPage(id, row, { signal, title, said }) {
  title.textContent = id;
  if (!row)
    return empty(
      "No such feed",
      `No feed has the id ${id}.`,
      h("a", { class: "btn", href: linkTo("data", { page: "feeds" }) }, "All feeds"),
    );
  const { feed } = row;
  said.textContent = `${feed.format ? formatName(feed.format) : "Prometheus"}${feed.provider ? `, ${feed.provider}` : ""}`;
  const message = h("div", {});
  const runsPlace = h("div", { class: "stack" });
  const runs = h("div", {}, runsPlace);
  const livePlace = h("div", { id: "run-live" });
  const wrong = (error) => message.replaceChildren(errorState(error));
  const run = (query, text, more = {}) =>
    h(
      "button",
      {
        type: "button",
        class: "btn",
        ...more,
        onclick: () => {
          message.replaceChildren();
          post(`/v1/feeds/${id}/run${query}`).then((begun) => followRun(begun.run), wrong);
        },
      },
      text,
    );
  // Asks for the runs until the one that was begun has ended.
  async function followRun(number) {
    livePlace.replaceChildren(note("calm", h("span", { class: "spinner", "aria-hidden": "true" }), ` Run ${number} goes on…`));
    announce(`Run ${number} of ${id} has begun`);
    let list = [];
    for (let found; found?.state === undefined || found.state === "running";) {
      list = await runsOf(id, signal);
      found = list.find((item) => item.run === number);
      if (!found || found.state === "running") await new Promise((done) => setTimeout(done, 500));
      if (signal.aborted) return;
    }
    const ended = list.find((item) => item.run === number);
    livePlace.replaceChildren(runOutcome(ended));
    announce(`Run ${number}: ${ended.state}`);
    showRuns(list);
  }
  // What waits stands above the runs; asked before, as it lands prices or takes some back.
  const { show: showRuns } = runsAndHeld({
    place: runsPlace,
    of: ` of ${id}`,
    name: "feed-runs",
    none: () => empty("Never run", "Run it, or try it first: a dry run stores nothing."),
    review: (run, verb) => review(`/v1/feeds/${id}/runs/${run}`, verb, ` of ${id}`),
    list: () => runsOf(id, signal),
    said: (text) => livePlace.replaceChildren(note("calm", text)),
    columns: [
      { name: "Began", value: (row) => row.started_at, show: (value) => when(value), text: true },
      { name: "By", wide: true, value: (row) => row.recorded_by, text: true },
      { name: "KiB", wide: true, value: (row) => row.bytes / 1024, show: (value) => number(Math.ceil(value)) },
    ],
  });

  await follow(() => runsOf(id, signal), showRuns, { signal, place: runs, seconds: 5 });
  const asked = Number(new URLSearchParams(location.search).get("run"));
  if (asked) followRun(asked).catch((error) => error.name !== "AbortError" && wrong(error));
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "actions" },
      run("", "Run now", { class: "btn first", id: "run-now" }),
      run("?dry_run=true", "Dry run", { id: "run-dry" }),
      run("?even_if_odd=true", "Run even if odd", {
        id: "run-even-if-odd",
        title: "Lands another header, a much smaller or an older file too",
      }),
      h(
        "button",
        { type: "button", class: "btn", id: "turn", onclick: () => turn(feed).then(() => go({ run: null }), wrong) },
        feed.enabled ? "Disable" : "Enable",
      ),
      h("a", { class: "btn", href: linkTo("scenario", { kind: "feeds", id }) }, "Change"),
      h(
        "button",
        {
          type: "button",
          class: "btn danger",
          id: "delete",
          onclick: () =>
            confirmed(`Delete the feed ${id}?`, "What it has stored stays, and so does its history.", "Delete", async () => {
              await remove(`/v1/feeds/${id}`);
              go({ feed: null, run: null });
            }),
        },
        "Delete",
      ),
      h("a", { class: "btn bare", href: linkTo("data", { page: "feeds" }) }, "All feeds"),
    ),
    message,
    livePlace,
    facts(row),
    runs,
  );
}

function facts(row) {
  const { feed } = row;
  const pair = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return box(
    "What it fetches",
    { said: feed.note ?? null },
    h(
      "dl",
      { class: "facts" },
      pair("State", [tag(row.word), h("small", { class: "blk" }, row.why)]),
      pair("Last data", row.isLive ? (when(row.newest) ?? "none yet") : (day(row.newest) ?? "not dated")),
      pair("When", feed.cron ? `${inWords(feed.cron)}, ${feed.time_zone}` : "only when it is run"),
      feed.cron ? pair("Next run", feed.next_runs?.length ? when(feed.next_runs[0], feed.time_zone) : "none: it is disabled") : "",
      pair("From", h("span", { class: "ids" }, addressOf(feed))),
    ),
  );
}

const rejectedText = (summary) => (summary?.rejected ? `, ${number(summary.rejected)} rejected` : "");

// What a run came to, as a note.
function runOutcome(run) {
  if (run.state === "failed")
    return h(
      "div",
      { class: "note warn", role: "alert" },
      h("b", {}, `Run ${run.run} failed, and nothing is stored. `),
      run.problem,
    );
  if (run.state === "held")
    return h(
      "div",
      { class: "note warn", role: "alert" },
      h("b", {}, `Run ${run.run} is held, and nothing is stored. `),
      `${run.problem}. What it holds back stands below.`,
    );
  const { summary } = run;
  const moved = summary?.moved?.length ? movesTable(rowsOf(summary.moved)) : null;
  const would = run.dry_run;
  return h(
    "div",
    { class: "note done" },
    h("b", {}, would ? `Tried: nothing is stored. ` : run.state === "unchanged" ? "No new file: nothing is stored. " : "Landed. "),
    summary
      ? `${count(summary.rows, "row")}${rejectedText(summary)}; ${count(summary.documents.added, "document")} ${would ? "would be " : ""}added, ${number(summary.documents.changed)} changed, ${number(summary.documents.unchanged)} the same.`
      : "",
    moved ? moved.element : null,
  );
}
