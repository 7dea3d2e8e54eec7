// A field that takes the id of a stored document: what is typed searches ids and facts; the list says what each is and costs.
import { factsOf } from "../document_facts.js";
import { h } from "../dom.js";
import { count } from "../format.js";
import { linkTo } from "../router.js";
import { matching, searchList } from "./search_list.js";

const maxShown = 12;

const deviceOf = (document) => document?.device?.id ?? document?.device ?? null;

// The device of the pool that a rate is for: by its offer or server, a stored one or its own.
async function poolDevice(context, holder) {
  const pool = context.draft?.pools?.find((one) => one.id === holder.pool);
  const part = pool?.offer ?? pool?.server;
  if (typeof part !== "string") return deviceOf(part);
  const stored = await context.documents(pool.offer ? "offers" : "servers");
  return deviceOf(stored.find((one) => one.id === part));
}

// `context` {documents(kind): a promise of the stored ones, draft}; `store(id)` takes what is typed or chosen.
export function documentChoice(context, { kind, name, label, holder, pointer }, store) {
  const about = h("p", { class: "small facts-of" });
  let all = []; // {document, title, facts, text, isOther}
  let isLoaded = false;

  const entry = (document, wanted) => {
    const { title, facts } = factsOf(kind, document);
    return {
      document,
      title,
      facts,
      text: `${document.id} ${title} ${facts.join(" ")}`.toLowerCase(),
      isOther: Boolean(wanted) && deviceOf(document) !== wanted,
    };
  };
  async function load() {
    const [documents, wanted] = await Promise.all([
      context.documents(kind),
      kind === "performances" ? poolDevice(context, holder) : null,
    ]);
    all = documents.map((document) => entry(document, wanted)).sort((a, b) => a.isOther - b.isOther);
    isLoaded = true;
    describe();
    if (list.isOpen()) list.open(); // what was typed before they came
  }
  function describe() {
    const one = all.find(({ document }) => document.id === field.value);
    about.replaceChildren(
      ...(one
        ? [
            h("b", {}, one.title),
            ` · ${one.facts.join(" · ")} `,
            one.isOther ? h("span", { class: "bad" }, "Another device than the pool's. ") : "",
            h("a", { href: linkTo("data", { kind, id: one.document.id }) }, "In the catalogue"),
          ]
        : []),
    );
  }
  function find() {
    const isChosen = all.some(({ document }) => document.id === field.value);
    const found = matching(all, isChosen ? "" : field.value, ({ text }) => text);
    const items = found.slice(0, maxShown).map((one) => ({
      value: one.document.id,
      text: one.title,
      more: one.facts.join(" · "),
      note: one.isOther ? "another device than the pool's" : null,
    }));
    return {
      items,
      rest: found.length > maxShown ? `${count(found.length - maxShown, "more")} to search among` : found.length ? "" : nothing(),
    };
  }
  function nothing() {
    if (!isLoaded) return "Loading…";
    return all.length ? "None has all of these words." : "None is stored.";
  }
  function take({ value }) {
    field.value = value;
    store(value);
    describe();
  }
  const list = searchList(
    { label, find, take },
    {
      "aria-label": `${label}: search, or an id`,
      "data-field": pointer,
      value: holder[name] ?? "",
      placeholder: "search by device, seller, place, model",
      oninput: () => {
        store(field.value || undefined);
        describe();
      },
      onfocus: load,
    },
  );
  const { field } = list;
  if (holder[name]) load();
  return h("div", { class: "choose-document" }, field, about);
}
