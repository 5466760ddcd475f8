import type { Tool } from '@alas-jssp/agents';
import type { Json, StepContext } from '@alas-jssp/workflow';
import { fillMapping } from './mapping.js';
import type { KnownEffect, NodeUndo } from './node-tool.js';
import { callOf } from './tool-handler.js';

type EffectOfTool = Tool['records'][number];

/** Codes by which tools that read say that there is no such record. */
const NOT_FOUND = /^(not_?found|no_?such_?\w+|http_?404|404)$/i;

/**
 * Looks for an effect whose output is unknown, with a tool that reads the record that the effect creates.
 *
 * @returns the output as far as the undo needs it; `absent` if there is no record; undefined if no tool can tell
 */
export async function readEffect(
  { tool, toolset, undo }: NodeUndo,
  input: KnownEffect['input'],
  context: StepContext,
): Promise<Json | 'absent' | undefined> {
  const created = tool.records.filter(({ does }) => does !== 'read');
  const [effect] = created;
  if (created.length !== 1 || effect.does !== 'create' || !effect.id.startsWith('input.')) {
    return undefined;
  }
  const found = readRecord(toolset.tools, effect, { input, output: null });
  if (found === undefined) return undefined;
  try {
    const output = await toolset.call(
      found.reader.name,
      found.input,
      lookOf(found.reader, context),
    );
    const needed = undo.sequence.map(({ input }) =>
      Object.fromEntries(Object.entries(input).filter(([, source]) => isOfOutput(source))),
    );
    const isKnown = needed.every(
      (part) => Object.keys(fillMapping(part, { output })).length === Object.keys(part).length,
    );
    return isKnown ? output : undefined;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    // Another refusal, such as of an input or a permission, says nothing about the record.
    return NOT_FOUND.test(code) ? 'absent' : undefined;
  }
}

/**
 * The trace of an effect that a tool still reads after its undo; undefined if there is none, or if no tool
 * can look.
 */
export async function remainsOfEffect(
  nodeUndo: NodeUndo,
  known: KnownEffect,
  context: StepContext,
): Promise<string | undefined> {
  const { tool, toolset } = nodeUndo;
  for (const effect of tool.records) {
    const found = readRecord(toolset.tools, effect, known);
    if (effect.does === 'read' || found === undefined) continue;
    const { reader, input, returns } = found;
    let now: Json;
    try {
      now = await toolset.call(reader.name, input, lookOf(reader, context));
    } catch {
      // There is no such record, or nothing can be said.
      continue;
    }
    if (effect.does === 'create' && isDeleted(nodeUndo, effect)) {
      return `${reader.name} still finds the ${effect.record}`;
    }
    for (const [key, source] of Object.entries(effect.returns ?? {})) {
      const shown = Object.entries(returns).find(
        ([, by]) => by === source.replace(/^before\./, 'now.'),
      );
      if (!source.startsWith('before.') || shown === undefined) continue;
      const before =
        fillMapping({ value: `output.${key}` }, { output: known.output }).value ?? null;
      const after = fillMapping({ value: `now.${shown[0]}` }, { now }).value ?? null;
      if (JSON.stringify(before) === JSON.stringify(after)) continue;
      const field = source.slice('before.'.length);
      return `${reader.name} sees another ${field} of the ${effect.record} than before`;
    }
  }
  return undefined;
}

/** A tool that reads the record of an effect, and its input. */
function readRecord(tools: readonly Tool[], { record, id }: EffectOfTool, known: KnownEffect) {
  const [value] = Object.values(fillMapping({ id }, { ...known }));
  if (value === undefined || value === null) return undefined;
  for (const reader of tools) {
    const [read, ...more] = reader.records;
    if (reader.access !== 'read' || read?.does !== 'read' || more.length > 0) continue;
    if (read.record !== record || !read.id.startsWith('input.')) continue;
    const key = read.id.slice('input.'.length);
    const { required } = reader.input;
    const others = Array.isArray(required) ? required.filter((one) => one !== key) : [];
    if (others.length > 0 || key.includes('.')) continue;
    return { reader, input: { [key]: value }, returns: read.returns ?? {} };
  }
  return undefined;
}

/** Whether the undo deletes the record that an effect creates. */
function isDeleted({ undo, catalogue }: NodeUndo, { record }: EffectOfTool): boolean {
  return undo.sequence.some(({ tool }) =>
    catalogue.tools
      .find(({ name }) => name === tool)
      ?.records.some((one) => one.does === 'delete' && one.record === record),
  );
}

/** Separates the key of an effect from the rest of the keys of calls that look for it. */
export const LOOK_KEY = '/look/';

/** A call that only looks: it has a key of its own, since the state may be another one at each look. */
function lookOf(reader: Tool, context: StepContext) {
  const { idempotencyKey, attempt } = context;
  const look = `${idempotencyKey}${LOOK_KEY}${attempt}/${context.slice().length}`;
  return { ...callOf(reader, context), idempotencyKey: look };
}

function isOfOutput(source: unknown): boolean {
  return typeof source === 'string' && source.split('.')[0] === 'output';
}
