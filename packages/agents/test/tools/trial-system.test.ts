import { describe, expect, it } from 'vitest';
import { createTrialSystem } from '../../src/index.js';
import { callWith, objectOf, shopCatalogue } from './catalogues.js';

const open = (seed = 1) => createTrialSystem(shopCatalogue(), { seed });

describe('a trial system', () => {
  it('creates records with ids of its own, and deletes them', async () => {
    const trial = open();
    const empty = trial.snapshot();
    const made = await trial.call('create_refund', { order: 'A7', amount: 5 }, callWith('k'));
    expect(made).toMatchObject({ refund: 'refund-1' });
    expect(JSON.parse(trial.snapshot())).toEqual({
      order: { A7: { id: 'A7', state: 'paid', total: 40 } },
      refund: { 'refund-1': { id: 'refund-1', order: 'A7', amount: 5, currency: 'EUR' } },
    });
    await trial.call('cancel_refund', { refund: 'refund-1' }, callWith());
    expect(trial.snapshot()).toBe(empty);
    expect(trial.effects()).toMatchObject([
      { tool: 'create_refund', record: 'refund', id: 'refund-1', before: null, runId: 'run' },
      { tool: 'cancel_refund', record: 'refund', id: 'refund-1', after: null },
    ]);
    expect(trial.effects()[0].idempotencyKey).toBe('k');
  });

  it('returns fields before and after a call', async () => {
    const trial = open();
    const order = 'A7';
    const set = await trial.call('set_order_state', { order, state: 'held' }, callWith());
    expect(set).toEqual({ previous: 'paid' });
    expect(await trial.call('get_order', { order }, callWith())).toEqual({
      state: 'held',
      total: 40,
    });
  });

  it('acts once for each key of an idempotent tool, and again for each call of others', async () => {
    const trial = open();
    const input = { order: 'A7', amount: 5 };
    const first = await trial.call('create_refund', input, callWith('k'));
    expect(await trial.call('create_refund', input, callWith('k'))).toEqual(first);
    expect(trial.effects()).toHaveLength(1);
    const changed = trial.call('create_refund', { ...input, amount: 6 }, callWith('k'));
    await expect(changed).rejects.toMatchObject({ code: 'KeyReused' });
    const refund = 'refund-1';
    await trial.call('cancel_refund', { refund }, callWith('c'));
    const again = trial.call('cancel_refund', { refund }, callWith('c'));
    await expect(again).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('changes nothing in a call that fails', async () => {
    const trial = open();
    const before = trial.snapshot();
    const call = trial.call('create_refund', { order: 'none', amount: 5 }, callWith());
    await expect(call).rejects.toMatchObject({ code: 'NotFound', message: /no order none/ });
    expect(trial.snapshot()).toBe(before);
    expect(trial.effects()).toEqual([]);
  });

  it('refuses to create a record whose id exists', async () => {
    const catalogue = shopCatalogue(({ tools }) => {
      tools[2].input = objectOf({ refund: { type: 'string' }, order: { type: 'string' } });
      tools[2].records = [{ does: 'create', record: 'refund', id: 'input.refund' }];
    });
    const trial = createTrialSystem(catalogue, { seed: 1 });
    const input = { refund: 'R1', order: 'A7' };
    await trial.call('create_refund', input, callWith());
    expect(JSON.parse(trial.snapshot()).refund).toEqual({ R1: { id: 'R1', order: 'A7' } });
    const again = trial.call('create_refund', input, callWith());
    await expect(again).rejects.toMatchObject({ code: 'AlreadyExists' });
  });

  it('shows changes that a tool does not declare, so that no undo passes by hiding them', async () => {
    const trial = open();
    const before = trial.snapshot();
    await trial.call('send_letter', { to: 'Kim' }, callWith());
    await trial.call('send_letter', { to: 'Kim' }, callWith());
    expect(trial.snapshot()).not.toBe(before);
    expect(trial.effects().map(({ record }) => record)).toEqual([
      'call of send_letter',
      'call of send_letter',
    ]);
  });

  it('explores outputs by seed, and answers equal calls alike', async () => {
    const answers = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const [one, two] = [open(seed), open(seed)];
      const answer = await one.call('send_letter', { to: 'Kim' }, callWith());
      expect(await two.call('send_letter', { to: 'Kim' }, callWith())).toEqual(answer);
      expect(await one.call('send_letter', { to: 'Kim' }, callWith())).toEqual(answer);
      answers.add(JSON.stringify(answer));
    }
    expect([...answers].sort()).toEqual(['{"sent":false}', '{"sent":true}']);
  });

  it('answers with examples if there are any', async () => {
    const catalogue = shopCatalogue(({ tools }) => {
      tools[4].examples = [{ sent: false }];
    });
    for (let seed = 0; seed < 5; seed++) {
      const trial = createTrialSystem(catalogue, { seed });
      expect(await trial.call('send_letter', { to: 'Kim' }, callWith())).toEqual({ sent: false });
    }
  });

  it('checks names and inputs', async () => {
    const trial = open();
    const unknown = trial.call('get_ordr', { order: 'A7' }, callWith());
    await expect(unknown).rejects.toMatchObject({ code: 'UnknownTool', message: /get_order/ });
    const bad = trial.call('get_order', { order: 7 }, callWith());
    await expect(bad).rejects.toMatchObject({ code: 'BadToolInput', message: /order/ });
  });
});
