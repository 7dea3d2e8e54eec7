// The bar of questions about a decision, one open at a time; what they ask and draw is loaded with the first.
import { h, keepFocus } from "../dom.js";
import { lazily } from "../lazily.js";
import { linkTo, whatIfParameter } from "../router.js";
import { errorState, loading } from "../states.js";
import { step } from "./state.js";

const titles = [
  { name: "simulate", title: "Uncertainty" },
  { name: "sensitivity", title: "Sensitivity" },
  { name: "break-even", title: "Break-even" },
  { name: "optimize", title: "Best size" },
];
let loaded = null; // the panels by name
const load = async () => (loaded ??= (await lazily(import("./panels.js"))).panels);

// The answer of the open panel: {found} or {error}; null where none is asked.
export async function panelAnswer(view, signal) {
  const panel = (await load())[view.panel];
  if (!panel?.ask) return null;
  try {
    return { found: await panel.ask(view, signal) };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return { error };
  }
}

export function panelsPart() {
  const bar = h("div", { class: "seg", role: "group", "aria-label": "Questions about this decision" });
  const body = h("section", { class: "panel", id: "panel", hidden: true });
  let last = null;
  const contents = (panel, view) => {
    if (!panel) return loading("Asking…");
    if (!panel.ask) return panel.draw(view);
    if (!view.asked) return loading("Asking…");
    return view.asked.error ? errorState(view.asked.error) : panel.draw(view, view.asked.found);
  };
  return {
    element: h("div", { class: "questions-bar" }, bar, body),
    show(view) {
      const open = titles.find(({ name }) => name === view.panel);
      const panel = open && loaded?.[open.name];
      last = view;
      if (open && !loaded) load().then(() => last === view && this.show(view), () => {}); // said where it is asked
      const { pair, plans, changes } = view;
      bar.replaceChildren(
        ...titles.map(({ name, title }) =>
          h(
            "button",
            {
              type: "button",
              id: `panel-${name}`,
              "aria-pressed": String(open?.name === name),
              onclick: () => step({ panel: open?.name === name ? null : name }),
            },
            title,
          ),
        ),
      );
      body.hidden = !open;
      if (!open) return body.replaceChildren();
      const refocus = keepFocus();
      const address = {
        question: open.name,
        scenario: [...new Set(pair)].map((i) => plans[i].reference),
        set: whatIfParameter(changes.set ?? {}),
        scale: whatIfParameter(changes.scale ?? {}),
      };
      body.setAttribute("aria-label", open.title);
      body.classList.toggle("stale", Boolean(panel?.ask ? view.asked && view.stale.has("asked") : view.chances && view.stale.has("chances")));
      body.replaceChildren(
        ...[contents(panel, view)].flat().filter(Boolean),
        h("p", { class: "links" }, h("a", { id: "panel-all", href: linkTo("questions", address) }, "All options")),
      );
      refocus();
    },
  };
}
