// The few words that modules say by themselves, in the page's language.
export const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
export const csrf = document.documentElement.dataset.csrf ?? "";
/** Where this page can be asked for: after a refused form the address in the bar only takes forms. */
export const here = () => new URL(document.documentElement.dataset.here ?? location.href, location.href);
