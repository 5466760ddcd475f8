import { expect, it } from 'vitest';
import { graph } from '../../src/workflow/ir/builder.js';
import { coreOf } from './core-fields.js';

const shop = (guard: string, attempts: number, plain = 'plain') =>
  graph()
    .task('plan', { role: 'planner' })
    .choice('valid')
    .task('publish')
    .task('reject')
    .sequence('plan', 'valid')
    .branch('valid', 'publish', guard)
    .otherwise('valid', 'reject')
    .build('shop', {
      policies: { [plain]: { retry: { maxAttempts: attempts } } },
      defaultPolicy: plain,
    });

it('does not depend on the names of policies, nor on the order of nodes', () => {
  const core = coreOf(shop('$input.ok = true', 2));
  expect(coreOf(shop('$input.ok = true', 2, 'other'))).toEqual(core);
  const turned = shop('$input.ok = true', 2);
  expect(coreOf({ ...turned, nodes: [...turned.nodes].reverse() })).toEqual(core);
});

it('depends on guards, on attempts and on edges', () => {
  const core = coreOf(shop('$input.ok = true', 2));
  expect(coreOf(shop('$input.ok = false', 2))).not.toEqual(core);
  expect(coreOf(shop('$input.ok = true', 3))).not.toEqual(core);
  const { edges, ...rest } = shop('$input.ok = true', 2);
  expect(coreOf({ ...rest, edges: edges.slice(1) })).not.toEqual(core);
});
