// A new webhook by its address alone: the secret is drawn here, shown once, and a test is sent at once.
import { get, put } from "../api.js";
import { h, labelled } from "../dom.js";
import { linkTo } from "../router.js";
import { errorState } from "../states.js";
import { box, note } from "./parts.js";

const secretBytes = 32;
const secret = () =>
  [...crypto.getRandomValues(new Uint8Array(secretBytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// The host's name, and a number where there is one of that name.
async function freeId(url, signal) {
  const taken = new Set((await get("/v1/webhooks", { limit: 1000 }, signal)).items.map(({ id }) => id));
  const host =
    new URL(url).hostname
      .toLowerCase()
      .replace(/[^a-z0-9.-]+/g, "-")
      .replace(/^[^a-z0-9]+/, "") || "webhook";
  for (let n = 1; ; ++n) {
    const id = n === 1 ? host : `${host}-${n}`;
    if (!taken.has(id)) return id;
  }
}

// `added` gets the id of what is stored.
export function webhookForm(added, signal) {
  const outcome = h("div", {});
  const address = h("input", { id: "webhook-url", type: "url", required: true, placeholder: "https://…", autocomplete: "off" });
  async function store(event) {
    event.preventDefault();
    try {
      const id = await freeId(address.value, signal);
      const drawn = secret();
      await put(`/v1/webhooks/${id}`, { url: address.value.trim(), secret: drawn }, { "If-None-Match": "*" });
      outcome.replaceChildren(
        note(
          "done",
          h("b", {}, `${id} is added. `),
          "Its messages are signed with this key, which is shown this once: ",
          h("code", { id: "webhook-secret" }, drawn),
        ),
      );
      address.value = "";
      await added(id);
    } catch (error) {
      if (error.name !== "AbortError") outcome.replaceChildren(errorState(error));
    }
  }
  return box(
    "A new webhook",
    {
      said: "It gets all kinds of events, each signed.",
      tools: h("a", { class: "btn small-btn", href: linkTo("scenario", { kind: "webhooks", new: "1" }) }, "All fields"),
    },
    h(
      "form",
      { class: "controls", id: "webhook-form", onsubmit: store },
      labelled("Address", address),
      h("button", { type: "submit", class: "btn first", id: "add-webhook" }, "Add and test"),
    ),
    outcome,
  );
}
