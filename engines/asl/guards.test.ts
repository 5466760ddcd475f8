import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathTests, ReadValues } from '../../packages/convert/src/asl/write/path-tests.js';
import { convertWorkflow } from '../../packages/convert/src/index.js';
import { arbitraryGuard, arbitraryInput } from '../../packages/convert/test/asl/path-guards.js';
import { compileGuard } from '../../packages/workflow/src/ir/guard/guard.js';
import { toWorkflow } from '../../packages/workflow/src/ir/workflow-file.js';
import { type Engine, find, start } from './engine.mjs';
import { formFaults } from './form.mjs';

/** A machine that asks guards in JSONPath one after the other, and gives what it found of each. */
function askingMachine(guards: readonly string[]): string {
  const states: Record<string, object> = {};
  guards.forEach((guard, k) => {
    const values = new ReadValues();
    const tests = pathTests(guard, values);
    if (tests === undefined) throw new Error(`not said: ${guard}`);
    const found = (is: string) => ({ Assign: { [`r${k}`]: { is } }, Next: `read ${k + 1}` });
    const rules = [
      ...(tests.fails === undefined ? [] : [{ ...tests.fails, Next: `failed ${k}` }]),
      { ...tests.holds, Next: `yes ${k}` },
    ];
    const pass = { QueryLanguage: 'JSONata', Type: 'Pass' };
    states[`read ${k}`] = { ...pass, Output: values.template('$run.input'), Next: `ask ${k}` };
    states[`ask ${k}`] = { Type: 'Choice', Choices: rules, Default: `no ${k}` };
    for (const is of ['failed', 'yes', 'no'])
      if (is !== 'failed' || tests.fails !== undefined)
        states[`${is} ${k}`] = { ...pass, ...found(is) };
  });
  const begin = {
    ...{ QueryLanguage: 'JSONata', Type: 'Pass', Next: 'read 0' },
    Assign: { run: { input: '{% $states.input %}' } },
  };
  const all = guards.map((_, k) => `$r${k}.is`).join(', ');
  const end = { QueryLanguage: 'JSONata', Type: 'Succeed', Output: `{% [${all}] %}` };
  const States = { begin, ...states, [`read ${guards.length}`]: end };
  return JSON.stringify({ QueryLanguage: 'JSONPath', StartAt: 'begin', States });
}

const answerOf = (guard: string, input: unknown) =>
  compileGuard(guard, { variables: { input: true } })
    .evaluate({ input })
    .then(
      (holds) => (holds ? 'yes' : 'no'),
      () => 'failed',
    );

const branching = (guards: readonly string[]) =>
  toWorkflow({
    ...{ schema: 'alas-jssp/workflow@1', name: 'branching', defaultPolicy: 'plain' },
    nodes: [
      { id: 'decide', type: 'choice' },
      ...guards.map((_, k) => ({ id: `n${k}`, type: 'task' })),
      { id: 'other', type: 'task' },
    ],
    edges: [
      ...guards.map((guard, k) => ({ from: 'decide', to: `n${k}`, kind: 'branch', guard })),
      { from: 'decide', to: 'other', kind: 'default' },
    ],
    policies: { plain: {} },
  });

describe.skipIf(find() === undefined)('guards in JSONPath on ASL', () => {
  let server: Server;
  let engine: Engine;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const { path } = JSON.parse(body);
        response.end(JSON.stringify({ output: { step: path } }));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    engine = await start({ stub: `http://127.0.0.1:${port}` });
  });

  afterAll(async () => {
    await engine.stop();
    server.close();
  });

  test('random ones decide like the guards of the runtime', async () => {
    let count = 0;
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryGuard, { minLength: 25, maxLength: 25 }),
        fc.array(arbitraryInput, { minLength: 3, maxLength: 3 }),
        async (guards, inputs) => {
          const text = askingMachine(guards);
          expect(formFaults(text)).toEqual([]);
          for (const input of inputs) {
            count += 1;
            const { output, error } = await engine.execute({ runId: `g${count}`, text, input });
            expect(error).toBeFalsy();
            const wanted = await Promise.all(guards.map((guard) => answerOf(guard, input)));
            for (const one of wanted) seen.add(one);
            const label = (answers: unknown) =>
              guards.map((guard, k) => `${guard}: ${(answers as string[])[k]}`);
            expect(label(output)).toEqual(label(wanted));
          }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
    expect([...seen].sort()).toEqual(['failed', 'no', 'yes']);
  });

  test.each<[object, string]>([
    [{ n: 5 }, 'n0'],
    [{ n: 1, kind: 'b' }, 'n1'],
    [{ n: 1, deep: [{ ok: true }] }, 'n2'],
    [{ n: 1 }, 'other'],
    [{ n: 'x' }, 'guard_failed'],
  ])('a workflow goes the way of its guards: %j', async (input, way) => {
    const guards = ['$input.n > 2', '$input.kind in ["a", "b"]', '$input.deep.ok = true'];
    const { text, report } = await convertWorkflow(branching(guards), 'asl', {
      guards: 'jsonpath',
    });
    expect(formFaults(text)).toEqual([]);
    const said = report.filter(({ feature }) => feature === 'guard').map(({ how }) => how);
    expect(said).toEqual(['in JSONPath', 'in JSONPath', 'in JSONPath']);
    const { output, error } = await engine.execute({ runId: JSON.stringify(input), text, input });
    if (way === 'guard_failed') expect(error).toMatchObject({ code: way });
    else expect({ output, error }).toEqual({ output: { step: way }, error: null });
  });
});
