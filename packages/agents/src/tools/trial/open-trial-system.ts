import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { createCheckedToolset } from '../checked-toolset.js';
import {
  callExport,
  callFunction,
  importToolModule,
  requireFunctions,
  type ToolFunction,
} from '../module-tools.js';
import type { ToolCatalogue } from '../tool.js';
import { findStateChanges } from './state-changes.js';
import { createTrialSystem, type TrialEffect, type TrialSystem } from './trial-system.js';

/**
 * Opens the trial system of a catalogue: a new one from `createTrial()` of its module if the module exports it, else the
 * one that its declarations make.
 *
 * `createTrial()` returns `{ tools, snapshot }`: the functions of the tools by name, and a function that returns the
 * state as JSON, best by kind and id, so that changes are listed by record. Calls take turns, so that each change belongs
 * to one call.
 *
 * @param directory that of the catalogue's file
 * @throws InputError `bad_module`
 */
export async function openTrialSystem(
  catalogue: ToolCatalogue,
  { directory, seed = 0 }: { readonly directory: string; readonly seed?: number | string },
): Promise<TrialSystem> {
  const { implementation } = catalogue;
  if (implementation === undefined || !('module' in implementation)) {
    return createTrialSystem(catalogue, { seed });
  }
  const file = implementation.module;
  const module = await importToolModule(file, directory);
  if (module.createTrial === undefined) return createTrialSystem(catalogue, { seed });
  const { tools, snapshot } = await callExport(module, 'createTrial', file);
  if (typeof snapshot !== 'function' || typeof tools !== 'object' || tools === null) {
    const hint = 'return { tools, snapshot }, an object of functions and a function';
    throw new InputError('bad_module', 'createTrial() returned something else', hint, { file });
  }
  const functions = requireFunctions(
    catalogue.tools,
    tools as Record<string, unknown>,
    file,
    'createTrial',
  );
  return watchTrial(catalogue, functions, () => snapshot());
}

/** A trial system of functions whose changes are seen by comparing the state before and after each call. */
function watchTrial(
  { tools }: ToolCatalogue,
  functions: ReadonlyMap<string, ToolFunction>,
  readState: () => unknown,
): TrialSystem {
  const effects: TrialEffect[] = [];
  const snapshot = () => {
    const state = readState();
    if (state instanceof Promise) {
      throw new AlasError('bad_module', 'snapshot() returned a promise; return the state', state);
    }
    return canonicalJson(state);
  };
  let turn: Promise<unknown> = Promise.resolve();
  const toolset = createCheckedToolset({
    tools,
    perform(tool, input, call) {
      const act = async () => {
        // A call whose caller has left must not act later.
        call.signal.throwIfAborted();
        const before = snapshot();
        try {
          return await callFunction(functions, tool, input, call);
        } finally {
          const { runId, nodeId, idempotencyKey } = call;
          const made = { runId, nodeId, idempotencyKey, tool: tool.name };
          for (const change of findStateChanges(JSON.parse(before), JSON.parse(snapshot()))) {
            effects.push({ ...made, ...change });
          }
        }
      };
      const answer = turn.then(act, act);
      turn = answer.catch(() => {});
      return answer;
    },
  });
  return { ...toolset, against: 'trial system', snapshot, effects: () => effects };
}
