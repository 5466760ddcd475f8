import { guardOfRule, inside, refuseAt } from './conditions.js';
import {
  type Arrived,
  assigned,
  catchOf,
  catchWays,
  effectiveInput,
  given,
  leave,
  outputFrom,
  type Said,
  type Way,
} from './flow.js';
import type { Fields } from './form.js';
import { type NodeDocument, policyOfTask } from './policies.js';
import { fromExpressions } from './templates.js';
import {
  type ConstantValue,
  constant,
  objectValue,
  outputValue,
  sameValue,
  type Value,
  valueIn,
} from './values.js';

const TOKEN = /\.waitForTaskToken$/;

/** A Task state: a task with the name of its function as handler. */
export function sayTask(one: Arrived): Said {
  const { id, state, place, note } = one;
  const resource = String(state.Resource);
  const { value, whole } = effectiveInput(one);
  const invokes = /^arn:[\w-]+:states:[^:]*:[^:]*:lambda:invoke/.test(resource);
  const called = invokes ? valueIn(value, ['FunctionName']) : constant(resource);
  if (called.kind !== 'constant') {
    const cure = 'name the function itself';
    throw refuseAt('unsupported_resource', place, 'the function is worked out in the run', cure);
  }
  const payload = valueIn(value, ['Payload']);
  const sent = invokes
    ? payload.kind === 'unknown' && !hasPayload(state)
      ? constant({})
      : payload
    : value;
  const task = policyOfTask(state, note);
  const timed = state.TimeoutSeconds !== undefined || state.HeartbeatSeconds !== undefined;
  const caught = catchOf(one, timed);
  const node: NodeDocument = {
    ...{ id, type: 'task', handler: handlerOf(String(called.value)) },
    ...given(one, sent, whole && !invokes),
  };
  const result = (from: string) =>
    invokes ? objectValue({ Payload: outputValue(from) }) : outputValue(from);
  if (!TOKEN.test(resource)) {
    const policyRef = one.policy({ ...task, ...caught });
    return { nodes: [{ ...node, policyRef }], ...leave(one, id, result(id)) };
  }
  const answer = `${id}-answer`;
  note('wait', 'emulated', `its answer is the message ${answer}, and no token is sent`);
  const limit = { wait: task.timeout ?? { seconds: 0 } };
  const wait: NodeDocument = {
    id: answer,
    type: 'wait',
    message: answer,
    policyRef: one.policy({ ...limit, ...caught }),
  };
  const { ways, end } = leave(one, answer, result(answer));
  return {
    nodes: [{ ...node, policyRef: one.policy({ ...task, ...caught }) }, wait],
    edges: [{ from: id, to: answer }],
    ways: [...ways, ...catchWays(one, id)],
    ...(end === undefined ? {} : { end }),
  };
}

function hasPayload({ Parameters, Arguments }: Fields): boolean {
  const keys = Object.keys((Parameters ?? Arguments ?? {}) as object);
  return keys.includes('Payload') || keys.includes('Payload.$');
}

/** The name of a handler: of a function or an activity its own, of other services the action. */
function handlerOf(resource: string): string {
  const own = /:(?:function|activity):([^:]+)/.exec(resource)?.[1];
  return own ?? resource.replace(/^arn:[\w-]+:states:[^:]*:[^:]*:/, '').replace(TOKEN, '');
}

/** A Choice state: a choice with the rules as guards. */
export function sayChoice(one: Arrived): Said {
  const { id, state, place } = one;
  const { value, whole } = effectiveInput(one);
  const rules = state.Choices as Fields[];
  const used = Object.keys(one.variables).filter((name) => {
    return new RegExp(`\\$${name}\\b`).test(JSON.stringify(rules));
  });
  const asked =
    used.length === 0 ? value : objectValue({ ...pickKeys(one.variables, used), state: value });
  const node = { id, type: 'choice' as const, ...given(one, asked, whole && used.length === 0) };
  const plain = used.length === 0;
  const names = {
    input: plain ? '$input' : '$input.state',
    of: (name: string) => (used.includes(name) ? `$input.${name}` : undefined),
  };
  const hands = state.OutputPath === undefined && state.Output === undefined;
  const out = { from: id, value: hands ? value : outputFrom(one, value), natural: plain && hands };
  const ways = rules.map((rule, k): Way => {
    const guard = guardOfRule(rule, inside(place, 'Choices', k), names);
    const how = 'a branch has no output of its own';
    if (rule.Output !== undefined) one.note('references', 'unsupported', how);
    const variables = assigned(one, rule, value);
    return { ...out, to: String(rule.Next), kind: 'branch', guard, variables };
  });
  if (state.Default === undefined) return { nodes: [node], ways };
  const variables = assigned(one, state, value);
  return {
    nodes: [node],
    ways: [...ways, { ...out, to: String(state.Default), kind: 'default', variables }],
  };
}

function pickKeys(values: Readonly<Record<string, Value>>, keys: readonly string[]) {
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}

/** A Pass state: a task whose handler `pass` gives its input back, with its parameters over it. */
export function sayPass(one: Arrived): Said {
  const { id, state } = one;
  const { value, whole } = effectiveInput(one);
  one.note('task', 'emulated', 'its handler pass gives its input, with its parameters over it');
  const node = { id, type: 'task' as const, handler: 'pass', role: 'domain' as const };
  if (state.Result !== undefined) {
    const params = { result: state.Result as ConstantValue };
    return { nodes: [{ ...node, params }], ...leave(one, id, outputValue(id)) };
  }
  const made =
    one.jsonata && state.Output !== undefined ? fromExpressions(state.Output, one) : value;
  const plain = one.jsonata ? { ...one, state: without(state, 'Output') } : one;
  return {
    nodes: [{ ...node, ...given(one, made, whole && state.Output === undefined) }],
    ...leave(plain, id, outputValue(id)),
  };
}

function without(fields: Fields, key: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));
}

/** A Wait state: a wait for a message that nobody sends, which goes on when it has not come. */
export function sayWait(one: Arrived): Said {
  const { id, state, place } = one;
  if (typeof state.Seconds !== 'number') {
    const cure = 'give Seconds as a number';
    throw refuseAt(
      'unsupported_wait',
      place,
      'the end of this wait is worked out in the run',
      cure,
    );
  }
  const how = `it waits for the message timer-${id}, which nobody sends, and goes on without`;
  one.note('wait', 'emulated', how);
  const over = `${id}-over`;
  const last = state.End === true;
  const handler = last ? over : one.idOf(String(state.Next));
  const policyRef = one.policy({
    wait: { seconds: state.Seconds },
    catch: [{ errors: ['WaitTimeout'], handler }],
  });
  const wait: NodeDocument = { id, type: 'wait', message: `timer-${id}`, policyRef };
  const value = outputFrom(one, one.input);
  const variables = assigned(one, state, one.input);
  if (!last) {
    const way = { from: id, to: String(state.Next), value, natural: false, variables };
    return {
      nodes: [wait],
      ways: [
        { ...way, kind: 'sequence' },
        { ...way, kind: 'catch' },
      ],
    };
  }
  const pass: NodeDocument = {
    id: over,
    type: 'task',
    handler: 'pass',
    ...given({ ...one, natural: false }, value, true),
  };
  return {
    nodes: [wait, pass],
    edges: [{ from: id, to: over }],
    ways: [],
    end: { id: over, value: outputValue(over), natural: true },
  };
}

/** The end of a machine: nothing after a step, else a task that hands on its input. */
export function saySucceed(one: Arrived): Said {
  const { id, state } = one;
  const { value, whole } = effectiveInput(one);
  const output = outputFrom(one, value);
  const plain = whole && sameValue(output, one.input);
  if (plain && one.natural && one.afterSteps) return { nodes: [], ways: [] };
  one.note('task', 'emulated', 'its handler pass gives its input');
  const node = { id, type: 'task' as const, handler: 'pass', ...given(one, output, plain) };
  if (state.Output !== undefined && !plain)
    one.note('references', 'emulated', 'its output is its input');
  return { nodes: [node], ways: [], end: { id, value: outputValue(id), natural: true } };
}

/** A Fail state: a task whose handler `fail` throws. */
export function sayFail(one: Arrived): Said {
  const { id, state, note } = one;
  const text = (key: string) => {
    const value = one.jsonata
      ? fromExpressions(state[key], one)
      : constant((state[key] ?? null) as ConstantValue);
    if (value.kind === 'constant' && state[`${key}Path`] === undefined) return value.value;
    note('references', 'unsupported', `${key} is worked out in the run`);
    return null;
  };
  note('task', 'emulated', 'its handler fail throws the error that its parameters name');
  const params = { error: text('Error') ?? 'States.Fail', cause: text('Cause') ?? '' };
  return { nodes: [{ id, type: 'task', handler: 'fail', params }], ways: [] };
}
