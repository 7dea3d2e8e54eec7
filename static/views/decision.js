// A decision: assumptions at the left, the answer and the plans in the middle, why at the right. The address is its state; a change of
// it is recomputed in place.
import { getWithRevision, post } from "../api.js";
import { announce, h } from "../dom.js";
import { answerPart, discounting } from "../decision/answer.js";
import { assumptionsPart } from "../decision/assumptions.js";
import { compareBranches } from "../decision/branch_table.js";
import { branchesPart } from "../decision/branches.js";
import { cashPart } from "../decision/cash.js";
import { isAbout, present } from "../decision/concepts.js";
import { crumbs, historyPart, jumps, leftOut, outside } from "../decision/frame.js";
import { flipsOf, flipRequest } from "../decision/flips.js";
import { listen } from "../decision/keys.js";
import { axesOf, mapPart, mapRequest } from "../decision/map.js";
import { menuPart } from "../decision/menu.js";
import { othersOf } from "../decision/others.js";
import { panelAnswer, panelsPart } from "../decision/panel_bar.js";
import { buysTokens, plansOf } from "../decision/plans.js";
import { bridge, choiceOf, drawsOf, levelOf, turned } from "../decision/requests.js";
import { stackPart } from "../decision/stack.js";
import { change, changes, step } from "../decision/state.js";
import { rowsOf, stated } from "../decision/stated.js";
import { whyPart } from "../decision/why.js";
import { messageWords, time } from "../format.js";
import { lazily } from "../lazily.js";
import { openPalette } from "../palette.js";
import { addScenario, warnings } from "../parts.js";
import { rangesPart } from "../plan/ranges.js";
import { sharePart } from "../plan/share.js";
import { go, link, linkTo } from "../router.js";
import { empty } from "../states.js";
import { firstComparison, scenarios } from "../store.js";
import { changesNote, settle } from "../what_if.js";

// The stored decision, or one of the address's scenarios; without any, of the first group that is worth comparing.
async function decisionOf(params, asOf, signal) {
  const id = params.get("id");
  if (id) {
    const { document, etag } = await getWithRevision(`/v1/decisions/${encodeURIComponent(id)}`, { as_of: asOf }, signal);
    return { ...document, etag };
  }
  const named = params.getAll("scenario");
  const chosen = named.length ? named : firstComparison(await scenarios(asOf, signal));
  return { name: "Unnamed decision", scenarios: chosen, ranges: [], branches: [], colours: {} };
}

export async function decision(params, place, { signal }) {
  const asOf = params.get("as_of");
  const stored = await decisionOf(params, asOf, signal);
  const references = params.getAll("scenario").length ? params.getAll("scenario") : stored.scenarios;
  const all = await plansOf(references, stored.colours ?? {}, asOf, signal);
  const isOut = (plan) => params.get("without") === "api" && buysTokens(plan);
  const plans = all.filter((plan) => !isOut(plan));
  if (all.length && !plans.length) {
    place.append(
      empty(
        "All plans buy tokens",
        "None is left without outside API.",
        h("a", { class: "btn first", href: link({ without: null }) }, "With outside API"),
      ),
    );
    return null;
  }
  if (!plans.length) {
    place.append(
      empty(
        "No plans yet",
        "Start from a question, or add a stored scenario.",
        h("a", { class: "btn first", href: linkTo("decisions") }, "Start from a question"),
      ),
    );
    return null;
  }
  const ranged = (concept) => {
    const range = stored.ranges?.find((one) => one.pointer === concept.pointer);
    return range
      ? {
          ...concept,
          low: range.low,
          high: range.high,
          from: Math.min(concept.from, range.low),
          to: Math.max(concept.to, range.high),
        }
      : concept;
  };
  const context = {
    stored,
    all,
    plans,
    left: all.filter(isOut),
    asOf,
    signal,
    concepts: present(plans).map(ranged),
    baseline: Math.max(
      0,
      plans.findIndex((plan) => plan.reference === (params.get("baseline") ?? stored.baseline)),
    ),
  };
  if (params.get("page") === "finance") {
    const { financePage } = await lazily(import("../decision/finance.js"));
    return financePage({ ...context, changes: await held(params, context) }, params, place);
  }
  const list = await scenarios(asOf, signal);
  const space = workspace(context, list);
  place.append(space.element);
  await space.update(params);
  if (params.get("branches") === "1" && stored.branches?.length) compareBranches(context);
  const key = (from) =>
    JSON.stringify([
      from.get("id"),
      from.getAll("scenario"),
      from.get("as_of"),
      from.get("baseline"),
      from.get("page"),
      from.get("without"),
    ]);
  const mine = key(params);
  return async (from) => key(from) === mine && (await space.update(from), true);
}

// {set, scale}: the changes of the address as the plans can take them; `said` gets what is left out.
async function held(from, { plans, asOf, signal }, said = () => {}) {
  const { notes, ...parts } = await settle(changes(from), plans, asOf, signal);
  said(notes);
  return Object.fromEntries(Object.entries(parts).filter(([, values]) => Object.keys(values).length));
}

// What follows an answer, one after the other: [its name in the view, the request].
const questions = [
  ["chances", (view, signal) => view.plans.length > 1 && post("/v1/simulate", drawsOf(view, view.request), signal)],
  ["level", (view, signal) => view.chances && view.answer.cheapest !== null && levelOf(view, signal)],
  ["map", (view, signal) => view.axes && post("/v1/map", mapRequest(view, view.axes), signal)],
  [
    "flips",
    (view, signal) =>
      view.plans.length > 1 &&
      view.answer.cheapest !== null &&
      post("/v1/sensitivity", flipRequest(view, view.request), signal).then((one) => flipsOf(one, view)),
  ],
  ["asked", (view, signal) => view.panel && panelAnswer(view, signal)],
  ["others", (view, signal) => view.more && othersOf(view, signal)],
];

// When the browser has painted what is on the page now.
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

function workspace(context, list) {
  const { plans, stored } = context;
  const answer = answerPart();
  const chosen = context.all.map((plan) => plan.reference);
  const opened = new Set();
  const pick = ({ at: i }) =>
    step({
      a: plans[i].reference,
      b: view.pair?.[0] === i ? plans[view.pair[1]]?.reference : plans[view.pair?.[0] ?? 0].reference,
    });
  const rowOf = (reference) => view.rows.find(({ key }) => key === reference);
  const explain = (reference) => view.pair[0] !== rowOf(reference).at && pick(rowOf(reference));
  function open(row) {
    opened.has(row.key) ? opened.delete(row.key) : opened.add(row.key);
    showRanking();
    document.querySelector(`#ranking tr[data-plan="${CSS.escape(row.key)}"]`)?.scrollIntoView({ block: "nearest" });
  }
  const add = addScenario(list, chosen, (reference) => step({ scenario: [...chosen, reference] }));
  const ranking = rangesPart(
    {
      pick,
      open,
      sort: (name) => step({ sort: name }),
      tools: () => [discounting(view), context.all.some(buysTokens) ? outside(view.left.length > 0) : "", add],
      below: leftOut,
    },
    stated,
  );
  // The rows of what is known now; those of an older state are dimmed.
  function withRows() {
    const rows = rowsOf(view);
    const taken = rows.find((row) => row.key === view.address.get("take") && !row.cannot);
    return { ...view, rows, taken: taken?.at, open, take: (key) => step({ take: key }) };
  }
  function showRanking() {
    view = withRows();
    ranking.show({
      ...view,
      answer: { ...view.answer, unit: view.answer.currency },
      pair: view.pair.map((at) => view.rows.find((row) => row.at === at)),
      kept: new Set(),
      opened,
      isDrawn: view.chances !== null,
      isOld: view.stale.has("chances"),
    });
  }
  const why = whyPart({ pair: (a, b) => step({ a: plans[a].reference, b: plans[b].reference }) });
  const branches = branchesPart(context);
  const assumptions = assumptionsPart({ drag: (concept, value) => drag(concept, value), below: branches.element });
  const cash = cashPart();
  const stack = stackPart();
  const map = mapPart({ axes: step, go: (x, y) => change(...x, ...y) });
  const panels = panelsPart();
  const computed = h("span", { class: "n-hide small", id: "computed" });
  const charts = h("div", { class: "charts" });
  const remarks = h("div", { id: "remarks" });
  const past = historyPart();
  const note = h("div", { class: "strip-chips" });
  let view = {
    ...context,
    pair: null,
    rows: [],
    address: new URLSearchParams(),
    chances: null,
    level: null,
    map: null,
    flips: null,
    others: null,
    asked: null,
    stale: new Set(),
  };
  let running = new AbortController();

  listen({ search: openPalette, explain, pair: (letter, reference) => step({ [letter]: reference }) }, context.signal);

  const element = h(
    "div",
    { class: "pp stored" },
    h(
      "section",
      { class: "q", "aria-label": "The question" },
      crumbs(context, computed, [...past.elements, sharePart((error) => announce(error.message)), menuPart(context)]),
      stored.question ? h("p", { class: "ask" }, stored.question) : "",
      note,
    ),
    answer.element,
    h(
      "div",
      { class: "body" },
      h("div", { class: "l" }, ranking.element, panels.element, assumptions.element),
      h("aside", { class: "r", "aria-label": "Why" }, why.elements),
    ),
    charts,
    remarks,
    jumps(),
  );

  const dragging = { next: null, runs: false };
  // While a slider moves: the sentence, the figure and the table follow; the order stays.
  async function drag(concept, value) {
    dragging.next = [concept, value];
    if (dragging.runs) return;
    dragging.runs = true;
    try {
      while (dragging.next) {
        const [moved, to] = dragging.next;
        dragging.next = null;
        const name = moved.absolute ? "set" : "scale";
        const now = { ...view.changes, [name]: { ...view.changes[name], [moved.pointer]: to } };
        const next = await post("/v1/compare", { ...view.base, ...now }, running.signal);
        view = { ...view, answer: next };
        view.stale = new Set(questions.map(([one]) => one));
        view = withRows();
        answer.show(view);
        showRanking();
      }
    } catch (error) {
      if (error.name !== "AbortError") announce(error.message);
    } finally {
      dragging.runs = false;
    }
  }

  // A change that no plan allows: it stands at its field, and the last answer stays.
  function refused(error, changed) {
    const moved = Object.values(changed).flatMap(Object.keys);
    const isOfChange = error.status === 422 && error.errors.every((one) => moved.some((pointer) => isAbout(one, pointer)));
    if (!view.answer || !isOfChange) throw error;
    view = { ...view, problems: error.errors };
    assumptions.show(view);
    announce(messageWords(error.errors[0].message));
    return null;
  }

  // The bridges that the sentence and the reasons are made of. Those that the last order lets expect are asked for with the answer.
  const bridgesOf = (request, { order, pair: [first, second] }, signal) => ({
    key: JSON.stringify([order.slice(0, 2), first, second]),
    found: isOf(order, first, second)
      ? bridge(request, plans, [second, first], signal).then((one) => [one, turned(one)])
      : Promise.all([bridge(request, plans, [second, first], signal), bridge(request, plans, order.slice(0, 2), signal)]),
  });
  const isOf = (order, first, second) => order[0] === first && order[1] === second;

  // Everything of a state: the answer, the table and the reasons, painted; then assumptions and charts; then chances, the map and flips.
  // A newer state ends the requests of an older one.
  async function update(from) {
    running.abort();
    running = new AbortController();
    const signal = AbortSignal.any([context.signal, running.signal]);
    try {
      await answered(from, signal);
    } catch (error) {
      if (error.name !== "AbortError" || context.signal.aborted) throw error;
    }
  }

  async function answered(from, signal) {
    let notes = [];
    const now = await held(from, { ...context, signal }, (said) => (notes = said));
    const base = {
      scenarios: plans.map((plan) => plan.request),
      baseline: context.baseline,
      ...(context.asOf ? { as_of: context.asOf } : {}),
    };
    const request = { scenarios: base.scenarios, ...(context.asOf ? { as_of: context.asOf } : {}), ...now };
    const expected = view.answer ? bridgesOf(request, choiceOf(view.answer, plans, from), signal) : null;
    expected?.found.catch(() => {}); // refused with the answer itself
    const compared = await post("/v1/compare", { ...base, ...now }, signal).catch((error) => refused(error, now));
    if (!compared) return;
    const chosen = choiceOf(compared, plans, from);
    const axes = axesOf(context.concepts, from);
    const budget = Number(from.get("budget")) || stored.budget;
    const stated = JSON.stringify([request, budget]);
    const isSame = (name, now, before) => JSON.stringify(now) === JSON.stringify(before) && stated === view.stated && !view.stale.has(name);
    const known = {
      chances: isSame("chances", 0, 0),
      level: isSame("level", 0, 0),
      flips: isSame("flips", 0, 0),
      map: isSame("map", axes, view.axes),
    };
    const isExpected = expected?.key === JSON.stringify([chosen.order.slice(0, 2), ...chosen.pair]);
    const [waterfall, reason] = await (isExpected ? expected : bridgesOf(request, chosen, signal)).found;
    signal.throwIfAborted();
    view = {
      ...view,
      ...chosen,
      base,
      request,
      changes: now,
      answer: compared,
      waterfall,
      why: reason?.bridge?.steps,
      sort: from.get("sort"),
      axes,
      stated,
      // The last ones stay, dimmed, until the new ones are there; those of other axes, another budget or another question don't.
      stale: new Set(questions.map(([name]) => name).filter((name) => !known[name])),
      chances: budget === view.budget ? view.chances : null,
      map: JSON.stringify(axes) === JSON.stringify(view.axes) ? view.map : null,
      asked: JSON.stringify([chosen.pair, from.get("panel"), from.get("over")]) === JSON.stringify([view.pair, view.panel, view.over]) ? view.asked : null,
      panel: from.get("panel"),
      over: from.get("over"),
      budget,
      address: from,
      more: from.get("more") === "1",
      problems: [],
    };
    view = withRows();
    note.replaceChildren(notes.length ? changesNote({ notes }, from) : "");
    past.show();
    answer.show(view);
    showRanking();
    why.show(view);
    computed.textContent = `computed ${time(new Date().toISOString())}`;
    announce(answer.text());
    element.dataset.settled = "";
    document.dispatchEvent(new CustomEvent("answered"));
    later(signal);
  }

  // What waits until the answer is on the screen. Only the first picture is drawn as one.
  async function later(signal) {
    if (charts.children.length) await painted();
    if (signal.aborted) return;
    assumptions.show(view);
    branches.show(view);
    panels.show(view);
    for (const part of [cash, map, stack]) part.show(view);
    const shown = [cash, map, stack].map((part) => part.element).filter(Boolean);
    if (charts.children.length !== shown.length) charts.replaceChildren(...shown);
    remarks.replaceChildren(warnings(list, plans.map((plan, i) => ({ ...view.answer.scenarios[i], reference: plan.reference, colour: `var(--p${plan.colour})` }))));
    why.explain(view);
    for (const [name, ask] of questions.filter(([name]) => view.stale.has(name))) {
      const found = await Promise.resolve(ask(view, signal)).catch((error) => {
        if (error.name !== "AbortError") console.info(`${name}: ${error.message}`);
        return null;
      });
      if (signal.aborted) return;
      view.stale.delete(name);
      view = { ...view, [name]: found || null };
      if (document.activeElement?.type !== "range") assumptions.show(view);
      view = withRows();
      answer.show(view);
      if ((name === "chances" && answer.isDoubtful(view)) || (name === "level" && found?.length)) announce(answer.text());
      showRanking();
      if (name === "chances") cash.show(view);
      if (name === "map") map.show(view);
      if (view.panel && (name === "asked" || name === "chances")) panels.show(view);
    }
    element.dataset.settled = "true";
  }
  return { element, update };
}
