// Beside a code that phones scan: how long it is good. The page's stream brings the next one.
import { refresh } from "./live.js";

const ends = new WeakMap();

function count() {
  for (const left of document.querySelectorAll("[data-left]")) {
    if (!ends.has(left)) ends.set(left, performance.now() + Number(left.dataset.left));
    const seconds = Math.ceil((ends.get(left) - performance.now()) / 1000);
    left.textContent = left.dataset.words.replace("{}", String(Math.max(0, seconds)));
    // Another server of the installation may run the line, whose notices do not come here.
    if (seconds < 0 && !left.dataset.asked) {
      left.dataset.asked = "1";
      refresh(left.closest("[data-part]"));
    }
  }
}

count();
document.addEventListener("swapped", count);
setInterval(count, 1000);
