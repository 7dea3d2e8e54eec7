// What happened, webhooks, and deliveries of events to them: live, with a test that is followed to its end.
import { get, post, put, remove } from "../api.js";
import { announce, choice, h, labelled } from "../dom.js";
import { readable, unreadable } from "../parts.js";
import { go, linkTo } from "../router.js";
import { empty, errorState } from "../states.js";
import { eventNames, eventText } from "../views/event_text.js";
import { follow } from "./follow.js";
import { box, confirmed, note, sortable, tag, when } from "./parts.js";
import { webhookForm } from "./webhook_form.js";

const warned = ["comparison_flipped", "comparison_infeasible", "budget_exceeded", "feed_failed", "drift_found"];
const links = { recalculation: (id) => ({ view: "jobs", run: id }), feed: (id) => ({ view: "data", page: "feeds", feed: id }) };

function subject(text) {
  const [kind, id] = (text ?? "").split("/");
  if (!links[kind]) return text;
  const { view, ...parameters } = links[kind](id);
  return h("a", { href: linkTo(view, parameters) }, text);
}

export async function eventLog(params, place, signal) {
  const kind = params.get("kind");
  const list = h("div", {});
  const options = [{ value: "", text: "all" }, ...Object.entries(eventNames).map(([value, text]) => ({ value, text }))];
  place.append(
    h(
      "div",
      { class: "controls" },
      labelled(
        "Kind",
        choice(options, kind ?? "", (value) => go({ kind: value }), { id: "kind" }),
      ),
    ),
    list,
  );
  const show = ({ items }) => {
    const table = {
      caption: "Events",
      rows: items,
      columns: [
        { name: "Recorded", value: (row) => row.recorded_at, show: (value) => when(value), text: true },
        {
          name: "Event",
          value: (row) => row.kind,
          show: (value) => h("span", { class: `tag ${warned.includes(value) ? "bad" : ""}` }, eventNames[value] ?? value),
          text: true,
        },
        { name: "Of", value: (row) => row.subject, show: subject, text: true, wide: true },
        { name: "Details", value: eventText, text: true },
        { name: "Number", value: (row) => row.event, wide: true },
      ],
    };
    list.replaceChildren(
      items.length
        ? box("Events", { name: "events", said: "newest first", table }, sortable(table, { maxRows: 50 }))
        : empty(
            kind ? "No such event yet" : "No events yet",
            "Events are recorded when a recalculation ends, a feed lands or fails, prices move, and when another scenario of a comparison becomes the cheapest or goes above its budget.",
          ),
    );
  };
  await follow(() => get("/v1/events", { kind, limit: 200 }, signal), show, { signal, place });
}

// Waits until the delivery of an event has an end, or has failed once.
async function delivered(event, webhook, signal) {
  for (let i = 0; i < 120 && !signal.aborted; ++i) {
    const { items } = await get("/v1/deliveries", { event, webhook, limit: 1 }, signal);
    const [one] = items;
    if (one && (one.state !== "pending" || one.attempts > 0)) return one;
    await new Promise((done) => setTimeout(done, 250));
  }
  return null;
}

const reason = (one) => one.last_error ?? (one.last_status ? `it answered ${one.last_status}` : "no answer");

function tested(webhook, one) {
  if (!one) return note("calm", `The test of ${webhook} is still on its way; see Deliveries.`);
  if (one.state === "delivered") return note("done", h("b", {}, `${webhook} got the test: `), `it answered ${one.last_status}.`);
  const next = one.next_try_at ? ` The next try is on ${when(one.next_try_at)}.` : "";
  return h(
    "div",
    { class: "note warn", role: "alert" },
    h("b", {}, `${webhook} did not take the test: `),
    `${reason(one)}.${next}`,
  );
}

export async function webhooks(params, place, signal) {
  const message = h("div", { id: "test-outcome", role: "status" });
  const [hooks, list] = [h("div", {}), h("div", {})];
  const wrong = (error) => error.name !== "AbortError" && message.replaceChildren(errorState(error));
  const added = async (id) => {
    showHooks(await get("/v1/webhooks", { limit: 1000 }, signal));
    await test(id);
  };
  place.append(webhookForm(added, signal), message, hooks, list);

  async function test(id) {
    message.replaceChildren(note("calm", h("span", { class: "spinner", "aria-hidden": "true" }), ` Sending a test to ${id}…`));
    const { event } = await post(`/v1/webhooks/${id}/test`);
    const one = await delivered(event, id, signal);
    message.replaceChildren(tested(id, one));
    announce(message.textContent);
  }
  async function turn({ id, enabled }) {
    const { revision, recorded_at, recorded_by, ...document } = await get(`/v1/webhooks/${id}`);
    await put(`/v1/webhooks/${id}`, { ...document, enabled: enabled === false }, { "If-Match": `"${revision}"` });
    go({});
  }
  const button = (name, id, label, act, kind = "") =>
    h(
      "button",
      { type: "button", class: `btn small-btn ${kind}`, id: `${name}-${id}`, "aria-label": `${label} ${id}`, onclick: act },
      label,
    );
  const showHooks = ({ items: found }) => {
    const items = readable(found);
    const table = {
      caption: "Webhooks",
      rows: items,
      columns: [
        {
          name: "Webhook",
          value: (row) => row.id,
          show: (value) => h("a", { href: linkTo("scenario", { kind: "webhooks", id: value }) }, value),
          text: true,
        },
        { name: "Address", value: (row) => row.url, show: (value) => h("span", { class: "ids" }, value), text: true, wide: true },
        {
          name: "Events",
          value: (row) => (row.events?.length ? row.events.map((kind) => eventNames[kind] ?? kind).join(", ") : "all"),
          text: true,
          wide: true,
        },
        {
          name: "State",
          value: (row) => (row.enabled === false ? "disabled" : "enabled"),
          show: (value) => tag(value),
          text: true,
        },
        {
          name: "",
          value: () => "",
          text: true,
          show: (value, row) =>
            h(
              "div",
              { class: "acts in-line" },
              row.enabled === false ? null : button("test", row.id, "Test", () => test(row.id).catch(wrong)),
              button("turn", row.id, row.enabled === false ? "Enable" : "Disable", () => turn(row).catch(wrong)),
              button(
                "delete",
                row.id,
                "Delete",
                () =>
                  confirmed(
                    `Delete the webhook ${row.id}?`,
                    "It gets no more messages. What was delivered stays listed.",
                    "Delete",
                    async () => {
                      await remove(`/v1/webhooks/${row.id}`);
                      go({});
                    },
                  ),
                "danger",
              ),
            ),
        },
      ],
    };
    hooks.replaceChildren(
      ...[
        unreadable("webhooks", found),
        items.length
          ? box(
              "Webhooks",
              { name: "webhooks", table: { ...table, columns: table.columns.filter((column) => column.name) } },
              sortable(table),
            )
          : empty("No webhooks yet", "A webhook is a URL that receives signed events."),
      ].filter(Boolean),
    );
  };
  const again = async (row) => {
    await post(`/v1/deliveries/${row.id}/retry`);
    announce(`Event ${row.event} is sent to ${row.webhook} again`);
    showDeliveries(await get("/v1/deliveries", { limit: 100 }, signal));
  };
  const showDeliveries = ({ items }) => {
    const table = {
      caption: "Deliveries",
      rows: items,
      columns: [
        {
          name: "Event",
          value: (row) => row.event,
          show: (value, row) => [eventNames[row.kind] ?? row.kind, h("small", { class: "blk" }, `event ${value}`)],
          text: true,
        },
        { name: "Webhook", value: (row) => row.webhook, text: true },
        { name: "State", value: (row) => row.state, show: (value) => tag(value), text: true },
        { name: "Tries", value: (row) => row.attempts, wide: true },
        {
          name: "Answer",
          value: (row) => row.last_status,
          show: (value, row) => row.last_error ?? value ?? "none yet",
          text: true,
          wide: true,
        },
        { name: "Last try", value: (row) => row.last_try_at, show: (value) => when(value) ?? "none yet", text: true, wide: true },
        {
          name: "Next try",
          value: (row) => row.next_try_at,
          show: (value, row) => (row.state === "pending" ? (when(value) ?? "now") : "–"),
          text: true,
          wide: true,
        },
        {
          name: "",
          value: () => "",
          text: true,
          show: (value, row) =>
            row.state === "delivered"
              ? " "
              : h(
                  "button",
                  {
                    type: "button",
                    class: "btn small-btn",
                    id: `retry-${row.id}`,
                    "aria-label": `Send event ${row.event} to ${row.webhook} again`,
                    onclick: () => again(row).catch(wrong),
                  },
                  "Send again",
                ),
        },
      ],
    };
    const csv = { ...table, columns: table.columns.filter((column) => column.name) };
    list.replaceChildren(
      items.length
        ? box("Deliveries", { name: "deliveries", said: "newest first", table: csv }, sortable(table, { maxRows: 50 }))
        : "",
    );
  };
  showHooks(await get("/v1/webhooks", { limit: 1000 }, signal));
  await follow(() => get("/v1/deliveries", { limit: 100 }, signal), showDeliveries, { signal, place, seconds: 2 });
}
