// The form for a pose: the server draws the chosen pose with its score. One request at a time, the next with the newest
// choice.
"use strict";
(() => {
  const asked = new WeakSet();
  const preview = async (form) => {
    if (asked.has(form)) return;
    asked.add(form);
    let about;
    do {
      about = new URLSearchParams(new FormData(form)).toString();
      await draw(form, about);
    } while (form.isConnected && new URLSearchParams(new FormData(form)).toString() !== about);
    asked.delete(form);
  };
  const draw = async (form, about) => {
    try {
      const answer = await fetch(`${form.dataset.preview}?${about}`, { cache: "no-store" });
      if (!answer.ok) return; // sending the form reports why
      const { art, words } = await answer.json();
      form.querySelector(".result .pose").innerHTML = art;
      form.querySelector(".result output").textContent = words;
    } catch { /* the server is not reachable now */ }
  };
  addEventListener("change", (event) => {
    const form = event.target.closest("[data-preview]");
    if (form) preview(form);
  });
})();
