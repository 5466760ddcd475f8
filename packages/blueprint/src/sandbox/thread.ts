import type { MessagePort } from 'node:worker_threads';
import type {
  QuickJSContext,
  QuickJSSyncVariant,
  QuickJSWASMModule,
} from 'quickjs-emscripten-core';

/** A request to the thread of a sandbox. */
export interface SandboxRequest {
  readonly source: string;
  /** JSON, one text for each call of the function. */
  readonly inputs: readonly string[];
  /** Null: there is no chance. */
  readonly seed: number | null;
}

/** The answer of the thread to an input: the JSON of the output, or an error. */
export type SandboxAnswer =
  | { readonly json: string }
  | { readonly code: 'SandboxLimit' | 'SandboxError' | 'BadOutput'; readonly message: string };

/** The configuration of the thread. */
export interface SandboxSetup {
  readonly port: MessagePort;
  /** [0] is 1 once the thread is ready, [1] grows with every answer. */
  readonly flags: Int32Array;
  /** The text of `prepareGuest`. */
  readonly guest: string;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  /** The calls of the interrupt handler until the code is stopped; one in about 10,000 steps. */
  readonly polls: number;
  readonly longest: number;
}

type VariantOptions = Parameters<typeof import('quickjs-emscripten-core').newVariant>[1];
type CompiledModule = NonNullable<VariantOptions['wasmModule']>;

/** The libraries that the thread loads. */
export interface SandboxLibraries {
  readonly quickjs: typeof import('quickjs-emscripten-core');
  readonly variant: QuickJSSyncVariant;
  readonly wasm: CompiledModule;
}

/**
 * Serves evaluations: the main function of the thread. Its text is evaluated in the thread, so it must not refer to
 * anything outside of itself. Each evaluation has a new instance of the WebAssembly module, which is dropped after it:
 * whatever the code did to its interpreter ends with it.
 */
export function serveSandbox(setup: SandboxSetup, libraries: SandboxLibraries): void {
  const { port, flags, guest, memoryBytes, stackBytes, polls, longest } = setup;
  const { quickjs, variant, wasm } = libraries;
  const compiled = quickjs.newVariant(variant, { wasmModule: wasm });
  const make = () => quickjs.newQuickJSWASMModuleFromVariant(compiled);
  let next = make();

  port.on('message', async (request: SandboxRequest) => {
    const answers: SandboxAnswer[] = [];
    try {
      evaluate(await next, request, answers);
    } catch (error) {
      answers.push(ofTrap(error));
    }
    port.postMessage(answers);
    Atomics.add(flags, 1, 1);
    Atomics.notify(flags, 1);
    next = make();
    // An instance that cannot be made is reported by the request that needs it.
    next.catch(() => {});
  });
  next.then(() => {
    Atomics.store(flags, 0, 1);
    Atomics.notify(flags, 0);
  });

  /** Calls the function of the code for each input, until one call exceeds a limit. */
  function evaluate(
    module: QuickJSWASMModule,
    { source, inputs, seed }: SandboxRequest,
    answers: SandboxAnswer[],
  ): void {
    const runtime = module.newRuntime();
    runtime.setMemoryLimit(memoryBytes);
    runtime.setMaxStackSize(stackBytes);
    let polled = 0;
    runtime.setInterruptHandler(() => ++polled > polls);
    const context = runtime.newContext({
      intrinsics: {
        BaseObjects: true,
        Eval: true,
        StringNormalize: true,
        RegExp: true,
        RegExpCompiler: true,
        JSON: true,
        MapSet: true,
        TypedArrays: true,
        Promise: true,
        BigInt: true,
      },
    });
    const failed = (text: string): SandboxAnswer => {
      if (polled > polls) {
        return limit(`it did not end within ${polls * 10_000} steps`);
      }
      if (text.startsWith('InternalError: out of memory')) {
        return limit(`it needs more than ${memoryBytes} bytes of memory, or throws null`);
      }
      if (text.startsWith('InternalError: stack overflow')) {
        return limit(`its calls are nested too deeply for ${stackBytes} bytes of stack`);
      }
      return { code: 'SandboxError', message: text };
    };
    const call = load(context, `(${guest})(${seed}, ${longest})`, source, failed);
    if (typeof call !== 'function') {
      answers.push(call);
      return;
    }
    for (const input of inputs) {
      polled = 0;
      const answer = call(input);
      answers.push(answer);
      if ('code' in answer && answer.code === 'SandboxLimit') return;
    }
  }

  /** Loads the code; returns its function, or the error. */
  function load(
    context: QuickJSContext,
    prelude: string,
    source: string,
    failed: (text: string) => SandboxAnswer,
  ): SandboxAnswer | ((input: string) => SandboxAnswer) {
    const harness = context.unwrapResult(context.evalCode(prelude, 'guest.js'));
    const run = context.getProp(harness, 'run');
    const describe = context.getProp(harness, 'describe');
    const describeError = (error: Parameters<typeof context.getString>[0]): string => {
      const described = context.callFunction(describe, context.undefined, error);
      // Without memory or steps left, even the description fails.
      return described.error ? 'InternalError: out of memory' : context.getString(described.value);
    };
    const loaded = context.evalCode(source, 'agent.js', { type: 'module' });
    if (loaded.error) return failed(describeError(loaded.error));
    const state = context.getPromiseState(loaded.value);
    if (state.type === 'pending') {
      return failed('it waits at its top level, and nothing ever arrives in the sandbox');
    }
    if (state.type === 'rejected') return failed(describeError(state.error));
    const code = context.getProp(state.value, 'default');
    if (context.typeof(code) !== 'function') {
      return failed('it has no default export: write export default (input) => …');
    }
    return (input) => {
      const given = context.newString(input);
      const called = context.callFunction(run, context.undefined, code, given);
      given.dispose();
      if (called.error) return failed(describeError(called.error));
      const text = context.getString(called.value);
      called.value.dispose();
      if (text.startsWith('J')) return { json: text.slice(1) };
      if (text.startsWith('B')) return { code: 'BadOutput', message: text.slice(1) };
      return failed(text.slice(1));
    };
  }

  function limit(message: string): SandboxAnswer {
    return { code: 'SandboxLimit', message };
  }

  /** A trap of WebAssembly: its stack or its memory ended. */
  function ofTrap(error: unknown): SandboxAnswer {
    if (error instanceof RangeError) return limit('its stack or its memory is too small for it');
    return limit('its interpreter stopped');
  }
}
