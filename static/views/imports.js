// Imports: a file is recognised and tried at once; its guesses can be changed, its changes are looked at, and then it is stored.
import { get, post, upload } from "../api.js";
import { announce, choice, h, labelled } from "../dom.js";
import { count, number } from "../format.js";
import { goTo, linkTo } from "../router.js";
import { formatName, formatOptions, importParameters } from "../sources/formats.js";
import { review } from "../sources/feed_acts.js";
import { outcome } from "../sources/outcome.js";
import { day, note, when } from "../sources/parts.js";
import { runsAndHeld } from "../sources/runs.js";
import { touched } from "../sources/touched.js";
import { errorState, loading } from "../states.js";
import { forget } from "../store.js";

const guessed = ["provider", "date"];
const explained = { provider: "who sells at these prices", date: "the day since which the prices hold" };
const listedChanges = 10000;
const listedRuns = 20;

export async function imports(params, place, { signal }) {
  const { formats, options } = importParameters(await get("/openapi.json", {}, signal));
  let files = [];
  let turn = 0; // of requests: an answer to an older one is dropped
  let scenarios = [];
  let stored = false;
  let forced = ""; // the date that is meant, whatever the file's name says

  const again = () => files.length && run(true);
  const format = choice([{ value: "", text: "recognise it" }, ...formatOptions(formats)], "", again, { id: "format" });
  const values = Object.fromEntries(
    options.map(({ name }) => [
      name,
      h("input", { id: `import-${name}`, autocomplete: "off", type: name === "date" ? "date" : "text", onchange: again }),
    ]),
  );
  const shown = (option) =>
    labelled(
      option.name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase()),
      values[option.name],
      explained[option.name] ?? option.description,
    );
  const head = h("p", { id: "recognised", role: "status" });
  const chosen = h("p", { class: "small", id: "chosen" });
  const answer = h("div", { id: "summary", class: "stack" });
  const touchedPlace = h("div", {});
  const store = h(
    "button",
    { type: "button", id: "store", class: "btn first", disabled: true, onclick: () => run(false) },
    "Import",
  );
  const guesses = h(
    "section",
    { class: "box", "aria-label": "What the file is", hidden: true },
    head,
    h(
      "div",
      { class: "guesses" },
      labelled("Format", format, ""),
      guessed.filter((name) => values[name]).map((name) => shown(options.find((option) => option.name === name))),
    ),
    h(
      "details",
      {},
      h("summary", {}, "More that the file may lack"),
      h("div", { class: "guesses" }, options.filter((option) => !guessed.includes(option.name)).map(shown)),
    ),
    h("p", { class: "actions" }, store, chosen),
  );
  const input = h("input", { type: "file", multiple: true, id: "file", class: "unseen", onchange: () => take(input.files) });
  const zone = h(
    "label",
    {
      class: "drop",
      for: "file",
      ondragover: (event) => {
        event.preventDefault();
        zone.classList.add("over");
      },
      ondragleave: () => zone.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        zone.classList.remove("over");
        take(event.dataTransfer.files);
      },
    },
    h("strong", {}, "Drop a published file here, or choose one"),
    h("span", { class: "muted" }, "It is recognised and tried; nothing is stored before you say so."),
  );

  // Another file: nothing of the last one stays.
  function take(list) {
    if (!list.length) return;
    files = [...list];
    forced = "";
    stored = false;
    for (const field of [format, ...Object.values(values)]) field.value = "";
    chosen.textContent = files.map((file) => `${file.name}, ${number(Math.ceil(file.size / 1024))} KiB`).join("; ");
    guesses.hidden = false;
    zone.classList.add("taken");
    run(true);
  }

  async function run(isDry) {
    const mine = ++turn;
    const force = forced !== "" && forced === values.date?.value;
    store.disabled = true;
    mark([]);
    if (isDry) head.textContent = "Reading…";
    if (isDry && !stored) answer.replaceChildren(loading("Reading the file…"));
    const query = {
      format: format.value,
      dry_run: isDry,
      force: force || null,
      changes: listedChanges,
      name: files.length === 1 ? files[0].name : null,
      ...Object.fromEntries(Object.entries(values).map(([name, field]) => [name, field.value])),
    };
    try {
      const summary = await send(query);
      if (mine === turn) show(summary, isDry);
    } catch (error) {
      if (mine === turn && error.name !== "AbortError") refused(error);
    }
  }
  // Several files are sent as multipart/form-data, with its own boundary.
  async function send(query) {
    if (files.length === 1) return upload("/v1/imports", query, files[0], "application/octet-stream", signal);
    const form = new FormData();
    for (const file of files) form.append("file", file, file.name);
    const response = new Response(form);
    return upload("/v1/imports", query, await response.blob(), response.headers.get("Content-Type"), signal);
  }

  function show(summary, isDry) {
    stored = !isDry;
    if (summary.recognized) {
      format.value = summary.recognized.format;
      for (const name of guessed) if (summary.recognized[name]) values[name].value = summary.recognized[name];
    }
    const facts = [formatName(format.value), values.provider?.value, values.date?.value && day(values.date.value)].filter(Boolean);
    head.replaceChildren(
      h("b", {}, summary.recognized ? "Recognised as " : "Read as "),
      facts.join(", "),
      summary.recognized ? ". Change what is wrong." : ".",
    );
    const { added, changed } = summary.documents;
    const what = [
      added + changed && count(added + changed, "document"),
      summary.bill_lines && count(summary.bill_lines, "bill line"),
    ];
    store.textContent = ["Import", what.filter(Boolean).join(" and ")].join(" ").trim();
    if (summary.held && !added && !changed) store.textContent = `Keep ${count(summary.held, "document")} to be accepted`;
    store.disabled = !isDry || added + changed + summary.bill_lines + summary.samples + summary.held === 0;
    const boxes = outcome(summary, isDry);
    if (isDry) touchedPlace.replaceChildren(touched(summary, signal, (ids) => (scenarios = ids)));
    else {
      forget();
      listRuns();
    }
    answer.replaceChildren(...[isDry ? null : landed(summary), boxes[0], touchedPlace, ...boxes.slice(1)].filter(Boolean));
    announce(isDry ? "Tried: nothing was stored" : summary.problem ? "Held: nothing was stored" : "Stored");
  }

  // After the import: its scenarios can be evaluated again.
  function landed({ problem, run }) {
    if (problem) return note("warn", h("b", {}, `Run ${run} is held, and nothing is stored. `), "It waits below to be accepted or rejected.");
    const wrong = h("div", {});
    const recompute = () =>
      post("/v1/recalculations", { scenarios }).then(
        (run) => goTo(linkTo("jobs", { run: run.id })),
        (error) => wrong.replaceChildren(errorState(error)),
      );
    return note(
      "done",
      h("b", {}, "Stored. "),
      scenarios.length ? `${count(scenarios.length, "scenario")} read what changed. ` : "No stored scenario reads what changed. ",
      scenarios.length
        ? h("button", { type: "button", class: "btn", id: "recompute", onclick: recompute }, "Recompute them")
        : null,
      wrong,
    );
  }

  // Fields that a refusal is about, with what is wrong.
  function mark(errors) {
    for (const [name, field] of [["format", format], ...Object.entries(values)]) {
      const about = errors.filter((issue) => issue.pointer === `/${name}`);
      field.toggleAttribute("aria-invalid", about.length > 0);
      if (about.length) field.setAttribute("aria-invalid", "true");
    }
  }

  function refused(error) {
    const errors = error.errors ?? [];
    mark(errors);
    store.disabled = true;
    const taken = errors.map((issue) => issue.message.match(/^it was taken for (\w+): /)).find(Boolean);
    const dates = errors
      .map((issue) => issue.message.match(/^date is (\S+), and the file is called (.+); give (\d{4}-\d\d-\d\d), or force/))
      .find(Boolean);
    const several = errors.map((issue) => issue.message.match(/can be read as any of: (.+)$/)).find(Boolean);
    if (dates) return otherDate(dates[1], dates[3], dates[2]);
    if (taken) {
      const lacking = errors.map((issue) => issue.pointer.slice(1));
      format.value = taken[1];
      head.replaceChildren(h("b", {}, "Looks like "), `${formatName(taken[1])}.`);
      answer.replaceChildren(
        note(
          "warn",
          h("b", {}, `Neither the file nor its name says its ${lacking.join(" and ")}.`),
          ` Fill ${lacking.length > 1 ? "them" : "it"} in above.`,
        ),
      );
      values[lacking[0]]?.focus();
    } else if (errors.some((issue) => issue.pointer === "/format")) {
      const some = several ? several[1].split(/,\s*| and /).filter((name) => formats.includes(name)) : [];
      head.replaceChildren(h("b", {}, several ? "Fits several formats." : "Not recognised."), " Choose what the file is.");
      answer.replaceChildren(
        note(
          "warn",
          several ? "The file can be read in more than one way:" : "No reader knows this file. If you do, choose its format:",
        ),
        picks(some.length ? some : formats),
      );
    } else {
      head.replaceChildren(h("b", {}, error.status === 422 ? "This file can't be read so." : "The file was not tried."));
      answer.replaceChildren(errorState(error));
    }
    announce(head.textContent);
  }

  // The formats as buttons, by what they are about.
  function picks(names) {
    const groups = new Map();
    for (const option of formatOptions(names)) groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
    const pick = (value) => {
      format.value = value;
      run(true);
    };
    return h(
      "div",
      { class: "picks", id: "picks" },
      [...groups].map(([group, items]) =>
        h(
          "section",
          { class: "box", "aria-label": group },
          h("h2", {}, group),
          items.map((item) =>
            h("button", { type: "button", class: "pick", "data-format": item.value, onclick: () => pick(item.value) }, item.text),
          ),
        ),
      ),
    );
  }

  // The date given is not that of the file's name.
  function otherDate(given, named, file) {
    const use = (date, force) => () => {
      values.date.value = date;
      forced = force ? date : "";
      run(true);
    };
    head.replaceChildren(h("b", {}, "Which day are these prices of?"));
    answer.replaceChildren(
      h(
        "div",
        { class: "note warn", role: "alert", id: "other-date" },
        h(
          "div",
          {},
          h("b", {}, `The file's name says ${day(named)}, and you gave ${day(given)}.`),
          ` Under a wrong day, prices of one day would stand at another (${file}).`,
          h(
            "p",
            { class: "actions" },
            h("button", { type: "button", class: "btn first", id: "use-named", onclick: use(named, false) }, `Use ${day(named)}`),
            h(
              "button",
              { type: "button", class: "btn", id: "use-given", onclick: use(given, true) },
              `Use ${day(given)} all the same`,
            ),
          ),
        ),
      ),
    );
  }

  // What was imported, newest first; what waits stands above it.
  const runsPlace = h("div", { class: "stack", id: "import-runs" });
  const said = h("div", { id: "run-said" });
  const runsOf = async () => (await get("/v1/imports", { limit: listedRuns }, signal)).items;
  const { show: showRuns } = runsAndHeld({
    place: runsPlace,
    of: "",
    name: "import-runs",
    none: () => note("calm", "Nothing has been imported yet."),
    review: (run, verb) => review(`/v1/imports/${run}`, verb),
    list: runsOf,
    said: (text) => {
      forget();
      said.replaceChildren(note("calm", text));
    },
    columns: [
      { name: "When", value: (row) => row.recorded_at, show: (value) => when(value), text: true },
      { name: "By", wide: true, value: (row) => row.recorded_by, text: true },
      { name: "Format", wide: true, value: (row) => row.format, show: formatName, text: true },
      { name: "Files", wide: true, value: (row) => row.files || null, text: true },
    ],
  });
  const listRuns = () =>
    runsOf().then(showRuns, (error) => error.name !== "AbortError" && runsPlace.replaceChildren(errorState(error)));
  listRuns();

  place.append(h("div", { class: "stack" }, h("div", { class: "stack" }, zone, input, guesses), answer, said, runsPlace));
}
