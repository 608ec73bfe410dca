// What the counted cash comes to beside what should be there, before anybody closes the drawer. The server reckons it too.
const form = document.getElementById("count");
const shown = form?.querySelector("[data-gap]");

const digits = (format) => format.resolvedOptions().maximumFractionDigits;

// The last separator with as many figures behind it as the currency has decimals is the decimal one.
const typed = (text, places) => {
  const plain = text.replace(/[^\d.,]/g, "");
  if (!plain) return null;
  const match = places ? plain.match(new RegExp(`^(.*)[.,](\\d{1,${places}})$`)) : null;
  const whole = (match ? match[1] : plain).replace(/[.,]/g, "");
  return Number(whole || 0) * 10 ** places + Number((match ? match[2] : "").padEnd(places, "0") || 0);
};

const tell = () => {
  const { currency, expected, fits, missing, over } = shown.dataset;
  const format = new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency, currencyDisplay: "narrowSymbol" });
  const notes = [...form.querySelectorAll("[data-value]")].filter((one) => /^\d+$/.test(one.value.trim()));
  const ofNotes = notes.reduce((sum, one) => sum + Number(one.dataset.value) * Number(one.value), 0);
  const counted = notes.length ? ofNotes : typed(form.elements.counted_amount.value, digits(format));
  shown.hidden = counted === null;
  if (counted === null) return;
  const gap = counted - Number(expected);
  const write = (amount) => format.format(amount / 10 ** digits(format));
  const words = gap === 0 ? fits : (gap < 0 ? missing : over).replace("{amount}", write(Math.abs(gap)));
  shown.dataset.tone = gap === 0 ? "ok" : gap < 0 ? "bad" : "warn";
  shown.textContent = `${write(counted)} · ${words}`;
};

if (shown) {
  form.addEventListener("input", tell);
  if (form.querySelector(".till-notes :is([data-value]:not([value='']), [aria-invalid])")) form.querySelector(".till-notes").open = true;
  tell();
}
