// The screen at the table stays on while people look at it, where the browser lets a page ask for that.
"use strict";
(() => {
  const stayOn = async () => {
    if (document.hidden) return; // the lock ends with the sight, and is asked for again
    try { await navigator.wakeLock?.request("screen"); } catch { /* the computer saves power */ }
  };
  document.addEventListener("visibilitychange", stayOn);
  addEventListener("DOMContentLoaded", stayOn);
})();
