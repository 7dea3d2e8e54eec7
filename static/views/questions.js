// Questions: selects the question and its scenarios; each question has a form whose values are in the URL.
import { showTogether } from "../colours.js";
import { concepts } from "../decision/concepts.js";
import { choice, h, labelled, toggle } from "../dom.js";
import { pointerWords } from "../format.js";
import { reaches } from "../json_diff.js";
import { addScenario, heading, scenarioChip, scenarioPicker } from "../parts.js";
import { go, linkTo } from "../router.js";
import { empty } from "../states.js";
import { firstComparison, nameOf, requestScenario, scenarios } from "../store.js";
import { changesFor, changesNote } from "../what_if.js";
import { breakEven } from "./break_even.js";
import { optimize } from "./optimize.js";
import { sensitivity } from "./sensitivity.js";
import { simulate } from "./simulate.js";

// `of` says which controls choose the scenarios: all alike, one that is varied against the others, a pair of them, or one alone.
const questionTable = [
  { name: "sensitivity", title: "Sensitivity", show: sensitivity, of: "varied" },
  { name: "simulate", title: "Uncertainty", show: simulate, of: "all" },
  { name: "break-even", title: "Break-even", show: breakEven, of: "pair" },
  { name: "optimize", title: "Optimization", show: optimize, of: "one" },
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
  const chosen = chosenOf(list, params.getAll("scenario"), question);
  showTogether(chosen);
  const pair = question.of === "pair" || question.of === "all" ? pairOf(params, chosen) : [chosen[0], chosen[1] ?? null];
  place.append(
    heading("Questions"),
    toggle(
      "Question",
      questionTable.map((question) => ({ value: question.name, text: question.title })),
      question.name,
      (value) => go({ question: value, output: null, low: null, high: null }),
    ),
    question.of === "one" ? onePicker(list, chosen) : picker(list, chosen, question, pair),
  );
  const those = question.of === "one" ? chosen.slice(0, 1) : chosen;
  const changes = await changesFor(those, params.get("as_of"), signal, params);
  place.append(changesNote(changes, params));
  const context = {
    list,
    references: chosen,
    first: question.of === "pair" ? pair[0] : chosen[0],
    other: pair[1],
    pair,
    name: (reference) => nameOf(list, reference),
    scenario: (reference) => requestScenario(list, reference),
    document: (reference) => list.find((entry) => entry.reference === reference)?.document,
    // Names a pointer by the scenario that has it.
    words: (pointer) =>
      concepts.find(({ pointers }) => pointers.includes(pointer))?.label ??
      pointerWords(
        pointer,
        chosen
          .map((item) => list.find((entry) => entry.reference === item)?.document)
          .find((document) => document && reaches(document, pointer)),
      ),
    asOf: params.get("as_of"),
    rest: changes.rest(),
    restOf: changes.rest, // of some of them
    signal,
  };
  const body = h("div", { class: "panels" });
  place.append(body);
  await question.show(params, body, context);
}

// A change of the scenarios takes away what names an input of one that may be gone.
const change = (scenario) => go({ scenario, input: null, decide: null, low: null, high: null });

const onePicker = (list, [first, ...others]) =>
  h(
    "div",
    { class: "controls" },
    labelled(
      "Scenario",
      scenarioPicker(list, first, (value) => change([value, ...others.filter((one) => one !== value)]), {
        id: "scenario",
      }),
    ),
  );

function picker(list, chosen, question, pair) {
  const remove = (reference) => () => change(chosen.filter((one) => one !== reference));
  const options = chosen.map((reference) => ({ value: reference, text: nameOf(list, reference) }));
  const select = (text, id, value, change) => labelled(text, choice(options, value, change, { id }));
  const more = {
    all: () => [],
    varied: () => [
      select("Vary the inputs of", "scenario", chosen[0], (value) => change([value, ...chosen.filter((one) => one !== value)])),
    ],
    pair: () => [
      select("First of the pair", "pair-a", pair[0], (value) => go({ a: value, b: value === pair[1] ? pair[0] : pair[1] })),
      select("Second of the pair", "pair-b", pair[1], (value) => go({ a: value === pair[0] ? pair[1] : pair[0], b: value })),
    ],
  };
  return h(
    "section",
    { class: "controls", "aria-label": "Scenarios of the question" },
    h(
      "ul",
      { class: "chips" },
      chosen.map((reference) => scenarioChip(list, reference, chosen.length > 2 ? remove(reference) : null)),
    ),
    addScenario(list, chosen, (reference) => change([...chosen, reference])),
    more[question.of](),
  );
}

// The two of a pairwise question: those that the address names, else the first two.
function pairOf(params, chosen) {
  const named = (name) => (chosen.includes(params.get(name)) ? params.get(name) : null);
  const a = named("a") ?? chosen.find((one) => one !== named("b"));
  return [a, named("b") ?? chosen.find((one) => one !== a) ?? null];
}

// One scenario alone is compared with the others of its group.
function chosenOf(list, named, question) {
  if (!named.length) return firstChoice(list);
  if (named.length > 1 || question.of === "one") return named;
  const group = list.find((entry) => entry.reference === named[0])?.group;
  const others = list.filter((entry) => entry.group === group && entry.reference !== named[0]);
  return [named[0], ...others.map((entry) => entry.reference)];
}

// By default the first comparison, what is owned alone at its head.
function firstChoice(list) {
  const group = firstComparison(list);
  const owned = group.find((reference) =>
    list.find((entry) => entry.reference === reference).document.pools.every((pool) => pool.kind === "owned"),
  );
  return owned ? [owned, ...group.filter((one) => one !== owned)] : group;
}
