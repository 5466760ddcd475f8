import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formFaults } from '../../../../engines/asl/form.mjs';
import type { Node, Workflow } from '../../../workflow/src/ir/workflow.js';
import { toWorkflow } from '../../../workflow/src/ir/workflow-file.js';
import { writeAsl } from '../../src/asl/write.js';
import { featuresOf } from '../../src/features.js';
import { EMPTY_MAP, toHandlerMap } from '../../src/mapping.js';
import { arbitraryWorkflow } from '../random-workflows.js';

type State = Record<string, unknown> & { Comment?: string };
type Machine = { StartAt: string; States: Record<string, State>; Comment?: string };

/** A machine and those inside it, each with the machines around it. */
function machinesIn(machine: Machine, around: readonly Machine[] = []): [Machine, Machine[]][] {
  const inner = Object.values(machine.States).flatMap((state) => {
    const branches = (state.Branches ?? []) as Machine[];
    return state.ItemProcessor === undefined ? branches : [state.ItemProcessor as Machine];
  });
  const here = [...around, machine];
  return [[machine, [...around]], ...inner.flatMap((one) => machinesIn(one, here))];
}

function targetsOf({ Next, Default, Choices = [], Catch = [] }: State): string[] {
  const rules = [...(Choices as State[]), ...(Catch as State[])].map((rule) => rule.Next);
  return [Next, Default, ...rules].filter((name) => name !== undefined) as string[];
}

function nodesIn(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => {
    if (node.type === 'map') return [node, ...nodesIn(node.body.nodes)];
    if (node.type !== 'parallel') return [node];
    return [node, ...Object.values(node.branches).flatMap((branch) => nodesIn(branch.nodes))];
  });
}

/** The names of the variables that a machine assigns itself. */
function variablesOf({ States }: Machine): Set<string> {
  const assigning = Object.values(States).flatMap((state) => {
    return [state, ...((state.Choices ?? []) as State[]), ...((state.Catch ?? []) as State[])];
  });
  return new Set(assigning.flatMap(({ Assign = {} }) => Object.keys(Assign as object)));
}

const holds = (check: (workflow: Workflow, machine: Machine, text: string) => void, numRuns = 60) =>
  fc.assert(
    fc.asyncProperty(arbitraryWorkflow({ timers: true, rich: true }), async (workflow) => {
      const { text } = await writeAsl(workflow, EMPTY_MAP);
      check(workflow, JSON.parse(text), text);
    }),
    { numRuns },
  );

describe('a machine written for a random workflow', () => {
  it(
    'has the right form',
    () => holds((_, __, text) => expect(formFaults(text)).toEqual([]), 10),
    120_000,
  );

  it('leads from its begin to every state, and nowhere else', () =>
    holds((_, machine) => {
      for (const [{ StartAt, States }] of machinesIn(machine)) {
        const seen = new Set([StartAt]);
        for (const name of seen) for (const next of targetsOf(States[name])) seen.add(next);
        expect([...seen].sort()).toEqual(Object.keys(States).sort());
      }
    }));

  it('has one state for each node, under a name of its own', () =>
    holds((workflow, machine) => {
      const states = machinesIn(machine).flatMap(([{ States }]) => Object.entries(States));
      const names = states.map(([name]) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name.length).toBeLessThanOrEqual(80);
      const ids = nodesIn(workflow.nodes).map(({ id }) => id);
      const plain = names.filter((name) => !name.includes(' '));
      const ends = plain.map((name) => name.split('/').at(-1) ?? '');
      expect(ends.filter((end) => ids.includes(end)).sort()).toEqual(ids.sort());
    }));

  it('keeps its variables out of the machines inside it', () =>
    holds((_, machine) => {
      for (const [inner, around] of machinesIn(machine)) {
        const own = variablesOf(inner);
        for (const outer of around) {
          for (const name of variablesOf(outer)) expect(own).not.toContain(name);
        }
      }
    }));

  it('fails in no body but that of the workflow, whose Fail reports the end', () =>
    holds((_, machine) => {
      for (const [{ States }, around] of machinesIn(machine)) {
        const fails = Object.values(States).filter(({ Type }) => Type === 'Fail');
        if (around.length > 0) expect(fails).toEqual([]);
        for (const { Cause } of fails) expect(Cause).toMatch(/^\{% \$string\(/);
        for (const state of Object.values(States)) {
          if (state.Type !== 'Task') continue;
          const rules = (state.Catch ?? []) as { ErrorEquals: string[] }[];
          expect(rules.at(-1)?.ErrorEquals).toEqual(['States.ALL']);
        }
      }
    }));

  it('registers what undoes a step before the step', () =>
    holds((workflow, machine) => {
      const states = machinesIn(machine).flatMap(([{ States }]) => Object.entries(States));
      const all = nodesIn(workflow.nodes);
      const effects = all.filter((node) => node.type === 'task' && node.effect !== 'none');
      const ending = ': register';
      const acting = states.flatMap(([name]) => {
        return name.endsWith(ending) ? [name.slice(0, -ending.length)] : [];
      });
      const ids = acting.map((name) => name.split('/').at(-1) ?? '');
      expect(ids.sort()).toEqual(effects.map(({ id }) => id).sort());
      for (const name of acting) {
        const before = states.filter(([, state]) => targetsOf(state).includes(name));
        expect(before.map(([other]) => other)).toEqual([`${name}: register`]);
      }
    }));

  it('comes with a note on every feature that is used, none of which is lost', () =>
    fc.assert(
      fc.asyncProperty(arbitraryWorkflow({ timers: true, rich: true }), async (workflow) => {
        const { text, report } = await writeAsl(workflow, EMPTY_MAP);
        const named = ({ feature, place }: { feature: string; place: string }) => {
          return `${feature} ${place}`;
        };
        expect(report.map(named)).toEqual(featuresOf(workflow).map(named));
        expect(report.filter(({ level }) => level === 'unsupported')).toEqual([]);
        expect((await writeAsl(workflow, EMPTY_MAP)).text).toBe(text);
      }),
      { numRuns: 50 },
    ));
});

it('names the states of strands apart that begin with the same step inside one another', async () => {
  const task = (id: string) => ({ id, type: 'task' });
  const edge = (from: string, to: string) => ({ from, to, kind: 'sequence' });
  const guard = '$input.flag = true';
  const workflow = toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name: 'strands inside a strand',
    nodes: [
      { id: 'choose', type: 'choice' },
      ...['first', 'second', 'third', 'fork', 'left', 'right', 'join'].map(task),
    ],
    edges: [
      { from: 'choose', to: 'first', kind: 'branch', guard },
      { from: 'choose', to: 'second', kind: 'branch', guard },
      { from: 'choose', to: 'third', kind: 'default' },
      edge('first', 'fork'),
      edge('third', 'fork'),
      edge('fork', 'left'),
      edge('fork', 'right'),
      edge('left', 'join'),
      edge('right', 'join'),
    ],
  });
  expect(formFaults((await writeAsl(workflow, EMPTY_MAP)).text)).toEqual([]);
});

describe('functions', () => {
  const compensation = {
    handler: 'refund',
    triggers: ['onFailure'],
    compensateOn: ['*'],
    safeReinvoke: true,
  };
  const workflow = toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name: 'shop',
    nodes: [{ id: 'pay', type: 'task', effect: 'compensable' }],
    edges: [],
    policies: { undo: { compensation } },
    defaultPolicy: 'undo',
  });

  it('have the names of handlers, or the ARN of the map', async () => {
    const plain = (await writeAsl(workflow, EMPTY_MAP)).text;
    expect(plain).toContain('"FunctionName": "pay"');
    expect(plain).toContain('"FunctionName": "refund"');
    const map = toHandlerMap({
      schema: 'alas-jssp/handler-map@1',
      handlers: { pay: { arn: 'arn:aws:lambda:eu-west-1:1:function:pay' } },
    });
    const mapped = (await writeAsl(workflow, map)).text;
    expect(mapped).toContain('"FunctionName": "arn:aws:lambda:eu-west-1:1:function:pay"');
    expect(mapped).toContain('"FunctionName": "refund"');
  });
});
