import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { decodeText } from '@alas-jssp/core/text';
import { instanceName } from 'alas-jssp/internal/service';
import { findBenchmark } from 'alas-jssp/jssp';
import * as z from 'zod';
import { eventSchema, timeSchema } from '../api/common.js';
import { withoutMarks } from './file-text.js';
import { isResult } from './results.js';
import type { ToolCall } from './tool.js';

const document = (what: string) =>
  z.union([z.string().min(1), z.looseObject({})], 'give a name or a document').describe(what);

/** The input of tools that take an instance. */
export const instanceInput = document(
  'Name of a benchmark (ft06, ta21, …), an alas:// address of an earlier answer, a file of the folder, or a document of alas://formats',
);

/** The input of tools that take a plan. */
export const planInput = z
  .union(
    [z.string().min(1), z.looseObject({}), z.array(z.looseObject({}))],
    'give entries, a text in JSON or CSV, or an address from an earlier answer',
  )
  .describe(
    'Entries { job, step, machine, start, end }, a text in JSON or CSV, an alas:// address of an earlier answer, or a file of the folder',
  );

/** The input of tools that take events. */
export const eventsInput = z
  .array(z.looseObject({ kind: eventSchema.shape.kind }), 'give a list of events')
  .min(1)
  .max(1000)
  .describe(
    'Such as { kind: "breakdown", machine: "Machine0", from: 10, to: 25 }; kinds: breakdown, restored, duration, delay, arrival, cancellation; alas://formats has all keys',
  );

/** The input of tools that take the time at which events are reported. */
export const nowInput = timeSchema.describe(
  'Time of the repair; default: when the last event became known',
);

/** The input of tools that take a policy. */
export const policyInput = document(
  'default, high-stability, or changes to the default, such as { limits: { most_edited: 10 } }',
);

/** The name of a benchmark, or the text of a document, which a thread reads. */
export type GivenDocument =
  | { readonly benchmark: string }
  | { readonly text: string; readonly name?: string | undefined };

/** Resolves the inputs of a tool for a thread: replaces names, addresses and files with documents. */
export function resolveInputs(
  given: Record<string, unknown>,
  call: ToolCall,
): Record<string, unknown> {
  const pairs = Object.entries(withoutMarks(given)).map(([key, value]) => {
    const isDocument = key === 'instance' || key === 'plan' || key === 'start';
    return [key, isDocument ? documentOf(value, key === 'instance', call) : value];
  });
  return Object.fromEntries(pairs);
}

/** @throws InputError `unknown_instance`, `no_result` */
function documentOf(given: unknown, isInstance: boolean, call: ToolCall): unknown {
  if (given === undefined) return undefined;
  if (typeof given !== 'string') return { text: JSON.stringify(given) };
  if (isResult(given)) return { text: call.results.read(call.caller.name, given) };
  const name = given.replace(/^alas:\/\/instances\//, '');
  const benchmark = isInstance ? findBenchmark(name)?.name : undefined;
  if (benchmark !== undefined) return { benchmark };
  if (isText(name)) return { text: name };
  return { text: decodeText(readFolder(name, call), undefined), name: instanceName(name) };
}

/** Whether a text is a document instead of a name. */
function isText(text: string): boolean {
  return /^\s*[[{]|\n/.test(text);
}

/** Reads a file of the folder that is open to agents, and nothing outside of it. */
function readFolder(name: string, { folder }: ToolCall): Uint8Array {
  const missing = () => {
    const shown = JSON.stringify(name.slice(0, 60));
    const hint = folder === undefined ? '' : ', or a file of the opened folder';
    return new InputError(
      'unknown_instance',
      `there is no benchmark, result or file ${shown}`,
      `give a name of list_instances${hint}`,
    );
  };
  if (folder === undefined || name.includes('\0')) throw missing();
  let path: string;
  try {
    path = realpathSync(resolve(folder, name));
  } catch {
    throw missing();
  }
  if (!path.startsWith(folder + sep)) throw missing();
  return readBytes(path);
}
