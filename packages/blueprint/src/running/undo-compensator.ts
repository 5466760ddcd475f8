import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Compensator, DoneEffect, Json, StepContext } from '@alas-jssp/workflow';
import { wasRefused } from './attempts.js';
import { fillWholeMapping } from './mapping.js';
import type { KnownEffect, NodeUndo } from './node-tool.js';
import { readEffect, remainsOfEffect } from './read-effect.js';
import { callOf, toolInput } from './tool-handler.js';

/**
 * The compensator of a node: calls the recovery sequence Γ of its undo, each call with a key of its own that is the same
 * in every attempt.
 *
 * If the output is unknown, because the attempt broke off, it is learned first: from an idempotent tool by the same call
 * with the same key, else from a tool that reads the record. If neither is possible it throws `UnknownEffect`, so that
 * the run lists the effect.
 */
export function createUndoCompensator(nodeUndo: NodeUndo): Compensator {
  const { undo } = nodeUndo;
  const known = new WeakMap<DoneEffect, KnownEffect>();
  return {
    async run(effect, context) {
      const found = await knowEffect(nodeUndo, effect, context);
      if (found === 'absent') return;
      if (found === 'unknown') return { remaining: `it may exist: ${undo.reason}` };
      known.set(effect, found);
      await callSequence(nodeUndo, found, effect, context);
      if (undo.strategy !== 'undo') return { remaining: `${LEFT[undo.strategy]}: ${undo.reason}` };
    },
    async verifyUndone(effect, context) {
      const found = known.get(effect);
      if (undo.strategy !== 'undo' || found === undefined) return undefined;
      return remainsOfEffect(nodeUndo, found, context);
    },
  };
}

const LEFT = {
  mitigate: 'it was made up for, not undone',
  escalate: 'a person must see to it',
  irreversible: 'it cannot be undone',
} as const;

/**
 * Finds out the output of an effect.
 *
 * @returns `absent` if it certainly does not exist, `unknown` if a person must look whether it does
 * @throws AlasError `UnknownEffect`
 */
async function knowEffect(
  nodeUndo: NodeUndo,
  effect: DoneEffect,
  context: StepContext,
): Promise<KnownEffect | 'absent' | 'unknown'> {
  const { tool, undo } = nodeUndo;
  if (effect.redacted.length > 0) {
    const problem = `the log does not hold what the undo needs: ${effect.redacted.join(', ')}`;
    throw new AlasError('redacted_value', problem, effect.idempotencyKey);
  }
  const input = toolInput(nodeUndo, effect.input);
  const output = (effect.output ?? null) as Json;
  if (output !== null) return { input, output };
  if (wasRefused(context, tool)) return 'absent';
  // An effect that cannot be taken back is not caused for the sake of its output.
  if (undo.strategy !== 'undo') return 'unknown';
  const learned = tool.idempotent ? await repeatCall(nodeUndo, input, effect, context) : undefined;
  const found = learned ?? (await readEffect(nodeUndo, input, context));
  if (found === 'absent') return found;
  if (found !== undefined) return { input, output: found };
  const problem = `whether ${tool.name} acted is unknown`;
  const why = tool.idempotent
    ? 'it does not answer now, and no tool reads its records'
    : 'it acts at every call, and no tool reads its records';
  throw new AlasError('UnknownEffect', `${problem}: ${why}`, effect.idempotencyKey);
}

/**
 * Calls an idempotent tool with the key of the effect: if it has acted, it answers as before, else it acts now. An error
 * says nothing about the attempt before: a tool that is busy now may have acted then.
 *
 * @returns undefined if it does not answer
 */
async function repeatCall(
  { tool, toolset }: NodeUndo,
  input: KnownEffect['input'],
  { idempotencyKey }: DoneEffect,
  context: StepContext,
): Promise<Json | undefined> {
  try {
    return await toolset.call(tool.name, input, { ...callOf(tool, context), idempotencyKey });
  } catch {
    return undefined;
  }
}

/** Calls the recovery sequence in order. */
async function callSequence(
  { tool: acted, undo, toolset, catalogue }: NodeUndo,
  { input, output }: KnownEffect,
  { idempotencyKey: key }: DoneEffect,
  context: StepContext,
): Promise<void> {
  // Of an idempotent tool a late answer is about the same effect: its undo is not repeated, after others were undone.
  const before = acted.idempotent ? 0 : undosBefore(context);
  const round = `${sha256(canonicalJson(output)).slice(0, 12)}.${before}`;
  for (const [k, step] of undo.sequence.entries()) {
    const tool = catalogue.tools.find(({ name }) => name === step.tool);
    if (tool === undefined) {
      throw new AlasError(
        'UnknownTool',
        `there is no tool ${JSON.stringify(step.tool)}`,
        step.tool,
      );
    }
    const given = fillWholeMapping(step.input, { input, output, key });
    const idempotencyKey = `${key}${UNDO_KEY}${round}/${k + 1}`;
    await toolset.call(tool.name, given, { ...callOf(tool, context), idempotencyKey });
  }
}

/** Separates the key of an effect from the rest of the keys of its undo. */
export const UNDO_KEY = '/undo/';

/**
 * The number of times that the effect was undone before: an effect that appears late, after its undo, is undone again,
 * and its undo must not be answered from memory.
 */
function undosBefore({ nodeId, slice }: StepContext): number {
  return slice().filter((entry) => entry.nodeId === nodeId && entry.eventType === 'Compensated')
    .length;
}
