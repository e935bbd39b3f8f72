// Photographs of the cards are scaled in the browser to the size that the referee needs, and sent at once. A picker
// gives the address in data-photo, and contains the sentences for the user.
"use strict";
(() => {
  const LONGEST = 2048;
  const QUALITY = 0.85;

  const scaled = async (file) => {
    const image = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    return new Promise((resolve, reject) => canvas.toBlob((made) => made ? resolve(made) : reject(), "image/jpeg", QUALITY));
  };

  const isHeic = (file) => /\.hei[cf]$/i.test(file.name) || /hei[cf]/i.test(file.type);

  // Each picker of a page has its own holder, so that photographs of one picker are sent one after the other.
  const send = async (holder, file) => {
    const says = (name) => holder.dataset[name] ?? "";
    let body;
    try {
      body = await scaled(file);
    } catch {
      return isHeic(file) ? says("heic") : says("unreadable");
    }
    try {
      const answer = await fetch(holder.dataset.photo, {
        method: "POST", body, headers: { "content-type": "image/jpeg" }, cache: "no-store",
      });
      if (answer.ok) return says("done");
      const message = answer.headers.get("content-type")?.startsWith("text/plain") ? await answer.text() : "";
      return message || says("failed");
    } catch {
      return says("failed");
    }
  };

  addEventListener("change", async (event) => {
    const picker = event.target;
    const holder = picker.closest?.("[data-photo]");
    if (!holder || picker.type !== "file" || !picker.files.length) return;
    const files = [...picker.files];
    picker.value = ""; // the same photograph can be chosen again
    const progress = holder.querySelector("[data-progress]");
    holder.setAttribute("aria-busy", "true");
    for (const [index, file] of files.entries()) {
      progress.textContent = holder.dataset.busy + (files.length > 1 ? ` ${index + 1}/${files.length}` : "");
      const sentence = await send(holder, file);
      progress.textContent = sentence;
      if (sentence !== (holder.dataset.done ?? "")) break;
    }
    holder.removeAttribute("aria-busy");
  });
})();
