import { expect, it } from 'vitest';
import { createTrialSystem, limitTools } from '../../src/index.js';
import { callWith, shopCatalogue } from './catalogues.js';

it('permits the tools of the capabilities, and calls no other', async () => {
  const trial = createTrialSystem(shopCatalogue(), { seed: 1 });
  const limited = limitTools(trial, ['get_order', 'pay']);
  expect(limited.tools.map(({ name }) => name)).toEqual(['get_order', 'create_refund']);
  await limited.call('create_refund', { order: 'A7', amount: 5 }, callWith());
  const before = trial.snapshot();
  const letter = limited.call('send_letter', { to: 'Kim' }, callWith());
  await expect(letter).rejects.toMatchObject({ code: 'NotPermitted', message: /"send_letter"/ });
  const unknown = limited.call('none', {}, callWith());
  await expect(unknown).rejects.toMatchObject({ code: 'UnknownTool' });
  await limited.close();
  expect(trial.snapshot()).toBe(before);
  expect(await trial.call('send_letter', { to: 'Kim' }, callWith())).toHaveProperty('sent');
});
