import { describe, expect, it } from 'vitest';
import { createMemoryStore, type EventType, type NewEntry, verifyLog } from '../../src/index.js';
import { grouping } from '../../src/log/grouping-store.js';

const entry = (nodeId: string, eventType: EventType, payload: unknown = {}): NewEntry => ({
  ...{ runId: 'r', ts: '2026-01-02T03:04:05Z', nodeId, eventType, correlationId: nodeId },
  payload: payload as never,
});

function open() {
  const log = createMemoryStore();
  const store = grouping(log, ({ eventType }) => eventType !== 'EndNode');
  const now = 0;
  const answer = store.acquire({
    ...{ runId: 'r', owner: 'me', now, until: 1e6, isGone: () => false },
    first: () => [entry('', 'StartRun')],
  });
  if (answer.status !== 'owned') throw new Error('it is owned');
  return { log, store, token: answer.lease.token };
}

describe('a store that groups', () => {
  it('puts off what may wait, and appends it with what may not', () => {
    const { log, store, token } = open();
    const [first] = store.append([entry('a', 'StartNode')], { token });
    expect(first.version).toBe(1);
    expect([...log.read({ runId: 'r' })]).toHaveLength(1);
    const [last] = store.append([entry('a', 'EndNode', { output: 1 })], { token });
    expect(last).toMatchObject({ version: 2, eventType: 'EndNode' });
    expect([...log.read({ runId: 'r' })].map(({ eventType }) => eventType)).toEqual([
      'StartRun',
      'StartNode',
      'EndNode',
    ]);
    expect(verifyLog(log).valid).toBe(true);
  });

  it('appends what it put off before it is read, and before the run is given back', () => {
    const { log, store, token } = open();
    store.append([entry('a', 'StartNode')], { token });
    expect([...store.read({ runId: 'r' })]).toHaveLength(2);
    store.append([entry('b', 'StartNode')], { token });
    store.release('r', token, { wakeAt: null, taken: 0, quiet: true });
    expect([...log.read({ runId: 'r' })]).toHaveLength(3);
  });

  it('is refused when it has lost the run, and takes nothing after that', () => {
    const { log, store, token } = open();
    store.append([entry('a', 'StartNode')], { token });
    log.acquire({ runId: 'r', owner: 'other', now: 2e6, until: 3e6, isGone: () => true });
    const end = () => store.append([entry('a', 'EndNode')], { token });
    expect(end).toThrow(expect.objectContaining({ code: 'not_owner' }));
    expect(end).toThrow(expect.objectContaining({ code: 'not_owner' }));
    expect([...log.read({ runId: 'r' })]).toHaveLength(1);
  });

  it('interrupts the run when deferred entries cannot be logged', () => {
    const { store, token } = open();
    store.append([entry('a', 'StartNode', { wrong: Number.NaN })], { token });
    const end = () => store.append([entry('a', 'EndNode')], { token });
    expect(end).toThrow(expect.objectContaining({ code: 'log_failed' }));
  });
});
