import { facts } from "./words.js";

// How numbers look, from the library that the server itself reads them with: see `values/phone_rules.py`.
const rules = facts.phones;
const whole = (pattern) => new RegExp(`^(?:${pattern})$`);
const leading = (pattern) => (pattern ? new RegExp(`^(?:${pattern})`) : /^$/);

// Whether the server can read it as a number, as far as a phone without a network can tell. What is doubtful is a number:
// the server has the last word.
export function isPhone(text) {
  const plain = text.normalize("NFKC").trim();
  const digits = plain.replace(/\D/g, "");
  if (digits.length < 3) return false;
  // An extension, or letters on the keys.
  if (/[^\d\s+().\-/‐-―]/.test(plain)) return true;
  if (isAbroad(digits) || isAbroad(digits.replace(leading(rules.abroad), ""))) return true;
  if (plain.startsWith("+") || !rules.national) return false;
  return [digits, digits.replace(leading(rules.prefix), "")].some((one) => whole(rules.national).test(one));
}

// With its country's code: as many digits behind it as the country has, or a zero more that does not belong there.
function isAbroad(digits) {
  if (!/^[1-9]\d{6,14}$/.test(digits)) return false;
  for (const [lengths, codes] of Object.entries(rules.lengths)) {
    const code = codes.find((one) => digits.startsWith(one));
    if (!code) continue;
    const rest = digits.slice(code.length);
    const possible = lengths.split(",").map(Number);
    return [rest, rest.replace(/^[018]/, ""), rest.replace(/^0\d/, "")].some((one) => possible.includes(one.length));
  }
  return false;
}
