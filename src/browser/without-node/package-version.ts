/** The version of the package; `scripts/browser-modules.mjs` sets it. */
declare const VERSION: string;

/** The version of this package, as `packages/core/src/package-version.ts` reads it from a file. */
export function packageVersion(): string {
  return VERSION;
}
