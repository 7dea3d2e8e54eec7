// "What moves it most": the inputs of a decision's plans beyond its concepts, by how much each moves the difference of the pair.
import { post } from "../api.js";
import { h } from "../dom.js";
import { count, pointerWords, unitOf } from "../format.js";
import { amount } from "./words.js";
import { reaching, sharedAt } from "./concepts.js";
import { step } from "./state.js";

const negligible = 1e-9; // of the figure: rounding
const less = 0.8; // what an input is tried at, as a multiple: above it, some leave their field's range

// The pointer of all plans' inputs of a name: any index becomes *.
const general = (pointer) => pointer.replace(/\/\d+(?=\/|$)/g, "/*");

const isOf = (pointer, concept) => pointer === concept.pointer || pointer.startsWith(`${concept.pointer}/`);

// An input as a concept: a number that all plans share in its unit, else a multiple.
function conceptOf(pointer, unit, { plans, answer }) {
  const { value: shared, currency } = sharedAt(plans, pointer, /currency/.test(unit));
  const isFraction = unit === "fraction";
  return {
    id: `input-${pointer.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "")}`,
    label: pointerWords(pointer.replaceAll("/*", "").replace(/^\/(pools|workloads)(?=\/)/, "")),
    pointer,
    unit: !shared || unit === "factor" ? "× plan" : isFraction ? "%" : unitOf(unit, currency ?? answer.currency),
    scale: shared && isFraction ? 100 : undefined,
    from: 0,
    to: shared && isFraction ? Math.min(2, 1 / shared) : 2,
    low: 1,
    high: 1,
    base: shared || null,
  };
}

// The inputs that the address has changed and no concept stands for.
function moved(view) {
  const { set = {}, scale = {} } = view.changes;
  const others = (values) => Object.keys(values).filter((pointer) => !view.concepts.some((concept) => concept.pointer === pointer));
  return [
    ...others(scale).map((pointer) => conceptOf(pointer, "", view)),
    ...others(set)
      .filter((pointer) => typeof set[pointer] === "number")
      .map((pointer) => ({ ...conceptOf(pointer, "", view), unit: "", absolute: true, to: 2 * set[pointer] || 1, base: null })),
  ];
}

const wholes = ["servers", "instances", "months", "devices", "sequences", "places"];
const isWhole = ({ unit }) => wholes.some((word) => unit.startsWith(word));

// The inputs that some plan of the pair has, each once: {pointer, unit, base}.
function listOf(answers, concepts) {
  const inputs = answers.flatMap((answer) => answer.inputs).filter((input) => input.base !== 0 && !isWhole(input));
  const all = new Map(inputs.map((input) => [general(input.pointer), input]));
  return [...all]
    .filter(([pointer]) => !concepts.some((concept) => isOf(pointer, concept)))
    .map(([pointer, { unit, base }]) => ({ pointer, unit, base }));
}

// {inputs: [{concept, effect}], without}: how far the pair's difference moves where an input is a fifth less, the farthest first; and
// how many numbers of each plan move nothing.
export async function othersOf(view, signal) {
  const { answer, concepts, pair, plans, request } = view;
  const of = [...new Set(pair)];
  const { scenarios: all, ...changed } = request;
  const rest = { output: `/total/${answer.decide_by}` };
  const ask = (i, more, reached) =>
    post("/v1/sensitivity", { ...reaching(changed, reached), ...rest, scenario: all[i], ...more }, signal);
  const listed = await Promise.all(of.map((i) => ask(i, {}, [plans[i]])));
  const list = listOf(listed, concepts);
  const inputs = list.map(({ pointer, base }) =>
    pointer.includes("*") ? { pointer, low: less, high: 1 } : { pointer, low: less * base, high: base },
  );
  const both = of.map((i) => plans[i]);
  const answers = inputs.length
    ? await Promise.all(of.map((i) => ask(i, { against: of.filter((one) => one !== i).map((one) => all[one]), inputs }, both)))
    : [];
  const moves = (pointer) =>
    answers.map(({ inputs: found, base }) => (found.find((one) => one.pointer === pointer)?.low.output ?? NaN) - base);
  const effects = list.map(({ pointer, unit }) => {
    const [a, b = 0] = moves(pointer);
    return { concept: conceptOf(pointer, unit, view), effect: of.length > 1 ? b - a : a };
  });
  return {
    inputs: effects
      .filter(({ effect }) => !(Math.abs(effect) < negligible * Math.abs(answers[0].base)))
      .sort((one, other) => (Math.abs(other.effect) || -1) - (Math.abs(one.effect) || -1)),
    without: of.map((i, n) => ({ plan: plans[i], count: listed[n].without_effect })),
  };
}

const said = (effect, { answer }) =>
  effect === undefined
    ? ""
    : Number.isNaN(effect)
      ? "its effect is not known"
      : `20 % less: ${effect > 0 ? "+" : "−"}${amount(Math.abs(effect), answer, true)}`;

// The fold under the concepts. What is moved stands before it, whether it is open or not.
export function othersPart(row) {
  const summary = h("summary", {}, "What else moves it");
  const list = h("div", {});
  const kept = h("div", {});
  const fold = h("details", { class: "others", id: "others", ontoggle: () => turned() }, summary, list);
  let open = false;
  const turned = () => fold.open !== open && step({ more: fold.open ? "1" : null });
  return {
    element: h("div", {}, kept, fold),
    show(view) {
      open = view.more;
      fold.open = open;
      const changed = moved(view);
      const found = (view.others?.inputs ?? []).map((one) => ({ ...one.concept, effect: said(one.effect, view) }));
      const isMoved = (concept) => changed.some((one) => one.pointer === concept.pointer);
      kept.replaceChildren(
        ...changed.map((concept) => row(found.find((one) => one.pointer === concept.pointer && !concept.absolute) ?? concept)),
      );
      const rest = found.filter((concept) => !isMoved(concept));
      summary.textContent = view.others ? count(rest.length, "more input") : "What moves it most: more inputs";
      if (!open) return list.replaceChildren();
      if (!view.others) return list.replaceChildren(h("p", { class: "small" }, "Each is tried a fifth less…"));
      const [first, second] = view.pair.map((i) => view.plans[i].name);
      const nothing = view.others.without.map(({ plan, count: number }) => `${number} of ${plan.name}`).join(", ");
      list.replaceChildren(
        h(
          "p",
          { class: "small" },
          first === second
            ? "By how much each moves the figure."
            : `By how much each moves the difference of ${second} to ${first}.`,
        ),
        ...rest.map(row),
        h("p", { class: "small", id: "without-effect" }, `Numbers without effect: ${nothing}.`),
      );
    },
  };
}
