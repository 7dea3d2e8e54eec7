// Questions: selects the question and its scenarios; each question has a form whose values are in the URL.
import { choice, h, labelled, toggle } from "../dom.js";
import { pointerWords } from "../format.js";
import { at } from "../json_diff.js";
import { heading, scenarioOptions } from "../parts.js";
import { go, linkTo, whatIf } from "../router.js";
import { empty } from "../states.js";
import { firstComparison, nameOf, requestScenario, scenarios } from "../store.js";
import { breakEven } from "./break_even.js";
import { map } from "./map.js";
import { optimize } from "./optimize.js";
import { sensitivity } from "./sensitivity.js";
import { simulate } from "./simulate.js";

const questionTable = [
  { name: "sensitivity", title: "Sensitivity", show: sensitivity, comparesTwo: true },
  { name: "simulate", title: "Uncertainty", show: simulate, comparesTwo: true },
  { name: "map", title: "Where the cheapest changes", show: map, comparesTwo: true },
  { name: "break-even", title: "Break-even", show: breakEven, comparesTwo: true },
  { name: "optimize", title: "Optimization", show: optimize, comparesTwo: false },
];

export async function questions(params, place, { signal }) {
  const list = await scenarios(params.get("as_of"), signal);
  if (!list.length) {
    place.append(
      heading("Questions"),
      empty(
        "No scenarios yet",
        "Create a scenario first.",
        h("a", { class: "button primary", href: linkTo("scenario") }, "New scenario"),
      ),
    );
    return;
  }
  const question = questionTable.find((question) => question.name === params.get("question")) ?? questionTable[0];
  const chosen = params.getAll("scenario").length ? params.getAll("scenario") : firstChoice(list, question);
  const [first, other] = [chosen[0], chosen[1] ?? otherThan(list, chosen[0])];
  const options = scenarioOptions(list);
  const change = (next) => go({ scenario: next, x: null, y: null, input: null, decide: null, vary: null, low: null, high: null });
  place.append(
    heading("Questions"),
    toggle(
      "Question",
      questionTable.map((question) => ({ value: question.name, text: question.title })),
      question.name,
      (value) => go({ question: value, output: null, low: null, high: null }),
    ),
    h(
      "div",
      { class: "controls" },
      labelled(
        "Scenario",
        choice(options, first, (value) => change(question.comparesTwo ? [value, other] : [value]), { id: "scenario" }),
      ),
      question.comparesTwo
        ? labelled(
            "Compared with",
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
  const context = {
    list,
    first,
    other: question.comparesTwo ? other : null,
    name: (reference) => nameOf(list, reference),
    scenario: (reference) => requestScenario(list, reference),
    document: (reference) => list.find((entry) => entry.reference === reference)?.document,
    // Names a pointer by the scenario that has it.
    words: (pointer) =>
      pointerWords(
        pointer,
        [first, other]
          .map((item) => list.find((entry) => entry.reference === item)?.document)
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
  await question.show(params, body, context);
}

// By default, owned against rented capacity; else the first two of the group.
function firstChoice(list, question) {
  const group = firstComparison(list);
  const has = (kind) =>
    group.find((reference) => {
      const { pools } = list.find((entry) => entry.reference === reference).document;
      return pools.every((pool) => pool.kind === kind);
    });
  const first = has("owned") ?? group[0];
  return question.comparesTwo ? [first, has("cloud") ?? otherThan(list, first)] : [first];
}

function otherThan(list, reference) {
  const group = list.find((entry) => entry.reference === reference)?.group;
  const rest = list.filter((entry) => entry.reference !== reference);
  return (rest.find((entry) => entry.group === group) ?? rest[0] ?? list[0]).reference;
}
