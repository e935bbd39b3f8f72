// Forms that are sent without leaving the page; the server answers with a sentence if a command is refused.
"use strict";
(() => {
  const root = document.documentElement;
  let touched = false; // pressed by mouse or finger, not by a key
  const showNotice = (sentence) => dispatchEvent(new CustomEvent("notice", { detail: sentence }));
  const unanswered = () => document.querySelector("[data-unanswered]")?.dataset.unanswered ?? "";

  // Typed text is sent after a pause, and before any other command.
  const TYPED_MS = 300;
  let typed = null;
  let pause = 0;
  const sendTyped = async () => {
    const form = typed;
    clearTimeout(pause);
    typed = null;
    if (form?.isConnected) await send(form);
  };
  addEventListener("input", (event) => {
    if (!event.target.matches("[data-typed]") || event.isComposing) return;
    typed = event.target.form;
    clearTimeout(pause);
    pause = setTimeout(sendTyped, TYPED_MS);
  });

  // Enter moves to the next field: such a form is sent only by its buttons.
  addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input[data-typed]")) return;
    event.preventDefault();
    const fields = [...event.target.form.querySelectorAll("[data-typed]")];
    fields[fields.indexOf(event.target) + 1]?.select();
  });

  const done = (form) => {
    form.dispatchEvent(new CustomEvent("done", { bubbles: true }));
    if (!form.matches("[data-ends]")) return;
    form.reset();
    form.closest("dialog").close();
  };

  // A browser queues requests when all its connections are in use: a command that waits too long is reported as failed.
  const PATIENCE_MS = 5000;
  const LONG_MS = 60000; // for forms with data-long: opening a game with its models, judging a Bam
  let choices = Promise.resolve(); // sent one after the other and before any other command, so that the last one counts
  const send = async (form, button) => {
    const content = new URLSearchParams(new FormData(form, button));
    content.set("by", touched ? "button" : "key");
    const entries = document.querySelector("[data-part=entries] data");
    if (entries) content.set("entries", entries.value); // two users who undo at the same moment mean the same entry
    const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
    const patience = (button ?? form).closest("[data-long]") ? LONG_MS : PATIENCE_MS;
    const post = () => fetch(address, { method: "POST", body: content, cache: "no-store", signal: AbortSignal.timeout(patience) });
    const asked = choices.then(post, post);
    if ([...form.elements].some((field) => field.matches("[data-sends]"))) choices = asked;
    let answer;
    root.dataset.sending = "";
    form.dataset.sent = ""; // its text need not be kept any more (parts.js)
    try {
      answer = await asked;
    } catch {
      delete form.dataset.sent;
      delete root.dataset.sending;
      showNotice(unanswered());
      return;
    }
    if (!answer.ok) delete form.dataset.sent;
    const way = answer.headers.get("location");
    const message = answer.headers.get("content-type")?.startsWith("text/plain") ? await answer.text() : "";
    if (way) { location.assign(way); return; }
    delete root.dataset.sending;
    if (answer.ok) done(form);
    else showNotice(message || unanswered());
  };

  // A second press while the first is pending is ignored.
  const pressed = new Set();
  const press = async (form, button) => {
    if (button && pressed.has(button)) return;
    pressed.add(button);
    try {
      if (typed) await sendTyped();
      await send(form, button);
    } finally { pressed.delete(button); }
  };

  addEventListener("click", (event) => { touched = event.detail > 0; }, true);
  addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    event.preventDefault();
    const form = event.target;
    if (typed === form) typed = null; // it is sent with this form
    press(form, event.submitter);
  });
  addEventListener("input", (event) => { if (event.target.form) delete event.target.form.dataset.sent; });
  addEventListener("change", (event) => {
    if (event.target.matches("[data-sends]") && event.target.value) event.target.form.requestSubmit();
  });
})();
