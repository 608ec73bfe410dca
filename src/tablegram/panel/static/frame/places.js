// The places of the navigation: groups that fold, names beside icons, and the list where it was scrolled to.
const COOKIE = "tablegram_folded";
const SCROLL = "tablegram.places";
const places = document.querySelector(".rail .places");

function folds(name) {
  return document.querySelectorAll(`[data-folds="${CSS.escape(name)}"]`);
}

// The rail and the menu show the same groups; the server reads from the cookie how to draw the next page.
document.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-folds]");
  if (!pressed) return;
  const folded = pressed.getAttribute("aria-expanded") === "true";
  for (const one of folds(pressed.dataset.folds)) {
    one.setAttribute("aria-expanded", String(!folded));
    document.getElementById(one.getAttribute("aria-controls"))?.toggleAttribute("data-folded", folded);
  }
  const names = new Set([...document.querySelectorAll('[data-folds][aria-expanded="false"]')].map((one) => one.dataset.folds));
  document.cookie = `${COOKIE}=${[...names].join(".")}; path=/panel; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
});

if (places) {
  try {
    places.scrollTop = Number(sessionStorage.getItem(SCROLL));
  } catch {
    // A browser that keeps nothing shows the list from its beginning.
  }
  const current = places.querySelector("[aria-current]");
  if (current) {
    const box = places.getBoundingClientRect();
    const own = current.getBoundingClientRect();
    if (own.top < box.top) places.scrollTop -= box.top - own.top + 8;
    else if (own.bottom > box.bottom) places.scrollTop += own.bottom - box.bottom + 8;
  }
  window.addEventListener("pagehide", () => {
    try {
      sessionStorage.setItem(SCROLL, String(places.scrollTop));
    } catch {
      // As above.
    }
  });
}

// Where tabs run out of the screen, the current one is in sight.
for (const tabs of document.querySelectorAll(".tabs")) {
  const own = tabs.querySelector("[aria-current]")?.getBoundingClientRect();
  const box = tabs.getBoundingClientRect();
  if (own && own.right > box.right) tabs.scrollLeft += own.right - box.right + 8;
}

// On a tablet the rail has no room for names: the one that is pointed at or has the focus is shown beside it.
const rail = document.querySelector(".rail");
const narrow = matchMedia("(min-width: 700px) and (max-width: 1099px)");
let tip = null;

function hide() {
  tip?.remove();
  tip = null;
}

function show(event) {
  const target = event.target.closest?.("a, button");
  const name = target?.querySelector(".name")?.textContent;
  hide();
  if (!name || !narrow.matches || event.pointerType === "touch") return;
  if (event.type === "focusin" && !target.matches(":focus-visible")) return;
  tip = document.createElement("div");
  tip.className = "rail-tip";
  // The link says its name itself; this is for the eye.
  tip.setAttribute("aria-hidden", "true");
  tip.textContent = name;
  document.body.append(tip);
  const box = target.getBoundingClientRect();
  const edge = rail.getBoundingClientRect();
  tip.style.top = `${box.top + box.height / 2 - tip.offsetHeight / 2}px`;
  if (getComputedStyle(rail).direction === "rtl") tip.style.right = `${innerWidth - edge.left + 6}px`;
  else tip.style.left = `${edge.right + 6}px`;
}

rail?.addEventListener("pointerover", show);
rail?.addEventListener("focusin", show);
rail?.addEventListener("pointerleave", hide);
rail?.addEventListener("focusout", hide);
rail?.addEventListener("click", hide);
places?.addEventListener("scroll", hide, { passive: true });
document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
