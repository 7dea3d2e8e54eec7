// Questions: which of them is asked, of which scenarios; each has a form of its own whose values stand in the URL.
import { post } from "../api.js";
import { choice, h, labelled, toggle } from "../dom.js";
import { pointerWords, quantity } from "../format.js";
import { at } from "../json_diff.js";
import { heading, scenarioOptions } from "../parts.js";
import { go, linkTo, whatIf } from "../router.js";
import { empty } from "../states.js";
import { asked, firstComparison, nameOf, scenarios } from "../store.js";
import { breakEven } from "./break_even.js";
import { map } from "./map.js";
import { optimize } from "./optimize.js";
import { sensitivity } from "./sensitivity.js";
import { simulate } from "./simulate.js";

const questionTable = [
  { name: "sensitivity", title: "What matters", ask: sensitivity, several: true },
  { name: "simulate", title: "What is likely", ask: simulate, several: true },
  { name: "map", title: "Where the cheapest changes", ask: map, several: true },
  { name: "break-even", title: "Break-even", ask: breakEven, several: true },
  { name: "optimize", title: "What to buy", ask: optimize, several: false },
];

export async function questions(params, place, { signal }) {
  const list = await scenarios(params.get("as_of"), signal);
  if (!list.length) {
    place.append(
      heading("Questions"),
      empty(
        "No scenarios yet",
        "A question needs a scenario.",
        h("a", { class: "button primary", href: linkTo("scenario") }, "Make a scenario"),
      ),
    );
    return;
  }
  const question = questionTable.find((one) => one.name === params.get("question")) ?? questionTable[0];
  const chosen = params.getAll("scenario").length ? params.getAll("scenario") : firstChoice(list, question);
  const [first, other] = [chosen[0], chosen[1] ?? otherThan(list, chosen[0])];
  const options = scenarioOptions(list);
  const change = (next) => go({ scenario: next, x: null, y: null, input: null, decide: null, vary: null, low: null, high: null });
  place.append(
    heading("Questions"),
    toggle(
      "Question",
      questionTable.map((one) => ({ value: one.name, text: one.title })),
      question.name,
      (value) => go({ question: value, output: null, low: null, high: null }),
    ),
    h(
      "div",
      { class: "controls" },
      labelled(
        "Scenario",
        choice(options, first, (value) => change(question.several ? [value, other] : [value]), { id: "scenario" }),
      ),
      question.several
        ? labelled(
            "Against",
            choice(
              options.filter((option) => option.value !== first),
              other,
              (value) => change([first, value]),
              { id: "other" },
            ),
          )
        : null,
    ),
  );
  const of = {
    list,
    first,
    other: question.several ? other : null,
    name: (reference) => nameOf(list, reference),
    send: (reference) => asked(list, reference),
    document: (reference) => list.find((entry) => entry.reference === reference)?.document,
    // A pointer is said in the words of the scenario that has it.
    words: (pointer) =>
      pointerWords(
        pointer,
        [first, other]
          .map((one) => list.find((entry) => entry.reference === one)?.document)
          .find((document) => document && at(document, pointer) !== undefined),
      ),
    rest: {
      ...(params.get("as_of") ? { as_of: params.get("as_of") } : {}),
      ...(Object.keys(whatIf(params)).length ? { set: whatIf(params) } : {}),
    },
    signal,
  };
  const body = h("div", { class: "panels" });
  place.append(body);
  await question.ask(params, body, of);
}

// An owned fleet against renting has most to say; else the first two of the group.
function firstChoice(list, question) {
  const group = firstComparison(list);
  const has = (kind) =>
    group.find((reference) => {
      const { pools } = list.find((entry) => entry.reference === reference).document;
      return pools.every((pool) => pool.kind === kind);
    });
  const first = has("owned") ?? group[0];
  return question.several ? [first, has("cloud") ?? otherThan(list, first)] : [first];
}

function otherThan(list, reference) {
  const group = list.find((entry) => entry.reference === reference)?.group;
  const rest = list.filter((entry) => entry.reference !== reference);
  return (rest.find((entry) => entry.group === group) ?? rest[0] ?? list[0]).reference;
}

// What a scenario's numbers are, the most telling first: {pointer, base, unit}. Asked once a scenario.
const known = new Map();
export async function inputsOf(of, reference) {
  const key = JSON.stringify([reference, of.rest]);
  if (!known.has(key)) known.set(key, await post("/v1/sensitivity", { scenario: of.send(reference), ...of.rest }, of.signal));
  return known.get(key).inputs;
}

// A choice of inputs; a curve is set by multiples of itself.
export function inputChoice(inputs, value, of, onchange, attributes) {
  const none = inputs.some((input) => input.pointer === value) ? [] : [{ value: "", text: "…" }];
  return choice(
    [
      ...none,
      ...inputs.map((input) => ({
        value: input.pointer,
        text: `${of.words(input.pointer)} (${input.unit === "factor" ? "times" : quantity(input.base, input.unit)})`,
      })),
    ],
    value,
    onchange,
    attributes,
  );
}

// Figures of the result that a question can be about.
export function outputs(of) {
  const document = of.document(of.first);
  const workloads = (document?.workloads ?? []).flatMap(({ id, kind }) => [
    { value: `/by_workload/${id}/cost_per_million_units`, text: `${id}: cost per million units` },
    {
      value: `/by_workload/${id}/${kind === "training" ? "cost_per_epoch" : "cost_per_inference"}`,
      text: `${id}: cost per ${kind === "training" ? "epoch" : "inference"}`,
    },
  ]);
  return [
    { value: "/total/cost", text: "total cost" },
    { value: "/total/cash", text: "total cash" },
    { value: "/total/npv", text: "net present value" },
    { value: "/total/carbon_kg", text: "carbon" },
    ...workloads,
  ];
}

export const outputChoice = (of, value) =>
  labelled(
    "Figure",
    choice(outputs(of), value, (next) => go({ output: next }), { id: "output" }),
  );

// A long question's progress, while it is being answered.
export function progressBar() {
  const bar = h("progress", { max: 1, "aria-label": "Progress" });
  const text = h("p", { class: "muted" }, "Asking…");
  return {
    element: h("div", { class: "state" }, text, bar),
    told: ({ stage, done, total }) => {
      text.textContent = `${stage}: ${done} of ${total}`;
      bar.value = total ? done / total : 0;
    },
  };
}
