// A question that was saved, asked again unchanged: whether what was decided still costs what it did, and is still the first.
import { post } from "../api.js";
import { amount } from "../decision/words.js";
import { h } from "../dom.js";
import { date } from "../format.js";
import { icon } from "../icons.js";
import { isScenarioOf } from "./keep.js";

const little = 0.005; // of a cost: less has not moved

export function movedPart() {
  const element = h("div", { class: "bb warn", role: "status", hidden: true });
  let before = null;
  return {
    element,
    hide: () => (element.hidden = true),
    async show(view, decision, signal) {
      element.hidden = true;
      if (!decision?.baseline || !view.rows.length) return;
      before ??= (await post("/v1/compare", { scenarios: [decision.baseline] }, signal)).scenarios[0].result;
      if (signal.aborted || before.decide_by !== view.answer.decide_by || before.currency !== view.answer.unit) return;
      const say = (value) => amount(value, { decide_by: before.decide_by, currency: before.currency }, true);
      const [first] = view.rows;
      const row = view.rows.find(({ plan }) => isScenarioOf(decision.baseline, decision.id, plan.name));
      const saved = date(decision.recorded_at);
      const isSame = row && Math.abs(row.cost - before.decisive) <= little * Math.abs(before.decisive);
      if (isSame && row === first) return;
      const now = row
        ? [`${row.title} costs ${say(row.cost)}, `, h("s", {}, say(before.decisive)), ` on ${saved}. `]
        : [`${before.name} is not among the plans any more; it cost ${say(before.decisive)} on ${saved}. `];
      element.replaceChildren(
        icon("clock"),
        h(
          "span",
          {},
          h("b", {}, row === first ? "Prices or rates have moved. " : "The answer has flipped. "),
          now,
          row === first ? "" : `The first is now ${first.title}, ${say(first.cost)}.`,
        ),
      );
      element.hidden = false;
    },
  };
}
