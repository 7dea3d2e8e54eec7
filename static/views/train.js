// Plans of a run of training, of a fleet, or by size: the question as its sentence, the answer with its trade, the plans with their chances,
// why, how well rates are known, cash, what was left out and what is assumed. Rows come at once, chances when they are drawn.
import { post, postWithProgress } from "../api.js";
import { knownModels } from "../decision/start.js";
import { announce, h } from "../dom.js";
import { count, number } from "../format.js";
import { groupsOf, mixOf } from "../home/division.js";
import { proofPart, sizesPart } from "../home/heat.js";
import { decisionName, keepPlans } from "../home/keep.js";
import { emptyCatalogue, question } from "../home/question.js";
import { csvOf, rankedTable } from "../home/ranked.js";
import { mayWrite } from "../home/role.js";
import { routerPart } from "../home/router_rules.js";
import { runCharts } from "../home/run_charts.js";
import { endsOf, rateBook, runEnds, runRatePart } from "../home/run_ends.js";
import { inRunOrder, runOrderSwitch } from "../home/run_order.js";
import { assumed, brief, leftOut, nearestRun, sentence, tradePart } from "../home/trade.js";
import { assumedFlips } from "../plan/assumed_flips.js";
import { chartsPart } from "../plan/charts.js";
import { evidencePart } from "../plan/evidence.js";
import { deviceShort } from "../plan/names.js";
import { rowsOf } from "../plan/rows.js";
import { whyPart } from "../plan/why.js";
import { go, linkTo, params } from "../router.js";
import { errorState } from "../states.js";
import { csvButton } from "../table.js";
import { apartWords } from "./plan_words.js";

const pause = 300; // ms after the last key
const draws = 400;
const shownPlans = 12;
const chosenFirst = 5; // plans of a decision that nobody chose otherwise

const plansPanel = (answer, { chosen, rows }, order = "") =>
  h(
    "section",
    { class: "panel", "aria-labelledby": "ranked-title" },
    h(
      "div",
      { class: "bar" },
      h("h2", { id: "ranked-title" }, `Plans by ${answer.decide_by === "npv" ? "present cost" : answer.decide_by.replaceAll("_", " ")}`),
      h(
        "span",
        { class: "small" },
        `${answer.plans.length} of ${count(answer.considered, "way")}${answer.uncertainty ? `, ${count(answer.uncertainty.samples, "draw")}` : ""}`,
      ),
      h(
        "div",
        { class: "tools" },
        order,
        csvButton("plans", () => csvOf(answer)),
      ),
    ),
    rankedTable(answer, chosen, (name) => rows.find(({ key }) => key === name).colour),
    h(
      "p",
      { class: "foot key" },
      h("span", {}, h("i", { class: "pt" }), "as stated"),
      h("span", {}, h("i", { class: "ok" }), "8 in 10 draws"),
      h("span", {}, h("i", { class: "ko" }), "the share of draws in which this size fails"),
    ),
  );

// One line: the measurement that would most often change the choice, else what is said of plans that are level; each workload by itself.
function ledeOf({ answer, modelName }) {
  const [best] = answer.would_decide ?? [];
  const [model, device] = best?.measurement.split(" on ") ?? [];
  const first = best
    ? `Measuring ${modelName(model)} on ${deviceShort(device)} would decide most: worth ${brief(best.value, answer)} on average.`
    : sentence(answer.level);
  return [first, answer.apart.length ? apartWords(answer) : ""].filter(Boolean).join(" ");
}
const colourOf = ({ plans }) => {
  const numbers = new Map(plans.map(({ name }, i) => [name, (i % 8) + 1]));
  return (name) => numbers.get(name);
};

// The parts of an answer. A kind of question has, besides, evidence(), how its rates are known; shown(view) and beside(view), elements below
// the plans and at their right; ask(view, signal), the question for those; where it has its own, charts(), and orders(answer, name, turn), a
// switch, with inOrder(rows, name). `view.own` is the kind's, while the question is the same.
function answerPage(kind, known, signal) {
  const element = h("div", { class: "pp run-answer" });
  const more = h("div", { class: "more-answers" });
  const [plans, half] = [h("div", {}), h("div", { class: "half" })];
  const modelName = (id) => known.find(({ value }) => value === id)?.text ?? id;
  let view = null;
  let leave = new AbortController();
  const actions = {
    take(row) {
      go({ take: row === view.rows[0] ? null : row.key }, { quiet: true, replace: true });
      show();
    },
    pair(a, b) {
      view.pair = [a, b].map((key) => view.rows.find((row) => row.key === key));
      explain();
      why.reasons.scrollIntoView({ block: "nearest" });
    },
  };
  const [trade, why, charts, evidence] = [tradePart(actions), whyPart(actions), kind.charts?.() ?? chartsPart(), kind.evidence()];
  const beside = h("div", { class: "beside" });
  const side = h("div", { class: "r" }, why.reasons, beside, evidence.element, why.tree);
  const body = h("div", { class: "body" }, h("div", { class: "l" }, plans, more, half), side);

  function explain() {
    leave.abort();
    leave = new AbortController();
    const until = AbortSignal.any([leave.signal, signal]);
    if (!view.compared) return;
    const asked = [charts.show(view, params(), until), why.show(view, until), evidence.show(view, until)];
    for (const part of asked) part.catch((error) => error.name !== "AbortError" && console.warn(error.message)); // the plans stand without it
  }
  const turn = (value) => {
    go({ order: value || null, take: null }, { quiet: true, replace: true });
    show();
  };
  function show() {
    const order = kind.inOrder ? params().get("order") : null;
    const rows = kind.inOrder?.(view.ranked, order) ?? view.ranked;
    const answer = { ...view.answer, plans: rows.map(({ plan }) => plan) };
    view.rows = rows;
    const takes = rows.find(({ key }) => key === params().get("take")) ?? rows[0];
    view.taken = takes;
    view.pair = [takes, rows.find((row) => row !== takes) ?? takes];
    trade.show(view, ledeOf(view));
    plans.replaceChildren(plansPanel(answer, view, kind.orders?.(answer, order, turn)));
    half.replaceChildren(leftOut(answer), assumed(answer, view.own.flips));
    view.redraw = () => {
      const shown = kind.shown(view);
      if (shown.some((part) => part.parentElement !== more)) more.replaceChildren(...shown);
      beside.replaceChildren(...(kind.beside?.(view) ?? []));
    };
    view.redraw();
    if (!element.contains(body)) element.replaceChildren(trade.element, body, charts.element);
    explain();
  }
  return {
    element,
    // Takes an answer; plans that were chosen stay chosen while the question is the same.
    async take(request, answer, until) {
      element.classList.remove("dim", "stale");
      if (!answer.plans.length) {
        view = null;
        element.replaceChildren(
          h("div", { class: "panel" }, h("p", { class: "answer", "aria-live": "polite" }, "No plan holds. ", nearestRun(answer))),
          h("div", { class: "half" }, leftOut(answer), assumed(answer)),
        );
        return;
      }
      const isSame = view?.request === request;
      const chosen = isSame ? view.chosen : new Set(answer.plans.slice(0, chosenFirst).map(({ rank }) => rank));
      const of = (compared) => {
        const results = compared?.scenarios.map(({ result }) => result);
        const rows = rowsOf(answer, { colourOf: colourOf(answer), modelName, results });
        view = { rows, ranked: rows, answer, request, chosen, compared, modelName, kept: new Set(), own: isSame ? view.own : {} };
      };
      of(isSame && view.answer.plans.length === answer.plans.length ? view.compared : null);
      show();
      if (answer.uncertainty) announce(trade.text());
      const compared = await post("/v1/compare", { scenarios: answer.plans.map(({ scenario }) => scenario) }, until);
      of(compared);
      show();
      await kind.ask?.(view, until);
      view.own.flips ??= await assumedFlips(view, until).catch(() => undefined);
      if (!until.aborted) show();
    },
    dim: () => element.classList.add("dim", "stale"),
    undim: () => element.classList.remove("dim", "stale"),
    wait(what) {
      element.classList.remove("dim", "stale");
      if (!view) element.replaceChildren(h("div", { class: "panel" }, h("p", { class: "none" }, what)));
    },
    // The plan of the answer first, then the others that are chosen.
    toKeep() {
      const { answer, chosen, taken, request } = view;
      const others = answer.plans.filter((plan) => plan !== taken.plan && chosen.has(plan.rank));
      return { request, plans: [taken.plan, ...others, ...(view.own.byHand ? [view.own.byHand.plan] : [])] };
    },
    isThere: () => view !== null,
  };
}

const rankedView =
  (title, makeKind) =>
  async (from, place, { signal }) => {
    const known = await knownModels(signal);
    const page = answerPage(makeKind(signal), known, signal);
    const progress = h("p", { class: "small", role: "status" });
    const wrong = h("div", {});
    let leave = new AbortController();
    let soon;

    const keep = h(
      "button",
      {
        type: "button",
        class: "btn first",
        id: "use-plans",
        disabled: true,
        onclick: () => {
          keep.disabled = true; // a second click would be a second decision
          const { request, plans } = page.toKeep();
          const name = decisionName(request);
          keepPlans({ name, question: `${name}?`, plans, budget: Number(params().get("budget")) || null }, signal).catch((error) => {
            keep.disabled = false;
            if (error.name !== "AbortError") wrong.replaceChildren(errorState(error));
          });
        },
      },
      "Decide between the chosen plans",
    );
    async function send(request) {
      leave.abort();
      leave = new AbortController();
      const until = AbortSignal.any([leave.signal, signal]);
      page.dim();
      wrong.replaceChildren();
      const take = async (answer) => {
        const taken = page.take(request, answer, until);
        keep.disabled = !page.isThere();
        await taken;
      };
      try {
        const { seed, ...plain } = { ...request, top: shownPlans, samples: 0 };
        await take(await post("/v1/rank", plain, until));
        progress.textContent = `Drawing ${draws} times…`;
        const update = ({ done, total }) =>
          (progress.textContent = total ? `Ranging ${number(done)} of ${number(total)}…` : "Ranging…");
        const drawn = await postWithProgress("/v1/rank", { ...request, top: shownPlans, samples: draws, seed: 1 }, update, until);
        progress.textContent = "";
        await take(drawn);
      } catch (error) {
        if (error.name === "AbortError") return;
        progress.textContent = "";
        page.undim();
        wrong.replaceChildren(errorState(error));
      }
    }
    const asked = question(
      known,
      (kind, now, { isWhole, lack }) => {
        clearTimeout(soon);
        if (isWhole) {
          page.dim();
          soon = setTimeout(() => send(kind.request(now)), pause);
        } else if (lack) page.wait(lack);
      },
      keep,
    );
    place.append(
      h(
        "div",
        { class: "title" },
        h("div", {}, h("p", { class: "small" }, h("a", { href: linkTo("decisions") }, "Decisions"), " /"), h("h1", {}, title)),
      ),
      known.length ? asked.element : emptyCatalogue(),
      progress,
      wrong,
      page.element,
    );
    asked.hear();
    mayWrite(signal).then(
      (may) => {
        if (!may)
          progress.after(
            h(
              "p",
              { class: "note calm" },
              "This key may read: keeping a decision needs the role editor. The address has the question.",
            ),
          );
      },
      () => {},
    );
  };

function runKind() {
  const rateOf = rateBook();
  return {
    evidence: () => runRatePart(rateOf),
    charts: () => runCharts(rateOf),
    orders: runOrderSwitch,
    inOrder: inRunOrder,
    shown: ({ rows, request, own }) => [runEnds(rows, request.workloads[0].within_days, own.ends)],
    async ask(view, signal) {
      if (!view.own.ends || view.rows.some(({ key }) => !view.own.ends.has(key))) view.own.ends = await endsOf(view.rows, view.request, rateOf, signal);
    },
  };
}
// Rates of what a plan's own workloads ask, such as the groups of a mix.
function servingEvidence() {
  const part = evidencePart();
  const ofPlan = (view) => ({ ...view, request: { ...view.request, workloads: view.pair[0].plan.scenario.workloads } });
  return { element: part.element, show: (view, signal) => part.show(ofPlan(view), signal) };
}
const foundOf = ({ answer, own }) => mixOf(answer) ?? own.apart ?? null;
// The division that is shown is as it was found, or with requests that were moved by hand; the latter is kept with the chosen plans. What
// stands stays while the division is the same, as the draws do not move it.
const sizesKind = (signal) => ({
  evidence: servingEvidence,
  shown(view) {
    const { answer, request } = view;
    const found = foundOf(view);
    if (!found) return sizesPart(answer, request, null);
    const of = `${found.name} ${found.decisive}`;
    if (view.own.byHand?.of !== of) view.own.byHand = null;
    const take = (plan) => {
      view.own.byHand = plan && { of, plan: { ...plan, name: `${found.name}, moved by hand` } };
      view.redraw();
    };
    const plan = view.own.byHand?.plan ?? found;
    const key = [of, plan.decisive].join();
    if (view.own.table?.key !== key) view.own.table = { key, parts: sizesPart(answer, request, plan, { found, request, take, signal }) };
    return view.own.table.parts;
  },
  // A division that is further down than the plans shown is asked for by itself.
  async ask(view, signal) {
    if (view.answer.mix?.outcome !== "listed" || foundOf(view)) return;
    const { plans } = await post("/v1/rank", { ...view.request, include: ["mix"], samples: 0, top: 1 }, signal);
    view.own.apart = plans[0] ?? null;
  },
  beside(view) {
    const found = foundOf(view);
    return found ? [proofPart(view.answer, found), routerPart(groupsOf(view.own.byHand?.plan ?? found, view.request.workloads))] : [];
  },
});
const servingKind = () => ({ evidence: servingEvidence, shown: () => [] });

export const train = rankedView("Train a model", runKind);
export const mix = rankedView("Requests of many sizes", sizesKind);
export const fleet = rankedView("One fleet for all work", sizesKind);
export const batch = rankedView("Work that may wait", servingKind);
export const edge = rankedView("At a site of your own", servingKind);
