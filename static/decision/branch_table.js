// Branches side by side: what each changes, what each plan costs in it, and which is the cheapest.
import { post } from "../api.js";
import { h } from "../dom.js";
import { go } from "../router.js";
import { fill } from "../states.js";
import { csvButton } from "../table.js";
import { textOf, unitOf } from "./assumptions.js";
import { reaching } from "./concepts.js";
import { amount, figures, mayRank } from "./words.js";

// "Token price 2 × list, Demand 15 req/s".
function changesOf({ set = {}, scale = {} }, concepts, currency) {
  const said = ([pointer, value]) => {
    const concept = concepts.find((one) => one.pointer === pointer);
    return concept ? `${concept.label} ${textOf(concept, value)} ${unitOf(concept, currency)}` : `${pointer}: ${value}`;
  };
  return [...Object.entries(set), ...Object.entries(scale)].map(said).join(", ") || "as the plans are stated";
}

function tableOf(branches, answers, { concepts, plans, left }) {
  const [{ currency }] = answers;
  const figure = (answer, i) => {
    const { result } = answer.scenarios[i];
    const { feasible, decisive } = result;
    if (!mayRank(result)) return feasible ? "loses too much" : "can't serve";
    return decisive === null ? "not known" : amount(decisive, answer);
  };
  const winner = ({ cheapest, comparable }) =>
    cheapest === null ? (comparable ? "none" : "not comparable") : plans[cheapest].name;
  const columns = [
    { name: "branch", value: ({ branch }) => branch.name },
    { name: "changes", value: ({ branch }) => changesOf(branch, concepts, currency) },
    { name: "cheapest", value: ({ answer }) => winner(answer) },
    ...plans.map((plan, i) => ({
      name: plan.name,
      unit: figures[answers[0].decide_by].money ? currency : figures[answers[0].decide_by].unit,
      value: ({ answer }) => answer.scenarios[i].result.decisive,
      show: ({ answer }) => (answer.cheapest === i ? h("b", {}, figure(answer, i)) : figure(answer, i)),
    })),
  ];
  const rows = branches.map((branch, n) => ({ branch, answer: answers[n] }));
  const cell = (column, row, n) =>
    h(n ? "td" : "th", { scope: n ? null : "row", class: n > 2 ? "figure" : "text" }, (column.show ?? column.value)(row));
  return [
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Branches by plans" },
      h(
        "table",
        { class: "list", id: "branch-table" },
        h("caption", {}, [...new Set(answers.map((answer) => figures[answer.decide_by].name))].join(", ")),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            columns.map((column, n) => h("th", { scope: "col", class: n > 2 ? "figure" : "text" }, column.name)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              { "data-branch": row.branch.name },
              columns.map((column, n) => cell(column, row, n)),
            ),
          ),
        ),
      ),
    ),
    left.length ? h("p", { class: "small" }, `Left out: ${left.map((plan) => plan.name).join(", ")}.`) : "",
    csvButton("branches", () => ({ columns, rows })),
  ];
}

// Opens as a dialog; the address has it (`branches=1`).
export function compareBranches(context) {
  const { stored, plans, baseline, asOf, signal } = context;
  const branches = [{ name: "main" }, ...(stored.branches ?? [])];
  const ask = ({ set = {}, scale = {} }) =>
    post(
      "/v1/compare",
      {
        scenarios: plans.map((plan) => plan.request),
        baseline,
        ...(asOf ? { as_of: asOf } : {}),
        set,
        ...reaching({ scale }, plans),
      },
      signal,
    );
  const place = h("div", {});
  const closed = () => {
    dialog.remove();
    if (!signal.aborted) go({ branches: null }, { replace: true, quiet: true });
  };
  const dialog = h(
    "dialog",
    { class: "dialog wide", "aria-labelledby": "branches-side", onclose: closed },
    h("h2", { id: "branches-side" }, "Branches side by side"),
    place,
    h("button", { type: "button", class: "btn", onclick: () => dialog.close() }, "Close"),
  );
  go({ branches: "1" }, { replace: true, quiet: true });
  document.body.append(dialog);
  dialog.showModal();
  signal.addEventListener("abort", () => dialog.close());
  fill(place, async () => tableOf(branches, await Promise.all(branches.map(ask)), context), "Each branch is compared…");
}
