// The question as a strip of fields: each change is a step of the address, which ranks again.
import { step } from "../decision/state.js";
import { currencyOf, questionNumbers, startOf } from "../decision/start.js";
import { h } from "../dom.js";
import { messageWords, notANumber, number, plural, typedNumber } from "../format.js";
import { drawing } from "../icons.js";
import { problemOf } from "../number_field.js";
import { picker, show as showChosen } from "../pickers/picker.js";
import { changedOf, choiceOf, defaultOf, fieldOf, groupOf, groups, numberOf, weekOf } from "./question.js";

const days = ["M", "T", "W", "T", "F", "S", "S"];

// 168 hours: a dot at the peak, a dotted line at the mean.
function weekDrawing(week) {
  const [width, height, below] = [120, 36, 52];
  const top = Math.max(...week);
  const x = (hour) => (hour / 167) * width;
  const y = (value) => height - (value / top) * (height - 5);
  const at = week.indexOf(top);
  const shapes = [
    ["path", { d: `M0 ${y(1).toFixed(1)}H${width}`, class: "week-mean" }],
    [
      "polyline",
      { points: week.map((value, hour) => `${x(hour).toFixed(1)},${y(value).toFixed(1)}`).join(" "), class: "week-line" },
    ],
    ["circle", { cx: x(at).toFixed(1), cy: y(top).toFixed(1), r: 2.5, class: "week-peak" }],
    ...days.map((day, i) => ["text", { x: ((i + 0.5) / 7) * width, y: below - 4, "text-anchor": "middle" }, day]),
  ];
  return drawing(
    {
      viewBox: `0 0 ${width} ${below}`,
      width,
      height: below,
      role: "img",
      "aria-label": `The week's demand: ${number(top, "", 2)} times its mean at the peak`,
    },
    shapes,
  );
}

// A number to three digits, or to all before the point.
const threeDigits = (value) => number(value < 100 ? Number(value.toPrecision(3)) : Math.round(value));

// A number's width in letters, so that its unit stands beside it.
const fit = (input) => input.style.setProperty("--letters", String(Math.max(2, (input.value || input.placeholder).length)));

export function stripPart({ known, signal }) {
  const wrong = h("div", { class: "errs", role: "alert" });
  const box = h("div", { class: "strip-fields", role: "group", "aria-label": "Fields; each change ranks again" });
  const run = h("div", { class: "run", "aria-hidden": "true" }, h("i", {}));
  const element = h("div", { class: "strip-box" }, box, run, wrong);
  const refused = new Map(); // what was typed and not taken, by field
  let now = { params: new URLSearchParams(), base: new URLSearchParams(), problems: [], answer: null };

  const said = (name, text) => {
    if (text) refused.set(name, text);
    else refused.delete(name);
    problems();
  };

  function typed(name, input) {
    const field = questionNumbers[name] ?? { min: 0.000001 };
    const problem = problemOf(input.value, field);
    said(name, problem);
    if (problem) return;
    const value = typedNumber(input.value);
    const factor = Math.max(...(weekOf(now.answer) ?? [1]));
    if (name !== "peak") taken(name, value === null || value === field.value ? null : String(value));
    else if (value !== null) taken("rps", String(Number((value / factor).toPrecision(6))));
  }
  // What the address says already is no step.
  const taken = (name, value) => (now.params.get(name) === value ? show(now) : step({ [name]: value }));

  const numberControl = (name, group, id) =>
    h("input", {
      id,
      "data-name": name,
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": name === "peak" ? "Requests a second at the peak" : (questionNumbers[name].label ?? name),
      placeholder: group.grey?.[name] ?? (name === "peak" ? "–" : String(questionNumbers[name].value)),
      oninput: ({ target }) => fit(target),
      onchange: ({ target }) => typed(name, target),
      onkeydown: (event) => {
        if (event.key === "Escape") show(now);
      },
    });
  const choiceControl = (name, { label, options }) =>
    name === "model" ? modelControl(label, options) : selectControl(name, label, options);
  const modelControl = (label, options) =>
    picker("model", options, "", (value) => chosen("model", value), { id: "model", "data-name": "model", "aria-label": label, placeholder: "choose one" });
  const selectControl = (name, label, options) =>
    h(
      "select",
      { id: name, "data-name": name, "aria-label": label, onchange: ({ target }) => chosen(name, target.value) },
      options.map(({ value, text }) => h("option", { value }, text)),
    );
  function chosen(name, value) {
    step({ [name]: isDefault(name, value) ? null : value });
    if (name === "currency" && lacksRate(now.params)) asksRate();
  }
  // What a dollar is has to be stated where money is another currency: its sheet opens.
  function asksRate() {
    const input = box.querySelector("#dollar");
    input.closest("details").open = true;
    input.focus();
  }
  const isDefault = (name, value) => value === "" || (name === "currency" && value === "USD");

  function control(name, group) {
    if (name === "start")
      return h("input", {
        type: "month",
        id: "start",
        "data-name": name,
        "aria-label": "From",
        onchange: ({ target }) => target.value && step({ start: target.value }),
      });
    const list = choiceOf(name, now.params, known);
    return list ? choiceControl(name, list) : numberControl(name, group, name);
  }
  // What stands beside a control of a sheet: its label, and its unit.
  const sheetRow = (name, group) => {
    const unit = ["dollar", "budget", "week"].includes(name)
      ? h("span", { "data-currency": name })
      : h("span", {}, questionNumbers[name]?.unit ?? "");
    const label = questionNumbers[name]?.label ?? choiceOf(name, now.params, known)?.label ?? "From";
    return h(
      "div",
      { class: "row", "data-row": name },
      h("label", { for: name }, label),
      h("div", { class: "v" }, control(name, group), unit),
    );
  };

  const parts = groups.map((group) => {
    const line = h("small", {});
    const dot = h("button", { type: "button", class: "chg", hidden: true });
    const [first] = group.main;
    const values = group.main.flatMap((name) => [
      control(name, group),
      group.units?.[name] ? h("span", {}, group.units[name]) : "",
    ]);
    const below = group.more
      ? h(
          "details",
          { class: "sheet" },
          h(
            "summary",
            { title: `More of ${group.label.toLowerCase()}` },
            h("span", { class: "unseen" }, `More of ${group.label.toLowerCase()}: `),
            line,
          ),
          h(
            "div",
            { class: "sheet-in" },
            group.more.map((name) => sheetRow(name, group)),
          ),
        )
      : line;
    const week = group.id === "traffic" ? h("div", { class: "wk" }) : null;
    const field = h(
      "div",
      { class: `f ${group.id}`, "data-group": group.id },
      h("div", { class: "l" }, h("label", { for: first }, group.label), dot),
      h("div", { class: "v" }, values),
      below,
      week ?? "",
    );
    box.append(field);
    return { group, field, line, dot, week };
  });
  // One sheet is open at a time, until a click elsewhere.
  const close = (but = null) => box.querySelectorAll("details[open]").forEach((one) => one !== but && (one.open = false));
  box.addEventListener("toggle", ({ target }) => target.open && close(target), true);
  document.addEventListener("click", ({ target }) => target.isConnected && !box.contains(target) && close(), { signal });
  document.addEventListener("focusin", ({ target }) => close(target.closest("details.sheet")), { signal });
  box.addEventListener("keydown", (event) => {
    const sheet = event.key === "Escape" && event.target.closest("details[open]");
    if (!sheet) return;
    sheet.open = false;
    sheet.querySelector("summary").focus();
  });

  function problems() {
    const issues = now.problems.map((issue) => ({ name: fieldOf(issue.pointer), text: messageWords(issue.message) }));
    const all = [...[...refused].map(([name, text]) => ({ name, text })), ...issues];
    for (const input of box.querySelectorAll("[data-name]")) {
      if (all.some(({ name }) => name === input.dataset.name)) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    for (const { group, field } of parts)
      field.classList.toggle(
        "err",
        all.some(({ name }) => name && groupOf(name) === group),
      );
    wrong.replaceChildren(
      ...all.map(({ name, text }) => h("span", {}, name && groupOf(name) ? h("b", {}, `${groupOf(name).label}: `) : "", text)),
    );
  }

  // What the address says, in every control that is not being typed into.
  function values(params) {
    const factor = Math.max(...(weekOf(now.answer) ?? [NaN]));
    for (const input of box.querySelectorAll("[data-name]")) {
      const { name } = input.dataset;
      if (input === document.activeElement && input.tagName === "INPUT" && refused.has(name)) continue;
      const stated = params.get(name);
      if (name === "peak")
        input.value = Number.isFinite(factor) ? threeDigits(numberOf(params, "rps") * factor) : "";
      else if (name === "model") {
        showChosen(input, stated ?? "");
        input.title = input.value; // a long one is cut
      }
      else if (name === "currency") input.value = currencyOf(params);
      else if (name === "start") input.value = startOf(params);
      else if (input.tagName === "SELECT") {
        if (stated && ![...input.options].some((option) => option.value === stated))
          input.append(h("option", { value: stated }, stated));
        input.value = stated ?? "";
      } else if (stated === null) input.value = "";
      else input.value = Number.isNaN(typedNumber(stated)) ? stated : number(typedNumber(stated));
      if (input.tagName === "INPUT" && input.type !== "month") fit(input);
    }
    for (const unit of box.querySelectorAll("[data-currency]")) unit.textContent = currencyOf(params);
    box.querySelector('[data-row="dollar"]').hidden = currencyOf(params) === "USD";
  }

  const wordsOf = (name, from, group) =>
    from.get(name) === null ? `${defaultOf(name, group)}, the default` : from.getAll(name).join(", ");
  function show(next) {
    now = next;
    const { params, base } = now;
    refused.clear();
    values(params);
    for (const { group, line, dot, week } of parts) {
      line.textContent = group.line(params, known);
      const changed = changedOf(group, params, base).filter((name) => !["model", "rps"].includes(name) || base.has(name));
      dot.hidden = !changed.length;
      const text = changed.map((name) => wordsOf(name, base, group)).join("; ");
      dot.title = `Changed: was ${text}. A click puts it back`;
      dot.setAttribute("aria-label", `${group.label} changed: was ${text}. Put it back`);
      dot.onclick = () => step(Object.fromEntries(changed.map((name) => [name, base.getAll(name)])));
      if (week) week.replaceChildren(...[weekOf(now.answer)].filter(Boolean).map(weekDrawing));
    }
    problems();
  }

  return {
    element,
    show,
    // How many parameters differ from those of the decision that is asked again.
    changes: (params, base) => groups.flatMap((group) => changedOf(group, params, base)).length,
    running: (isRunning) => ["on", "stale"].forEach((name) => run.classList.toggle(name, isRunning)),
  };
}
export const changesText = (count) => `${number(count)} ${count === 1 ? "change" : plural("change")}, not saved`;
const lacksRate = (params) => currencyOf(params) !== "USD" && !params.get("dollar");
// What the address lacks, or has that can't be read, as issues of its fields.
export const unreadable = (params) => [
  ...(lacksRate(params)
    ? [
        {
          pointer: "/exchange_rates",
          message: `how many ${currencyOf(params)} a US dollar is; the catalogue's prices are in dollars`,
        },
      ]
    : []),
  ...unreadNumbers(params),
];
const unreadNumbers = (params) =>
  Object.keys(questionNumbers)
    .filter((name) => Number.isNaN(typedNumber(params.get(name) ?? "")))
    .map((name) => ({ pointer: "", message: `${questionNumbers[name].label}: ${notANumber(params.get(name))}` }));
