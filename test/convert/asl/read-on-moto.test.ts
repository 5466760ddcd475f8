import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, find, start } from '../../../engines/asl/engine.mjs';
import { runMachine } from './run-machine.js';

/** What a function gives for its input, or the name of its error. */
type Answer = (given: Record<string, never>, attempt: number) => unknown;

const fail = (code: string) => {
  throw Object.assign(new Error('as the test wants it'), { code });
};

const ANSWERS: Record<string, Answer> = {
  first: ({ n }) => ({ n, x: { deep: [10, 20] }, list: [{ v: 1 }, { v: 2 }, { v: 3 }] }),
  second: ({ a }) => ({ got: a ?? null }),
  double: ({ v }) => ({ v: 2 * Number(v ?? 0) }),
  busy: (_, attempt) => (attempt < 3 ? fail('Busy') : { attempt }),
  broken: () => fail('Broken'),
  turn: (_, attempt) => ({ status: attempt < 3 ? 'RUNNING' : 'DONE', attempt }),
};

/** A state that calls a function with its name and what else it is given, in JSONPath. */
const call = (handler: string, payload: object = {}, rest: object = { End: true }) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: handler, Payload: { handler, ...payload } },
  ...rest,
});
const on = (Next: string, rest: object = {}) => ({
  ResultSelector: { 'r.$': '$.Payload' },
  ...rest,
  Next,
});
const machine = (States: Record<string, object>, rest: object = {}) => {
  return { ...rest, StartAt: Object.keys(States)[0], States };
};
const choice = (...rules: object[]) => ({ Type: 'Choice', Choices: rules, Default: 'none' });

/** One rule for each operator, each to a state of its own that says which it was. */
const OPERATORS = machine({
  ask: choice(
    { Variable: '$.s', StringEquals: 'a', Next: 'one' },
    { Variable: '$.n', NumericGreaterThanEquals: 10, Next: 'two' },
    {
      And: [
        { Variable: '$.n', NumericLessThan: 0 },
        { Not: { Variable: '$.b', BooleanEquals: true } },
      ],
      Next: 'three',
    },
    {
      Or: [
        { Variable: '$.z', IsPresent: true },
        { Variable: '$.s', StringMatches: '*mid*' },
      ],
      Next: 'four',
    },
    { Variable: '$.n', NumericEqualsPath: '$.m', Next: 'five' },
    { Variable: '$.o', IsNull: true, Next: 'six' },
    { Variable: '$.b', IsBoolean: false, Next: 'seven' },
  ),
  ...Object.fromEntries(
    ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'none'].map((name) => {
      return [name, call('double', { here: name }, { End: true, OutputPath: '$.Payload' })];
    }),
  ),
});
const INPUT = { s: 'x', n: 1, m: 2, b: true, o: 1 };

const TASK = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke' };
const jsonata = (handler: string, payload: object, rest: object) => ({
  ...TASK,
  Arguments: { FunctionName: handler, Payload: { handler, ...payload } },
  Output: '{% $states.result.Payload %}',
  ...rest,
});

const CASES: Record<string, { machine: object; inputs: object[] }> = {
  'values in values': {
    machine: machine({
      A: call('first', { 'n.$': '$.n' }, { ResultPath: '$.a', Next: 'B' }),
      B: call('second', { 'a.$': '$.a.Payload.x.deep[1]' }, { ResultPath: '$.a.b', Next: 'C' }),
      C: {
        Type: 'Pass',
        Parameters: { 'k.$': '$.a.b.Payload.got', 'n.$': '$.n', fixed: [1] },
        Next: 'D',
      },
      D: call(
        'second',
        { 'a.$': '$.k' },
        { ResultSelector: { 'last.$': '$.Payload' }, ResultPath: null, End: true },
      ),
    }),
    inputs: [{ n: 5 }],
  },
  operators: {
    machine: OPERATORS,
    inputs: [
      { ...INPUT, s: 'a' },
      { ...INPUT, n: 10 },
      { ...INPUT, n: -1, b: false },
      { ...INPUT, z: 0 },
      { ...INPUT, s: 'amidst' },
      { ...INPUT, m: 1 },
      { ...INPUT, o: null },
      { ...INPUT, b: 'no' },
      INPUT,
    ],
  },
  'branches and items': {
    machine: machine({
      A: call('first', { 'n.$': '$.n' }, { OutputPath: '$.Payload', Next: 'P' }),
      P: {
        Type: 'Parallel',
        Branches: [
          machine({ L: call('second', { 'a.$': '$.x' }, { OutputPath: '$.Payload', End: true }) }),
          machine({
            M: {
              ...{ Type: 'Map', ItemsPath: '$.list', MaxConcurrency: 1 },
              ItemSelector: { 'v.$': '$$.Map.Item.Value.v', kind: 'item' },
              ItemProcessor: machine({
                I: call(
                  'double',
                  { 'v.$': '$.v', 'kind.$': '$.kind' },
                  { OutputPath: '$.Payload', End: true },
                ),
              }),
              End: true,
            },
          }),
        ],
        Next: 'Z',
      },
      Z: call('second', { 'a.$': '$[1]', 'b.$': '$[0]' }, { OutputPath: '$.Payload', End: true }),
    }),
    inputs: [{ n: 1 }],
  },
  'retries and catches': {
    machine: machine({
      A: call(
        'busy',
        {},
        on('B', { Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 1, BackoffRate: 1 }] }),
      ),
      B: call(
        'broken',
        {},
        on('C', { Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'D' }] }),
      ),
      C: call('second', { a: 'C' }),
      D: call('second', { 'a.$': '$.r.attempt' }, { OutputPath: '$.Payload', Next: 'E' }),
      E: call('broken', {}, on('F', { Catch: [{ ErrorEquals: ['Busy'], Next: 'C' }] })),
      F: { Type: 'Succeed' },
    }),
    inputs: [{}],
  },
  'ways that meet': {
    machine: machine({
      A: call('first', { 'n.$': '$.n' }, { ResultSelector: { 'n.$': '$.Payload.n' }, Next: 'Q' }),
      Q: {
        Type: 'Choice',
        Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'B' }],
        Default: 'J',
      },
      B: call('second', { a: 7 }, { ResultSelector: { 'n.$': '$.Payload.got' }, Next: 'J' }),
      J: call('second', { 'a.$': '$.n' }, { OutputPath: '$.Payload', End: true }),
    }),
    inputs: [{ n: 1 }, { n: 2 }],
  },
  'variables, and turns that are counted': {
    machine: machine(
      {
        A: jsonata(
          'first',
          { n: '{% $states.input.n %}' },
          { Assign: { tries: 0, keep: '{% $states.result.Payload.x %}' }, Next: 'T' },
        ),
        T: jsonata('turn', {}, { Assign: { tries: '{% $tries + 1 %}' }, Next: 'Q' }),
        Q: {
          Type: 'Choice',
          Choices: [
            { Condition: "{% $states.input.status = 'DONE' %}", Next: 'Z' },
            { Condition: '{% $tries < 5 %}', Next: 'T' },
          ],
          Default: 'F',
        },
        Z: jsonata(
          'second',
          { a: '{% $keep.deep %}', from: '{% $states.input.attempt %}' },
          { End: true },
        ),
        F: { Type: 'Fail', Error: 'TooMany' },
      },
      { QueryLanguage: 'JSONata' },
    ),
    inputs: [{ n: 1 }],
  },
};

describe.skipIf(find() === undefined)('a machine that people wrote', () => {
  const called = new Map<string, object[]>();
  let server: Server;
  let engine: Engine;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { handler, ...given } = JSON.parse(String(Buffer.concat(chunks)));
      const calls = called.get('moto') ?? [];
      calls.push({ handler, ...given });
      const attempt = calls.filter(
        (one) => (one as { handler: string }).handler === handler,
      ).length;
      try {
        response.end(JSON.stringify({ output: ANSWERS[handler](given, attempt) }));
      } catch (error) {
        const { code, message } = error as Error & { code: string };
        response.end(JSON.stringify({ error: { code, message } }));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    engine = await start({ stub: `http://127.0.0.1:${port}` });
  });

  afterAll(async () => {
    await engine?.stop();
    server?.close();
  });

  it.each(Object.keys(CASES))('runs as a workflow as it does on moto: %s', async (name) => {
    const { machine: document, inputs } = CASES[name];
    for (const [k, input] of inputs.entries()) {
      called.set('moto', []);
      const runId = `${name.replaceAll(/\W+/g, '-')}-${k}`;
      const there = await engine.execute({ runId, text: JSON.stringify(document), input });
      const counts = new Map<string, number>();
      const answers = Object.entries(ANSWERS).map(([handler, answer]) => {
        const counted = (given: Record<string, never>, params: Record<string, never>) => {
          counts.set(handler, (counts.get(handler) ?? 0) + 1);
          return answer({ ...given, ...params }, counts.get(handler) as number);
        };
        return [handler, counted];
      });
      const here = await runMachine(document, input, Object.fromEntries(answers));
      const calls = here.calls.map(([, given, params]) => ({
        ...(given as object),
        ...(params as object),
      }));
      expect(sorted(calls)).toEqual(sorted(called.get('moto') ?? []));
      expect([here.status, here.code]).toEqual([
        there.status,
        (there.error as { code?: string } | null)?.code,
      ]);
      if (here.status === 'COMPLETED') expect(here.output).toEqual(there.output);
    }
  });
});

/** Calls without the order of those that run side by side. */
function sorted(calls: readonly object[]): string[] {
  return calls.map((one) => JSON.stringify(Object.entries(one).sort())).sort();
}
