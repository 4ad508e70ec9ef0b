// Counts what this tab fetches, page and worker: files of the page itself by
// their fixed names, questions to the companion on this machine, and anything
// else. The last number is the promise.

export interface Requests {
  program: number;
  machine: number;
  other: number;
}

// The script cannot know its own hashed name at build time; the document does.
const own = [...document.querySelectorAll<HTMLScriptElement>("script[src]")].map((script) => script.src);
const companion = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/api\//;
const program = new Set([...__PROGRAM__, ...own].map((file) => new URL(file, document.baseURI).href));

class Counter {
  readonly seen: Requests = { program: 0, machine: 0, other: 0 };
  #listeners: ((seen: Requests) => void)[] = [];

  start(): void {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (program.has(entry.name)) this.seen.program++;
        else if (companion.test(entry.name)) this.seen.machine++;
        else this.seen.other++;
      }
      this.#tell();
    }).observe({ type: "resource", buffered: true });
  }

  /** add counts what the worker fetched by itself. */
  add(count: number): void {
    this.seen.other += count;
    this.#tell();
  }

  on(listener: (seen: Requests) => void): void {
    this.#listeners.push(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.seen);
  }
}

export const requests = new Counter();
