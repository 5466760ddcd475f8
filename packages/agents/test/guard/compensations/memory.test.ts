import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@alas-jssp/workflow';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memoryCompensation } from '../../../src/guard/compensations/memory/memory-compensation.js';
import { shippedRules } from '../../../src/guard/policies/shipped.js';
import { hasServers, type RealServer, serverCommands, startServer } from '../real-servers.js';

const scratch = mkdtempSync(join(tmpdir(), 'memory-'));
const file = join(scratch, 'graph.jsonl');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The lines of the server's own file, with what has no order sorted. Written without the code that it judges. */
function linesOfFile(): string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines
    .map((line) => {
      const part = JSON.parse(line);
      part.observations?.sort();
      return JSON.stringify(part);
    })
    .sort();
}

const START = [
  { type: 'entity', name: 'A', entityType: 'city', observations: ['one', 'two'] },
  { type: 'entity', name: 'B', entityType: 'city', observations: [] },
  { type: 'relation', from: 'A', to: 'B', relationType: 'near' },
  { type: 'relation', from: 'C', to: 'A', relationType: 'near' },
];

describe.skipIf(!hasServers)('the graph of the real memory server', () => {
  let server: RealServer;
  const reset = () => writeFileSync(file, START.map((part) => JSON.stringify(part)).join('\n'));
  beforeAll(async () => {
    server = await startServer(serverCommands.memory(), { MEMORY_FILE_PATH: file });
  });
  afterAll(() => server.close());
  beforeEach(reset);

  async function perform(tool: string, input: Record<string, Json>, lost = false) {
    const call = server.guarded(tool, input);
    const compensation = memoryCompensation({});
    const prepared = await compensation.prepare(call);
    const output = await server.call(tool, input);
    const seen = await compensation.observe(call, prepared, lost ? undefined : output);
    return { output, seen, undo: () => compensation.undo(call, prepared, seen.after) };
  }

  const name = fc.constantFrom('A', 'B', 'C', 'D');
  const text = fc.constantFrom('one', 'two', 'three');
  const relation = fc.record({
    from: name,
    to: name,
    relationType: fc.constantFrom('near', 'far'),
  });
  const entity = fc.record({
    name,
    entityType: fc.constantFrom('city', 'river'),
    observations: fc.uniqueArray(text),
  });
  const call = fc.oneof(
    fc.tuple(
      fc.constant('create_entities'),
      fc.record({ entities: fc.array(entity, { maxLength: 3 }) }),
    ),
    fc.tuple(
      fc.constant('create_relations'),
      fc.record({ relations: fc.array(relation, { maxLength: 3 }) }),
    ),
    fc.tuple(
      fc.constant('add_observations'),
      fc.record({
        observations: fc.array(fc.record({ entityName: name, contents: fc.array(text) }), {
          maxLength: 2,
        }),
      }),
    ),
    fc.tuple(
      fc.constant('delete_entities'),
      fc.record({ entityNames: fc.array(name, { maxLength: 2 }) }),
    ),
    fc.tuple(
      fc.constant('delete_observations'),
      fc.record({
        deletions: fc.array(fc.record({ entityName: name, observations: fc.array(text) }), {
          maxLength: 2,
        }),
      }),
    ),
    fc.tuple(
      fc.constant('delete_relations'),
      fc.record({ relations: fc.array(relation, { maxLength: 3 }) }),
    ),
  );

  it('is as before after any calls are taken back, last first, with or without their answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(call, fc.boolean()), { maxLength: 8 }), async (list) => {
        reset();
        const before = linesOfFile();
        const undos: (() => Promise<{ state: string }>)[] = [];
        for (const [[tool, input], lost] of list) {
          const earlier = linesOfFile();
          const made = await perform(tool, input as never, lost).catch((error: Error) => error);
          if (made instanceof Error) {
            expect(made).toMatchObject({ code: 'cannot_undo' });
            continue;
          }
          const isChanged = JSON.stringify(linesOfFile()) !== JSON.stringify(earlier);
          expect(['done', 'not-done']).toContain(made.seen.state);
          if (isChanged) expect(made.seen.state).toBe('done');
          undos.push(made.undo);
        }
        for (const undo of undos.reverse()) {
          expect(['undone', 'nothing-to-undo']).toContain((await undo()).state);
          expect((await undo()).state).toBe('nothing-to-undo');
        }
        expect(linesOfFile()).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps what others attach to a new entity', async () => {
    const entities = [{ name: 'N', entityType: 'city', observations: ['new'] }];
    const { undo } = await perform('create_entities', { entities });
    await server.call('add_observations', {
      observations: [{ entityName: 'N', contents: ['of somebody else'] }],
    });
    const kept = linesOfFile();
    expect(await undo()).toMatchObject({ state: 'conflict' });
    expect(linesOfFile()).toEqual(kept);
  });

  it('keeps what existed before a call that names it, too', async () => {
    const relations = [
      { from: 'A', to: 'B', relationType: 'near' },
      { from: 'B', to: 'A', relationType: 'near' },
    ];
    const { undo } = await perform('create_relations', { relations });
    expect(await undo()).toMatchObject({ state: 'undone' });
    expect(linesOfFile()).toContain(JSON.stringify(START[2]));
  });

  it('is the subject of shipped rules', () => {
    const facts = { identity: server.identity, command: [], directory: '/' };
    expect(shippedRules.get(server.identity)?.(facts).delete_entities).toMatchObject({
      access: 'change',
      compensation: 'memory',
    });
  });
});
