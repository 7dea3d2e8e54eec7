// Keeping the answer: as a decision with scenarios of its own, or as an address.
import { put } from "../api.js";
import { freeId, idOf, keepDecision } from "../decision/menu.js";
import { period } from "../decision/words.js";
import { h } from "../dom.js";
import { number, percent } from "../format.js";
import { mayWrite } from "../home/role.js";
import { link } from "../router.js";
import { errorState } from "../states.js";
import { forget, ownPrefix } from "../store.js";
import { sharePart } from "./share.js";

const cutId = (id) => id.slice(0, 120).replace(/[-._]+$/, ""); // an id has at most 128 characters
// The id of a decision's scenario of a plan.
export const scenarioId = (decision, name) => cutId(`${ownPrefix(decision)}${idOf(name)}`);
// Whether a scenario's id is that, or that with a number behind it.
export const isScenarioOf = (id, decision, name) =>
  id.replace(/-\d+$/, "") === scenarioId(decision, name) || id === scenarioId(decision, name);
const forbidden = 403;
const exists = 412; // of a PUT with If-None-Match

// Stores a scenario under an id, or, where it is taken, under the first with a number behind it that is not.
export async function create(scenario, base, signal) {
  for (let n = 1; ; ++n) {
    const id = n === 1 ? base : `${base}-${n}`;
    try {
      await put(`/v1/scenarios/${id}`, { ...scenario, id }, { "If-None-Match": "*" }, signal);
      return id;
    } catch (error) {
      if (error.status !== exists) throw error;
    }
  }
}

export function titleOf(request) {
  const [{ model, demand }] = request.workloads;
  const growth = demand.growth_per_month;
  return `${model}, ${number(demand.mean_per_s)} requests/s${growth ? ` growing ${percent(growth)} a month` : ""}, ${period(request)}`;
}

// The question of the address, without what only arranges the page.
const questionLink = (more = {}) => link({ take: null, sort: null, a: null, b: null, decision: null, ...more });

// Stores a decision of the kept plans, with their scenarios under its id: they are its own, and no other decision changes them. The plan
// that was taken is its baseline, and the address of the question its source, from which it is asked again.
async function store({ request, rows, kept, taken, budget }, signal) {
  const [{ model, demand }] = request.workloads;
  const chosen = rows.filter((row) => kept.has(row.key) || row === taken);
  const name = `Serve ${model} at ${number(demand.mean_per_s)} requests/s, ${period(request)}`;
  const decision = await freeId(name);
  const ids = new Map();
  for (const row of chosen) {
    const scenario = { ...row.plan.scenario, name: row.title };
    ids.set(row, await create(scenario, scenarioId(decision, row.plan.name), signal));
  }
  forget();
  await keepDecision({
    id: decision,
    name,
    question: `How do we serve ${titleOf(request)}?`,
    source: questionLink(),
    scenarios: [...ids.values()],
    baseline: ids.get(taken) ?? [...ids.values()][0],
    colours: Object.fromEntries([...ids].map(([row, id]) => [id, row.colour])),
    ...(budget && { budget }),
  });
}
// Share and save. `view()` gives what is shown.
export function keepPart(view, signal) {
  const wrong = h("div", { class: "keep-wrong" });
  const failed = (error) => error.name !== "AbortError" && wrong.replaceChildren(errorState(error));
  const save = h(
    "button",
    {
      type: "button",
      class: "btn first",
      id: "use-plans",
      disabled: true,
      onclick: ({ currentTarget: button }) => {
        button.disabled = true; // a second click would be a second decision
        store(view(), signal).catch((error) => {
          button.disabled = error.status === forbidden;
          failed(error);
        });
      },
    },
    "Save as a decision",
  );
  const share = sharePart(failed);
  let isReady = false;
  let may = true; // until it is known
  const show = () => (save.disabled = !isReady || !may);
  mayWrite(signal).then(
    (isAllowed) => {
      may = isAllowed;
      if (!may) {
        save.textContent = "Saving needs the role editor";
        save.classList.remove("first");
        share.querySelector("summary").classList.add("first");
      }
      show();
    },
    () => {}, // said where it is saved
  );
  return { share, save, wrong, ready: (isNow) => ((isReady = isNow), show()) };
}
