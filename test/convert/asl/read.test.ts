import { describe, expect, it } from 'vitest';
import { readAsl } from '../../../src/convert/asl/read.js';
import { checkWorkflow } from '../../../src/workflow/ir/check/check.js';
import { LOAN, ORDER } from './machines.js';
import { runMachine } from './run-machine.js';

const read = (machine: unknown, file?: string) => readAsl(JSON.stringify(machine), file);

/** A machine of some states; the first is where it starts. */
const machineOf = (states: Record<string, object>) => {
  return { StartAt: Object.keys(states)[0], States: states };
};
const task = (name: string, rest: object = { End: true }) => {
  return { Type: 'Task', Resource: `arn:aws:lambda:x:1:function:${name}`, ...rest };
};

describe('machines as people write them', () => {
  it('keep their graph, and run as they say', async () => {
    const { workflow, report } = read(ORDER, 'orders/order.asl.json');
    expect(workflow.name).toBe('order');
    expect(checkWorkflow(workflow)).toEqual([]);
    expect(report.filter(({ level }) => level === 'unsupported')).toEqual([]);
    const into = (id: string) =>
      workflow.edges.filter(({ to }) => to === id).map(({ from }) => from);
    expect(into('Prepare')).toEqual(['In-stock', 'Wait-a-little']);
    const answers = {
      ValidateOrder: { id: 'o1', stock: 2, lines: [{ n: 1 }, { n: 2 }] },
      Charge: { receipt: 'r1', more: true },
      PackLine: ({ n }: { n: number }) => ({ packed: n }),
      Send: { sent: true },
    };
    const sent = await runMachine(ORDER, { any: 1 }, answers);
    expect(sent).toMatchObject({ status: 'COMPLETED', output: { sent: true } });
    expect(sent.calls).toContainEqual(['Charge', { order: 'o1' }, { currency: 'EUR' }]);
    const packed = [{ packed: 1 }, { packed: 2 }];
    expect(sent.calls.at(-1)).toEqual(['Send', { receipt: 'r1', packed }, {}]);
    const later = { ...answers.ValidateOrder, later: true, blocked: true };
    const waited = await runMachine(ORDER, {}, { ...answers, ValidateOrder: later });
    expect(waited.output).toEqual({ sent: true });
    const blocked = { ...answers.ValidateOrder, blocked: true };
    const refused = await runMachine(ORDER, {}, { ...answers, ValidateOrder: blocked });
    expect(refused).toMatchObject({ status: 'FAILED', code: 'OrderRejected' });
    const invalid = () => {
      throw Object.assign(new Error('no'), { code: 'Invalid' });
    };
    const caught = await runMachine(ORDER, {}, { ...answers, ValidateOrder: invalid });
    expect(caught).toMatchObject({ status: 'FAILED', code: 'OrderRejected' });
  });

  it('have policies as their states have them', () => {
    const { workflow } = read(ORDER);
    const [validate] = workflow.nodes;
    expect(workflow.policies[String(validate.policyRef)]).toEqual({
      timeout: { seconds: 30 },
      retry: { maxAttempts: 5, retryOn: ['Lambda.TooManyRequestsException', 'Busy'] },
      backoff: { mode: 'exponential', base: 2, cap: 20, jitter: 1 },
      catch: [{ errors: ['Invalid'], handler: 'Rejected' }],
    });
  });

  it('may be in JSONata, with variables and outputs of their own', async () => {
    const { workflow, report } = read(LOAN);
    expect(checkWorkflow(workflow).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(report.filter(({ level }) => level === 'unsupported')).toEqual([]);
    const person = { name: 'A' };
    const rated = (score: number) => ({
      Rate: { score },
      House: { offer: 9 },
      Book: { booked: 1 },
    });
    const house = await runMachine(LOAN, { person, kind: 'house', amount: 5 }, rated(800));
    expect(house.calls).toEqual([
      ['Rate', person, {}],
      ['House', { amount: 5, score: 800 }, {}],
      ['Book', { offer: 9 }, {}],
    ]);
    const small = await runMachine(LOAN, { person, kind: 'car', amount: 5 }, rated(800));
    expect(small.calls.at(-1)).toEqual(['Book', { offer: 1000 }, {}]);
    const denied = await runMachine(LOAN, { person, kind: 'car', amount: 5 }, rated(1));
    expect(denied.output).toEqual({ denied: true });
  });

  it('hand on what they put results into', async () => {
    const machine = machineOf({
      A: task('A', { ResultPath: '$.a', Next: 'B' }),
      B: task('B', { ResultPath: null, Next: 'C' }),
      C: task('C', { Parameters: { 'x.$': '$.a.x', 'y.$': '$.y' }, ResultPath: '$.c', Next: 'D' }),
      D: task('D', { InputPath: '$.c', End: true }),
    });
    const lost = read(machine).report.filter(({ level }) => level === 'unsupported');
    const how = 'a workflow cannot put an object together with another';
    expect(lost).toEqual([{ feature: 'references', place: 'B', level: 'unsupported', how }]);
    const { calls } = await runMachine(machine, { y: 2 }, { A: { x: 1 }, B: 0, C: { z: 3 }, D: 0 });
    expect(calls.map(([, given]) => given)).toEqual([
      { y: 2 },
      expect.anything(),
      { x: 1, y: 2 },
      { z: 3 },
    ]);
  });
});

describe('what workflows cannot say', () => {
  const wrong = (machine: unknown) => {
    try {
      read(machine, 'm.json');
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing';
  };

  it('is refused by name, with its place', () => {
    const choice = (rule: object) => {
      return machineOf({ A: { Type: 'Choice', Choices: [{ ...rule, Next: 'B' }] }, B: task('B') });
    };
    const at = 'm.json:$.States.A';
    expect(wrong([])).toContain('m.json:$: this is no state machine');
    expect(wrong({ StartAt: 'X', States: { A: task('A') } })).toContain(
      '$.StartAt: there is no state "X"',
    );
    expect(wrong(machineOf({ A: { Type: 'Job' } }))).toContain(
      `${at}.Type: there is no type "Job"`,
    );
    expect(wrong(machineOf({ A: task('A', {}) }))).toContain(`${at}: it needs one of Next and End`);
    expect(wrong(machineOf({ A: task('A', { Catches: 1, End: true }) }))).toContain(
      'no field Catches; ',
    );
    expect(
      wrong(machineOf({ A: task('A', { Next: 'B' }), B: task('B', { Next: 'A' }) })),
    ).toContain(
      '$.States.B: it leads back to A, and is not one Choice state at the end of all turns',
    );
    expect(wrong(machineOf({ A: task('A'), B: task('B') }))).toContain(
      'B: nothing leads to this state',
    );
    const stamp = { Variable: '$.t', TimestampLessThan: '2026-01-01T00:00:00Z' };
    expect(wrong(choice(stamp))).toContain(
      `${at}.Choices[0].TimestampLessThan: guards have nothing like`,
    );
    expect(wrong(choice({ Condition: '{% $sort($states.input)[0] = 1 %}' }))).toContain(
      'guards cannot say',
    );
    expect(wrong(choice({ Condition: '{% $states.context.Execution.Id = 1 %}' }))).toContain(
      'does not know $states.context',
    );
    expect(wrong(machineOf({ A: { Type: 'Wait', TimestampPath: '$.t', End: true } }))).toContain(
      'worked out in the run',
    );
  });

  it('is listed, and kept as a note, where it can be left out', () => {
    const lost = (state: object) => {
      const { workflow, report } = read(machineOf({ A: state }));
      const kept = workflow.nodes[0].params?.asl;
      return report.flatMap(({ feature, level }) =>
        level === 'unsupported' && kept ? [feature] : [],
      );
    };
    const retry = { ErrorEquals: ['A'], BackoffRate: 1.5 };
    expect(lost(task('A', { Retry: [retry], End: true }))).toEqual(['backoff']);
    const others = [{ ErrorEquals: ['A'] }, { ErrorEquals: ['B'], MaxAttempts: 9 }];
    expect(lost(task('A', { Retry: others, End: true }))).toEqual(['retry']);
    const failed = [{ ErrorEquals: ['States.TaskFailed'] }];
    expect(lost(task('A', { Retry: failed, TimeoutSeconds: 5, End: true }))).toEqual(['retry']);
    expect(lost(task('A', { Retry: failed, End: true }))).toEqual([]);
    const format = { 'x.$': "States.Format('{}', $.a)" };
    expect(lost(task('A', { Parameters: format, End: true }))).toEqual(['references']);
    const inner = { ItemProcessor: machineOf({ B: task('B') }) };
    expect(lost({ Type: 'Map', ...inner, ToleratedFailureCount: 3, End: true })).toEqual(['map']);
    expect(read({ ...machineOf({ A: task('A') }), TimeoutSeconds: 9 }).report[0]).toMatchObject({
      ...{ feature: 'timeout', place: '', level: 'unsupported' },
    });
  });
});
