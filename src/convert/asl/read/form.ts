import { describeFound, isObject } from '../../../core/json-path.js';
import { suggestNames } from '../../../core/nearest-names.js';
import { type DocumentPlace, inside, refuseAt } from './conditions.js';

/** A state, or a machine, as it stands in a document. */
export type Fields = Readonly<Record<string, unknown>>;

const STATE_TYPES = [
  'Task',
  'Pass',
  'Choice',
  'Wait',
  'Parallel',
  'Map',
  'Succeed',
  'Fail',
] as const;

export type StateType = (typeof STATE_TYPES)[number];

const COMMON = ['Type', 'Comment', 'QueryLanguage', 'InputPath', 'OutputPath', 'Output', 'Assign'];
const GIVES = ['Next', 'End', 'Parameters', 'Arguments', 'ResultSelector', 'ResultPath'];
const FAILS = ['Retry', 'Catch'];

/** The fields that states have by their types (states-language.net, and the AWS documentation). */
const FIELDS: Readonly<Record<StateType, readonly string[]>> = {
  Task: [
    ...[...COMMON, ...GIVES, ...FAILS, 'Resource', 'Credentials'],
    ...['TimeoutSeconds', 'TimeoutSecondsPath', 'HeartbeatSeconds', 'HeartbeatSecondsPath'],
  ],
  Pass: [...COMMON, 'Next', 'End', 'Parameters', 'Result', 'ResultPath'],
  Choice: [...COMMON, 'Choices', 'Default'],
  Wait: [...COMMON, 'Next', 'End', 'Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath'],
  Parallel: [...COMMON, ...GIVES, ...FAILS, 'Branches'],
  Map: [
    ...[...COMMON, ...GIVES, ...FAILS, 'ItemProcessor', 'Iterator', 'Items', 'ItemsPath'],
    ...['ItemSelector', 'MaxConcurrency', 'MaxConcurrencyPath', 'Label'],
    ...['ItemReader', 'ItemBatcher', 'ResultWriter'],
    ...['ToleratedFailureCount', 'ToleratedFailurePercentage'],
    ...['ToleratedFailureCountPath', 'ToleratedFailurePercentagePath'],
  ],
  Succeed: COMMON,
  Fail: [...COMMON, 'Error', 'ErrorPath', 'Cause', 'CausePath'],
};

/**
 * Checks the form of the states of a machine: types, fields, and names of states that are there.
 *
 * @throws InputError `bad_asl` naming the JSON path of the first thing that is wrong
 */
export function checkMachine(machine: unknown, place: DocumentPlace): asserts machine is Fields {
  const wrong = (at: DocumentPlace, problem: string, cure: string) =>
    refuseAt('bad_asl', at, problem, cure);
  if (!isObject(machine) || !isObject(machine.States)) {
    throw wrong(place, 'this is no state machine', 'give an object with StartAt and States');
  }
  const names = Object.keys(machine.States);
  const requireState = (name: unknown, at: DocumentPlace) => {
    if (names.includes(name as string)) return;
    if (typeof name !== 'string') throw wrong(at, describeFound(name), 'give the name of a state');
    throw wrong(at, `there is no state ${JSON.stringify(name)}`, suggestNames(name, names));
  };
  requireState(machine.StartAt, inside(place, 'StartAt'));
  for (const [name, state] of Object.entries(machine.States)) {
    const at = inside(place, 'States', name);
    checkState(state, at, wrong);
    for (const [target, keys] of targetsOf(state as Fields))
      requireState(target, inside(at, ...keys));
  }
}

/** Checks the form of a machine and of all machines in it, as {@link checkMachine} does of one. */
export function checkMachines(machine: unknown, place: DocumentPlace): asserts machine is Fields {
  checkMachine(machine, place);
  for (const [name, state] of Object.entries(machine.States as Record<string, Fields>)) {
    const at = inside(place, 'States', name);
    const branches = (state.Branches ?? []) as unknown[];
    for (const [k, branch] of branches.entries()) checkMachines(branch, inside(at, 'Branches', k));
    for (const key of ['ItemProcessor', 'Iterator']) {
      if (state[key] !== undefined) checkMachines(state[key], inside(at, key));
    }
  }
}

type Wrong = (at: DocumentPlace, problem: string, cure: string) => Error;

function checkState(state: unknown, at: DocumentPlace, wrong: Wrong): void {
  if (!isObject(state)) throw wrong(at, 'this is no state', 'give an object with a Type');
  const type = state.Type as StateType;
  if (!STATE_TYPES.includes(type)) {
    throw wrong(
      inside(at, 'Type'),
      typeof type === 'string' ? `there is no type ${JSON.stringify(type)}` : describeFound(type),
      `give one of ${STATE_TYPES.join(', ')}`,
    );
  }
  const stranger = Object.keys(state).find((key) => !FIELDS[type].includes(key));
  if (stranger !== undefined) {
    const cure = suggestNames(stranger, FIELDS[type]);
    throw wrong(inside(at, stranger), `a ${type} state has no field ${stranger}`, cure);
  }
  const ends = type === 'Choice' || type === 'Succeed' || type === 'Fail';
  if (!ends && (state.Next === undefined) === (state.End !== true)) {
    throw wrong(at, 'it needs one of Next and End', 'give exactly one');
  }
  checkRules(state, at, wrong);
  if (type === 'Choice' && !Array.isArray(state.Choices)) {
    throw wrong(inside(at, 'Choices'), 'a Choice state needs rules', 'give a list of them');
  }
  if (type === 'Task' && typeof state.Resource !== 'string') {
    throw wrong(inside(at, 'Resource'), 'a Task state needs a resource', 'give its ARN');
  }
  if (type === 'Parallel' && !Array.isArray(state.Branches)) {
    throw wrong(inside(at, 'Branches'), 'a Parallel state needs branches', 'give a list of them');
  }
}

/** The fields of retriers that are numbers, and the least of each. */
const NUMBERS = { IntervalSeconds: 0, MaxAttempts: 0, BackoffRate: 1, MaxDelaySeconds: 0 };

/** Checks that rules and branches are lists of objects, and what retriers and catchers say. */
function checkRules(state: Fields, at: DocumentPlace, wrong: Wrong): void {
  for (const key of ['Retry', 'Catch', 'Choices', 'Branches']) {
    const rules = state[key] ?? [];
    if (!Array.isArray(rules)) throw wrong(inside(at, key), describeFound(rules), 'give a list');
    for (const [k, rule] of rules.entries()) {
      const place = inside(at, key, k);
      if (!isObject(rule)) throw wrong(place, describeFound(rule), 'give an object');
      if (key !== 'Retry' && key !== 'Catch') continue;
      const codes = rule.ErrorEquals;
      if (!Array.isArray(codes) || codes.some((code) => typeof code !== 'string')) {
        throw wrong(
          inside(place, 'ErrorEquals'),
          describeFound(codes),
          'give a list of error names',
        );
      }
      for (const [name, least] of Object.entries(NUMBERS)) {
        const number = rule[name] ?? least;
        if (typeof number === 'number' && number >= least) continue;
        throw wrong(inside(place, name), describeFound(number), `give a number from ${least}`);
      }
    }
  }
}

/** The names of states to which a state leads, and where in it they stand. */
export function targetsOf(state: Fields): [target: unknown, keys: PropertyKey[]][] {
  const targets: [unknown, PropertyKey[]][] = [];
  if (state.Next !== undefined) targets.push([state.Next, ['Next']]);
  if (state.Default !== undefined) targets.push([state.Default, ['Default']]);
  for (const key of ['Choices', 'Catch'] as const) {
    const rules = Array.isArray(state[key]) ? state[key] : [];
    rules.forEach((rule: Fields, k) => {
      targets.push([rule?.Next, [key, k, 'Next']]);
    });
  }
  return targets;
}
