// Runs of a feed or of imports: those that hold something back stand above the list, with reasons, and are accepted or rejected; what has
// landed is undone.
import { h } from "../dom.js";
import { count, number } from "../format.js";
import { largest } from "./moves.js";
import { box, confirmed, note, sortable, tag } from "./parts.js";

const acts = {
  accept: { verb: "accept", text: "Accept", explained: "What it holds back lands, and scenarios that read it are recalculated." },
  reject: { verb: "reject", text: "Reject", explained: "What it holds back is dropped; the same file of a feed then lands no more by itself." },
  undo: {
    verb: "undo",
    text: "Undo",
    explained:
      "What it has landed is taken back by new revisions, and scenarios that read it are recalculated. What has changed since stays.",
  },
};

// `place` shows the runs of `list`, of those `columns` beside what all have. `review(run, verb)` gives the run as it then is, of which
// `said` is a sentence; `of` ("" or " of x") says whose the runs are, `none` what stands where there are none.
export function runsAndHeld({ place, of, name, none, review, list, said, columns }) {
  const ask = (run, { verb, text, explained }) =>
    confirmed(`${text} run ${run.run}${of}?`, explained, text, async () => {
      said(reviewed(await review(run.run, verb), verb));
      show(await list());
    });
  const show = (runs) =>
    place.replaceChildren(
      ...(runs.length ? [...runs.filter((one) => one.held).map((one) => heldBox(one, ask)), runsBox(runs, ask, name, columns)] : [none()]),
    );
  return { show };
}

// What a person's word came to.
function reviewed({ run, state, summary, problem, held }, verb) {
  const kept = summary?.kept ?? [];
  const stays = kept.length ? `; kept, as changed since or referred to: ${kept.join(", ")}` : "";
  if (verb === "accept") return `Run ${run} is accepted: ${state}${held ? `, ${number(held)} still wait` : ""}${stays}.`;
  if (verb === "reject") return `Run ${run} is rejected: what it held back is dropped.`;
  return `Run ${run} is undone${problem ? `: ${problem}` : ""}${stays}.`;
}

const actButton = (run, act, ask, more = {}) =>
  h(
    "button",
    { type: "button", class: "btn", id: `${act.verb}-${run.run}`, "aria-label": `${act.text} run ${run.run}`, ...more, onclick: () => ask(run, act) },
    act.text,
  );

// Documents that are held, of a run's summary or an import's answer: what, its price where it is an offer, and why.
export function heldTable(summary, caption) {
  const rows = [
    ...(summary?.held_offers ?? []).map(({ offer, hourly_price, reason }) => ({ id: offer, hourly_price, reason })),
    ...(summary?.held_documents ?? []).map(({ id, reason }) => ({ id, hourly_price: null, reason })),
  ];
  const columns = [
    { name: "Document", value: (row) => row.id, text: true },
    { name: "Instance-hour", wide: true, value: (row) => row.hourly_price, show: (value) => (value === null ? "–" : number(value)) },
    { name: "Why it is held", value: (row) => row.reason, text: true },
  ];
  return rows.length ? { caption, rows, columns } : null;
}

// What a run holds back, and why, with the two answers to it.
function heldBox(run, ask) {
  const table = heldTable(run.summary, `Held prices of run ${run.run}`);
  const listed = table?.rows.length ?? 0;
  const waits = `${count(run.held, "document")} ${run.held === 1 ? "waits" : "wait"}${listed && listed < run.held ? `, of which ${number(listed)} are listed` : ""}`;
  return box(
    `Run ${run.run} holds back what is not plausible`,
    {
      name: `held-${run.run}`,
      said: waits,
      tools: [actButton(run, acts.accept, ask), actButton(run, acts.reject, ask)],
      table,
    },
    run.state === "held" && run.problem ? note("warn", run.problem) : null,
    table ? sortable(table, { maxRows: 20 }) : null,
  );
}

const outcome = (run) =>
  run.problem ?? largest(run.summary?.moved ?? []) ?? (run.held ? `${count(run.held, "document")} held back` : null);

// What stood there already is a run's own too, as it stands by it where the run that brought it is undone.
const mayUndo = ({ state, dry_run, summary }) =>
  !dry_run && (state === "landed" || (state === "unchanged" && (summary?.documents.unchanged ?? 0) > 0));

function runsBox(list, ask, name, columns) {
  const figure = (head, value) => ({
    name: head,
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
        show: (_, row) => (mayUndo(row) ? actButton(row, acts.undo, ask) : h("span", {})),
        text: true,
      },
      ...columns,
      figure("Rows", (summary) => summary.rows),
      figure("Added", (summary) => summary.documents.added),
      figure("Changed", (summary) => summary.documents.changed),
      figure("Rejected", (summary) => summary.rejected),
      { name: "Held", value: (row) => row.held || null, show: (value) => (value === null ? "–" : number(value)) },
      { name: "What came of it", value: outcome, text: true },
    ],
  };
  return box("Runs", { name, said: `the last ${list.length}, newest first`, table }, sortable(table, { maxRows: 20 }));
}
