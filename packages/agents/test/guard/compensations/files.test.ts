import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@alas-jssp/workflow';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { filesCompensation } from '../../../src/guard/compensations/files/files-compensation.js';
import { shippedRules } from '../../../src/guard/policies/shipped.js';
import { hasServers, type RealServer, serverCommands, startServer } from '../real-servers.js';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'files-')));
const root = join(scratch, 'root');
const outside = join(scratch, 'outside');
const at = (...names: string[]) => join(root, ...names);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function reset() {
  for (const directory of [root, outside]) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
  }
  mkdirSync(at('notes'));
  writeFileSync(at('a.txt'), 'alpha\nbeta\n');
  writeFileSync(at('notes/b.txt'), 'gamma\r\n');
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  chmodSync(at('a.txt'), 0o640);
  utimesSync(at('a.txt'), 1_700_000_000, 1_700_000_000);
}
beforeEach(reset);

/** Everything below a directory: contents, permissions, targets of links. Written without the code that it judges. */
function everythingIn(directory: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(directory, name);
    const status = lstatSync(path);
    const mode = (status.mode & 0o7777).toString(8);
    if (status.isSymbolicLink()) found[name] = ['link', readlinkSync(path)];
    else if (status.isDirectory()) found[name] = ['directory', mode];
    else found[name] = ['file', mode, readFileSync(path, 'base64')];
  }
  return found;
}

const files = () => filesCompensation({ roots: [root] });

describe.skipIf(!hasServers)('files of the real server', () => {
  let server: RealServer;
  beforeAll(async () => {
    mkdirSync(root, { recursive: true });
    server = await startServer(serverCommands.filesystem(root));
  });
  afterAll(() => server.close());

  /** Performs a call; `undo` takes it back, without the answer if it is lost. */
  async function perform(tool: string, input: Record<string, Json>, { lost = false } = {}) {
    const call = server.guarded(tool, input);
    const compensation = files();
    const prepared = await compensation.prepare(call);
    const output = await server.call(tool, input);
    const seen = await compensation.observe(call, prepared, lost ? undefined : output);
    return { output, seen, undo: () => compensation.undo(call, prepared, seen.after) };
  }

  const noise = fc.constantFrom(
    'a.txt',
    'c.txt',
    'notes',
    'notes/b.txt',
    'new/d.txt',
    'new',
    'x/y',
  );
  const calls = fc.oneof(
    fc.record({ tool: fc.constant('write_file'), path: noise, content: fc.string() }),
    fc.record({
      tool: fc.constant('edit_file'),
      path: noise,
      edits: fc.constantFrom(
        [{ oldText: 'beta', newText: 'delta' }],
        [{ oldText: '  gamma', newText: 'x' }],
      ),
      dryRun: fc.boolean(),
    }),
    fc.record({ tool: fc.constant('create_directory'), path: noise }),
    fc.record({ tool: fc.constant('move_file'), source: noise, destination: noise }),
  );

  it('are as before after any calls are taken back, last first, with or without their answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(calls, fc.boolean()), { maxLength: 8 }), async (list) => {
        reset();
        const before = everythingIn(root);
        const undos: (() => Promise<{ state: string }>)[] = [];
        for (const [{ tool, ...values }, lost] of list) {
          const input = Object.fromEntries(
            Object.entries(values).map(([key, value]) =>
              /^(path|source|destination)$/.test(key) ? [key, at(String(value))] : [key, value],
            ),
          ) as Record<string, Json>;
          const earlier = everythingIn(root);
          const made = await perform(tool, input, { lost }).catch((error: Error) => error);
          if (made instanceof Error) {
            expect(made).toMatchObject({ code: 'cannot_undo' });
            continue;
          }
          const { output, seen, undo } = made;
          // An edit that is not literal is in doubt without its answer.
          if (seen.state === 'unknown') {
            expect([tool, lost]).toEqual(['edit_file', true]);
            return;
          }
          const changed = JSON.stringify(everythingIn(root)) !== JSON.stringify(earlier);
          if (output === undefined || seen.state === 'not-done') expect(changed).toBe(false);
          undos.push(undo);
        }
        for (const undo of undos.reverse()) {
          expect(['undone', 'nothing-to-undo']).toContain((await undo()).state);
          expect((await undo()).state).toBe('nothing-to-undo');
        }
        expect(everythingIn(root)).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  it('get back contents, permissions and time', async () => {
    const { seen, undo } = await perform('write_file', { path: at('a.txt'), content: 'new' });
    expect(seen.state).toBe('done');
    expect(await undo()).toMatchObject({ state: 'undone' });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('alpha\nbeta\n');
    const { mode, mtimeMs } = lstatSync(at('a.txt'));
    expect([mode & 0o777, mtimeMs]).toEqual([0o640, 1_700_000_000_000]);
  });

  it('are not overwritten if somebody else has changed them', async () => {
    const write = await perform('write_file', { path: at('a.txt'), content: 'new' });
    writeFileSync(at('a.txt'), 'of somebody else');
    expect(await write.undo()).toMatchObject({ state: 'conflict' });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('of somebody else');

    const make = await perform('create_directory', { path: at('x/y') });
    writeFileSync(at('x/y/mine'), '');
    expect(await make.undo()).toMatchObject({ state: 'conflict' });
    expect(readdirSync(at('x/y'))).toEqual(['mine']);

    const move = await perform('move_file', { source: at('notes'), destination: at('moved') });
    writeFileSync(at('moved/other'), '');
    expect(await move.undo()).toMatchObject({ state: 'conflict' });
  });

  it('have rules that find the directories in the command', () => {
    const rules = shippedRules.get(server.identity);
    const facts = { identity: server.identity, directory: scratch };
    const made = rules?.({
      ...facts,
      command: ['npx', '@modelcontextprotocol/server-filesystem', 'root'],
    });
    expect(made?.write_file?.compensation).toEqual({ name: 'files', settings: { roots: [root] } });
    expect(() => rules?.({ ...facts, command: ['docker', 'run', 'mcp/filesystem'] })).toThrow(
      'do not find the directories',
    );
  });
});

describe('files', () => {
  const call = (tool: string, input: Record<string, Json>) =>
    ({ tool, input, blobs: { put: async () => '', get: async () => new Uint8Array() } }) as never;
  const refused = (tool: string, input: Record<string, Json>) =>
    expect(files().prepare(call(tool, input))).rejects;

  it('outside of the roots are refused, also by way of links', async () => {
    symlinkSync(outside, at('out'));
    symlinkSync(join(outside, 'secret.txt'), at('leak'));
    symlinkSync(at('nothing'), at('dangling'));
    const write = (path: string) => refused('write_file', { path, content: '' });
    await write(join(outside, 'x')).toThrow('outside of the roots');
    await write(at('out/secret.txt')).toThrow('outside of the roots');
    await write(at('out/new.txt')).toThrow('outside of the roots');
    await write(at('leak')).toThrow('outside of the roots');
    await write(at('dangling')).toThrow('link to nothing');
    await write(at('..', 'outside', 'x')).toThrow('outside of the roots');
    await write(`${root}-other/x`).toThrow('outside of the roots');
    await write('a.txt').toThrow('give an absolute path');
    await write(root).toThrow('a root itself');
  });

  it('that could not be restored are refused', async () => {
    linkSync(at('a.txt'), at('hard'));
    await refused('write_file', { path: at('a.txt'), content: '' }).toThrow('other hard links');
    await refused('write_file', { path: at('notes'), content: '' }).toThrow('is a directory');
    await refused('edit_file', { path: at('none'), edits: [] }).toThrow('does not exist');
    await refused('move_file', { source: at('a.txt'), destination: at('notes') }).toThrow('exists');
    await refused('shred', { path: at('a.txt') }).toThrow('does not know the tool shred');
    const small = filesCompensation({ roots: [root], largest: 3 });
    const big = small.prepare(call('write_file', { path: at('notes/b.txt'), content: '' }));
    await expect(big).rejects.toThrow('exceeds 3 bytes');
  });

  it('whose directory became a link since are left alone', async () => {
    const compensation = files();
    const write = call('write_file', { path: at('notes/n.txt'), content: 'x' });
    const prepared = await compensation.prepare(write);
    rmSync(at('notes'), { recursive: true });
    symlinkSync(outside, at('notes'));
    writeFileSync(join(outside, 'n.txt'), 'x');
    const seen = await compensation.observe(write, prepared, {});
    await expect(compensation.undo(write, prepared, seen.after)).rejects.toThrow('symbolic link');
    expect(readdirSync(outside)).toEqual(['n.txt', 'secret.txt']);
  });

  it('that a server left unfinished are removed', async () => {
    const compensation = files();
    const draft = `a.txt.${'0123456789abcdef'.repeat(2)}.tmp`;
    const replace = call('write_file', { path: at('a.txt'), content: 'long enough' });
    const prepared = await compensation.prepare({
      ...(replace as object),
      blobs: keeping(),
    } as never);
    writeFileSync(at(draft), 'lon');
    const seen = await compensation.observe(replace, prepared, undefined);
    expect(seen.state).toBe('partly');
    expect(await compensation.undo(replace, prepared, seen.after)).toMatchObject({
      state: 'undone',
    });
    expect(readdirSync(root).sort()).toEqual(['a.txt', 'notes']);

    const create = call('write_file', { path: at('new.txt'), content: 'long enough' });
    const before = await compensation.prepare(create);
    writeFileSync(at('new.txt'), 'lon');
    const begun = await compensation.observe(create, before, undefined);
    expect(begun.state).toBe('partly');
    expect(await compensation.undo(create, before, begun.after)).toMatchObject({ state: 'undone' });
    expect(readdirSync(root).sort()).toEqual(['a.txt', 'notes']);
  });

  it('need settings that are right', () => {
    expect(() => filesCompensation({})).toThrow('$.roots');
    expect(() => filesCompensation({ roots: ['/tmp'], larges: 1 })).toThrow('larges');
  });

  /** Blobs that answer with the digest of the bytes. */
  function keeping() {
    const { createHash } = process.getBuiltinModule('node:crypto');
    return {
      put: async (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex'),
      get: async () => new Uint8Array(),
    };
  }
});
