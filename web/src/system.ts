// Which operating system a paste is from, by the paths in it. A guess, shown as one.

export type System = "macos" | "windows" | "linux";

const signs: [System, RegExp][] = [
  ["windows", /\b[A-Za-z]:\\{1,2}(?:Users|Program Files|Windows)|%APPDATA%|AppData\\|\.(?:cmd|exe)\b|is not recognized as an internal/],
  ["macos", /\/Users\/[^/\s]+\/|\/opt\/homebrew\/|Library\/(?:Application Support|Logs)\b|\bdarwin\b/],
  ["linux", /\/home\/[^/\s]+\/|\/usr\/lib\/x86_64-linux|\blinux-x64\b|~\/\.config\//],
];

/** systemOf looks at the beginning and the end of the text, where it would be said. */
export function systemOf(text: string): System | undefined {
  const sample = text.length > 200_000 ? text.slice(0, 100_000) + text.slice(-100_000) : text;
  return signs.find(([, sign]) => sign.test(sample))?.[0];
}

/** thisSystem is what the browser runs on. */
export function thisSystem(): System {
  const about = navigator.userAgent;
  return /Windows/.test(about) ? "windows" : /Mac|iPhone|iPad/.test(about) ? "macos" : "linux";
}
