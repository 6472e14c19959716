/** Where the build put what is loaded later; see scripts/build-web.ts. */
declare const WORKER_PATH: string;
declare const WASM_PATH: string;
/** Summaries of all operations by path, as the catalogue has them. */
declare const SUMMARIES: Readonly<Record<string, string>>;
