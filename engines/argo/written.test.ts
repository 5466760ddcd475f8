import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { refundAt } from '../../examples/refund-workflow.mjs';
import { tripAt } from '../../examples/travel-workflow.mjs';
import { guardExpression } from '../../packages/convert/src/argo/write/guard-expression.js';
import { writeArgo } from '../../packages/convert/src/argo/write.js';
import { randomWorkflow } from '../../packages/lab/src/conformance/random-workflows.js';
import { compileGuard } from '../../packages/workflow/src/ir/guard/guard.js';
import type { Workflow } from '../../packages/workflow/src/ir/workflow.js';
import { toWorkflow } from '../../packages/workflow/src/ir/workflow-file.js';
import { evaluateAll, find, lintAll } from './engine.mjs';

const blueprint = (...words: string[]) =>
  toWorkflow(
    JSON.parse(
      execFileSync('node', ['bin/alas-jssp.js', 'workflow', 'blueprint', ...words], {
        encoding: 'utf8',
      }),
    ),
  );

describe.skipIf(find() === undefined)('documents for Argo', () => {
  test('of both sagas and the blueprint are accepted, and nothing of them is unsupported', async () => {
    const workflows = {
      refund: toWorkflow(refundAt('http://localhost').workflow),
      travel: toWorkflow(tripAt('http://localhost').workflow),
      blueprint: blueprint('--rounds', '2', '--disruptions', 'breakdown,delay'),
    };
    for (const [name, workflow] of Object.entries(workflows)) {
      const { text, report } = await writeArgo(workflow);
      expect([name, lintAll([text])]).toEqual([name, [{ errors: [] }]]);
      expect(report.filter(({ level }) => level === 'unsupported')).toEqual([]);
    }
  });

  test('of random workflows are accepted', async () => {
    const seeds = Array.from({ length: 300 }, (_, seed) => seed);
    const texts: string[] = [];
    for (const seed of seeds) {
      const shape = { timers: seed % 2 === 0, rich: seed % 3 === 0 };
      texts.push((await writeArgo(randomWorkflow(seed, shape) as Workflow)).text);
    }
    const refused = lintAll(texts).flatMap(({ errors }, k) => errors.map((one) => [seeds[k], one]));
    expect(refused).toEqual([]);
  });
});

const GUARDS = [
  '$input.a = 1',
  '$input.a != 1',
  '$input.a = null',
  '$input.a.b = "x"',
  '$input.a > 1',
  '$not($input.a > 1)',
  '$not($input.a = 1)',
  '$not($input.a)',
  '$exists($input.a.b)',
  '$exists($input.a) and $not($exists($input.b))',
  '$input.a or $input.b',
  '$input.a and $input.b',
  '$input.a',
  '$input.a in [1, "x", true]',
  '$count($input.a) > 1',
  '$count($input.a.b) = 0',
  '($input.a > 0 ? $input.b : $input.c) = 2',
  '$input.a > 0 ? $input.b = 2',
  '$boolean($input.a)',
  '$input.a <= $input.b',
  '$input.text = "}}" or $input.text = "{{x}}"',
  '$input.b.c.d = 1 or $input.a = 1',
];

const VALUES = [null, true, false, 0, 1, 2, 1.5, '', 'x', [], [1], [1, 2], {}, { b: 'x' }];

// The library, and the functions, are those of Argo. Where it fails, no wrong way is gone.
test.skipIf(find() === undefined)('guards hold in Argo where they hold here', async () => {
  const inputs = [
    {},
    ...VALUES.map((a) => ({ a })),
    ...VALUES.map((b) => ({ a: 1, b })),
    { a: 1, b: 2, c: 3 },
    { text: '}}' },
    { text: '{{x}}' },
  ];
  const asked = GUARDS.flatMap((guard) => inputs.map((input) => ({ guard, input })));
  const answers = evaluateAll(
    asked.map(({ guard, input }) => ({
      expression: guardExpression(guard, { input: 'fromJSON(inputs.parameters.input)' }) ?? 'none',
      env: { 'inputs.parameters.input': JSON.stringify(input) },
    })),
  );
  let same = 0;
  for (const [k, { guard, input }] of asked.entries()) {
    const compiled = compileGuard(guard, { variables: { input: true } });
    const here = await compiled.evaluate({ input }).catch(() => 'failed');
    const { value, error } = answers[k];
    if (error === undefined) {
      expect([guard, input, value]).toEqual([guard, input, here]);
      same++;
      continue;
    }
    // It fails where a guard fails here, and for lists and objects, into which JSONata would look.
    const told = JSON.stringify(Object.values(input));
    const strange = told.slice(1).includes('[') || told.includes('{');
    expect([guard, input, here === 'failed' || strange]).toEqual([guard, input, true]);
  }
  expect(same).toBeGreaterThan(asked.length / 2);
});

test('guards that Argo cannot say are told apart', () => {
  const variables = { input: 'fromJSON(inputs.parameters.input)' };
  for (const guard of ['$sum($input.a) > 1', '$input.a[b = 1].c = 2', '$input.a + 1 = 2']) {
    expect(guardExpression(guard, variables)).toBeUndefined();
  }
});
