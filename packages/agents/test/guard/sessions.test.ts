import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogStore, openSqliteStore, settleEffect } from '@alas-jssp/workflow';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { functionServer } from '../../src/guard/servers/function-server.js';
import {
  type Guard,
  type GuardPolicyDraft,
  guardTools,
  openGuard,
  recoverLog,
} from '../../src/index.js';
import { createWorld, open, RULES, SERVER } from './records.js';

const opened: Guard[] = [];
const listening: Server[] = [];
afterEach(async () => {
  for (const guard of opened.splice(0)) await guard.close().catch(() => {});
  for (const server of listening.splice(0)) server.closeAllConnections();
});
const started = async (...given: Parameters<typeof open>): Promise<Guard> => {
  const guard = await open(...given);
  opened.push(guard);
  return guard;
};

describe('two guards on one log', () => {
  it('have sessions of their own, and leave that of a living guard alone', async () => {
    const [a, b] = [createWorld(), createWorld()];
    const first = await started(a);
    await first.call('add', { text: 'a' });
    const second = await openGuard({ log: a.log, policy: b.policy() });
    opened.push(second);
    expect(second.recovered).toEqual([]);
    await Promise.all([second.call('add', { text: 'b' }), first.call('add', { text: 'c' })]);
    const [taken, kept] = [await first.abort('test'), await second.commit()];
    expect([taken.session, kept.session]).toEqual(['guard-1', 'guard-2']);
    expect(a.texts()).toEqual([]);
    expect(b.texts()).toEqual(['b']);
  });
});

describe('a guard that lives', () => {
  it('keeps its open session, which a recovery of the log names', async () => {
    const world = createWorld();
    const guard = await openGuard({ log: world.log, policy: world.policy() });
    opened.push(guard);
    await guard.call('add', { text: 'a' });
    expect(await recoverLog(world.log, [])).toEqual({ reports: [], living: ['guard-1'] });
    expect(world.texts()).toEqual(['a']);
    await guard.commit();
    expect(await recoverLog(world.log, [])).toEqual({ reports: [], living: [] });
  });
});

describe('a guard that ends in the middle', () => {
  it('of its commit has committed as soon as the log says so', async () => {
    const world = createWorld();
    const store = openSqliteStore(world.log);
    const broken: LogStore = {
      ...store,
      append(entries, options) {
        if (entries[0]?.eventType === 'EndRun') throw new Error('the disk is full');
        return store.append(entries, options);
      },
    };
    const guard = await openGuard({ log: { store: broken }, policy: world.policy() });
    opened.push(guard);
    await guard.call('add', { text: 'a' });
    await guard.commit();
    const [report] = (await recoverLog(world.log, [])).reports;
    expect(report).toMatchObject({ status: 'committed', remaining: [], inDoubt: [] });
    expect(world.texts()).toEqual(['a']);
    store.close();
  });

  it('of its abort is taken back the rest of the way by the next guard on the log', async () => {
    const world = createWorld();
    const store = openSqliteStore(world.log);
    let undone = 0;
    const broken: LogStore = {
      ...store,
      append(entries, options) {
        if (entries[0]?.eventType === 'Compensated' && ++undone === 2) throw new Error('killed');
        return store.append(entries, options);
      },
    };
    const guard = await openGuard({ log: { store: broken }, policy: world.policy() });
    opened.push(guard);
    for (const text of ['a', 'b', 'c']) await guard.call('add', { text });
    await guard.abort('test');
    expect(world.texts()).toEqual(['a']);
    store.close();
    const next = await open(world);
    opened.push(next);
    expect(next.recovered).toMatchObject([{ status: 'taken-back', remaining: [], inDoubt: [] }]);
    expect(world.texts()).toEqual([]);
  });
});

describe('a doubt', () => {
  const blind = {
    ...RULES,
    add: { access: 'change', inverse: { tool: 'remove', input: { id: 'output.id' } } },
  } as const;

  it('of a commit is waited for, and keeps the session open', async () => {
    const world = createWorld();
    const guard = await started(world, ['add=act-wait'], {}, blind);
    const called = guard.call('add', { text: 'a' });
    await world.called();
    const committed = guard.commit();
    expect(await guard.call('add', { text: 'b' })).toMatchObject({ status: 'refused' });
    world.openGate();
    expect(await called).toMatchObject({ status: 'done' });
    expect(await committed).toMatchObject({ status: 'committed', inDoubt: [] });
    expect(world.texts()).toEqual(['a']);
  });

  it('is settled by a person in the log, and then by the next recovery', async () => {
    const world = createWorld();
    const guard = await open(world, ['add=die-after'], { onClose: 'commit' }, blind);
    await guard.call('add', { text: 'a' });
    const [report] = await guard.close();
    expect(report).toMatchObject({ status: 'in-doubt', inDoubt: [1] });
    const recovered = async () => (await recoverLog(world.log, [])).reports;
    expect(await recovered()).toMatchObject([{ status: 'in-doubt' }]);
    const store = openSqliteStore(world.log);
    const path = report?.calls[0]?.nodeId as string;
    settleEffect(store, 'guard-1', path, { happened: true, by: 'ann' });
    store.close();
    expect(await recovered()).toMatchObject([{ status: 'committed', inDoubt: [] }]);
    expect(await recovered()).toEqual([]);
    expect(world.texts()).toEqual(['a']);
  });
});

describe('validators', () => {
  const withValidator = (validator: NonNullable<GuardPolicyDraft['validators']>[number]) => ({
    validators: [validator],
  });

  it('before a call refuse it', async () => {
    const world = createWorld();
    const short = { name: 'short', when: 'before', holds: '$length($input.text) < 5' } as const;
    const guard = await started(world, [], withValidator(short));
    expect(await guard.call('add', { text: 'too long' })).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('the validator short failed'),
    });
    expect(await guard.call('add', { text: 'ok' })).toMatchObject({ status: 'done' });
    expect(world.texts()).toEqual(['ok']);
  });

  it('after a call take it back, or the whole session', async () => {
    const one = createWorld();
    const holds = '$input.text != "bad"';
    const call = { name: 'good', holds, takesBack: 'call' } as const;
    const guard = await started(one, [], withValidator(call));
    await guard.call('add', { text: 'a' });
    expect(await guard.call('add', { text: 'bad' })).toMatchObject({ status: 'undone', call: 2 });
    expect(one.texts()).toEqual(['a']);

    const all = createWorld();
    const strict = await started(all, [], withValidator({ name: 'good', holds }));
    await strict.call('add', { text: 'a' });
    expect(await strict.call('add', { text: 'bad' })).toMatchObject({
      status: 'undone',
      call: 2,
      message: expect.stringMatching(/all changes of the session: the validator good failed/),
    });
    expect(all.texts()).toEqual([]);
    expect(await strict.status()).toMatchObject({ status: 'taken-back' });
    // The next call begins a new session.
    expect(await strict.call('add', { text: 'b' })).toMatchObject({ status: 'done', call: 3 });
  });

  it('at the commit take the session back', async () => {
    const world = createWorld();
    const most = { name: 'one', when: 'commit', holds: '$count($calls) < 2' } as const;
    const guard = await started(world, [], withValidator(most));
    await guard.call('add', { text: 'a' });
    await guard.call('add', { text: 'b' });
    expect(await guard.commit()).toMatchObject({
      status: 'taken-back',
      reason: expect.stringContaining('the validator one failed'),
    });
    expect(world.texts()).toEqual([]);
  });
});

describe('several servers', () => {
  it('have tools with the names of their servers, which cannot collide', async () => {
    const [a, b] = [createWorld(), createWorld()];
    const server = (file: string) => ({
      command: [process.execPath, SERVER, file],
      tools: RULES,
    });
    const guard = await openGuard({
      log: a.log,
      policy: { ...a.policy(), servers: { left: server(a.file), right: server(b.file) } },
    });
    opened.push(guard);
    const names = guard.tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    await guard.call('left_add', { text: 'a' });
    await guard.call('right_add', { text: 'b' });
    expect([a.texts(), b.texts()]).toEqual([['a'], ['b']]);
    expect(await guard.abort('test')).toMatchObject({ status: 'taken-back' });
    expect([a.texts(), b.texts()]).toEqual([[], []]);
  });
});

it('refuses tools that would have the names of its own tools, and no rules of others for a tool', async () => {
  const world = createWorld();
  const listed = { find: { run: () => null }, commit: { run: () => null } };
  const [guarded, other] = [functionServer('guard', listed), functionServer('b', listed)];
  const policy = { schema: 'alas-jssp/guard@1', servers: {} } as const;
  const both = openGuard({ log: world.log, policy, servers: [guarded, other] });
  await expect(both).rejects.toThrow('has a name of the guard');
  const odd = functionServer('odd', { constructor: { run: () => null } });
  const guard = await openGuard({ log: world.log, policy, servers: [odd] });
  opened.push(guard);
  expect(guard.refusedTools).toEqual([
    { name: 'constructor', reason: 'the policy has no rules for it' },
  ]);
});

describe('a server over HTTP', () => {
  it('is called and taken back, and a call that may still act stays in doubt', async () => {
    const { createServer } = await import('./records-server.mjs');
    const world = createWorld();
    const handler = createMcpHandler(() => createServer(world.file, ['add=wait-act']));
    const http = createHttpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const asked = new Request(`http://localhost${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers) as [string, string][],
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : undefined),
      });
      const answer = await handler.fetch(asked);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    listening.push(http);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    const rules = { ...RULES, add: { ...RULES.add, timeoutSeconds: 3 } };
    const guard = await openGuard({
      log: world.log,
      policy: {
        ...world.policy(),
        servers: { web: { http: `http://127.0.0.1:${port}/mcp`, tools: rules } },
      },
    });
    opened.push(guard);
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'in-doubt' });
    expect(await guard.call('add', { text: 'b' })).toMatchObject({ status: 'done', call: 2 });
    const report = await guard.abort('test');
    expect(report).toMatchObject({ status: 'in-doubt', inDoubt: [1], remaining: [] });
    expect(world.texts()).toEqual([]);
    // It acts after all: the report has said that it may.
    world.openGate();
    while (world.texts().length === 0) await sleep(10);
  });
});

describe('tools of this process', () => {
  it('are guarded for the calls of the SDKs of models', async () => {
    const notes = new Map<string, string>();
    const { guard, answer, openai, anthropic } = await guardTools(
      {
        write: {
          description: 'Writes a note.',
          run({ name, text }) {
            const before = notes.get(String(name)) ?? null;
            notes.set(String(name), String(text));
            return { before };
          },
        },
        erase: { run: ({ name }) => ({ erased: notes.delete(String(name)) }) },
        look: { run: ({ name }) => ({ found: notes.has(String(name)) }) },
      },
      {
        tools: {
          look: { access: 'read' },
          write: {
            access: 'change',
            inverse: { tool: 'erase', input: { name: 'input.name' }, idempotent: true },
          },
        },
      },
      { log: createWorld().log },
    );
    opened.push(guard);
    expect(openai().map((tool) => tool.function.name)).toEqual(['write', 'look']);
    expect(anthropic()[0]).toMatchObject({ name: 'write', input_schema: { type: 'object' } });
    const call = {
      type: 'function',
      id: 'call_1',
      function: { name: 'write', arguments: '{"name":"a","text":"b"}' },
    } as const;
    const made = await answer(call);
    expect(made).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
    expect(JSON.parse(made.content)).toMatchObject({ status: 'done', result: { before: null } });
    expect(JSON.parse((await answer(call)).content)).toMatchObject({ status: 'done', call: 1 });
    const cut = { type: 'function_call', call_id: 'x', name: 'write', arguments: '{"na' } as const;
    expect(JSON.parse((await answer(cut)).output)).toMatchObject({ status: 'refused' });
    const used = { type: 'tool_use', id: 't', name: 'look', input: { name: 'a' } } as const;
    expect(await answer(used)).toMatchObject({ tool_use_id: 't', is_error: false });
    expect(notes.get('a')).toBe('b');
    expect(await guard.abort('test')).toMatchObject({ status: 'taken-back' });
    expect(notes.size).toBe(0);
  });
});
