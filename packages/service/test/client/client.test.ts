import { describe, expect, it } from 'vitest';
import { connectService, RequestProblem } from '../../src/client/index.js';
import { loseAnswers, serveShops } from '../served.js';

const breakdown = { kind: 'breakdown', machine: 'Machine2', from: 12, to: 20 };

describe('the client of a service', () => {
  it('opens a shop, asks what an event would cost, reports it and follows the changes', async () => {
    const service = connectService({ url: await serveShops() });
    const shop = await service.openShop({ id: 'monday', instance: 'ft06' });
    expect(await service.shops()).toMatchObject([{ id: 'monday', status: 'open', version: 1 }]);
    const { trials } = await shop.whatIf({ events: [breakdown] }, ['default', { target: 0 }]);
    expect(trials).toHaveLength(2);
    const outcome = await shop.report({ events: [breakdown] });
    expect(outcome).toMatchObject({ status: 'committed', version: 2, row: null, repeated: false });
    expect(trials[0].makespan).toEqual(outcome.makespan);
    expect(await shop.moves()).toMatchObject({ version: 2, moves: outcome.moves, next: null });
    expect(await shop.undo({ version: 1 })).toMatchObject({ status: 'committed', version: 3 });
    expect(await shop.withdraw({ version: 2 })).toMatchObject({ status: 'committed', version: 4 });
    await expect(shop.withdraw({ version: 2 })).rejects.toMatchObject({ status: 409 });
    expect(await shop.state(1)).toMatchObject({ version: 4, proposal: null });
    expect(await shop.plan({ version: 2 })).toHaveProperty('entries');
    expect(await shop.story()).toHaveLength(5);
    await shop.close();
    const kinds = [];
    for await (const { kind } of shop.changes({ after: '0' })) kinds.push(kind);
    expect(kinds).toEqual(['committed', 'committed', 'committed', 'closed']);
    for await (const change of shop.changes()) expect.unreachable(change.kind);
  });

  it('decides on proposals', async () => {
    const service = connectService({ url: await serveShops() });
    const policy = { approval: { seconds: 3600, otherwise: 'decline' } };
    const shop = await service.openShop({ instance: 'ft06', policy });
    await shop.report({ events: [breakdown] });
    const { proposal } = await shop.state();
    expect(proposal?.moved).toBeGreaterThan(0);
    const outcome = await shop.approve(proposal?.name ?? '');
    expect(outcome).toMatchObject({ status: 'committed', version: 2 });
    await expect(shop.decline('version-2', 'too late')).rejects.toMatchObject({ status: 409 });
  });

  it('throws what is wrong with a request, where, and what would be right', async () => {
    const service = connectService({ url: await serveShops() });
    const shop = await service.openShop({ instance: 'ft06' });
    const fault = await shop
      .report({ events: [{ ...breakdown, machine: 'Machine9' }] })
      .catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(RequestProblem);
    expect(fault).toMatchObject({ status: 400, path: expect.stringContaining('events[0]') });
    await expect(service.shop('none').state()).rejects.toMatchObject({ code: 'no_shop' });
  });

  it('names the address where no service answers, or that is none', async () => {
    const service = connectService({ url: 'http://127.0.0.1:1', patience: 0 });
    const problem = /no service answers at http:\/\/127\.0\.0\.1:1 .*; alas-jssp serve starts one/;
    await expect(service.shops()).rejects.toThrow(problem);
    expect(() => connectService({ url: 'nonsense' })).toThrow('"nonsense" is no address; give one');
  });

  it('sends a report again whose answer was lost, and nothing happens twice', async () => {
    const url = await loseAnswers(await serveShops(), (_, path) => path.endsWith('/events'));
    const service = connectService({ url });
    const shop = await service.openShop({ instance: 'ft06' });
    const outcome = await shop.report({ events: [breakdown] });
    expect(outcome).toMatchObject({ version: 2, repeated: true });
    expect(await shop.state()).toMatchObject({ version: 2 });
  });

  it('optimizes with progress, judges and explains what it got', async () => {
    const service = connectService({ url: await serveShops() });
    const stages: unknown[] = [];
    const onProgress = (progress: unknown) => stages.push(progress);
    const budget = { iterations: 2000 };
    const { plan, value } = await service.optimize({ instance: 'ft06', budget }, { onProgress });
    expect(value).toBe(55);
    expect(stages.length).toBeGreaterThan(0);
    expect(await service.validate({ instance: 'ft06', plan })).toMatchObject({ valid: true });
    const { lines } = await service.explain({ instance: 'ft06', plan, events: [breakdown] });
    expect(lines.length).toBeGreaterThan(0);
    const repaired = await service.repair({ instance: 'ft06', plan, events: [breakdown] });
    expect(repaired).toMatchObject({ feasible: true, makespan: { before: 55 } });
    const wrong = service.optimize({ instance: 'none' }, { onProgress });
    await expect(wrong).rejects.toBeInstanceOf(RequestProblem);
  });

  it('shows its token', async () => {
    const token = 'k'.repeat(24);
    const url = await serveShops([{ name: 'kim', role: 'view', token }]);
    await expect(connectService({ url }).shops()).rejects.toMatchObject({ status: 401 });
    const service = connectService({ url, token });
    expect(await service.shops()).toEqual([]);
    await expect(service.openShop({ instance: 'ft06' })).rejects.toMatchObject({ status: 403 });
  });
});
