import { AlasError } from '@alas-jssp/core/errors';
import { once } from '@alas-jssp/core/once';

/** The compiled kernels in Base64; `scripts/browser-modules.mjs` sets them. */
declare const KERNELS: Readonly<Record<string, string>>;

/** Prepares to load a WebAssembly module, as `src/search/load-kernel.ts` does from a file. */
export function kernelLoader<Exports>(specifier: string): () => Exports {
  const compiled = once(() => new WebAssembly.Module(bytesOf(KERNELS[specifier])));
  const imports = { env: { abort: outOfMemory } };
  return () => new WebAssembly.Instance(compiled(), imports).exports as Exports;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function outOfMemory(): never {
  throw new AlasError('out_of_memory', 'the search needs more memory than WebAssembly has');
}
