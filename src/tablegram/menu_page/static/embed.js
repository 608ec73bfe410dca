// For any website: a button that opens a chat, and how an order stands. No cookies, nothing kept, nothing of others loaded.
// Dark where the page says that it can be (`color-scheme`).
//
//   <script src="https://HOST/api/v1/menu/embed.js" async></script>
//   <tablegram-chat phone="905551112233" text="Hello"></tablegram-chat>
//   <tablegram-order token="..."></tablegram-order>
(() => {
  const HERE = new URL(document.currentScript.src);
  const WORDS = {
    en: { chat: "Chat with us", order: "Order", away: "We cannot look right now. Trying again.", gone: "There is no such order." },
    tr: { chat: "Bize yazın", order: "Sipariş", away: "Şu an bakamıyoruz. Yeniden deniyoruz.", gone: "Böyle bir sipariş yok." },
  };
  const STYLE = `
:host{--accent:light-dark(#b54f08,#f0a35e);--on:light-dark(#fff,#211c17);--ink:light-dark(#211c17,#f3eee7);--paper:light-dark(#fff,#211c17);--line:light-dark(#d9d2c8,#4a423a);font:16px/1.4 system-ui,sans-serif;color:var(--ink)}
a.chat{position:fixed;z-index:2147483000;bottom:max(1rem,env(safe-area-inset-bottom));inset-inline-end:1rem;display:flex;align-items:center;gap:.5rem;min-height:3rem;padding:0 1.25rem;border-radius:1.5rem;background:var(--accent);color:var(--on);font-weight:600;text-decoration:none;box-shadow:0 2px 12px #0005}
:host([place=left]) a.chat{inset-inline:1rem auto}
:host([place=here]) a.chat{position:static;display:inline-flex;box-shadow:none}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
svg{width:1.375rem;height:1.375rem}
section{max-width:28rem;padding:1rem;border:1px solid var(--line);border-radius:.75rem;background:var(--paper)}
p{margin:0}.now{font-size:1.25rem;font-weight:700}.hint{margin-top:.25rem}
ol{display:flex;gap:.25rem;margin:.75rem 0 0;padding:0;list-style:none}
li{flex:1;height:.375rem;border-radius:1rem;background:var(--line)}
li.done,li.now{background:var(--accent)}li.now{opacity:.65}
li span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
section a{display:inline-block;margin-top:.75rem;color:var(--accent);font-weight:600}`;

  const make = (tag, set = {}, ...inside) => {
    const element = Object.assign(document.createElement(tag), set);
    element.append(...inside);
    return element;
  };

  class Part extends HTMLElement {
    connectedCallback() {
      if (!this.shadowRoot) this.attachShadow({ mode: "open" }).append(make("style", { textContent: STYLE }));
      this.language = (this.getAttribute("language") || document.documentElement.lang || navigator.language).slice(0, 2).toLowerCase();
      this.words = WORDS[this.language] || WORDS.en;
      this.begin();
    }
    show(element) {
      this.shadowRoot.replaceChildren(this.shadowRoot.firstChild, element);
    }
  }

  class Chat extends Part {
    begin() {
      const digits = (this.getAttribute("phone") || "").replace(/\D/g, "");
      const text = this.getAttribute("text");
      const href = `https://wa.me/${digits}${text ? `?text=${encodeURIComponent(text)}` : ""}`;
      const link = make("a", { className: "chat", href, target: "_blank", rel: "noopener" });
      link.innerHTML = '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true"><path d="M4 5h16v11H9l-5 4z"/></svg>';
      link.append(this.getAttribute("label") || this.words.chat);
      if (digits) this.show(make("aside", { ariaLabel: this.words.chat }, link));
    }
  }

  // Looks again while something may still change: soon while it is seen, not at all while nobody looks.
  class Order extends Part {
    begin() {
      this.look();
      this.again = () => document.visibilityState === "visible" && this.look();
      document.addEventListener("visibilitychange", this.again);
    }
    disconnectedCallback() {
      clearTimeout(this.timer);
      document.removeEventListener("visibilitychange", this.again);
    }
    async look() {
      clearTimeout(this.timer);
      const mine = (this.turn = (this.turn ?? 0) + 1);
      const token = encodeURIComponent(this.getAttribute("token") || "");
      let wait = 15;
      try {
        const answer = await fetch(new URL(`orders/${token}/embed?lang=${this.language}`, HERE), { credentials: "omit" });
        if (answer.status === 404) return this.say(this.words.gone);
        if (!answer.ok) throw new Error(answer.status);
        const order = await answer.json();
        if (mine !== this.turn) return;
        this.draw(order);
        if (order.is_over) return;
      } catch {
        this.say(this.words.away);
        wait = 60;
      }
      if (mine === this.turn && this.isConnected && document.visibilityState === "visible") this.timer = setTimeout(() => this.look(), wait * 1000);
    }
    say(words) {
      if (!this.drawn) this.show(make("section", {}, make("p", { role: "status", textContent: words })));
    }
    draw(order) {
      const now = make("p", { className: "now", textContent: order.words });
      const hint = make("p", { className: "hint", textContent: [order.hint, order.expected].filter(Boolean).join(" ") });
      const steps = order.steps.map(({ words, state }) => make("li", { className: state, ariaCurrent: state === "now" ? "step" : null }, make("span", { textContent: words })));
      const link = make("a", { href: order.url, target: "_blank", rel: "noopener", textContent: `${this.words.order} ${order.order_id}` });
      const status = make("div", {}, now, hint);
      status.setAttribute("role", "status");
      this.drawn = true;
      this.show(make("section", { lang: this.language }, status, ...(steps.length ? [make("ol", {}, ...steps)] : []), link));
    }
  }

  customElements.get("tablegram-chat") || customElements.define("tablegram-chat", Chat);
  customElements.get("tablegram-order") || customElements.define("tablegram-order", Order);
})();
