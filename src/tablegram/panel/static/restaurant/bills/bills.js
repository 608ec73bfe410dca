// What the chosen dishes come to, before anybody takes the money. The server reckons it in the same way.
const form = document.getElementById("take");
const shown = form?.querySelector("[data-sum]");

const portions = (field) => {
  if (field.type === "checkbox") return field.checked ? 1 : 0;
  return Number(field.value.split(":")[2] ?? 0);
};

const worth = (order) => {
  const fields = [...order.querySelectorAll("[name=dish]")];
  // What costs nothing is nobody's to pay.
  const count = fields.reduce((sum, one) => sum + (Number(one.dataset.own) ? portions(one) : 0), 0);
  const { total, open, whole, left } = Object.fromEntries(Object.entries(order.dataset).map(([key, one]) => [key, Number(one)]));
  if (count >= left) return open;
  const value = fields.reduce((sum, one) => {
    const [own, of] = [Number(one.dataset.own), Number(one.dataset.of)];
    return sum + Math.floor((2 * own * portions(one) + of) / (2 * of));
  }, 0);
  return whole ? Math.min(open, Math.floor((2 * total * value + whole) / (2 * whole))) : 0;
};

const add = () => {
  const sum = [...form.querySelectorAll(".bill-dishes")].reduce((all, order) => all + worth(order), 0);
  const format = new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency: shown.dataset.currency });
  shown.hidden = sum === 0;
  shown.textContent = format.format(sum / 10 ** format.resolvedOptions().maximumFractionDigits);
};

if (shown) {
  form.addEventListener("change", (event) => event.target.name === "dish" && add());
  add();
}
