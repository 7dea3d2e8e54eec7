// The sign-in dialog, if the daemon requires an API key. The key is kept in this tab's session storage only: in no URL and no form that is sent.
import { get, key } from "./api.js";
import { h, labelled } from "./dom.js";

let open = null;

// One dialog at a time; `then` is called after sign-in.
export function signIn(then) {
  if (open) return;
  const field = h("input", { type: "password", autocomplete: "off", required: true, spellcheck: "false" });
  const message = h("p", { class: "issue", role: "alert" });
  const form = h(
    "form",
    {
      method: "dialog",
      onsubmit: async (event) => {
        event.preventDefault();
        key.set(field.value.trim());
        try {
          await get("/v1/scenarios", { limit: 1 });
        } catch (error) {
          key.set(null);
          message.textContent = error.status === 401 ? "This key is unknown or revoked." : error.message;
          field.focus();
          return;
        }
        dialog.close();
        then();
      },
    },
    h("h2", {}, "Sign in"),
    h(
      "p",
      {},
      "This daemon requires an API key. Its administrator creates one: ",
      h("code", {}, "costcurve keys add NAME --role viewer"),
      ".",
    ),
    labelled("API key", field, "Kept in this tab only, until it is closed."),
    message,
    h("p", { class: "actions" }, h("button", { class: "primary" }, "Sign in")),
  );
  const dialog = (open = h(
    "dialog",
    {
      class: "dialog",
      onclose: () => {
        dialog.remove();
        open = null;
      },
    },
    form,
  ));
  document.body.append(dialog);
  dialog.showModal();
}
