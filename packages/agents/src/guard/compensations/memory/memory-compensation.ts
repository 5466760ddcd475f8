import type { Json } from '@alas-jssp/workflow';
import * as z from 'zod';
import type { Compensation, GuardedCall, UndoneEffect } from '../../compensation.js';
import { fromStored, readSettings, toStored } from '../settings.js';
import { changeOf, type GraphChange, type GraphObservation } from './graph-change.js';
import { type PartState, stateOf, summary } from './graph-state.js';
import { type KnowledgeGraph, relationKey, toGraph } from './knowledge-graph.js';

const memorySettings = z.strictObject({});

const OBSERVED: Readonly<Record<PartState, 'done' | 'not-done' | 'partly'>> = {
  empty: 'done',
  applied: 'done',
  reverted: 'not-done',
  mixed: 'partly',
};

/**
 * Takes back changes of the graph of `@modelcontextprotocol/server-memory` by its own tools, and only the things that
 * the call itself has added or removed. The graph is restored as sets: the order of its parts may differ.
 *
 * @throws InputError `bad_compensation` for wrong settings; `prepare` throws `cannot_undo`
 */
export function memoryCompensation(settings: Json): Compensation {
  readSettings('memory', memorySettings, settings);
  return {
    name: 'memory',
    prepare: async (call) => toStored(changeOf(call, await readGraph(call))),
    async observe(call, prepared) {
      const states = stateOf(fromStored(prepared), await readGraph(call));
      const state = OBSERVED[summary(Object.values(states))];
      return { state, after: toStored(states) };
    },
    async undo(call, prepared, after) {
      const wasApplied = Object.values(fromStored<Record<string, PartState>>(after ?? {}));
      return undoChange(call, fromStored(prepared), summary(wasApplied));
    },
  };
}

async function readGraph({ read }: GuardedCall): Promise<KnowledgeGraph> {
  return toGraph(await read('read_graph', {}));
}

async function undoChange(
  call: GuardedCall,
  change: GraphChange,
  observed: PartState,
): Promise<UndoneEffect> {
  const graph = await readGraph(call);
  const states = stateOf(change, graph);
  const lost = change.kept.filter(
    (each) => !graph.relations.some((other) => relationKey(other) === relationKey(each)),
  );
  const now = summary(Object.values(states));
  if (now === 'empty' || (now === 'reverted' && (observed !== 'applied' || lost.length === 0))) {
    return { state: 'nothing-to-undo', message: 'the graph does not have the change' };
  }
  // A change that did not exist after the call is somebody else's.
  if (Object.values(states).includes('mixed') || observed === 'mixed' || observed === 'reverted') {
    return { state: 'conflict', message: 'the same parts of the graph have been changed since' };
  }
  const { entities, observations, relations } = change;
  if (states.relations === 'applied' && relations.added.length > 0) {
    await call.change('delete_relations', { relations: toStored(relations.added) });
  }
  if (states.observations === 'applied') await undoObservations(call, observations);
  if (states.entities === 'applied') {
    const entityNames = entities.added.map(({ name }) => name);
    if (entityNames.length > 0) await call.change('delete_entities', { entityNames });
    if (entities.removed.length > 0) {
      await call.change('create_entities', { entities: toStored(entities.removed) });
    }
  }
  // Deleting an entity deletes its relations, so they come last. Those that exist are not created again.
  const missing = [...(states.relations === 'applied' ? relations.removed : []), ...change.kept];
  if (missing.length > 0) {
    await call.change('create_relations', { relations: toStored(missing) });
  }
  return { state: 'undone', message: 'the graph no longer has the change' };
}

async function undoObservations(
  call: GuardedCall,
  { added, removed }: GraphChange['observations'],
): Promise<void> {
  if (added.length > 0) {
    const deletions = byEntity(added).map(([entityName, contents]) => ({
      entityName,
      observations: contents,
    }));
    await call.change('delete_observations', { deletions });
  }
  if (removed.length > 0) {
    const observations = byEntity(removed).map(([entityName, contents]) => ({
      entityName,
      contents,
    }));
    await call.change('add_observations', { observations });
  }
}

function byEntity(list: readonly GraphObservation[]): readonly [string, string[]][] {
  const contents = new Map<string, string[]>();
  for (const { entityName, content } of list) {
    contents.set(entityName, [...(contents.get(entityName) ?? []), content]);
  }
  return Array.from(contents);
}
