// The pattern by which a camera's delay is measured: light or dark by the clock of the computer with the camera, which
// the page estimates from the round trip of a request.
"use strict";
(() => {
  const QUESTIONS = 10;
  const LOOK_AGAIN_MS = 300;
  let ahead = null; // lead of that clock over this page's, milliseconds

  const askClock = async () => {
    let best = Infinity;
    let found = null;
    for (let number = 0; number < QUESTIONS; number += 1) {
      const sent = performance.now();
      try {
        const { seconds } = await (await fetch("/clock.json", { cache: "no-store" })).json();
        const took = performance.now() - sent;
        if (took < best) { best = took; found = seconds * 1000 - (sent + took / 2); }
      } catch { /* the next request may succeed */ }
    }
    ahead = found;
  };

  const show = async () => {
    const pattern = document.querySelector("[data-pattern]");
    if (!pattern) {
      ahead = null; // a later check asks again: clocks drift apart
      setTimeout(show, LOOK_AGAIN_MS);
      return;
    }
    if (ahead === null) await askClock();
    const bits = pattern.dataset.pattern;
    const number = Math.floor((performance.now() + ahead) / (1000 * Number(pattern.dataset.bitS)));
    pattern.classList.toggle("lit", bits[number % bits.length] === "1");
    requestAnimationFrame(show);
  };
  addEventListener("DOMContentLoaded", show);
})();
