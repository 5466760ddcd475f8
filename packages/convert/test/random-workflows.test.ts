import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomScript } from '../../lab/src/conformance/random-scripts.js';
import { randomWorkflow } from '../../lab/src/conformance/random-workflows.js';
import { checkWorkflow } from '../../workflow/src/ir/check/check.js';
import { featuresOf } from '../src/features.js';
import { FEATURES } from '../src/report.js';
import { arbitraryWorkflow } from './random-workflows.js';

it('draws sound workflows, the same for the same seed', () => {
  for (let seed = 0; seed < 50; seed++) {
    const workflow = randomWorkflow(seed, { timers: seed % 2 === 0 });
    expect(checkWorkflow(workflow).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(randomWorkflow(seed, { timers: seed % 2 === 0 })).toEqual(workflow);
    expect(randomScript(workflow, seed)).toEqual(randomScript(workflow, seed));
  }
});

it('has no waits where none are asked for', () => {
  for (let seed = 0; seed < 200; seed++) {
    const workflow = randomWorkflow(seed);
    for (const { backoff } of Object.values(workflow.policies)) expect(backoff?.base ?? 0).toBe(0);
    const { rows } = randomScript(workflow, seed);
    expect(rows.filter(({ does }) => does === 'hang' || does === 'delay')).toEqual([]);
  }
});

it('uses every feature', () => {
  const used = new Set<string>();
  const workflows = fc.sample(arbitraryWorkflow({ rich: true, timers: true }), 400);
  for (const workflow of workflows) for (const use of featuresOf(workflow)) used.add(use.feature);
  const unused = FEATURES.filter((feature) => !used.has(feature));
  expect(unused).toEqual([]);
});

it('draws faults that a run meets, and that its policies speak of', () => {
  const does = new Set<string>();
  for (let seed = 0; seed < 100; seed++) {
    const workflow = randomWorkflow(seed, { timers: true });
    for (const row of randomScript(workflow, seed, { timers: true }).rows) {
      does.add(`${row.kind} ${row.does}`);
    }
  }
  const kinds = ['run ok', 'run error', 'run crash', 'run hang', 'run delay', 'undo error'];
  for (const kind of [...kinds, 'wait ok', 'wait hang']) expect([...does]).toContain(kind);
});
