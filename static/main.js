// The shell: which view the URL asks for, the way to the others, light or dark, as of when, who asks.
import { key, refused } from "./api.js";
import { drawAll } from "./chart.js";
import { h, say } from "./dom.js";
import { go, linkTo, params, whenShown } from "./router.js";
import { signIn } from "./signin.js";
import { loading, wrong } from "./states.js";
import { compare } from "./views/compare.js";

const views = [
  { name: "compare", title: "Compare", load: async () => compare },
  { name: "result", title: "Result", load: async () => (await import("./views/result.js")).result },
  { name: "scenario", title: "Scenario", load: async () => (await import("./views/scenario.js")).scenario },
  { name: "questions", title: "Questions", load: async () => (await import("./views/questions.js")).questions },
  { name: "data", title: "Data", load: async () => (await import("./views/data.js")).data },
  { name: "jobs", title: "Jobs", load: async () => (await import("./views/jobs.js")).jobs },
];

const main = document.getElementById("view");
let leave = new AbortController();
let shown = "";

const viewOf = (from) => views.find((view) => view.name === from.get("view")) ?? views[0];

// Views of one scenario lead to each other with it.
function navigation() {
  const from = params();
  const scenario = from.getAll("scenario").slice(0, 1);
  const carries = (name) => (["result", "scenario"].includes(name) ? { scenario } : {});
  document
    .getElementById("views")
    .replaceChildren(
      ...views.map((view) =>
        h("a", { href: linkTo(view.name, carries(view.name)), "aria-current": view === viewOf(from) ? "page" : null }, view.title),
      ),
    );
}

function themeNow() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function tools() {
  const asOf = params().get("as_of");
  const field = h("input", {
    type: "datetime-local",
    id: "as-of",
    step: "1",
    value: asOf ? localTime(asOf) : "",
    onchange: (event) => go({ as_of: event.target.value ? new Date(event.target.value).toISOString() : null }),
  });
  document.getElementById("tools").replaceChildren(
    h("label", { for: "as-of", class: asOf ? "past" : "" }, "As of"),
    field,
    h("button", { type: "button", id: "theme", class: "quiet", onclick: turn }, themeNow() === "dark" ? "Light" : "Dark"),
    key.get()
      ? h(
          "button",
          {
            type: "button",
            id: "sign-out",
            class: "quiet",
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

function localTime(text) {
  const date = new Date(text);
  return new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
}

function turn() {
  const next = themeNow() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("theme", next);
  } catch {
    /* it lasts as long as the page */
  }
  document.getElementById("theme").textContent = next === "dark" ? "Light" : "Dark";
  drawAll();
}

// Puts up the view of the URL. What is focused stays so where the new picture has it too.
async function show() {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const from = params();
  const view = viewOf(from);
  const focused = document.activeElement?.id;
  document.title = `${view.title} · costcurve`;
  navigation();
  tools();
  const isOther = shown !== view.name;
  shown = view.name;
  const place = h("div", { class: `view ${view.name}` });
  if (isOther) main.replaceChildren(loading());
  main.setAttribute("aria-busy", "true");
  try {
    await (
      await view.load()
    )(from, place, { signal });
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    place.replaceChildren(h("h1", {}, view.title), wrong(error, show));
  }
  if (signal.aborted) return;
  main.replaceChildren(place);
  main.removeAttribute("aria-busy");
  const again = focused && document.getElementById(focused);
  if (again && !isOther) again.focus({ preventScroll: true });
  else if (isOther && focused !== undefined && focused !== "") main.focus({ preventScroll: true });
  if (isOther) say(`${view.title} is shown`);
  document.dispatchEvent(new CustomEvent("shown", { detail: view.name }));
}

whenShown(show);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  tools();
  drawAll();
});
refused.addEventListener("key", () => signIn(show));
show();
