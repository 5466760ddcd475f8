import { describe, expect, it } from 'vitest';
import { readAsl } from '../../../../src/convert/asl/read.js';
import { checkWorkflow } from '../../../../src/workflow/ir/check/check.js';
import { describeWorkflow } from '../../../../src/workflow/ir/describe.js';
import { POLL } from '../machines.js';
import { runMachine } from '../run-machine.js';

const read = (machine: unknown) => readAsl(JSON.stringify(machine), 'm.json');
const states = (changed: object) => ({ ...POLL, States: { ...POLL.States, ...changed } });
const message = (machine: unknown) => {
  try {
    return describeWorkflow(read(machine).workflow);
  } catch (error) {
    return (error as Error).message;
  }
};

/** Answers of the job: its status each time that it is asked for. */
const answers = (...statuses: string[]) => {
  const left = [...statuses];
  return {
    Submit: { id: 1 },
    Fetch: (given: unknown) => ({ fetched: given }),
    Ask: () => {
      const status = left.shift();
      if (status === 'GONE') throw Object.assign(new Error('gone'), { code: 'Gone' });
      return { status };
    },
  };
};

describe('a Next that leads back', () => {
  it('is a loop where a variable counts its turns', async () => {
    const { workflow, report } = read(POLL);
    expect(checkWorkflow(workflow).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(report.filter(({ level }) => level === 'unsupported')).toEqual([]);
    const loop = workflow.nodes[1];
    expect(loop).toMatchObject({ id: 'Wait-loop', type: 'map' });
    expect(workflow.policies[String(loop.policyRef)].loopGuards).toEqual({ maxIters: 5 });
    const done = await runMachine(POLL, {}, answers('RUNNING', 'RUNNING', 'DONE'));
    expect(done).toMatchObject({ status: 'COMPLETED', output: { fetched: { status: 'DONE' } } });
    expect(done.calls.map(([name]) => name)).toEqual(['Submit', 'Ask', 'Ask', 'Ask', 'Fetch']);
  });

  it('ends as the test says', async () => {
    const running = Array.from({ length: 9 }, () => 'RUNNING');
    const long = await runMachine(POLL, {}, answers(...running));
    expect(long).toMatchObject({ status: 'FAILED', code: 'JobFailed' });
    expect(long.calls.filter(([name]) => name === 'Ask')).toHaveLength(5);
    const last = await runMachine(POLL, {}, answers(...running.slice(0, 4), 'DONE'));
    expect(last).toMatchObject({ status: 'COMPLETED' });
    const broken = await runMachine(POLL, {}, answers('RUNNING', 'BROKEN', 'DONE'));
    expect(broken.calls.filter(([name]) => name === 'Ask')).toHaveLength(2);
    expect(broken.code).toBe('JobFailed');
    expect(await runMachine(POLL, {}, answers('RUNNING', 'GONE'))).toMatchObject({
      code: 'JobLost',
    });
  });

  it('may count on its way back, in JSONPath, and go back by default', async () => {
    const wait = { Type: 'Wait', Seconds: 0, Next: 'Ask' };
    const rule = { Variable: '$.status', StringEquals: 'DONE', Next: 'Fetch' };
    const more = { Variable: '$tries', NumericLessThan: 2, Next: 'Wait' };
    const back = { ...more, Assign: { 'tries.$': 'States.MathAdd($tries, 1)' } };
    const test = { Type: 'Choice', Choices: [rule, back], Default: 'Failed' };
    const { QueryLanguage: _, ...jsonpath } = states({ Wait: wait, 'Done?': test });
    const counted = await runMachine(jsonpath, {}, answers('X', 'X', 'X', 'X'));
    expect(counted.calls.filter(([name]) => name === 'Ask')).toHaveLength(3);
    const enough = { Condition: '{% $tries >= 4 %}', Next: 'Failed' };
    const first = { Condition: "{% $states.input.status = 'DONE' %}", Next: 'Fetch' };
    const turned = { Type: 'Choice', Choices: [first, enough], Default: 'Wait' };
    const byDefault = await runMachine(
      states({ 'Done?': turned }),
      {},
      answers('X', 'X', 'X', 'X', 'X'),
    );
    expect(byDefault).toMatchObject({ status: 'FAILED', code: 'JobFailed' });
    expect(byDefault.calls.filter(([name]) => name === 'Ask')).toHaveLength(4);
  });

  it('is bounded by the timeout of the machine, too', () => {
    const test = { Type: 'Choice', Choices: [POLL.States['Done?'].Choices[0]], Default: 'Wait' };
    const { Failed: _, ...rest } = states({ 'Done?': test }).States;
    const endless = { ...POLL, States: rest };
    expect(message(endless)).toContain(
      'm.json:$.States.Wait: it leads back to Wait, and nothing bounds that',
    );
    const { workflow } = read({ ...endless, TimeoutSeconds: 600 });
    expect(Object.values(workflow.policies)).toContainEqual({
      loopGuards: { deadlineSeconds: 600 },
    });
  });

  it('is refused where a workflow cannot say it', () => {
    const twice = {
      ...POLL.States.Submit,
      Type: 'Choice',
      Choices: [{ Condition: true, Next: 'Ask' }],
    };
    const { Resource: _, Next: _1, ...choice } = twice;
    expect(message(states({ Submit: { ...choice, Default: 'Wait' } }))).toContain(
      'lead into this loop at Wait and Ask',
    );
    const leaves = { ...POLL.States.Ask, Catch: [{ ErrorEquals: ['Gone'], Next: 'Fetch' }] };
    expect(message(states({ Ask: leaves, Lost: undefined }))).toContain(
      '$.States.Ask: it leads out of the loop of Wait to Fetch',
    );
    const straight = { ...POLL.States.Ask, Next: 'Wait' };
    expect(message(states({ Ask: straight }))).toContain('Ask');
  });
});
