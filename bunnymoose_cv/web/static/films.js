// A film that cannot be played gives way to a sentence: the browser alone knows.
"use strict";
addEventListener("error", (event) => {
  const film = event.target;
  if (!(film instanceof HTMLVideoElement)) return;
  film.hidden = true;
  film.nextElementSibling.hidden = false;
}, true);
