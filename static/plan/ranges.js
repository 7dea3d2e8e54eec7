// The plans of a ranking: a row each, with its range on the one axis.
import { figures } from "../decision/words.js";
import { h, keepFocus } from "../dom.js";
import { number, shortMoney } from "../format.js";
import { icon } from "../icons.js";
import { csvButton } from "../table.js";
import { glossary } from "../terms.js";
import { axisOf } from "./axis.js";
import { sortedBy } from "./shared_columns.js";

const mostShown = 12; // rows before the rest is folded
const mostMarks = 3;

const markOf = ({ icon: name, tone = "", text }) =>
  h(
    "button",
    { type: "button", class: `mk ${tone}`, "aria-label": text },
    h("span", { class: "tip", role: "tooltip" }, text),
    icon(name),
  );
// One mark for all that is of one kind; those that could change the order first.
function marksOf(row) {
  const kinds = [...new Set(row.marks.map((one) => one.icon))].map((name) => row.marks.filter((one) => one.icon === name));
  const marks = kinds.map((same) => ({
    icon: same[0].icon,
    tone: same.find((one) => one.tone)?.tone,
    text: same.map((one) => one.text).join(". "),
  }));
  return marks
    .sort((a, b) => Boolean(b.tone) - Boolean(a.tone))
    .slice(0, mostMarks)
    .map(markOf);
}

function headOf(column, view, sort, id) {
  const [name, isDown] = [view.sort?.replace(/^-/, ""), view.sort?.startsWith("-")];
  const chosen = name ? name === column.name : column.class.includes("cc");
  return h(
    "th",
    { scope: "col", class: column.class, "aria-sort": chosen ? (isDown ? "descending" : "ascending") : null },
    h("small", {}, column.head),
    h(
      "button",
      {
        type: "button",
        class: "sort",
        id: `${id}-by-${column.name.replace(/\W+/g, "-")}`,
        title: column.title ?? glossary[column.name] ?? null,
        onclick: () => sort(chosen && !isDown ? `-${column.name}` : column.class.includes("cc") ? null : column.name),
      },
      column.name,
    ),
    column.ticks ?? "",
  );
}

const separator = (text, columns) => h("tr", { class: "sep" }, h("td", { colspan: columns }, text));

// Dashed lines: what is level with the first, what costs less and is not known as well, where these stand together, and what can't serve.
function separators(rows) {
  const found = new Map();
  const block = (is) => {
    const ends = rows.findIndex((row, i) => i > 0 && !is(row));
    const end = ends < 0 ? rows.length : ends;
    return end > 1 && rows.slice(end).every((row) => !is(row)) ? end : 0;
  };
  const level = block((row) => row.isLevel && !row.behind);
  if (level) found.set(level, "above: level within what is known. In more than 1 draw in 10 another of them is less");
  const safe = rows.findIndex((row, i) => i > 0 && row.isReordered && row.behind);
  if (safe > 0) return found.set(safe, "below: too small in more than 1 draw in 20, or not known as well");
  const behind = block((row) => row.behind && !row.cannot);
  if (behind) found.set(1, "below: less than the first, and not known as well");
  if (behind && behind < rows.length) found.set(behind, "below: more than the first");
  const cannot = rows.findIndex((row) => row.cannot);
  if (cannot > 0) found.set(cannot, "below: can't serve as stated, whatever it costs");
  return found;
}

const searched = (row) => `${row.name} ${row.line} ${row.evidence} ${row.key}`.toLowerCase();
const matches = (row, words) => words.every((word) => searched(row).includes(word));

// `actions` are pick(row), open(row) and sort(name); keep(row) where plans can be kept, more() where more can be ranked; tools(view) for
// the right end of the head, below(view, width) for rows under the others. `kind` describes the plans: {id, columns(view), csv(view),
// lead(view), legend(view), detail(row, view)}.
export function rangesPart(actions, kind) {
  const title = `${kind.id}-title`;
  const element = h("section", { class: "panel", id: kind.id, "aria-labelledby": title, "data-figure": kind.id });
  let last = null;
  let filter = "";
  let unfolded = false;

  const field = h("input", {
    id: "filter-plans",
    type: "search",
    placeholder: "Filter: tpu, reserved, owned …",
    "aria-label": "Filter the plans by words",
    oninput: ({ target }) => {
      filter = target.value;
      draw();
    },
  });
  const filterBox = h("div", { class: "filt" }, field);
  const bar = h("div", { class: "bar" });
  const table = h("table", { class: "ranges" });
  const foot = h("div", { class: "key" });
  let stop = null; // the plan whose row Tab comes to; arrows go on from there
  element.append(
    bar,
    filterBox,
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": title }, table),
    foot,
  );

  // The first, all level with it, A, B, the pinned and the next few; the rest folds where there are many.
  function shownOf(view, columns) {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const found = sortedBy(view.rows, view.sort, columns).filter((row) => matches(row, words));
    if (unfolded || found.length <= mostShown || words.length) return { shown: found, folded: [] };
    const stays = (row) => row.i < mostShown - 4 || row.isLevel || view.pair.includes(row) || view.kept.has(row.key);
    return { shown: found.filter(stays), folded: found.filter((row) => !stays(row)) };
  }

  function rowOf(row, view, columns) {
    const letter = view.pair[0] === row ? "A" : view.pair[1] === row ? "B" : "";
    const isOpen = view.opened.has(row.key);
    const isKept = view.kept.has(row.key);
    const cells = h(
      "tr",
      {
        class: [row.isFirst ? "first" : "", row.cannot ? "no" : row.behind ? "behind" : ""].join(" ").trim() || null,
        "--k": `var(--p${row.colour})`,
        "data-plan": row.key,
        "aria-selected": letter ? "true" : null,
        onclick: ({ target }) => target.closest("button, a, input") || actions.pick(row),
      },
      h(
        "th",
        { scope: "row" },
        h(
          "span",
          { class: "who" },
          h("span", { class: "n" }, row.rank === null ? "–" : String(row.rank)),
          h("i", { class: "sw" }),
          h(
            "span",
            { class: "named" },
            h(
              "button",
              { type: "button", class: "name", "aria-expanded": String(isOpen), onclick: () => actions.open(row) },
              row.name,
            ),
            letter ? h("span", { class: "pick" }, letter) : "",
            row.isLevel ? h("span", { class: "lv", title: glossary.Level }, "level") : "",
          ),
          h(
            "span",
            { class: "below" },
            h("small", {}, row.line),
            h("span", { class: "mks" }, marksOf(row), actions.keep ? keepButton(row, isKept) : ""),
          ),
        ),
      ),
      columns.map((column) => h("td", { class: `${column.class}${column.drawn && view.isOld ? " stale" : ""}` }, column.cell(row))),
    );
    return isOpen
      ? [cells, h("tr", { class: "detail" }, h("td", { colspan: columns.length + 1 }, kind.detail(row, view)))]
      : [cells];
  }

  const keepButton = (row, isKept) =>
    h(
      "button",
      {
        type: "button",
        class: "mk keep",
        "aria-pressed": String(isKept),
        "aria-label": `Keep plan ${row.rank} in the decision`,
        title: isKept ? "Kept in the decision (P)" : "Keep in the decision (P)",
        onclick: () => actions.keep(row),
      },
      icon("pin"),
    );

  const controlsOf = (row) => [...row.querySelectorAll("button, a")];
  const rowsShown = () => [...table.querySelectorAll("tr[data-plan]")];
  function setStop() {
    const rows = rowsShown();
    const at = rows.find((row) => row.dataset.plan === stop) ?? rows[0];
    for (const row of rows) for (const control of controlsOf(row)) control.tabIndex = row === at && control.matches(".name") ? 0 : -1;
  }
  table.addEventListener("focusin", ({ target }) => {
    const row = target.closest("tr[data-plan]");
    if (!row || row.dataset.plan === stop) return;
    stop = row.dataset.plan;
    setStop();
  });
  table.addEventListener("keydown", (event) => {
    const row = event.target.closest("tr[data-plan]");
    const rows = rowsShown();
    const controls = row && controlsOf(row);
    const at = { ArrowDown: rows.indexOf(row) + 1, ArrowUp: rows.indexOf(row) - 1, Home: 0, End: rows.length - 1 }[event.key];
    const beside = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = row && (at === undefined ? controls[controls.indexOf(event.target) + beside] : rows[at]?.querySelector(".name"));
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  function draw() {
    const view = last;
    const columns = kind.columns(view);
    const { shown, folded } = shownOf(view, columns);
    const lines = view.sort || filter ? new Map() : separators(view.rows);
    const body = shown.flatMap((row) => [
      lines.has(row.i) ? separator(lines.get(row.i), columns.length + 1) : null,
      ...rowOf(row, view, columns),
    ]);
    const more = actions.more ? view.answer.ranked - view.rows.length : 0;
    table.replaceChildren(
      h("caption", { class: "unseen" }, `Plans by ${figures[view.answer.decide_by].name.toLowerCase()}`),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Plan"),
          columns.map((column) => headOf(column, view, actions.sort, kind.id)),
        ),
      ),
      h(
        "tbody",
        {},
        body.filter(Boolean),
        folded.length ? foldedRow(folded, columns, view) : "",
        more > 0 && !filter ? moreRow(more, columns) : "",
        actions.below?.(view, columns.length + 1) ?? "",
      ),
    );
    filterBox.hidden = view.rows.length <= mostShown;
    setStop();
  }
  const foldedRow = (folded, columns, { answer }) => {
    const costs = folded.map((row) => row.cost).filter((cost) => cost !== null);
    const [low, high] = [Math.min(...costs), Math.max(...costs)].map((value) =>
      figures[answer.decide_by].money ? shortMoney(value, answer.unit) : number(value, "", 0),
    );
    return h(
      "tr",
      { class: "fold" },
      h(
        "td",
        { colspan: columns.length + 1 },
        h(
          "button",
          { type: "button", class: "lk", onclick: () => ((unfolded = true), draw()) },
          `${number(folded.length)} more, ${low} to ${high}`,
        ),
      ),
    );
  };
  const moreRow = (more, columns) =>
    h(
      "tr",
      { class: "fold" },
      h(
        "td",
        { colspan: columns.length + 1 },
        h(
          "button",
          { type: "button", class: "lk", id: "more-plans", onclick: () => actions.more() },
          `Rank more: ${number(more)} dearer plans are not shown`,
        ),
      ),
    );

  return {
    element,
    show(view) {
      const focused = document.activeElement?.closest?.(`#${kind.id} tr[data-plan]`)?.dataset.plan;
      const label = focused && document.activeElement.className;
      const refocus = keepFocus();
      last = { ...view, axis: axisOf(view.rows.filter(({ cost }) => cost !== null)) };
      element.hidden = !view.rows.length;
      if (!view.rows.length) return;
      const by = figures[view.answer.decide_by];
      bar.replaceChildren(
        h("h2", { id: title }, `Plans by ${by.name.toLowerCase()}`),
        h("span", { class: "small" }, kind.lead(view)),
        h("div", { class: "tools" }, actions.tools(view), csvButton(kind.id, () => ({ columns: kind.csv(last), rows: last.rows }))),
      );
      foot.replaceChildren(
        h("span", {}, h("i", { class: "pt" }), "stated"),
        view.isDrawn ? h("span", {}, h("i", { class: "ok" }), "8 in 10 draws") : "",
        view.isDrawn ? h("span", {}, h("i", { class: "ko" }), "share of draws in which the size in the name is too small") : "",
        ...kind.legend(view).map(([name, text]) => h("span", {}, name ? icon(name) : "", text)),
      );
      draw();
      refocus();
      if (focused)
        [...element.querySelectorAll(`tr[data-plan="${CSS.escape(focused)}"] button`)]
          .find((one) => one.className === label)
          ?.focus({ preventScroll: true });
    },
  };
}
