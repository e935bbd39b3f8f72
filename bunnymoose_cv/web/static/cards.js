// Picked and typed cards: faces to choose from are fetched when a motif is tapped, and typed text is sent to the server
// for a preview of the cards that it understands.
"use strict";
(() => {
  const PATIENCE_MS = 5000;
  const fetched = async (address) => {
    try {
      const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
      if (answer.ok) return await answer.text();
      const message = answer.headers.get("content-type")?.startsWith("text/plain") ? await answer.text() : "";
      dispatchEvent(new CustomEvent("notice", { detail: message || unanswered() }));
    } catch {
      dispatchEvent(new CustomEvent("notice", { detail: unanswered() }));
    }
    return "";
  };
  const unanswered = () => document.querySelector("[data-unanswered]")?.dataset.unanswered ?? "";

  // ---------- each card is laid once ----------

  const LAYS = 'form[action="/command/lay"]';
  const TAPPED_TWICE_MS = 1000;
  let tapped = null;
  addEventListener("submit", (event) => {
    const card = event.submitter?.value;
    if (!card || !event.target.matches(LAYS)) return;
    if (card === tapped) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    tapped = card;
    setTimeout(() => { if (card === tapped) tapped = null; }, TAPPED_TWICE_MS);
  }, true);
  // Another visitor may lay a card at the same moment, so the number of cards on this page is sent along.
  addEventListener("formdata", (event) => {
    if (!event.target.matches(LAYS)) return;
    const piles = [...document.querySelectorAll("[data-laid]")];
    event.formData.set("after", piles.reduce((sum, each) => sum + Number(each.dataset.laid), 0));
  });

  // ---------- picked ----------

  let wanted = null;
  addEventListener("click", async (event) => {
    const tile = event.target.closest("[data-faces]");
    if (!tile) return;
    wanted = tile;
    const dialog = document.getElementById(tile.dataset.opens);
    dialog.querySelector("[data-title]").textContent = tile.textContent;
    const faces = await fetched(tile.dataset.faces);
    if (wanted === tile && dialog.open) dialog.querySelector("[data-filled]").innerHTML = faces;
  });
  addEventListener("close", (event) => {
    wanted = null;
    event.target.querySelector("[data-filled]")?.replaceChildren();
  }, true);

  // ---------- typed: one request at a time, the next with the newest text; sent only without mistakes ----------

  let asking = null;
  let right = null; // the newest text without mistakes
  const understood = async (field) => {
    const place = document.getElementById(field.getAttribute("aria-describedby"));
    let about;
    do {
      about = field.value;
      const preview = await fetched(`${field.dataset.understood}?typed=${encodeURIComponent(about)}`);
      if (preview) place.innerHTML = preview;
      right = preview && !place.querySelector("mark") ? about : null;
    } while (field.value !== about);
    asking = null;
  };
  const understand = (field) => asking ??= understood(field);
  addEventListener("input", (event) => { if (event.target.matches("[data-understood]")) understand(event.target); });
  addEventListener("submit", async (event) => {
    const form = event.target;
    const field = form.querySelector("[data-understood]");
    if (!field || field.value === right) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const meant = field.value; // the user is still typing, and sends it later
    await understand(field);
    if (field.value === meant && meant === right) form.requestSubmit(event.submitter);
  }, true);
  addEventListener("done", (event) => {
    const field = event.target.querySelector("[data-understood]");
    if (!field) return;
    field.value = "";
    understand(field);
    field.closest("dialog")?.close();
  });
})();
