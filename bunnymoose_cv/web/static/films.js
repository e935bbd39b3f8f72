// A film that the browser cannot play is replaced by a sentence. If the browser has a share sheet, which needs a secure
// page, films are shared with it; otherwise they are saved.
"use strict";
(() => {
  addEventListener("error", (event) => {
    const film = event.target;
    if (!(film instanceof HTMLVideoElement)) return;
    film.hidden = true;
    film.nextElementSibling.hidden = false;
  }, true);

  const asFile = (content, name) => new File([content], name, { type: "video/mp4" });
  const sends = Boolean(navigator.share) && Boolean(navigator.canShare?.({ files: [asFile("", "film.mp4")] }));
  document.documentElement.toggleAttribute("data-sends-films", sends);

  const fetched = new Map(); // after a long download the browser wants another tap, and then has the film at once
  const give = async ({ gives, name }) => {
    if (!fetched.has(gives)) {
      const answer = await fetch(gives, { cache: "no-store" });
      if (!answer.ok) throw Error("gone");
      fetched.set(gives, asFile(await answer.blob(), name));
    }
    await navigator.share({ files: [fetched.get(gives)] });
    fetched.delete(gives);
  };
  addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-gives]");
    if (!button || button.disabled) return;
    button.disabled = true;
    try {
      await give(button.dataset);
    } catch (error) {
      if (error.name === "AbortError") return; // the user closed the share sheet
      const { again, gone, gives } = button.dataset;
      dispatchEvent(new CustomEvent("notice", { detail: error.name === "NotAllowedError" && fetched.has(gives) ? again : gone }));
    } finally { button.disabled = false; }
  });
})();
