"use strict";
const main = document.querySelector("main");
const cards = [...document.querySelectorAll("article")];
const TRIES = 3;
const PAUSE = 2000; // milliseconds until a busy gradebook is tried again
const CHANGED = 409; // the gradebook has something that this page has not seen
const BUSY = 503;
const kept = new WeakMap(); // what a card says in the gradebook; "" where that is not known
const last = new WeakMap(); // a card's last save, as a promise
const queued = new Map(); // cards whose save has not begun yet: whether Enter asked for it
let open = 0; // saves on their way to the gradebook

const read = (card) => JSON.stringify([card.querySelector(".score").value, card.querySelector(".comment").value]);

function say(card, words, bad) {
  const place = card.querySelector(".said");
  place.textContent = words;
  place.classList.toggle("bad", Boolean(bad));
}

const waits = (card) => card.dataset.state === "waits";

// What a card says now goes to the server; returns that and the server's answer.
async function send(card) {
  const now = read(card);
  const score = card.querySelector(".score").value;
  const answer = await fetch(location.pathname, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-XSRFToken": main.dataset.xsrf },
    body: JSON.stringify({
      submission: card.dataset.submission,
      points: score === "" ? null : Number(score),
      comment: card.querySelector(".comment").value,
      seen: JSON.parse(card.dataset.seen),
    }),
  });
  return { now, answer };
}

async function why(answer) {
  let said = {};
  try {
    said = await answer.json();
  } catch {
    // an error page
  }
  return said.why || said.message || `the server answered ${answer.status}`;
}

// One save of a card at a time: each tells what the one before it has left in the gradebook.
function save(card, confirmed = false) {
  if (!queued.has(card)) {
    const before = last.get(card) ?? Promise.resolve();
    last.set(card, before.then(() => saveNow(card)));
  }
  queued.set(card, queued.get(card) || confirmed);
}

async function saveNow(card) {
  const confirmed = queued.get(card);
  queued.delete(card);
  const score = card.querySelector(".score");
  const givenAgain = confirmed && waits(card) && score.value !== ""; // of what was handed in again
  if (kept.get(card) === read(card) && !givenAgain) return;
  open += 1;
  try {
    for (let tries = TRIES; tries > 0; tries -= 1) {
      if (!score.checkValidity()) {
        say(card, `Not saved: points are a number from 0 to ${score.max}.`, true);
        return;
      }
      say(card, "Saving …");
      const { now, answer } = await send(card);
      if (answer.ok) {
        show(card, now, await answer.json());
        return;
      }
      if (answer.status !== BUSY || tries === 1) {
        const again = answer.status === CHANGED ? "" : " Change something, or press Enter in the points, to try again.";
        kept.set(card, "");
        say(card, `Not saved: ${await why(answer)}${again}`, true);
        return;
      }
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  } catch (error) {
    kept.set(card, "");
    say(card, `Not saved: ${error.message} Change something, or press Enter in the points, to try again.`, true);
  } finally {
    open -= 1;
  }
}

function show(card, now, said) {
  kept.set(card, now);
  card.dataset.seen = JSON.stringify(said.seen);
  card.dataset.state = said.state;
  card.querySelector(".state").textContent = said.said;
  document.getElementById("waits").textContent = said.waits;
  document.getElementById("graded").textContent = said.graded;
  say(card, read(card) === now ? "Saved in the gradebook." : "");
}

function go(card, step) {
  const next = cards[cards.indexOf(card) + step];
  if (next) {
    next.scrollIntoView({ block: "start" });
    next.querySelector(".score").focus({ preventScroll: true });
    next.querySelector(".score").select();
  } else if (step > 0) {
    (document.getElementById("following") || document.querySelector("nav a"))?.focus();
  }
}

for (const card of cards) {
  kept.set(card, read(card));
  card.addEventListener("change", () => save(card));
  card.addEventListener("keydown", (event) => {
    const inComment = event.target.classList.contains("comment");
    const inPoints = event.target.classList.contains("score");
    if (event.key === "Enter" && ((inPoints && !event.shiftKey) || (inComment && (event.ctrlKey || event.metaKey)))) {
      event.preventDefault();
      const fits = card.querySelector(".score").checkValidity();
      save(card, true);
      if (fits) go(card, 1);
    } else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      go(card, event.key === "ArrowDown" ? 1 : -1);
    }
  });
}
document.getElementById("names").addEventListener("change", (event) => {
  document.body.classList.toggle("names", event.target.checked);
});
addEventListener("beforeunload", (event) => {
  if (open || cards.some((card) => kept.get(card) !== read(card))) event.preventDefault();
});
(cards.find((card) => card.dataset.state === "waits") || cards[0])?.querySelector(".score").focus();
