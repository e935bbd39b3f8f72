// Keeps the screen at the table on while the page is visible, if the browser has a wake lock.
"use strict";
(() => {
  const stayOn = async () => {
    if (document.hidden) return; // a hidden page loses its lock, and requests it again when it is shown
    try { await navigator.wakeLock?.request("screen"); } catch { /* the computer is saving power */ }
  };
  document.addEventListener("visibilitychange", stayOn);
  addEventListener("DOMContentLoaded", stayOn);
})();
