// A map of our own: a flat grid in metres around a point, drawn with lines. It asks nobody for pictures, unless the
// installation names whose to lie below.
const SVG = "http://www.w3.org/2000/svg";
const METRES = 111194.93;
const STEP_PX = 16;
const PAN_PX = 64;
const CLICK_PX = 6;
const GRID_PX = 70;
// No nearer than a doorstep, no farther than a country.
const NEAREST = 0.2;
const FARTHEST = 4000;
// Pictures: how many metres a pixel of the whole world is, the finest that servers have, and how many lie on one map.
const WORLD = 156543.03;
const FINEST = 19;
const MOST_TILES = 80;

for (const box of document.querySelectorAll("[data-map]")) open(box);
offerHere();

function open(box) {
  const facts = JSON.parse(box.dataset.map);
  const svg = box.querySelector("svg");
  const form = box.dataset.edits ? document.getElementById(box.dataset.edits) : null;
  // The middle of the picture, how many metres a pixel is, and the cross that keys move.
  const view = { middle: [0, 0], scale: 10, cross: null };
  const drawn = form ? editor(form, box, facts) : null;
  // Pictures that are there already; one that is moved is not asked for again.
  const pictures = new Map();
  const size = () => [svg.clientWidth || 320, svg.clientHeight || 320];
  const narrow = () => Math.max(0.01, Math.cos((view.middle[0] * Math.PI) / 180));
  box.hidden = false;
  fit();
  new ResizeObserver(draw).observe(svg);
  if (drawn) {
    drawn.onchange = draw;
    form.addEventListener("input", draw);
  }

  function toPixel([latitude, longitude]) {
    const [width, height] = size();
    const east = ((((longitude - view.middle[1] + 180) % 360) + 360) % 360) - 180;
    return [width / 2 + (east * METRES * narrow()) / view.scale, height / 2 - ((latitude - view.middle[0]) * METRES) / view.scale];
  }

  function toPlace([x, y]) {
    const [width, height] = size();
    const latitude = view.middle[0] - ((y - height / 2) * view.scale) / METRES;
    const longitude = view.middle[1] + ((x - width / 2) * view.scale) / (METRES * narrow());
    return [Math.max(-90, Math.min(90, latitude)), ((((longitude + 180) % 360) + 360) % 360) - 180];
  }

  // Everything that there is, with some room around it.
  function fit() {
    const seen = facts.venue ? [facts.venue] : [];
    const reach = (radius) => {
      if (!facts.venue || !radius) return;
      const [latitude, longitude] = facts.venue;
      const north = radius / METRES;
      const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
      seen.push([latitude + north, longitude + east], [latitude - north, longitude - east]);
    };
    for (const zone of facts.zones) {
      seen.push(...zone.corners);
      reach(zone.radius_m);
    }
    if (drawn?.kind() === "circle") reach(drawn.radius());
    else if (drawn) seen.push(...drawn.corners());
    if (!seen.length) return;
    const from = seen[0][1];
    const near = seen.map(([latitude, longitude]) => [latitude, from + (((((longitude - from + 180) % 360) + 360) % 360) - 180)]);
    const [south, north] = [Math.min(...near.map((one) => one[0])), Math.max(...near.map((one) => one[0]))];
    const [west, east] = [Math.min(...near.map((one) => one[1])), Math.max(...near.map((one) => one[1]))];
    view.middle = [(south + north) / 2, (west + east) / 2];
    const [width, height] = size();
    const tall = ((north - south) * METRES) / (height * 0.8);
    const wide = ((east - west) * METRES * narrow()) / (width * 0.8);
    view.scale = clamp(Math.max(tall, wide, 2));
    draw();
  }

  function clamp(scale) {
    return Math.max(NEAREST, Math.min(FARTHEST, scale));
  }

  function zoom(factor) {
    view.scale = clamp(view.scale * factor);
    draw();
  }

  function pan(x, y) {
    const [width, height] = size();
    view.middle = toPlace([width / 2 + x, height / 2 + y]);
    draw();
  }

  function draw() {
    const parts = box.dataset.tiles ? [...tiles()] : [...grid()];
    for (const zone of facts.zones) parts.push(...shape(zone, `zone${zone.on ? "" : " off"}`, zone.hue, zone.name));
    if (drawn) parts.push(...drawing());
    if (facts.venue) {
      const [x, y] = toPixel(facts.venue);
      parts.push(make("circle", { class: "venue", cx: x, cy: y, r: 8 }), words(facts.name, x, y - 14));
    }
    parts.push(...frame());
    svg.replaceChildren(...parts);
  }

  // Each picture lies where its corners are, so that it fits a map that is flat here and round elsewhere.
  function* tiles() {
    const zoomed = Math.round(Math.log2((WORLD * narrow()) / view.scale));
    const level = Math.max(0, Math.min(FINEST, zoomed));
    const all = 2 ** level;
    const column = (longitude) => ((longitude + 180) / 360) * all;
    const row = (latitude) => ((1 - Math.asinh(Math.tan((Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180)) / Math.PI) / 2) * all;
    const [width, height] = size();
    const half = ((width / 2) * view.scale) / (METRES * narrow());
    const [west, east] = [Math.floor(column(view.middle[1] - half)), Math.floor(column(view.middle[1] + half))];
    const [north, south] = [Math.floor(row(toPlace([0, 0])[0])), Math.floor(row(toPlace([0, height])[0]))];
    if ((east - west + 1) * (south - north + 1) > MOST_TILES) return;
    const latitude = (y) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / all))) * 180) / Math.PI;
    const left = (x) => width / 2 + (((x / all) * 360 - 180 - view.middle[1]) * METRES * narrow()) / view.scale;
    const top = (y) => height / 2 - ((latitude(y) - view.middle[0]) * METRES) / view.scale;
    for (let y = Math.max(0, north); y <= Math.min(all - 1, south); y += 1) {
      for (let x = west; x <= east; x += 1) {
        const at = { z: level, x: ((x % all) + all) % all, y };
        const key = `${level}/${x}/${y}`;
        if (!pictures.has(key)) pictures.set(key, make("image", { href: box.dataset.tiles.replace(/\{([zxy])\}/g, (_, name) => at[name]), preserveAspectRatio: "none" }));
        const picture = pictures.get(key);
        // A hair larger than its place: no seams.
        const place = { x: left(x), y: top(y), width: left(x + 1) - left(x) + 0.5, height: top(y + 1) - top(y) + 0.5 };
        for (const [name, value] of Object.entries(place)) picture.setAttribute(name, value);
        yield picture;
      }
    }
  }

  function* grid() {
    const [width, height] = size();
    const step = round(GRID_PX * view.scale) / view.scale;
    const [x, y] = toPixel(facts.venue ?? view.middle);
    for (let at = x % step; at < width; at += step) yield make("line", { class: "grid", x1: at, x2: at, y1: 0, y2: height });
    for (let at = y % step; at < height; at += step) yield make("line", { class: "grid", x1: 0, x2: width, y1: at, y2: at });
  }

  function* shape({ corners, radius_m: radius }, kind, hue, name) {
    if (radius && facts.venue) {
      const [x, y] = toPixel(facts.venue);
      yield make("circle", { class: kind, "data-hue": hue, cx: x, cy: y, r: radius / view.scale });
      if (name) yield words(name, x, y - radius / view.scale + 16);
    } else if (corners.length) {
      const points = corners.map(toPixel);
      yield make("polygon", { class: kind, "data-hue": hue, points: points.map((one) => one.join()).join(" ") });
      // Below its northern edge: in the middle it would lie over the venue.
      const west = Math.min(...points.map((one) => one[0]));
      const east = Math.max(...points.map((one) => one[0]));
      if (name) yield words(name, (west + east) / 2, Math.min(...points.map((one) => one[1])) + 26);
    }
  }

  function* drawing() {
    if (drawn.kind() === "circle") {
      yield* shape({ corners: [], radius_m: drawn.radius() }, "drawn", "", "");
    } else {
      const corners = drawn.corners();
      yield* shape({ corners, radius_m: 0 }, "drawn", "", "");
      for (const [at, corner] of corners.entries()) {
        const [x, y] = toPixel(corner);
        yield make("circle", { class: "corner", cx: x, cy: y, r: 9, "data-at": at });
      }
    }
    if (document.activeElement === svg && view.cross) {
      const [x, y] = view.cross;
      yield make("line", { class: "cross", x1: x - 12, x2: x + 12, y1: y, y2: y });
      yield make("line", { class: "cross", x1: x, x2: x, y1: y - 12, y2: y + 12 });
    }
  }

  // North, and how long a kilometre is.
  function* frame() {
    const [width, height] = size();
    yield make("path", { class: "scale", d: `M${width - 24} 40 V14 m-6 8 l6 -8 l6 8`, fill: "none" });
    yield words(box.dataset.north, width - 24, 56);
    const metres = round(90 * view.scale);
    const long = metres / view.scale;
    yield make("path", { class: "scale", d: `M16 ${height - 22} v6 h${long} v-6`, fill: "none" });
    yield words(metres < 1000 ? `${metres} m` : `${metres / 1000} km`, 16 + long / 2, height - 26);
  }

  // Pointers: a tap sets a corner, a drag moves a corner or the map.
  let held = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const corner = event.target.dataset?.at;
    held = { id: event.pointerId, at: corner === undefined ? null : Number(corner), from: [event.offsetX, event.offsetY], last: [event.offsetX, event.offsetY], moved: false };
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    const now = inside(event);
    held.moved ||= Math.hypot(now[0] - held.from[0], now[1] - held.from[1]) > CLICK_PX;
    if (!held.moved) return;
    if (held.at === null) pan(held.last[0] - now[0], held.last[1] - now[1]);
    else drawn.move(held.at, toPlace(now));
    held.last = now;
  });
  svg.addEventListener("pointerup", (event) => {
    if (held?.id !== event.pointerId) return;
    const { moved, at } = held;
    held = null;
    if (!moved && at === null && drawn) drawn.set(toPlace(inside(event)));
  });
  svg.addEventListener("pointercancel", () => (held = null));

  function inside(event) {
    const { left, top } = svg.getBoundingClientRect();
    return [event.clientX - left - svg.clientLeft, event.clientY - top - svg.clientTop];
  }

  svg.addEventListener("focus", () => {
    if (drawn && !view.cross) view.cross = size().map((one) => one / 2);
    draw();
  });
  svg.addEventListener("blur", draw);
  svg.addEventListener("keydown", (event) => {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way && drawn && !event.shiftKey) {
      const [width, height] = size();
      const [x, y] = view.cross;
      view.cross = [Math.max(0, Math.min(width, x + way[0] * STEP_PX)), Math.max(0, Math.min(height, y + way[1] * STEP_PX))];
      draw();
    } else if (way) pan(way[0] * PAN_PX, way[1] * PAN_PX);
    else if (event.key === "+" || event.key === "=") zoom(0.7);
    else if (event.key === "-") zoom(1 / 0.7);
    else if ((event.key === "Enter" || event.key === " ") && drawn) drawn.set(toPlace(view.cross));
    else if ((event.key === "Backspace" || event.key === "Delete") && drawn) drawn.undo();
    else return;
    event.preventDefault();
  });
  for (const button of box.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => (button.dataset.zoom === "all" ? fit() : zoom(button.dataset.zoom === "in" ? 0.7 : 1 / 0.7)));
  }
  box.querySelector("[data-undo]")?.addEventListener("click", () => drawn.undo());
  draw();
}

// What is drawn stands in the form's own fields: whoever types there draws too.
function editor(form, box, facts) {
  const corners = form.elements.corners;
  const radius = form.elements.radius_m;
  const said = box.querySelector("[data-said]");
  const made = {
    onchange: () => {},
    kind: () => form.elements.kind.value,
    radius: () => Number.parseInt(radius.value, 10) || 0,
    corners: () => corners.value.split("\n").map((line) => line.trim().split(/\s*[,;\s]\s*/).map(Number))
      .filter((one) => one.length === 2 && one.every(Number.isFinite)),
    set(place) {
      if (made.kind() === "circle") {
        if (!facts.venue) return;
        radius.value = String(Math.max(50, Math.round(apart(facts.venue, place))));
        tell("saidRadius", { n: radius.value });
      } else {
        const all = [...made.corners(), place];
        write(all);
        tell("saidCorner", { n: all.length, place: shown(place) });
      }
      made.onchange();
    },
    move(at, place) {
      const all = made.corners();
      all[at] = place;
      write(all);
      made.onchange();
    },
    undo() {
      const all = made.corners().slice(0, -1);
      write(all);
      tell("saidGone", { n: all.length });
      made.onchange();
    },
  };
  const write = (all) => (corners.value = all.map(shown).join("\n"));
  const tell = (name, values) => (said.textContent = box.dataset[name].replace(/\{(\w+)\}/g, (_, key) => values[key]));
  const choose = () => {
    for (const part of form.querySelectorAll("[data-of]")) part.hidden = part.dataset.of !== made.kind();
  };
  form.addEventListener("change", choose);
  choose();
  return made;
}

const shown = ([latitude, longitude]) => `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;

function apart([a, b], [c, d]) {
  const rad = Math.PI / 180;
  const half = Math.sin(((c - a) * rad) / 2) ** 2 + Math.cos(a * rad) * Math.cos(c * rad) * Math.sin(((d - b) * rad) / 2) ** 2;
  return 2 * 6371008.8 * Math.asin(Math.sqrt(half));
}

// 1, 2 or 5 with noughts behind it.
function round(metres) {
  const ten = 10 ** Math.floor(Math.log10(metres));
  return [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= metres);
}

function make(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

function words(text, x, y) {
  const node = make("text", { class: "words", x, y });
  node.textContent = text;
  return node;
}

function offerHere() {
  const button = document.querySelector("[data-here]");
  if (!button || !navigator.geolocation) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const { elements } = button.closest("form");
    const failed = document.querySelector("[data-here-failed]");
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      elements.latitude.value = coords.latitude.toFixed(6);
      elements.longitude.value = coords.longitude.toFixed(6);
      failed.hidden = true;
    }, () => (failed.hidden = false), { enableHighAccuracy: true, timeout: 20000 });
  });
}
