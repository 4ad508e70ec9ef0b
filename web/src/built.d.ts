// Put in by the build: names of hashed files, sizes, the version.
declare const __FILES__: {
  core: { url: string; size: number };
  schema: { url: string; size: number };
  packs: { manifest: import("./protocol").Manifest; url: string }[];
  runner: string;
  worker: string;
  editor: { url: string; integrity: string };
};
/** Every file of the page, by its address; requests for these carry nothing that was pasted. */
declare const __PROGRAM__: string[];
declare const __VERSION__: string;

declare module "*.css" {
  const sheet: string;
  export default sheet;
}

declare module "go:wasm_exec";

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
