// The state of a decision is the address: changed assumptions (`set`, `scale`), the pair that is explained (`a`, `b`), the order of the
// table. Each change is a step of the browser's history, so that back undoes it and forward does it again.
import { go, params, whatIf, whatIfParameter } from "../router.js";

// {set, scale}: what a request says beside its scenarios.
export function changes(from = params()) {
  const parts = { set: whatIf(from), scale: whatIf(from, "scale") };
  return Object.fromEntries(Object.entries(parts).filter(([, values]) => Object.keys(values).length));
}

// The address with an assumption's value, and others'; null takes a change back.
export function change(...conceptsAndValues) {
  const next = { set: whatIf(), scale: whatIf(params(), "scale") };
  for (let i = 0; i < conceptsAndValues.length; i += 2) {
    const [concept, value] = conceptsAndValues.slice(i, i + 2);
    const values = next[concept.absolute ? "set" : "scale"];
    if (value === null) delete values[concept.pointer];
    else values[concept.pointer] = Number(value.toPrecision(6));
  }
  step({ set: whatIfParameter(next.set), scale: whatIfParameter(next.scale) });
}
export function valueOf(concept, from = params()) {
  const stated = changes(from)[concept.absolute ? "set" : "scale"]?.[concept.pointer];
  return stated ?? (concept.absolute ? concept.base : 1);
}

// Steps are counted in the browser's history, so that its own buttons undo as well.
let last = 0;
const now = () => history.state?.step ?? 0;
export const undoable = () => now() > 0;
export const redoable = () => now() < last;
export function step(parameters) {
  last = now() + 1;
  go(parameters, { state: { step: last } });
}
export const undo = () => undoable() && history.back();
export const redo = () => redoable() && history.forward();
