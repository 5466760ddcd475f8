import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import {
  fillParameters,
  type InjectionParameters,
  severities,
  usualParameters,
} from './parameters.js';

/** The defaults of a kind. */
const BASE = usualParameters;

/** Kinds of events that can be injected. */
const KINDS = Object.keys(BASE);

/**
 * Parses injection parameters in the short form of the command line: the name of a severity, or kinds separated by plus
 * signs, each with its parameters, such as `breakdowns:mtbf=0.5,mttr=0.05+delays`. Omitted parameters are the usual ones
 * ({@link usualParameters}); kinds that are not named are not injected.
 *
 * @throws InputError `bad_parameter`
 */
export function parseParameters(text: string): InjectionParameters {
  if (Object.hasOwn(severities, text)) return severities[text as keyof typeof severities];
  const parameters: Record<string, unknown> = {};
  for (const part of text.split('+')) {
    const [kind, list] = splitAt(part, ':');
    if (!Object.hasOwn(BASE, kind)) throw unknownKind(text, kind);
    if (Object.hasOwn(parameters, kind)) throw refuse(text, `${kind} is given twice`);
    const base = BASE[kind as keyof typeof BASE];
    parameters[kind] = { ...base, ...(list === undefined ? {} : readFields(text, list)) };
  }
  try {
    return fillParameters(parameters);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problem, hint, location, value } = error;
    const where = location.path?.replace(/^\$\.?/, '') ?? '';
    throw refuse(text, `${where === '' ? '' : `${where}: `}${problem}`, hint, value);
  }
}

function readFields(text: string, list: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const word of list.split(',')) {
    const [key, value] = splitAt(word, '=');
    if (key === '' || value === undefined || value === '') {
      throw refuse(text, `${JSON.stringify(word)} is no key=value`);
    }
    if (Object.hasOwn(fields, key)) throw refuse(text, `${key} is given twice`);
    const number = Number(value);
    fields[key] = Number.isNaN(number) ? value : number;
  }
  return fields;
}

/** The text before and after the first separator; the latter is undefined if there is none. */
function splitAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function unknownKind(text: string, kind: string): InputError {
  const names = text.includes('+') ? KINDS : [...Object.keys(severities), ...KINDS];
  const problem = `${JSON.stringify(kind)} cannot be injected`;
  return refuse(text, problem, suggestNames(kind, names), kind);
}

function refuse(
  text: string,
  problem: string,
  hint = 'write it like breakdowns:mtbf=0.5,mttr=0.05+delays:rate=0.1 (see docs/reference/disruption.md)',
  value: unknown = text,
): InputError {
  return new InputError('bad_parameter', `the disruption '${text}': ${problem}`, hint, {}, value);
}
