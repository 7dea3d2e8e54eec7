// A new feed by a form of few fields; what else a feed may have is in its own form.
import { get, post, put } from "../api.js";
import { choice, h, labelled } from "../dom.js";
import { goTo, linkTo } from "../router.js";
import { errorState } from "../states.js";
import { cronField } from "./cron_field.js";
import { formatOptions, importParameters } from "./formats.js";
import { box } from "./parts.js";

const slug = (text) =>
  text
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\.(csv|json|yaml|yml)(\.gz)?$/, "")
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|-+$/g, "")
    .slice(-60)
    .replace(/^[^a-z0-9]+/, "");

export async function feedForm(signal) {
  const { formats } = importParameters(await get("/openapi.json", {}, signal));
  const address = h("input", {
    id: "feed-url",
    type: "url",
    required: true,
    placeholder: "https://…/prices.csv",
    autocomplete: "off",
  });
  const format = choice([{ value: "", text: "choose one" }, ...formatOptions(formats)], "", () => {}, {
    id: "feed-format",
    required: true,
  });
  const provider = h("input", { id: "feed-provider", placeholder: "gcp", autocomplete: "off" });
  const name = h("input", { id: "feed-id", required: true, pattern: "[a-z0-9][a-z0-9._\\-]{0,127}", autocomplete: "off" });
  const time = cronField({ id: "feed-when", value: "every night at 2", optional: true });
  const outcome = h("div", {});
  let named = false;
  name.addEventListener("input", () => (named = name.value !== ""));
  address.addEventListener("input", () => {
    if (!named) name.value = slug(address.value.split("/").slice(-2).join("-"));
  });
  const save = h("button", { type: "submit", class: "btn first", id: "save-feed" }, "Add and try");
  async function store(event) {
    event.preventDefault();
    if (!time.valid()) return document.getElementById("feed-when").focus();
    save.disabled = true;
    outcome.replaceChildren();
    const id = name.value.trim();
    const document_ = {
      format: format.value,
      from: { url: address.value.trim() },
      time_zone: time.zone(),
      ...(provider.value.trim() ? { provider: provider.value.trim() } : {}),
      ...(time.cron() ? { cron: time.cron() } : {}),
    };
    try {
      await put(`/v1/feeds/${id}`, document_, { "If-None-Match": "*" });
    } catch (error) {
      save.disabled = false;
      outcome.replaceChildren(
        errorState(
          error.status === 412
            ? Object.assign(error, { message: `There is a feed ${id} already. Choose another name.`, errors: [] })
            : error,
        ),
      );
      return;
    }
    // A dry run says at once whether the address and the format are right.
    const begun = await post(`/v1/feeds/${id}/run?dry_run=true`).catch(() => ({ run: null }));
    goTo(linkTo("data", { page: "feeds", feed: id, run: begun.run }));
  }
  return box(
    "A file that is published",
    { said: "It is stored, enabled, and tried at once: a dry run that stores none of its prices." },
    h(
      "form",
      { class: "stack", id: "feed-form", onsubmit: store },
      h(
        "div",
        { class: "guesses" },
        labelled("Address", address, "Of the file; http or https."),
        labelled("Format", format, "What the file is."),
        labelled("Provider", provider, "Of price lists that do not name one."),
        labelled("Name", name, "Small letters, digits, dots and hyphens."),
      ),
      time.element,
      outcome,
      h(
        "p",
        { class: "actions" },
        save,
        h("a", { class: "btn", href: linkTo("scenario", { kind: "feeds", new: "1" }) }, "All fields"),
        h("a", { class: "btn bare", href: linkTo("data", { page: "feeds" }) }, "Cancel"),
      ),
    ),
  );
}
