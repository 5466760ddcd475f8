import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AlasError } from '@alas-jssp/core/errors';
import { once } from '@alas-jssp/core/once';

/** The part of the WebAssembly interface that is used here; Node's types omit it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };

/**
 * Prepares to load a WebAssembly module; it is compiled at the first call of the result, and each call creates an
 * instance with a memory of its own.
 *
 * @param specifier its name in the imports of the package
 */
export function kernelLoader<Exports>(specifier: string): () => Exports {
  const compiled = once(() => {
    const file = createRequire(import.meta.url).resolve(specifier);
    return new WebAssembly.Module(readFileSync(file));
  });
  const imports = { env: { abort: outOfMemory } };
  return () => new WebAssembly.Instance(compiled(), imports).exports as Exports;
}

function outOfMemory(): never {
  throw new AlasError('out_of_memory', 'the search needs more memory than WebAssembly has');
}
