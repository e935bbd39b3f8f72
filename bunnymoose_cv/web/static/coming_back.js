// Comes back by itself: where the server refuses the socket of an open page, the page is loaded anew as soon as the server
// answers at all, and says then what is the matter. NiceGUI does that for pages that the server has forgotten.
"use strict";
(() => {
  let waits = false;
  const ask = async () => {
    waits = false;
    try {
      const answer = await fetch("/known", { cache: "no-store" });
      if (answer.status === 403) location.reload();
    } catch { /* nobody there yet: the socket tries again, and fails again, and we ask again */ }
  };
  const listen = () => {
    if (!window.socket) { setTimeout(listen, 100); return; }
    window.socket.on("connect_error", () => { if (!waits) { waits = true; setTimeout(ask, 300); } });
  };
  listen();
})();
