// The application shell: selects the view by the URL; navigation, theme, as-of time, sign-out.
import { key, unauthorized } from "./api.js";
import { loadCategories } from "./categories.js";
import { drawAll } from "./chart.js";
import { themeNow } from "./colours.js";
import { announce, h } from "./dom.js";
import { go, linkTo, params, whenShown } from "./router.js";
import { signIn } from "./signin.js";
import { errorState, loading } from "./states.js";
import { compare } from "./views/compare.js";

const views = [
  { name: "compare", title: "Compare", load: async () => compare },
  { name: "plans", title: "Plans", load: async () => (await import("./views/plans.js")).plans },
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

// Links between views of one scenario keep the scenario.
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
  if (Number.isNaN(date.getTime())) return ""; // from a URL typed by hand: the view reports the error
  return new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
}

function turn() {
  const next = themeNow() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("theme", next);
  } catch {
    /* without storage, it lasts until the page is closed */
  }
  document.getElementById("theme").textContent = next === "dark" ? "Light" : "Dark";
  drawAll();
}

// Shows the view of the URL. The focus stays on an element that the new view has too.
async function show() {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const from = params();
  const view = viewOf(from);
  const left = document.activeElement?.id;
  document.title = `${view.title} · costcurve`;
  navigation();
  tools();
  const isOther = shown !== view.name;
  shown = view.name;
  const place = h("div", { class: `view ${view.name}` });
  if (isOther) main.replaceChildren(loading());
  main.setAttribute("aria-busy", "true");
  try {
    const [render] = await Promise.all([view.load(), loadCategories()]);
    await render(from, place, { signal });
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    place.replaceChildren(h("h1", {}, view.title), errorState(error, show));
  }
  if (signal.aborted) return;
  const focused = document.activeElement?.id; // now, not when loading began: it may have moved since
  main.replaceChildren(place);
  main.removeAttribute("aria-busy");
  if (isOther && left) main.focus({ preventScroll: true });
  else if (!isOther && focused) document.getElementById(focused)?.focus({ preventScroll: true });
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
  drawAll();
});
unauthorized.addEventListener("key", () => signIn(show));
show();
