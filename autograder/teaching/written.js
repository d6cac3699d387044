"use strict";
const main = document.querySelector("main");
const cards = [...document.querySelectorAll("article")];
const kept = new WeakMap();
let open = 0; // what is on its way to the gradebook

const read = (card) => JSON.stringify([card.querySelector(".score").value, card.querySelector(".comment").value]);

function say(card, words, bad) {
  const place = card.querySelector(".said");
  place.textContent = words;
  place.classList.toggle("bad", Boolean(bad));
}

async function send(body, tries = 3) {
  const answer = await fetch(location.pathname, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-XSRFToken": main.dataset.xsrf },
    body,
  });
  if (answer.status === 503 && tries > 1) {
    await new Promise((done) => setTimeout(done, 2000));
    return send(body, tries - 1);
  }
  let said = {};
  try {
    said = await answer.json();
  } catch {
    // an error page
  }
  if (!answer.ok) throw new Error(said.why || said.message || `the server answered ${answer.status}`);
  return said;
}

async function save(card) {
  const now = read(card);
  if (kept.get(card) === now) return;
  const score = card.querySelector(".score");
  if (!score.checkValidity()) {
    say(card, `Not saved: points are a number from 0 to ${score.max}.`, true);
    return;
  }
  kept.set(card, now);
  open += 1;
  say(card, "Saving …");
  const points = score.value === "" ? null : Number(score.value);
  const comment = card.querySelector(".comment").value;
  try {
    const said = await send(JSON.stringify({ submission: card.dataset.submission, points, comment }));
    document.getElementById("waits").textContent = said.waits;
    document.getElementById("graded").textContent = said.graded;
    if (points !== null) {
      card.dataset.state = "graded";
      card.querySelector(".state").textContent = "✓ graded";
    } else if (card.dataset.state === "graded") {
      card.dataset.state = "waits";
      card.querySelector(".state").textContent = "✎ waits";
    }
    if (read(card) === now) say(card, "Saved in the gradebook.");
  } catch (error) {
    if (kept.get(card) === now) kept.set(card, "");
    say(card, `Not saved: ${error.message} Change something, or press Enter in the points, to try again.`, true);
  } finally {
    open -= 1;
  }
}

function go(card, step) {
  const next = cards[cards.indexOf(card) + step];
  if (next) {
    next.scrollIntoView({ block: "start" });
    next.querySelector(".score").focus({ preventScroll: true });
    next.querySelector(".score").select();
  } else if (step > 0) {
    document.querySelector("nav a")?.focus();
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
      save(card);
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
