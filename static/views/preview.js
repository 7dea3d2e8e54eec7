// The cost of a draft, updated as the draft and the what-if sliders change.
import { get, post } from "../api.js";
import { areas, dateAxis, grid, moneyAxis, stack, stackTooltip, vertical } from "../axes.js";
import { categoriesOf } from "../categories.js";
import { chart } from "../chart.js";
import { announce, choice, h } from "../dom.js";
import { messageWords, money, month, number, percent, pointerWords, quantity } from "../format.js";
import { valueAt, withValue } from "../json_diff.js";
import { takeNumber } from "../number_field.js";
import { evidence, hostedPrices, unitCosts } from "../parts.js";
import { term } from "../terms.js";

const maxSliders = 6;

// {element, evaluate(), whenWrong(handler)}. `onChange` is called when the what-if has changed.
export function preview(state, onChange) {
  let onIssues = () => {};
  let isEvaluating = false;
  let isStale = false;
  let isBaseStale = false;
  let base = null; // the draft's result without what-if
  let figure = null;
  let remark = ""; // what of the what-if the draft can't take
  const cards = h("div", { class: "cards" });
  const warned = h("ul", { class: "plain", id: "draft-warnings" });
  const note = h("p", { class: "issue", role: "alert" });
  const picture = h("div", {});
  const sliders = h("div", { class: "sliders" });
  const element = h(
    "div",
    { class: "preview" },
    h("section", { class: "panel", "aria-label": "Cost" }, h("h2", {}, "Cost"), note, cards, warned),
    picture,
    h(
      "section",
      { class: "panel", "aria-label": "What if" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", {}, "What if"),
        h(
          "div",
          { class: "panel-tools" },
          h("button", { type: "button", class: "quiet", id: "keep", onclick: keep }, "Apply to the draft"),
          h("button", { type: "button", class: "quiet", id: "drop", onclick: drop }, "Reset"),
        ),
      ),
      sliders,
    ),
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
        if (!sliders.children.length) showSliders();
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
    const spec = specOf(answer);
    if (figure) figure.update(spec);
    else picture.replaceChildren((figure = chart(spec)).element);
    cards.dataset.shown = String(Number(cards.dataset.shown ?? 0) + 1);
  }

  async function showSliders() {
    const found = await post("/v1/sensitivity", { scenario: state.draft, decisions: true, ...asOf }, state.signal)
      .then((answer) => answer.inputs)
      .catch(() => null);
    if (!found) return;
    // Curves are edited by their points; how many devices a server has is a fact, no assumption.
    const inputs = found.filter(
      (input) => input.base !== 0 && input.unit !== "factor" && !/^devices?\b/.test(input.unit ?? ""),
    );
    const first = inputs.filter((input) => input.unit !== "months").slice(0, maxSliders); // a longer horizon costs more: no assumption
    const chosen = [...new Set([...Object.keys(state.set), ...first.map((input) => input.pointer)])];
    const rest = () => inputs.filter((input) => !chosen.includes(input.pointer));
    const draw = () =>
      sliders.replaceChildren(
        scaledNote(),
        ...chosen.map((pointer) =>
          slider(inputs.find((input) => input.pointer === pointer) ?? { pointer, base: state.set[pointer], unit: "" }),
        ),
        rest().length
          ? choice(
              [
                { value: "", text: "Another input…" },
                ...rest().map((input) => ({ value: input.pointer, text: pointerWords(input.pointer, state.draft) })),
              ],
              "",
              (pointer) => {
                chosen.push(pointer);
                draw();
              },
              { "aria-label": "Another input" },
            )
          : "",
      );
    draw();
  }

  // Factors of a decision on what is no number of this scenario: they are in the figures, and in nothing that is saved.
  function scaledNote() {
    if (!isScaled()) return "";
    const said = Object.entries(state.scale).map(([pointer, factor]) => `${pointerWords(pointer.replaceAll("/*", ""))} × ${number(factor)}`);
    return h("p", { class: "small", id: "scaled" }, `In these figures too: ${said.join(", ")}. It can't be saved with this scenario: Reset leaves it out.`);
  }

  function slider({ pointer, base: value, unit }) {
    const isWhole =
      Number.isInteger(value) &&
      ["months", "servers", "instances", "sequences", "devices", "places"].some((word) => unit?.startsWith(word));
    const max = unit === "fraction" ? Math.min(1, 2 * value) : 2 * value;
    const fewest = isWhole && !unit.startsWith("servers") ? 1 : 0;
    const [low, high] = [Math.min(fewest, max), Math.max(0, max)];
    const shown = h("input", {
      inputmode: "decimal",
      size: 10,
      value: String(state.set[pointer] ?? value),
      "aria-label": `${pointerWords(pointer, state.draft)}, typed`,
      onchange: ({ target }) => takeNumber(target, (entered) => take(entered ?? value)),
    });
    const range = h("input", {
      type: "range",
      min: low,
      max: high,
      step: isWhole ? 1 : (high - low) / 200,
      value: state.set[pointer] ?? value,
      "data-set": pointer,
      "aria-valuetext": quantity(state.set[pointer] ?? value, unit),
      oninput: (event) => take(Number(event.target.value)),
    });
    // A typed number may be beyond the slider.
    function take(next) {
      if (Math.abs(next - value) < 1e-12 * Math.abs(value)) delete state.set[pointer];
      else state.set[pointer] = next;
      shown.value = String(Number(next.toPrecision(6)));
      range.value = next;
      range.setAttribute("aria-valuetext", quantity(next, unit));
      onChange();
      evaluate(true);
    }
    const id = `what-if${pointer}`;
    range.id = id;
    return h(
      "div",
      { class: "slider" },
      h("label", { for: id }, pointerWords(pointer, state.draft)),
      shown,
      range,
      h("small", { class: "help" }, `${quantity(low, unit)} to ${quantity(high, unit)}; draft: ${quantity(value, unit)}`),
    );
  }

  function drop() {
    for (const values of [state.set, state.scale]) for (const pointer of Object.keys(values)) delete values[pointer];
    onChange();
    sliders.replaceChildren();
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
    sliders.replaceChildren();
    evaluate();
    return !isSet();
  }

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

function specOf(answer) {
  const { currency, by_month } = answer;
  const parts = categoriesOf(by_month.map((row) => row.by_category));
  const values = parts.map(({ name, label, colour }) => ({
    name: label,
    colour,
    values: by_month.map((row) => row.by_category[name]?.cost ?? 0),
  }));
  return {
    title: "Cost by month",
    name: "draft-monthly",
    legend: parts,
    // Areas, not bars: a tenth of the shapes, fast enough for the sliders.
    option: (colours, width) => ({
      grid,
      tooltip: stackTooltip(currency),
      xAxis: dateAxis(
        "Month",
        by_month.map((row) => month(row.month)),
        colours,
        width,
      ),
      yAxis: vertical(moneyAxis(currency, colours)),
      series: by_month.length === 1 ? stack(values, colours) : areas(values),
    }),
    table: {
      columns: [
        { name: "month", value: (row) => row.month, text: true },
        ...parts.map(({ name, label }) => ({
          name: label,
          unit: currency,
          value: (row) => row.by_category[name]?.cost ?? 0,
          show: (value) => money(value, currency),
        })),
      ],
      rows: by_month,
    },
  };
}
