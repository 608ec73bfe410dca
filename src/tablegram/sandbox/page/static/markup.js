// The network's own formatting: *bold*, _italic_, ~strike~, ```mono```, and addresses that can be opened.
import { element } from "./elements.js";

const STYLES = [
  ["```", "code"],
  ["*", "strong"],
  ["_", "em"],
  ["~", "s"],
];
const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]/;
const WORD = /[\p{L}\p{N}]/u;

export function formatted(text) {
  const whole = document.createDocumentFragment();
  whole.append(...pieces(text, 0));
  return whole;
}

function pieces(text, depth) {
  const address = text.match(ADDRESS);
  const style = depth < 8 ? firstStyle(text) : null;
  if (address && (!style || address.index <= style.start)) {
    const link = element("a", { href: address[0], target: "_blank", rel: "noopener noreferrer" }, address[0]);
    const end = address.index + address[0].length;
    return [text.slice(0, address.index), link, ...pieces(text.slice(end), depth)];
  }
  if (!style) return text ? [text] : [];
  const inner = text.slice(style.start + style.mark.length, style.end);
  const content = style.tag === "code" ? [inner] : pieces(inner, depth + 1);
  return [
    text.slice(0, style.start),
    element(style.tag, {}, ...content),
    ...pieces(text.slice(style.end + style.mark.length), depth),
  ];
}

// A mark opens before a word and closes after one, and does not stand inside a word: 2*3*4 stays as it is.
function firstStyle(text) {
  let best = null;
  for (const [mark, tag] of STYLES) {
    for (let start = text.indexOf(mark); start >= 0; start = text.indexOf(mark, start + 1)) {
      if (best && start >= best.start) break;
      const end = closing(text, mark, start);
      if (end > 0) {
        best = { start, end, mark, tag };
        break;
      }
    }
  }
  return best;
}

function closing(text, mark, start) {
  const opensInWord = start > 0 && WORD.test(text[start - 1]);
  const first = start + mark.length;
  if (opensInWord || first >= text.length || (mark !== "```" && /\s/.test(text[first]))) return -1;
  for (let end = text.indexOf(mark, first + 1); end > 0; end = text.indexOf(mark, end + 1)) {
    const inside = text.slice(first, end);
    if (mark === "```") return end;
    if (inside.includes("\n")) return -1;
    const after = text[end + mark.length];
    if (!/\s$/.test(inside) && !(after && WORD.test(after))) return end;
  }
  return -1;
}
