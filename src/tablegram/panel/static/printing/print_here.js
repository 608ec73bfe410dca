// A ticket that comes into hand opens the system's dialog by itself, once; then the next one is taken.
const KEY = "printed here";

// Once something is on its way, the page that comes next looks: a dialog of this one would go with it.
let leaving = false;

const look = () => {
  if (leaving) return;
  const keys = document.querySelector("[data-ticket]");
  if (!keys) {
    document.querySelector("form[data-next]")?.requestSubmit();
    return;
  }
  const button = keys.querySelector("[data-print]");
  button.hidden = false;
  button.onclick = () => window.print();
  if (sessionStorage.getItem(KEY) !== keys.dataset.ticket) {
    sessionStorage.setItem(KEY, keys.dataset.ticket);
    window.print();
    keys.querySelector('[value="printed"]').focus();
  }
};

document.addEventListener("submit", () => (leaving = true));
window.addEventListener("pageshow", (event) => {
  if (event.persisted) leaving = false;
});
new MutationObserver(look).observe(document.querySelector(".print-here"), { childList: true, subtree: true });
look();
