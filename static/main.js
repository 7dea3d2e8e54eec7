// The application shell: selects the view by the URL; navigation, search, theme, as-of time, sign-out.
import { key, unauthorized } from "./api.js";
import { loadCategories } from "./categories.js";
import { announce, h, keepFocus } from "./dom.js";
import { time } from "./format.js";
import { icon } from "./icons.js";
import { lazily } from "./lazily.js";
import { openPalette } from "./palette.js";
import { go, link, linkTo, params, whenShown } from "./router.js";
import { signIn } from "./signin.js";
import { errorState, loading } from "./states.js";

const load = (file, name) => async () => (await lazily(import(`./views/${file}.js`)))[name];
// The pages, by the `view` of the address; `part` says to which entry of the navigation one belongs.
const views = [
  { name: "decisions", title: "Decisions", load: load("decisions", "decisions") },
  { name: "decision", title: "Decision", part: "decisions", load: load("decision", "decision") },
  { name: "data", title: "Sources", load: load("data", "data") },
  { name: "plans", title: "Plans", part: "decisions", load: load("plans", "plans") },
  { name: "train", title: "Train", part: "decisions", load: load("train", "train") },
  { name: "batch", title: "Batch", part: "decisions", load: load("train", "batch") },
  { name: "edge", title: "Edge", part: "decisions", load: load("train", "edge") },
  { name: "fleet", title: "Fleet", part: "decisions", load: load("train", "fleet") },
  { name: "mix", title: "Mix by size", part: "decisions", load: load("train", "mix") },
  { name: "result", title: "Result", part: "decisions", load: load("result", "result") },
  { name: "scenario", title: "Scenario", part: "decisions", load: load("scenario", "scenario") },
  { name: "pareto", title: "Cost against interactivity", part: "decisions", load: load("pareto", "pareto") },
  { name: "rates", title: "Rates", part: "decisions", load: load("rates", "rates") },
  { name: "questions", title: "Questions", part: "decisions", load: load("questions", "questions") },
  { name: "glossary", title: "Glossary", part: "decisions", load: load("glossary", "glossaryPage") },
  { name: "jobs", title: "Events and runs", part: "data", load: load("jobs", "jobs") },
];
// Views without a chart ask for no chart library: it is half of what a first visit would get.
const chartless = ["decisions", "train", "batch", "edge", "fleet", "mix", "plans", "glossary"];
// Pages that went: what has their part now, as changes of the address.
const moved = [
  {
    is: (from) => from.get("view") === "compare",
    changes: (from) => ({ view: "decision", a: from.get("against"), b: from.get("against") && from.get("baseline"), against: null, by: null }),
  },
  {
    is: (from) => from.get("view") === "questions" && from.get("question") === "map",
    changes: () => ({ view: "decision", question: null, output: null, steps: null }),
  },
];
const shownInNavigation = ["decisions", "data"];

const main = document.getElementById("view");
let leave = new AbortController();
let shown = "";
let refresh = null; // of the shown view: takes a changed address in place

// Without a view: the decision between the scenarios that the address names, or all decisions.
const viewOf = (from) =>
  views.find((view) => view.name === (from.get("view") ?? (from.has("scenario") ? "decision" : "decisions"))) ?? views[0];

function navigation() {
  const now = viewOf(params());
  const entries = views.filter((view) => shownInNavigation.includes(view.name));
  document
    .getElementById("views")
    .replaceChildren(
      ...entries.map((view) =>
        h("a", { href: linkTo(view.name), "aria-current": view.name === (now.part ?? now.name) ? "page" : null }, view.title),
      ),
    );
}

function tools() {
  document.getElementById("tools").replaceChildren(
    h(
      "button",
      { type: "button", class: "search", id: "search", onclick: () => openPalette() },
      icon("search"),
      "Search or jump to",
      h("kbd", {}, "Ctrl K"),
    ),
    asOfMenu(params().get("as_of")),
    h(
      "a",
      {
        class: "btn bare bell",
        id: "bell",
        href: linkTo("jobs", { page: "events" }),
        "aria-label": "Events, runs and webhooks",
        title: "Events, runs and webhooks",
      },
      icon("bell"),
    ),
    themes(),
    key.get()
      ? h(
          "button",
          {
            type: "button",
            id: "sign-out",
            class: "btn bare",
            onclick: () => {
              key.set(null);
              show();
            },
          },
          "Sign out",
        )
      : "",
  );
}

// The store as it was known at a time: a button that says which, and a field for another, as 2026-11-22 09:30 in the reader's zone.
function asOfMenu(asOf) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const wrong = h("div", {});
  const field = h("input", {
    id: "as-of",
    value: asOf ? localTime(asOf) : "",
    placeholder: "2026-11-22 09:30",
    autocomplete: "off",
    "aria-describedby": "as-of-help",
  });
  const submit = (event) => {
    event.preventDefault();
    const [, day, clock = "00:00"] = /^\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?\s*$/.exec(field.value) ?? [];
    const then = new Date(`${day}T${clock}`);
    if (field.value.trim() === "") go({ as_of: null });
    else if (Number.isNaN(then.getTime())) wrong.replaceChildren(h("p", { class: "issue", role: "alert" }, "A day, or a day and a time: 2026-11-22 09:30"));
    else go({ as_of: then.toISOString() });
  };
  return h(
    "details",
    { class: "menu-drop as-of" },
    h("summary", { class: `btn bare ${asOf ? "past" : ""}`, id: "as-of-open" }, icon("clock"), h("span", {}, asOf ? `As of ${time(asOf)}` : "As of now")),
    h(
      "form",
      { class: "menu-list", onsubmit: submit },
      h("label", { for: "as-of" }, "The store as it was known at"),
      field,
      h("small", { id: "as-of-help", class: "help" }, `Time zone: ${zone}`),
      wrong,
      h(
        "div",
        { class: "actions" },
        h("button", { type: "submit", class: "btn first" }, "Show"),
        asOf ? h("button", { type: "button", class: "btn", id: "as-of-now", onclick: () => go({ as_of: null }) }, "Back to now") : null,
      ),
    ),
  );
}

function localTime(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return ""; // from a URL typed by hand: the view reports the error
  return new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16).replace("T", " ");
}

// System, light or dark; remembered.
function themes() {
  const now = document.documentElement.dataset.theme ?? "system";
  const button = (value, text) =>
    h("button", { type: "button", id: `theme-${value}`, "aria-pressed": String(value === now), onclick: () => turn(value) }, text);
  return h(
    "div",
    { class: "seg", role: "group", "aria-label": "Theme" },
    button("system", "System"),
    button("light", "Light"),
    button("dark", "Dark"),
  );
}

function turn(value) {
  if (value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
  try {
    if (value === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", value);
  } catch {
    /* without storage, it lasts until the page is closed */
  }
  tools();
  document.getElementById(`theme-${value}`).focus();
  document.dispatchEvent(new Event("theme")); // charts draw themselves anew
}

// Shows the view of the URL. The focus stays on an element that the new view has too.
async function show() {
  const gone = moved.find(({ is }) => is(params()));
  if (gone) history.replaceState(history.state, "", link(gone.changes(params())));
  if (refresh && shown === viewOf(params()).name && (await refresh(params()).catch(() => false))) {
    tools();
    return;
  }
  refresh = null;
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const from = params();
  const view = viewOf(from);
  document.title = `${view.title} · costcurve`;
  navigation();
  tools();
  const needed = [...(chartless.includes(view.name) ? [] : ["charts"]), ...(view.name === "decisions" ? ["home"] : [])];
  for (const name of needed) for (const link of document.querySelectorAll(`link.${name}`)) link.removeAttribute("media");
  const isOther = shown !== view.name;
  const isFirst = shown === "";
  shown = view.name;
  const place = h("div", { class: `view ${view.name}` });
  if (isOther) main.replaceChildren(loading());
  main.setAttribute("aria-busy", "true");
  let refreshed = null;
  try {
    const [render] = await Promise.all([view.load(), loadCategories()]);
    refreshed = (await render(from, place, { signal })) ?? null;
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    place.replaceChildren(h("h1", {}, view.title), errorState(error, show));
  }
  if (signal.aborted) return;
  refresh = refreshed;
  const refocus = keepFocus(); // now, not when loading began: it may have moved since
  main.replaceChildren(place);
  main.removeAttribute("aria-busy");
  if (isOther && !isFirst) main.focus({ preventScroll: true });
  else if (!isOther) refocus();
  if (isOther) announce(`${view.title} is shown`);
  document.dispatchEvent(new CustomEvent("shown", { detail: view.name }));
}

whenShown(show);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // a hash in the URL would be another view of it
  main.focus();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  tools();
  document.dispatchEvent(new Event("theme")); // charts draw themselves anew
});
unauthorized.addEventListener("key", () => signIn(show));
show();
