// The content policy lets a script be started only through this: files of our
// own, by their exact names.

interface Policy {
  createScriptURL(address: string): unknown;
}

const allowed = new Set([__FILES__.worker, __FILES__.runner, "sw.js"]);

const policy: Policy = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(address: string): string }): Policy } }
).trustedTypes?.createPolicy("mcpmend", { createScriptURL: own }) ?? { createScriptURL: own };

function own(address: string): string {
  if (!allowed.has(address)) throw new TypeError(`${address} is no script of this page`);
  return new URL(address, document.baseURI).href;
}

export function ownScript(address: string): unknown {
  return policy.createScriptURL(address);
}
