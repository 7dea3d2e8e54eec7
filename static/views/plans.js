// The decision as a question: a strip of fields over every way that the catalogue offers, the answer with its trade, the plans as ranges,
// what was left out and assumed, and why. The address is the question; a change of it ranks again in place.
import { post, postWithProgress } from "../api.js";
import { listen } from "../decision/keys.js";
import { rankRequest } from "../decision/start.js";
import { redo, redoable, step, undo, undoable } from "../decision/state.js";
import { announce, h } from "../dom.js";
import { number, time, typedNumber } from "../format.js";
import { icon } from "../icons.js";
import { picker } from "../pickers/picker.js";
import { answerPart } from "../plan/answer.js";
import { baseOf, catalogue, colours } from "../plan/catalogue.js";
import { chartsPart } from "../plan/charts.js";
import { evidencePart } from "../plan/evidence.js";
import { fullPart } from "../plan/full.js";
import { gonePart } from "../plan/gone.js";
import { keepPart, titleOf } from "../plan/keep.js";
import { assumedPart, leftOutPart } from "../plan/left_out.js";
import { movedPart } from "../plan/moved.js";
import { offered } from "../plan/offered.js";
import { drawsIn, inOrder, nextOrder, noneHolds, orderSwitch } from "../plan/order.js";
import { rangesPart } from "../plan/ranges.js";
import { relaxedPart } from "../plan/relaxed.js";
import { rowsOf } from "../plan/rows.js";
import { changesText, stripPart, unreadable } from "../plan/strip.js";
import { turnsPart } from "../plan/turns.js";
import { whyPart } from "../plan/why.js";
import { link, linkTo } from "../router.js";
import { empty, errorState } from "../states.js";
import { limitChips, limited } from "./plan_limits.js";
import { apartWords, belowNone, drawsOf } from "./plan_words.js";

const mostKept = 5; // plans that a decision is made of, unless others are pinned
const quiet = 150; // ms in which nothing is said of a new ranking
const unread = () => {}; // progress that nobody waits for
const widest = 40; // plans that are shown at most

export async function plans(params, place, { signal }) {
  const [known, { base, decision }] = await Promise.all([catalogue(params.get("as_of"), signal), baseOf(params, signal)]);
  if (!known.models.length) {
    place.append(empty("The catalogue is empty", "deploy/run stores it at its first start; an import stores it by hand."));
    return null;
  }
  const page = pageOf({ known, base, decision, signal });
  place.append(page.element);
  page.update(params);
  const key = (from) => JSON.stringify([from.get("as_of"), from.get("decision")]);
  const mine = key(params);
  return async (from) => key(from) === mine && (page.update(from), true);
}

function pageOf({ known, base, decision, signal }) {
  const colourOf = colours();
  const opened = new Set();
  const pinned = new Map(); // by key: whether it is kept, where somebody said so
  let view = { ranked: [], rows: [], before: new Map(), pair: [null, null], answer: null, asked: null };
  let running = new AbortController();

  const strip = stripPart({ known, signal });
  const answer = answerPart();
  const left = leftOutPart({ more: () => step({ top: widest }) });
  const assumed = assumedPart({ change });
  const why = whyPart({ pair: (a, b) => step({ a, b }) });
  const evidence = evidencePart();
  const ranges = rangesPart(
    { pick, open, keep, tools, sort: (name) => step({ sort: name }), more: () => step({ top: widest }) },
    offered,
  );
  const kept = keepPart(() => view, signal);
  const moved = movedPart();
  const relaxed = relaxedPart();
  const charts = chartsPart();
  const full = fullPart();
  const turns = turnsPart();
  const gone = gonePart({ again: () => update(new URLSearchParams(location.search)), signal });
  const title = h("b", {});
  const changed = h("span", { class: "tag", hidden: true });
  const computed = h("span", { class: "n-hide small", id: "computed" });
  const chips = h("div", { class: "strip-chips" });
  const [back, forth] = [
    ["undo", "Undo", undo],
    ["undo", "Redo", redo],
  ].map(([name, text, run], i) =>
    h(
      "button",
      { type: "button", class: `tool ${i ? "mirror" : ""}`, "aria-label": text, title: text, onclick: run },
      icon(name),
    ),
  );
  const stop = h("button", { type: "button", class: "lk", hidden: true, onclick: () => running.abort() }, "Stop");
  const state = h("div", { class: "state-of" });
  const rest = h("div", { class: "small apart" });
  const body = h(
    "div",
    { class: "body" },
    h("div", { class: "l" }, ranges.element, rest, full.element, turns.element, h("div", { class: "half" }, left.element, assumed.element)),
    h("aside", { class: "r", "aria-label": "Why" }, why.reasons, evidence.element, why.tree),
  );
  const element = h(
    "div",
    { class: "pp", "data-settled": "" },
    gone.element,
    moved.element,
    h(
      "section",
      { class: "q", "aria-label": "The question" },
      h(
        "div",
        { class: "crumbs" },
        h("a", { href: linkTo("decisions") }, "Decisions"),
        " / ",
        title,
        decision ? viewsOf(decision) : "",
        changed,
        computed,
        stop,
        h("div", { class: "end" }, back, forth, kept.share, kept.save),
      ),
      strip.element,
      chips,
      kept.wrong,
    ),
    state,
    answer.element,
    relaxed.element,
    body,
    charts.element,
  );

  // Another device to look at alone, or beside those that are looked at.
  function deviceChoice() {
    const chosen = new URLSearchParams(location.search).getAll("device");
    const options = known.devices.filter(({ value }) => !chosen.includes(value));
    return picker("device", options, "", (id) => step({ device: [...chosen, id] }), {
      id: "limit-device",
      "aria-label": "Plans of this device alone",
      placeholder: chosen.length ? "And of the device…" : "Of one device alone…",
    });
  }

  function tools() {
    return [orderSwitch(new URLSearchParams(location.search)), deviceChoice()];
  }

  function change(name) {
    const control = document.getElementById(name);
    if (!control) return;
    const sheet = control.closest("details");
    if (sheet) sheet.open = true;
    control.focus();
    control.select?.();
  }
  function pick(row) {
    step({ a: row.key, b: view.pair[0] === row ? view.pair[1]?.key : view.pair[0]?.key });
  }
  function open(row) {
    opened.has(row.key) ? opened.delete(row.key) : opened.add(row.key);
    ranges.show(view);
    document.querySelector(`#plans tr[data-plan="${CSS.escape(row.key)}"]`)?.scrollIntoView({ block: "nearest" });
  }
  function keep(row) {
    pinned.set(row.key, !view.kept.has(row.key));
    view = { ...view, kept: keptOf(view.rows) };
    ranges.show(view);
  }
  const keptOf = (rows) =>
    new Set(rows.filter((row) => pinned.get(row.key) ?? firstKept(rows).includes(row)).map((row) => row.key));
  // The first plans, or, of several devices that were asked for, the best of each, of that device alone where there is one.
  function firstKept(rows) {
    const devices = view.asked?.limits?.devices ?? [];
    if (devices.length < 2) return rows.slice(0, mostKept);
    const has = (pool, device) => [pool.offer, pool.server].some((part) => (part?.device?.id ?? part?.device) === device);
    const best = (device) =>
      rows.find(({ plan }) => plan.scenario.pools.every((pool) => has(pool, device))) ??
      rows.find(({ plan }) => plan.scenario.pools.some((pool) => has(pool, device)));
    return devices.map(best).filter(Boolean);
  }

  const focusedRow = (key) => view.rows.find((row) => row.key === key);
  listen(
    {
      search: () =>
        document.getElementById("filter-plans")?.offsetParent
          ? document.getElementById("filter-plans").focus()
          : document.getElementById("search").click(),
      explain: (key) => view.pair[0]?.key !== key && pick(focusedRow(key)),
      pair: (letter, key) =>
        step({
          [letter]: key,
          ...(letter === "a"
            ? { b: view.pair[1]?.key === key ? view.pair[0].key : view.pair[1]?.key }
            : { a: view.pair[0]?.key === key ? view.pair[1]?.key : view.pair[0]?.key }),
        }),
      more: (focused) => ({
        p: () => focused() && keep(focusedRow(focused())),
        l: () => document.getElementById("left-out").querySelector("button")?.focus(),
        q: () => document.getElementById("rps").focus(),
        o: () => nextOrder(new URLSearchParams(location.search)),
      }),
    },
    signal,
  );

  // What the draws gave last, until the new ones are there.
  const withDraws = (row) => (view.before.has(row.key) ? { ...row, ...drawsIn(view.before.get(row.key)) } : row);

  // What the address arranges, over the answer that is there.
  function arranged(params) {
    const rows = inOrder(view.ranked.map((row) => withDraws(row)), params);
    const at = (name) => rows.find((row) => row.key === params.get(name)) ?? null;
    const taken = at("take") ?? rows[0] ?? null;
    const a = at("a") ?? taken;
    const b = at("b") ?? rows.find((row) => row !== a && !row.behind) ?? rows.find((row) => row !== a) ?? null;
    view = {
      ...view,
      rows,
      taken,
      pair: [a, b === a ? (rows.find((row) => row !== a) ?? null) : b],
      sort: params.get("sort"),
      budget: typedNumber(params.get("budget") ?? "") || null,
      opened,
      kept: keptOf(rows),
      open,
      take: (key) => step({ take: key }),
      none: noneHolds(rows, params),
      nearest: belowNone(view.answer),
    };
  }

  function draw(params) {
    element.dataset.settled = "";
    arranged(params);
    answer.show(view);
    ranges.show({ ...view, isOld: !view.isWhole });
    left.show(view);
    assumed.show(view);
    relaxed.show(view, running.signal);
    const { apart } = view.answer;
    rest.replaceChildren(
      ...[apart.length ? apartWords(view.answer) : "", drawsOf(view.answer)].filter(Boolean).map((text) => h("p", {}, text)),
    );
    const [now, { isWhole }] = [running.signal, view]; // what comes later is of this view
    const isUnchanged = decision && isWhole && !strip.changes(params, base);
    if (!isUnchanged) moved.hide();
    Promise.all([why.show(view, now), evidence.show(view, now), isWhole && full.show(view, now), isWhole && turns.show(view, now), isWhole && assumed.flips(view, now), isUnchanged && moved.show(view, decision, now)])
      .then(() => now.aborted || !isWhole || charts.show(view, params, now))
      .catch((error) => error.name !== "AbortError" && console.info(error.message))
      .finally(() => {
        if (now.aborted || !isWhole) return;
        element.dataset.settled = "true";
        strip.running(false);
        kept.ready(view.rows.length > 0);
      });
  }

  // An answer of the ranking with the results of its plans. What the draws gave last stays, dimmed, until the new ones are there.
  async function take(found, request, isWhole, from) {
    const compared = found.plans.length
      ? await post("/v1/compare", { scenarios: found.plans.map((plan) => plan.scenario) }, running.signal)
      : null;
    const results = compared?.scenarios.map(({ result }) => result) ?? [];
    running.signal.throwIfAborted();
    const before = new Map(view.rows.filter((row) => row.low !== null).map((row) => [row.key, row]));
    const isDrawn = request.samples > 0;
    view = {
      ...view,
      answer: found,
      compared,
      ranked: rowsOf(found, { colourOf, modelName: known.nameOf, results }),
      before: isDrawn && !isWhole ? before : new Map(),
      request,
      asked: request,
      isDrawn,
      isWhole,
      modelName: known.nameOf,
    };
    title.textContent = `How do we serve ${titleOf(request).replace(request.workloads[0].model, known.nameOf(request.workloads[0].model))}?`;
    computed.textContent = `${number(found.plans.length)} of ${number(found.considered)} ways shown${found.uncertainty ? ` · ${number(found.uncertainty.samples)} draws` : ""} · computed ${time(new Date().toISOString())}`;
    answer.element.hidden = body.hidden = false;
    element.classList.remove("first-load");
    strip.show({ params: from, base, problems: [], answer: found });
    draw(from);
  }

  async function rank(request, from) {
    const now = running.signal;
    if (request.samples > 0) {
      const quick = { ...request, samples: 0 };
      delete quick.seed;
      await take(await post("/v1/rank", quick, now), request, false, from);
      stop.hidden = false;
    }
    const progress =
      request.samples > 0
        ? ({ stage, done, total }) => (computed.textContent = `${stage}: ${number(done)} of ${number(total)}`)
        : unread;
    await take(await postWithProgress("/v1/rank", request, progress, now), request, true, from);
    announce(answer.text());
  }

  const stale = (isStale) => element.classList.toggle("dim", isStale && view.rows.length > 0);

  async function update(from) {
    const request = from.get("model")
      ? { ...limited(rankRequest(from), from), ...(from.get("top") && { top: Number(from.get("top")) || undefined }) }
      : null;
    [back.disabled, forth.disabled] = [!undoable(), !redoable()];
    const count = strip.changes(from, base);
    changed.hidden = !decision || !count;
    changed.textContent = changesText(count);
    chips.replaceChildren(limitChips(from));
    const problems = unreadable(from);
    strip.show({ params: from, base, problems, answer: view.answer });
    document.title = `${request ? titleOf(request) : "Plans"} · costcurve`;
    if (problems.length) {
      running.abort();
      running = new AbortController();
      strip.running(false);
      if (!view.answer) blank("Nothing is ranked yet", "Mend the field that is marked.");
      return;
    }
    if (!request) {
      blank(
        "Choose a model",
        "Every way that the catalogue offers to serve it is sized for its peak, evaluated whole and ranked, the best first.",
      );
      return;
    }
    if (view.answer && JSON.stringify(request) === JSON.stringify(view.asked) && view.isWhole) return void draw(from);
    running.abort();
    running = new AbortController();
    const mine = running;
    signal.addEventListener("abort", () => mine.abort());
    element.dataset.settled = "";
    strip.running(true);
    kept.ready(false); // until the answer is of this question
    if (!view.answer) skeleton();
    const late = setTimeout(() => stale(true), quiet);
    try {
      await rank(request, from);
      gone.over();
      state.replaceChildren();
      element.classList.remove("first-load");
    } catch (error) {
      failed(error, from, mine);
    } finally {
      clearTimeout(late);
      if (running === mine) {
        stale(false);
        stop.hidden = true;
      }
    }
  }

  // What a ranking ended with: stopped, the daemon gone, a field that breaks a rule, or anything else, in words. The last answer stays.
  function failed(error, from, mine) {
    if (running !== mine || signal.aborted) return;
    element.dataset.settled = "true";
    strip.running(false);
    if (error.name === "AbortError") {
      computed.textContent = "stopped before all draws: chances are not known";
      running = new AbortController();
      view = { ...view, isWhole: true };
      kept.ready(view.rows.length > 0);
      return;
    }
    element.classList.remove("first-load");
    if (error.title === "No connection") gone.show(view.answer ? computed.textContent : "");
    else if (error.status === 422 && error.errors?.length) {
      strip.show({ params: from, base, problems: error.errors, answer: view.answer });
      announce(error.errors[0].message);
      if (!view.answer) blank("Nothing is ranked yet", "Mend the field that is marked.");
    } else state.replaceChildren(errorState(error, () => update(from)));
  }

  function blank(heading, text) {
    state.replaceChildren(empty(heading, text));
    answer.element.hidden = body.hidden = charts.element.hidden = !view.answer;
    title.textContent = heading;
    element.dataset.settled = "true";
  }
  // Before the first answer: everything at its height, in grey.
  function skeleton() {
    answer.element.hidden = body.hidden = false;
    state.replaceChildren();
    element.classList.add("first-load");
  }
  return { element, update };
}

// The other views of the decision that was made of this question.
const viewsOf = ({ id, name }) =>
  h(
    "div",
    { class: "seg", role: "group", "aria-label": `Views of ${name}` },
    h("a", { href: linkTo("decision", { id }) }, "Overview"),
    h("a", { href: linkTo("decision", { id, page: "finance" }) }, "Finance"),
    h("a", { href: link({}), "aria-current": "page" }, "Question"),
  );
