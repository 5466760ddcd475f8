import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { compileGuard, type Guard, type Json } from '@alas-jssp/workflow';
import type { Mapping } from '../tools/tool.js';
import type { Compensation, GuardedCall, ObservedEffect } from './compensation.js';
import { compiledAt } from './compiled-at.js';
import type { ToolRules } from './policy.js';

/** The values that mappings and conditions read. */
type Sources = Readonly<Record<'input' | 'output' | 'before' | 'found' | 'key', Json>>;

/**
 * A compensation by another tool of the same server. Without a check, only an answer shows that a
 * call has acted: without one it is in doubt.
 */
export function inverseCompensation(rules: ToolRules, path = ''): Compensation {
  const { inverse, before, check } = rules;
  const isDone =
    check && compiledAt(`${path}.check.done`, () => compileGuard(check.done, CHECK_SCOPE));
  const observe = async (
    call: GuardedCall,
    prepared: Json,
    output: Json | undefined,
  ): Promise<ObservedEffect> => {
    const known = sourcesOf(call, prepared, output);
    if (check === undefined || isDone === undefined) {
      const state = output === undefined ? 'unknown' : 'done';
      return { state, after: { output: known.output } };
    }
    const found = await call.read(check.tool, mapped(check.input, known, 'check'));
    const state = (await holds(isDone, { ...known, found })) ? 'done' : 'not-done';
    return { state, after: { output: known.output, found } };
  };
  return {
    name: 'inverse',
    async prepare(call) {
      if (before === undefined) return {};
      const known = sourcesOf(call, {}, undefined);
      return { before: await call.read(before.tool, mapped(before.input, known, 'before')) };
    },
    observe,
    async undo(call, prepared, after) {
      if (inverse === undefined) return { state: 'failed', message: 'it has no inverse' };
      const { output = null, found = null } = isObject(after) ? (after as Partial<Sources>) : {};
      const known = { ...sourcesOf(call, prepared, output), found };
      if (check !== undefined) {
        const { state } = await observe(call, prepared, output ?? undefined);
        if (state === 'not-done') return { state: 'nothing-to-undo', message: 'it is not there' };
      }
      const input = mapped(inverse.input, known, 'inverse');
      let error: unknown;
      try {
        await call.change(inverse.tool, input);
      } catch (thrown) {
        error = thrown;
      }
      if (check !== undefined) {
        const { state } = await observe(call, prepared, output ?? undefined);
        if (state === 'not-done') return { state: 'undone', message: `by ${inverse.tool}` };
        const reason = error === undefined ? 'it is still there' : errorLine(error);
        return { state: 'failed', message: `${inverse.tool}: ${reason}` };
      }
      if (error !== undefined) throw error;
      return { state: 'undone', message: `by ${inverse.tool}` };
    },
  };
}

const CHECK_SCOPE = {
  variables: { input: true, output: true, before: true, found: true, key: true },
} as const;

function sourcesOf({ input, key }: GuardedCall, prepared: Json, output: Json | undefined): Sources {
  const { before = null } = isObject(prepared) ? (prepared as { before?: Json }) : {};
  return { input, output: output ?? null, before, found: null, key };
}

async function holds(condition: Guard, sources: Sources): Promise<boolean> {
  return condition.evaluate(sources as never);
}

/**
 * The input of a call from its mapping.
 *
 * @throws AlasError `MissingValue` if a source does not exist, such as a key of a lost output
 */
function mapped(mapping: Mapping, sources: Sources, what: string): Record<string, Json> {
  const entries = Object.entries(mapping).map(([key, source]) => {
    if (typeof source !== 'string') return [key, source.value] as const;
    const value = valueFrom(source, sources);
    if (value !== undefined) return [key, value] as const;
    throw new AlasError('MissingValue', `there is no ${source} for ${key} of the ${what}`, source);
  });
  return Object.fromEntries(entries) as Record<string, Json>;
}

function valueFrom(source: string, sources: Sources): Json | undefined {
  let value: unknown = sources;
  for (const key of source.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value === null && source.startsWith('output') ? undefined : (value as Json);
}
