// Of several answers that are on their way, only that to the last question is believed: whoever asked later knows better.

/** `const ask = turns()` once, `const isLatest = ask()` before each question: `isLatest()` tells whether nobody has asked since. */
export function turns() {
  let asked = 0;
  return () => {
    const mine = ++asked;
    return () => mine === asked;
  };
}
