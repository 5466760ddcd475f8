import type { Kind } from '../json-types.js';

/** The kinds of values that an argument may have: any of these, or numbers alone or in a list. */
type Takes = readonly Kind[] | 'any' | 'numbers';

/** A built-in function of JSONata that guards may call: pure, and quick in the size of its input. */
interface GuardFunction {
  readonly takes: readonly Takes[];
  /** The minimum number of arguments. */
  readonly least: number;
  readonly gives: Kind;
  /** True if it has a result even where its argument is missing. */
  readonly always?: boolean;
}

const aggregate: GuardFunction = { takes: ['numbers'], least: 1, gives: 'number' };
const ofNumber: GuardFunction = { takes: [['number']], least: 1, gives: 'number' };
const ofText: GuardFunction = { takes: [['string']], least: 1, gives: 'string' };

/** The functions that guards may call, by name. */
export const functions: Readonly<Record<string, GuardFunction>> = {
  count: { takes: ['any'], least: 1, gives: 'number', always: true },
  sum: aggregate,
  min: aggregate,
  max: aggregate,
  average: aggregate,
  exists: { takes: ['any'], least: 1, gives: 'boolean', always: true },
  not: { takes: [['boolean']], least: 1, gives: 'boolean' },
  boolean: { takes: ['any'], least: 1, gives: 'boolean' },
  number: { takes: [['number', 'string', 'boolean']], least: 1, gives: 'number' },
  string: { takes: ['any'], least: 1, gives: 'string' },
  type: { takes: ['any'], least: 1, gives: 'string' },
  contains: { takes: [['string'], ['string']], least: 2, gives: 'boolean' },
  length: { takes: [['string']], least: 1, gives: 'number' },
  lowercase: ofText,
  uppercase: ofText,
  abs: ofNumber,
  floor: ofNumber,
  ceil: ofNumber,
  round: { takes: [['number'], ['number']], least: 1, gives: 'number' },
};
