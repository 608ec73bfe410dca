// A ticket that comes into hand opens the system's dialog by itself, once; then the next one is taken.
const KEY = "printed here";

const look = () => {
  const keys = document.querySelector("[data-ticket]");
  if (!keys) {
    const next = document.querySelector("form[data-next]");
    if (next && !next.dataset.sent) {
      next.dataset.sent = "1";
      next.requestSubmit();
    }
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

new MutationObserver(look).observe(document.querySelector(".print-here"), { childList: true, subtree: true });
look();
