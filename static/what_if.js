// The changes of an address (`set`, `scale`) as the scenarios that it names can take them. A value that only some of them have becomes a
// factor of it, which holds where it is; what holds nowhere is left out. Both are said in words.
import { post } from "./api.js";
import { namesOf, reaching, valuesAt } from "./decision/concepts.js";
import { plansOf } from "./decision/plans.js";
import { h } from "./dom.js";
import { go, params as addressed, whatIf, whatIfParameter } from "./router.js";

const listed = (plans) => plans.map((plan) => plan.name).join(", ");
const isEmpty = (values) => !Object.keys(values).length;

// Those of the plans that the API lets take a value; another refusal than "no such place" counts as taken, and comes with the answer.
async function takers(plans, pointer, value, asOf, signal) {
  const takes = async (plan) => {
    const request = { scenario: plan.request, set: { [pointer]: value }, ...(asOf ? { as_of: asOf } : {}) };
    const refusal = await post("/v1/evaluate", request, signal).then(
      () => null,
      (error) => {
        if (error.name === "AbortError") throw error;
        return error;
      },
    );
    return !refusal?.errors?.some(({ code }) => ["unknown_reference", "unknown_field"].includes(code));
  };
  const found = await Promise.all(plans.map(takes));
  return plans.filter((_, i) => found[i]);
}

// The factor that makes a value of what each of the plans states; null where they state no number alike.
function factorOf(plans, pointer, value) {
  const [base, ...others] = plans.flatMap((plan) => valuesAt(plan.resolved, namesOf(pointer)));
  const isAlike = typeof base === "number" && base !== 0 && others.every((other) => other === base);
  return isAlike ? value / base : null;
}

// {set, scale, notes}: the changes as the plans can take them.
export async function settle(changes, plans, asOf, signal) {
  const { set, scale } = { set: { ...changes.set }, scale: { ...changes.scale } };
  const notes = [];
  for (const [pointer, value] of Object.entries(set)) {
    const isStated = plans.every((plan) => valuesAt(plan.resolved, namesOf(pointer)).length);
    if (isStated) continue;
    const having = await takers(plans, pointer, value, asOf, signal);
    if (having.length === plans.length) continue;
    delete set[pointer];
    const rest = listed(plans.filter((plan) => !having.includes(plan)));
    const factor = having.length ? factorOf(having, pointer, value) : null;
    if (!having.length) notes.push(`${pointer}: none of these scenarios has such a number, so nothing changes.`);
    else if (factor === null)
      notes.push(`${pointer}: it is not one number alike in ${listed(having)}, and ${rest} lack it, so it was left out.`);
    else {
      scale[pointer] = factor;
      notes.push(`${pointer} = ${value} holds for ${listed(having)}; ${rest} have no such number and stay as they are.`);
    }
  }
  for (const pointer of Object.keys(changes.scale ?? {})) {
    if (plans.some((plan) => valuesAt(plan.resolved, namesOf(pointer)).length)) continue;
    delete scale[pointer];
    notes.push(`${pointer}: none of these scenarios has such a number, so nothing changes.`);
  }
  return { set, scale, notes };
}

// {notes, rest(references)}: what a request of some of the scenarios says beside them.
export async function changesFor(references, asOf, signal, from = addressed()) {
  const changes = { set: whatIf(from), scale: whatIf(from, "scale") };
  const time = asOf ? { as_of: asOf } : {};
  if (isEmpty(changes.set) && isEmpty(changes.scale)) return { notes: [], rest: () => time };
  const plans = await plansOf(references, {}, asOf, signal);
  const { set, scale, notes } = await settle(changes, plans, asOf, signal);
  const isOfSome = (some) => plans.filter((plan) => some.includes(plan.reference));
  return {
    notes,
    rest(some = references) {
      const held = reaching({ scale }, isOfSome(some)).scale;
      return { ...time, ...(isEmpty(set) ? {} : { set }), ...(isEmpty(held) ? {} : { scale: held }) };
    },
  };
}

// What is changed, in a box with a way back; "" where nothing is.
export function changesNote({ notes }, from = addressed()) {
  const stated = ["set", "scale"].flatMap((name) =>
    whatIfParameter(whatIf(from, name)).map((text) => (name === "set" ? text : text.replace(/=([^=]*)$/, " × $1"))),
  );
  if (!stated.length) return "";
  return h(
    "div",
    { class: "box", role: "status", id: "what-if" },
    "What if: ",
    stated.map((text) => h("code", {}, text, " ")),
    h("button", { type: "button", class: "quiet", onclick: () => go({ set: null, scale: null }) }, "Clear"),
    notes.map((note) => h("p", { class: "small" }, note)),
  );
}
