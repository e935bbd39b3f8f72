// The frames around Bam: one at a time, or all as a slow film; zoomed in or whole, with or without landmarks. The
// user's choices are kept when the frames are sent again.
"use strict";
(() => {
  const SIGNS = { rests: "▶", plays: "❚❚" };
  let at = null; // number of the shown frame; null shows the frozen one
  let film = 0;
  const on = { zoomed: true, landmarks: true };

  const viewer = () => document.querySelector(".viewer");
  const frames = () => [...viewer().querySelectorAll("[data-label]")];
  const paint = () => {
    if (!viewer()) return;
    const all = frames();
    at = Math.min(at ?? Number(viewer().dataset.frozen), all.length - 1);
    all.forEach((frame, index) => frame.classList.toggle("shown", index === at));
    viewer().classList.toggle("zoomed", on.zoomed);
    viewer().classList.toggle("bare", !on.landmarks);
    viewer().querySelectorAll("[data-turns]").forEach((button) => button.setAttribute("aria-pressed", on[button.dataset.turns]));
    const play = viewer().querySelector("[data-steps=film]");
    play.setAttribute("aria-pressed", film !== 0);
    play.textContent = film ? SIGNS.plays : SIGNS.rests;
    const time = viewer().querySelector(".time");
    time.setAttribute("aria-live", film ? "off" : "polite");
    if (time.textContent !== all[at].dataset.label) time.textContent = all[at].dataset.label;
  };
  const go = (by) => {
    if (!viewer()) { rest(); return; }
    at = (at + by + frames().length) % frames().length;
    paint();
  };
  const rest = () => { clearInterval(film); film = 0; };
  const play = () => { film = setInterval(() => go(1), Number(viewer().dataset.stepMs)); };

  const STEPS = {
    back: () => { rest(); go(-1); },
    forth: () => { rest(); go(1); },
    bam: () => { rest(); at = null; paint(); },
    film: () => { if (film) rest(); else play(); paint(); },
  };
  addEventListener("click", (event) => {
    const pressed = event.target.closest(".viewer [data-steps], .viewer [data-turns]");
    if (!pressed) return;
    if (pressed.dataset.steps) { STEPS[pressed.dataset.steps](); return; }
    on[pressed.dataset.turns] = !on[pressed.dataset.turns];
    paint();
  });
  addEventListener("DOMContentLoaded", paint);
  addEventListener("replaced", paint);
})();
