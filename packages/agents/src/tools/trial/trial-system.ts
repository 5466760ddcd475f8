import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';
import { createCheckedToolset } from '../checked-toolset.js';
import type { Tool, ToolCatalogue } from '../tool.js';
import type { ToolCall, Toolset } from '../toolset.js';
import { applyRecordEffects } from './record-effects.js';
import { createRecords, type TrialRecord } from './records.js';
import { sampleOutput } from './sample-output.js';

/** A change that a call made to a trial system. */
export interface TrialEffect {
  readonly runId: string;
  readonly nodeId: string;
  readonly idempotencyKey: string;
  readonly tool: string;
  /** The kind of the record. Changes that a tool does not declare are records of the kind `call of TOOL`. */
  readonly record: string;
  readonly id: string;
  /** The record before and after the change; null if there was or is none. */
  readonly before: TrialRecord | null;
  readonly after: TrialRecord | null;
}

/** A stand-in for the systems behind tools: no real system is called. */
export interface TrialSystem extends Toolset {
  /** Whether the owner of the tools wrote it, or it was made from the declarations of a catalogue. */
  readonly against: 'trial system' | 'declaration';
  /** The state as canonical JSON: records by kind and id. Equal states give equal texts. */
  snapshot(): string;
  /** All changes so far, oldest first. */
  effects(): readonly TrialEffect[];
}

/**
 * Creates a trial system from the `records` and `trial` of a catalogue. It is deterministic: equal seeds and calls give
 * equal answers.
 *
 * A repeated key of an idempotent tool is answered from memory, and refused with `KeyReused` if the input differs; other
 * tools act again. A call that fails changes nothing. Errors: `NotFound`, `AlreadyExists`, `KeyReused`, `NoSample`.
 */
export function createTrialSystem(
  catalogue: ToolCatalogue,
  { seed }: { readonly seed: number | string },
): TrialSystem {
  const records = createRecords(catalogue.trial);
  const effects: TrialEffect[] = [];
  const answers = new Map<string, { readonly input: string; readonly output: Json }>();
  const usedIds = new Map<string, number>();

  const act = (tool: Tool, input: Readonly<Record<string, Json>>, call: ToolCall): Json => {
    const sampled = sampleOutput(tool, input, seed);
    const { output, changes } = applyRecordEffects(tool, {
      input,
      sampled,
      records,
      usedIds,
      seed,
    });
    const { runId, nodeId, idempotencyKey } = call;
    for (const { kind, id, before = null, after = null } of changes) {
      effects.push({
        runId,
        nodeId,
        idempotencyKey,
        tool: tool.name,
        record: kind,
        id,
        before,
        after,
      });
    }
    return output;
  };

  const toolset = createCheckedToolset({
    tools: catalogue.tools,
    perform(tool, input, call) {
      if (!tool.idempotent) return act(tool, input, call);
      const key = JSON.stringify([tool.name, call.idempotencyKey]);
      const text = canonicalJson(input);
      const known = answers.get(key);
      if (known !== undefined && known.input !== text) {
        const problem = `the idempotency key ${call.idempotencyKey} of ${tool.name} was used with another input`;
        throw new AlasError('KeyReused', problem, call.idempotencyKey);
      }
      const output = known?.output ?? act(tool, input, call);
      answers.set(key, { input: text, output });
      return output;
    },
  });
  return {
    ...toolset,
    against: 'declaration',
    snapshot: records.snapshot,
    effects: () => effects,
  };
}
