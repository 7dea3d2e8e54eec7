// What a draft costs, in figures: evaluated as it changes, with the what-if of the address; and what is wrong in it, for its fields.
import { get, post } from "../api.js";
import { announce, h } from "../dom.js";
import { messageWords, money, number, percent, pointerWords } from "../format.js";
import { valueAt, withValue } from "../json_diff.js";
import { evidence, hostedPrices, unitCosts } from "../parts.js";
import { linkTo } from "../router.js";
import { term } from "../terms.js";

// {element, evaluate(), whenWrong(handler)}. `onChange` is called when the what-if has changed.
export function draftPart(state, onChange) {
  let onIssues = () => {};
  let isEvaluating = false;
  let isStale = false;
  let isBaseStale = false;
  let base = null; // the draft's result without what-if
  let remark = ""; // what of the what-if the draft can't take
  const cards = h("div", { class: "cards" });
  const warned = h("ul", { class: "plain", id: "draft-warnings" });
  const note = h("p", { class: "issue", role: "alert" });
  const said = h("ul", { class: "plain" });
  const whatIf = h(
    "section",
    { class: "panel", id: "what-if", "aria-label": "What if" },
    h("h2", {}, "What if"),
    said,
    h(
      "div",
      { class: "panel-tools" },
      h("button", { type: "button", class: "quiet", id: "keep", onclick: keep }, "Apply to the draft"),
      h("button", { type: "button", class: "quiet", id: "drop", onclick: drop }, "Leave it out"),
    ),
  );
  const decision = state.base
    ? h("p", {}, h("a", { href: linkTo("decision", { scenario: state.id }) }, "Ask what if, by month and over two assumptions"))
    : "";
  const element = h(
    "div",
    { class: "preview" },
    h("section", { class: "panel", "aria-label": "Cost" }, h("h2", {}, "Cost"), note, cards, warned, decision),
    whatIf,
  );

  const isSet = () => Object.keys(state.set).length > 0;
  const isScaled = () => Object.keys(state.scale).length > 0;
  const isChanged = () => isSet() || isScaled();
  const changes = () => ({ ...(isSet() ? { set: state.set } : {}), ...(isScaled() ? { scale: state.scale } : {}) });
  const asOf = state.asOf ? { as_of: state.asOf } : {};

  // One request at a time: changes in the meantime lead to another. `kept`: only the what-if has changed.
  async function evaluate(kept = false) {
    isStale = true;
    isBaseStale ||= !kept;
    if (isEvaluating) return;
    isEvaluating = true;
    try {
      while (isStale) {
        isStale = false;
        if (isBaseStale) base = null;
        isBaseStale = false;
        const scenario = state.draft;
        base ??= await post("/v1/evaluate", { scenario, ...asOf }, state.signal);
        const answer = isChanged() ? await post("/v1/evaluate", { scenario, ...changes(), ...asOf }, state.signal) : base;
        note.textContent = isSet() ? remark : "";
        onIssues([]);
        show(answer);
      }
    } catch (error) {
      if (error.name !== "AbortError") {
        const mine = (error.errors ?? []).filter((issue) => !isOfChange(issue));
        note.textContent =
          (error.errors ?? [])
            .filter(isOfChange)
            .map((issue) => messageWords(issue.message, state.draft))
            .join("; ") || (mine.length ? "The draft has issues; see its fields." : error.message);
        onIssues(mine);
      }
    } finally {
      isEvaluating = false;
      if (isStale) evaluate(true);
    }
  }

  function show(answer) {
    const { currency } = answer;
    const change = (now, before) =>
      isChanged() && base && before && now !== before
        ? h("span", { class: `badge ${now > before ? "doubt" : "good"}` }, percent(now / before - 1, { signed: true }))
        : null;
    cards.replaceChildren(
      h(
        "div",
        { class: "card" },
        h("h3", {}, "Cost"),
        h("div", { class: "value", id: "draft-cost" }, money(answer.total.cost, currency)),
        h("div", { class: "badges" }, change(answer.total.cost, base?.total.cost)),
        h(
          "dl",
          {},
          h("dt", {}, term("/total/npv", "present cost")),
          h("dd", {}, money(answer.total.npv, currency)),
          Object.entries(answer.by_pool)
            .filter(([, pool]) => pool.utilization_fraction !== undefined && pool.utilization_fraction !== null)
            .map(([id, pool]) => [h("dt", {}, term("utilization", `utilization of ${id}`)), h("dd", {}, percent(pool.utilization_fraction))]),
          hostedPrices(answer),
        ),
      ),
      ...Object.entries(answer.by_workload).map(([id, workload]) =>
        h(
          "div",
          { class: "card" },
          h("h3", {}, id, evidence(workload)),
          h(
            "dl",
            {},
            unitCosts(id, workload).map((row) => [h("dt", {}, row.name), h("dd", {}, money(row.value, currency))]),
            h("dt", {}, term("undone")),
            h("dd", {}, percent(workload.units_demanded ? workload.units_unserved / workload.units_demanded : null)),
          ),
        ),
      ),
    );
    warned.replaceChildren(...answer.warnings.map((warning) => h("li", {}, `${pointerWords(warning.pointer, state.draft)}: ${messageWords(warning.message, state.draft)}`)));
    cards.dataset.shown = String(Number(cards.dataset.shown ?? 0) + 1);
    showWhatIf();
  }

  // Factors of a decision on what is no number of this scenario are in the figures, and in nothing that is saved.
  function showWhatIf() {
    const lines = [
      ...Object.entries(state.set).map(([pointer, value]) => `${pointerWords(pointer, state.draft)}: ${number(value)}`),
      ...Object.entries(state.scale).map(
        ([pointer, factor]) => `${pointerWords(pointer.replaceAll("/*", ""))} × ${number(factor)}: in these figures, and can't be saved with this scenario`,
      ),
    ];
    whatIf.hidden = !lines.length;
    said.replaceChildren(...lines.map((line) => h("li", {}, line)));
  }

  function drop() {
    for (const values of [state.set, state.scale]) for (const pointer of Object.keys(values)) delete values[pointer];
    onChange();
    evaluate();
  }

  // The stored document that a value of the draft is part of, where it stands in the draft by its id: {pointer, id}.
  function referred(pointer) {
    const names = pointer.split("/");
    const at = names.findIndex((_, n) => typeof valueAt(state.draft, names.slice(0, n).join("/")) === "string");
    if (at < 0) return null;
    const place = names.slice(0, at).join("/");
    return { place, kind: `${names[at - 1]}s`, id: valueAt(state.draft, place) };
  }

  // Applies the what-if to the draft. What it changes of a stored document is changed in a copy of that, which is the draft's own from
  // then on: other scenarios keep theirs. False where something of it can't be applied.
  async function keep() {
    remark = "";
    const copied = [];
    for (const [pointer, value] of Object.entries(state.set)) {
      for (let part = referred(pointer); part; part = referred(pointer)) {
        const stored = await get(`/v1/${part.kind}/${encodeURIComponent(part.id)}`, asOf, state.signal).catch(() => null);
        if (!stored) break;
        Object.assign(state.draft, withValue(state.draft, part.place, ownOf(stored)));
        copied.push(part.id);
      }
      const next = referred(pointer) ? null : withValue(state.draft, pointer, value);
      if (!next) {
        remark = `${pointerWords(pointer, state.draft)} is part of a stored document that can't be copied: edit that document.`;
        continue;
      }
      Object.assign(state.draft, next);
      delete state.set[pointer];
    }
    if (copied.length) announce(`The plan has its own copy of ${copied.join(", ")} now`);
    onChange();
    state.redraw?.();
    evaluate();
    return !isSet();
  }

  showWhatIf();
  return {
    element,
    keep,
    evaluate,
    whenWrong: (handler) => {
      onIssues = handler;
    },
  };
}

const isOfChange = ({ pointer }) => /^\/(set|scale)/.test(pointer);

// Without what the store adds.
const ownOf = ({ revision, recorded_at, recorded_by, unknown_fields, ...document }) => document;
