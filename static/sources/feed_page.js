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
import { largest, movesTable, rowsOf } from "./moves.js";
import { box, confirmed, day, note, sortable, tag, when } from "./parts.js";

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
  const ask = (run, { verb, text, explained }) =>
    confirmed(`${text} run ${run.run} of ${id}?`, explained, text, async () => {
      const then = await review(id, run.run, verb);
      livePlace.replaceChildren(note("calm", reviewed(then, verb)));
      showRuns(await runsOf(id, signal));
    });
  const showRuns = (list) =>
    runsPlace.replaceChildren(
      ...(list.length
        ? [...list.filter((one) => one.held).map((one) => heldBox(one, ask)), runsBox(list, ask)]
        : [empty("Never run", "Run it, or try it first: a dry run stores nothing.")]),
    );

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

const acts = {
  accept: { verb: "accept", text: "Accept", explained: "What it holds back lands, and scenarios that read it are recalculated." },
  reject: { verb: "reject", text: "Reject", explained: "What it holds back is dropped; the same file then lands no more by itself." },
  undo: {
    verb: "undo",
    text: "Undo",
    explained:
      "What it has landed is taken back by new revisions, and scenarios that read it are recalculated. What has changed since stays.",
  },
};

// What a person's word came to.
function reviewed({ run, state, summary, problem, held }, verb) {
  const kept = summary?.kept ?? [];
  if (verb === "accept") return `Run ${run} is accepted: ${state}${held ? `, ${number(held)} still wait` : ""}.`;
  if (verb === "reject") return `Run ${run} is rejected: what it held back is dropped.`;
  return `Run ${run} is undone${problem ? `: ${problem}` : ""}${kept.length ? `; kept, as changed since or referred to: ${kept.join(", ")}` : ""}.`;
}

const actButton = (run, act, ask, more = {}) =>
  h(
    "button",
    { type: "button", class: "btn", id: `${act.verb}-${run.run}`, "aria-label": `${act.text} run ${run.run}`, ...more, onclick: () => ask(run, act) },
    act.text,
  );

// What a run holds back, and why, with the two answers to it.
function heldBox(run, ask) {
  const offers = run.summary?.held_offers ?? [];
  const table = {
    caption: `Held prices of run ${run.run}`,
    rows: offers,
    columns: [
      { name: "Offer", value: (row) => row.offer, text: true },
      { name: "Instance-hour", wide: true, value: (row) => row.hourly_price, show: (value) => number(value) },
      { name: "Why it is held", value: (row) => row.reason, text: true },
    ],
  };
  const waits = `${count(run.held, "document")} ${run.held === 1 ? "waits" : "wait"}${offers.length < run.held && offers.length ? `, of which ${number(offers.length)} are listed` : ""}`;
  return box(
    `Run ${run.run} holds back what is not plausible`,
    {
      name: `held-${run.run}`,
      said: waits,
      tools: [actButton(run, acts.accept, ask), actButton(run, acts.reject, ask)],
      table: offers.length ? table : null,
    },
    run.state === "held" && run.problem ? note("warn", run.problem) : null,
    offers.length ? sortable(table, { maxRows: 20 }) : null,
  );
}

const outcome = (run) =>
  run.problem ?? largest(run.summary?.moved ?? []) ?? (run.held ? `${count(run.held, "document")} held back` : null);

function runsBox(list, ask) {
  const figure = (name, value) => ({
    name,
    wide: true,
    value: (row) => (row.summary ? value(row.summary) : null),
    show: (found) => (found === null ? "–" : number(found)),
    text: false,
  });
  const table = {
    caption: "Runs",
    rows: list,
    columns: [
      { name: "Run", value: (row) => row.run, text: true },
      {
        name: "State",
        value: (row) => row.state,
        show: (value, row) => [tag(value), row.dry_run ? h("small", { class: "blk" }, "dry run") : ""],
        text: true,
      },
      {
        name: "",
        value: () => null,
        show: (_, row) => (row.state === "landed" && !row.dry_run ? actButton(row, acts.undo, ask) : h("span", {})),
        text: true,
      },
      { name: "Began", value: (row) => row.started_at, show: (value) => when(value), text: true },
      { name: "By", wide: true, value: (row) => row.recorded_by, text: true },
      { name: "KiB", wide: true, value: (row) => row.bytes / 1024, show: (value) => number(Math.ceil(value)) },
      figure("Rows", (summary) => summary.rows),
      figure("Added", (summary) => summary.documents.added),
      figure("Changed", (summary) => summary.documents.changed),
      figure("Rejected", (summary) => summary.rejected),
      { name: "Held", value: (row) => row.held || null, show: (value) => (value === null ? "–" : number(value)) },
      { name: "What came of it", value: outcome, text: true },
    ],
  };
  return box("Runs", { name: "feed-runs", said: `the last ${list.length}, newest first`, table }, sortable(table, { maxRows: 20 }));
}
