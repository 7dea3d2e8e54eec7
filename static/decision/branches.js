// Branches of a decision: named sets of changed assumptions, kept with it.
import { put } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { linkTo, whatIfParameter } from "../router.js";
import { errorState } from "../states.js";
import { compareBranches } from "./branch_table.js";
import { bodyOf } from "./menu.js";

const addressOf = (stored, branch) =>
  linkTo("decision", { id: stored.id, set: whatIfParameter(branch.set ?? {}), scale: whatIfParameter(branch.scale ?? {}) });
const same = (a, b) => JSON.stringify([a.set ?? {}, a.scale ?? {}]) === JSON.stringify([b.set ?? {}, b.scale ?? {}]);

export function branchesPart(context) {
  const { stored } = context;
  const list = h("ul", { class: "branches" });
  const name = h("input", { id: "branch-name", placeholder: "Name of a branch", "aria-label": "Name of a branch", maxlength: 80 });
  const wrong = h("div", {});
  let now = {};
  const save = async (event) => {
    event.preventDefault();
    const document = bodyOf(stored);
    const branches = [...(document.branches ?? []).filter((branch) => branch.name !== name.value), { name: name.value, ...now }];
    try {
      const answer = await put(
        `/v1/decisions/${encodeURIComponent(stored.id)}`,
        { ...document, branches },
        { "If-Match": stored.etag },
      );
      Object.assign(stored, answer.document, { etag: answer.etag });
      name.value = "";
      wrong.replaceChildren();
      show();
    } catch (error) {
      wrong.replaceChildren(errorState(error));
    }
  };
  const form = h(
    "form",
    { class: "branch-form", onsubmit: save },
    name,
    h("button", { type: "submit", class: "btn" }, "Keep as a branch"),
  );
  const side = h(
    "button",
    { type: "button", class: "btn", id: "compare-branches", onclick: () => compareBranches(context) },
    "Compare branches",
  );
  const element = h(
    "section",
    { class: "sub", "aria-labelledby": "branches-title" },
    h("h2", { id: "branches-title" }, "Branches"),
    list,
    side,
    form,
    wrong,
  );
  const show = () => {
    const all = [{ name: "main" }, ...(stored.branches ?? [])];
    list.replaceChildren(
      ...all.map((branch) =>
        h(
          "li",
          {},
          icon("branch"),
          h("a", { href: addressOf(stored, branch), "aria-current": same(branch, now) ? "true" : null }, branch.name),
        ),
      ),
    );
    side.hidden = !stored.branches?.length;
    form.hidden = !stored.id || same({}, now);
    element.hidden = !stored.id;
  };
  return {
    element,
    show(view) {
      now = view.changes;
      show();
    },
  };
}
