// Parts of a page, replaced when they change: the server's events say which. While nobody looks nothing is sent, and after
// a break the browser says what it has, so that only what differs comes.
"use strict";
(() => {
  const ASK_AGAIN_MS = 2000;
  const LATER_MS = 100;
  const PATIENCE_MS = 5000;
  const root = document.documentElement;
  let address = "";
  let seen = "";
  let source = null;
  let waits = ""; // of the query: for a free place, while another page of this browser has this one's

  const replace = (name, html) => {
    const part = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
    if (!part) return;
    if (part.dataset.stays !== undefined) { stay(part, html); return; }
    if (isAsIn(part, html)) return;
    const kept = [...part.querySelectorAll("[data-keeps]")].map((each) => [each.dataset.keeps, changed(each)]);
    const caret = caretIn(part);
    part.innerHTML = html;
    kept.forEach(([of, change]) => change?.(part.querySelector(`[data-keeps="${CSS.escape(of)}"]`)));
    caret?.();
  };

  // What people have opened, chosen or typed and not sent yet stays when its part is replaced, and a film goes on.
  const changed = (holder) => {
    if (holder.matches("video")) return (anew) => anew?.replaceWith(holder);
    if (holder.matches("details")) {
      const { open } = holder;
      return (anew) => { if (anew) anew.open = open; };
    }
    const fields = [...holder.elements].filter((each) => each.name && each.type !== "hidden");
    if (holder.dataset.sent !== undefined || !fields.some(differs)) return null;
    const held = new FormData(holder);
    return (anew) => { if (anew) fill(anew, held); };
  };
  const differs = (field) => {
    if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((each) => each.defaultSelected));
    return field.checked !== field.defaultChecked || field.value !== field.defaultValue;
  };
  const fill = (form, held) => {
    [...form.elements].filter((each) => each.name && each.type !== "hidden").forEach((field) => {
      const values = held.getAll(field.name);
      if (field.type === "radio" || field.type === "checkbox") field.checked = values.includes(field.value);
      else if (values.length) [field.value] = values;
    });
    form.dispatchEvent(new Event("change", { bubbles: true }));
  };

  // In a part that stays what has a key stays in its place: figures walk, and a log reads out its new lines alone.
  const stay = (part, html) => {
    const anew = part.cloneNode(false);
    anew.innerHTML = html;
    settle(part, anew);
    if (part.dataset.stays) part.classList.add(part.dataset.stays);
  };
  const settle = (old, anew) => {
    const fresh = [...anew.children];
    if (!fresh.some((each) => each.dataset.key)) {
      if (old.innerHTML !== anew.innerHTML) old.innerHTML = anew.innerHTML;
      return;
    }
    const keys = new Set(fresh.map((each) => each.dataset.key));
    [...old.childNodes].filter((each) => !keys.has(each.dataset?.key)).forEach((each) => each.remove());
    const there = new Map([...old.children].map((each) => [each.dataset.key, each]));
    let place = old.firstElementChild;
    fresh.forEach((each) => {
      const same = there.get(each.dataset.key);
      if (same) {
        [...each.attributes].forEach(({ name, value }) => same.setAttribute(name, value));
        settle(same, each);
      }
      if (same && same === place) place = place.nextElementSibling;
      else old.insertBefore(same ?? each, place);
    });
  };

  // Variables of style, which no attribute of a page may set (content policy).
  const dressed = new WeakMap();
  const dress = () => document.querySelectorAll("[data-vars]").forEach((each) => {
    if (dressed.get(each) === each.dataset.vars) return;
    dressed.set(each, each.dataset.vars);
    each.style.cssText = each.dataset.vars;
  });

  // What needs a permission is enabled while the page says that there is one, and stays as people left it.
  const allow = () => {
    const allowed = document.querySelector("[data-allows]")?.dataset.allows.split(" ") ?? [];
    document.querySelectorAll("[data-needs]").forEach((each) => { each.disabled = !allowed.includes(each.dataset.needs); });
  };

  // People see what they tick, choose and type before the server tells so: a part that they have brought there stays, and
  // what they pressed meanwhile is not lost with it.
  const isAsIn = (part, html) => {
    if (!part.querySelector("input, select")) return false;
    const now = document.createElement(part.tagName);
    now.innerHTML = html;
    return anewAsShown(part).isEqualNode(anewAsShown(now));
  };
  const anewAsShown = (part) => {
    const copy = document.createElement("div");
    copy.append(...[...part.childNodes].map((each) => each.cloneNode(true)));
    copy.querySelectorAll("[data-sent]").forEach((each) => each.removeAttribute("data-sent"));
    const fields = part.querySelectorAll("input, option");
    copy.querySelectorAll("input, option").forEach((each, index) => asShown(each, fields[index]));
    return copy;
  };
  const asShown = (copy, field) => {
    copy.toggleAttribute("checked", Boolean(field.checked));
    copy.toggleAttribute("selected", Boolean(field.selected));
    if (field.type === "text" || field.type === "range") copy.setAttribute("value", field.value);
  };

  // Whoever is typing in a part goes on where the caret was.
  const caretIn = (part) => {
    const field = document.activeElement;
    if (!part.contains(field) || !field.matches("input[data-typed]")) return null;
    const { value, selectionStart, selectionEnd } = field;
    return () => {
      const anew = part.querySelector(`[data-focus="${CSS.escape(field.dataset.focus)}"]`);
      if (!anew) return;
      anew.value = value;
      anew.focus();
      anew.setSelectionRange(selectionStart, selectionEnd);
    };
  };

  const show = (event) => {
    seen = event.lastEventId;
    waits = "";
    Object.entries(JSON.parse(event.data)).forEach(([name, html]) => replace(name, html));
    allow();
    dress();
    dispatchEvent(new CustomEvent("replaced"));
    if (root.dataset.stream === "lost") revive();
    root.dataset.stream = "open";
  };
  // A live image ends with its server, and no browser asks for it again by itself. While nobody looks it is given up: a
  // browser has six connections for all its pages.
  const LIVE = ".glass > img";
  let asked = 0;
  const watch = (image, how = "asked") => {
    if (document.hidden) image.removeAttribute("src");
    else image.src = `/live.mjpeg?${how}=${++asked}`;
  };
  // The image of a stream whose place another page has is dark and of this width (live_image.py): a free one is waited for.
  const LOST_PX = 32;
  setInterval(() => document.querySelectorAll(LIVE).forEach((image) => {
    if (image.naturalWidth === LOST_PX) watch(image, "waits");
  }), ASK_AGAIN_MS);
  const revive = () => document.querySelectorAll(LIVE).forEach((image) => watch(image));
  addEventListener("error", (event) => {
    const image = event.target;
    if (image instanceof Element && image.matches(LIVE)) setTimeout(() => { if (image.isConnected) watch(image, "waits"); }, ASK_AGAIN_MS);
  }, true);

  // A command that is on its way may lead to another page.
  const reload = () => {
    if (root.dataset.sending === undefined) location.reload();
    else setTimeout(reload, LATER_MS);
  };
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(`${address}?seen=${seen}${waits}`);
    source.addEventListener("parts", show);
    source.addEventListener("reload", reload);
    source.addEventListener("displaced", yieldPlace);
    source.addEventListener("error", lost);
  };
  const close = () => { source?.close(); source = null; };
  const yieldPlace = (event) => {
    root.dataset.stream = "lost";
    waits = "&waits=1";
    close();
    dispatchEvent(new CustomEvent("tell", { detail: JSON.parse(event.data) }));
    setTimeout(ask, ASK_AGAIN_MS);
  };
  const lost = () => {
    root.dataset.stream = "lost";
    if (source.readyState !== EventSource.CLOSED) return; // it comes back by itself
    close();
    setTimeout(ask, ASK_AGAIN_MS);
  };

  // A browser does not tell why a stream was refused: whoever is known no more sees that on the page loaded anew.
  const ask = async () => {
    if (source) return;
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), PATIENCE_MS);
    try {
      const answer = await fetch(`${address}?seen=${seen}${waits}`, { cache: "no-store", signal: stop.signal });
      if (answer.status === 403) { location.reload(); return; }
      if (answer.ok) { stop.abort(); open(); return; }
      if (answer.headers.get("content-type")?.startsWith("text/plain")) {
        dispatchEvent(new CustomEvent("tell", { detail: await answer.text() }));
      }
    } catch { /* nobody there yet */ } finally { clearTimeout(late); }
    setTimeout(ask, ASK_AGAIN_MS);
  };

  // What a page holds open (data-holds), a practice with its counts, is not given up while another tab is looked at.
  document.addEventListener("visibilitychange", () => {
    revive();
    waits = "";
    if (!document.hidden) { open(); return; }
    if (document.querySelector("[data-holds]")) return;
    root.dataset.stream = "rests";
    close();
  });
  addEventListener("DOMContentLoaded", () => {
    address = document.body.dataset.stream;
    seen = document.body.dataset.seen;
    allow();
    dress();
    if (document.hidden) revive();
    open();
  });
})();
