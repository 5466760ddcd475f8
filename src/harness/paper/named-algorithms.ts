import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { parseAnswer } from '../../llm/answer-store.js';
import type { RunRecord } from '../records/record.js';

/** An answer of a model that names the algorithm with which it claims to have planned. */
export interface NamedAlgorithm
  extends Pick<
    RunRecord,
    'planner' | 'instance' | 'replicate' | 'claimed_makespan' | 'upper_bound'
  > {
  readonly algorithm: string;
  /** Its parameters as JSON; null if the answer names none. */
  readonly params: string | null;
  /** The makespan of the plan; null if the validator refused it. */
  readonly makespan: number | null;
}

/** The algorithms that the answers of a run name, and the records whose answers name none. */
export interface NamedAlgorithms {
  readonly named: readonly NamedAlgorithm[];
  readonly silent: number;
}

/**
 * Reads the algorithms from the kept answers of a run: the members `algorithm` and `params` of an answer, also in an
 * answer that is cut off. Only single models are asked for them.
 *
 * @param directory of the run
 */
export function namedAlgorithms(directory: string, records: readonly RunRecord[]): NamedAlgorithms {
  const single = records.filter(({ llm }) => llm?.topology === 'single');
  const named = single.flatMap((record): NamedAlgorithm[] => {
    const found = firstNamed(directory, record);
    if (found === null) return [];
    const { planner, instance, replicate, claimed_makespan, upper_bound, stages } = record;
    const { feasible = false, makespan = null } = stages.plan ?? {};
    const about = { planner, instance, replicate, claimed_makespan, upper_bound };
    return [{ ...about, ...found, makespan: feasible ? makespan : null }];
  });
  return { named, silent: single.length - named.length };
}

function firstNamed(directory: string, { llm }: RunRecord) {
  for (const name of llm?.answer_files ?? []) {
    const file = join(directory, name);
    if (!existsSync(file)) continue;
    const { text } = parseAnswer(readBytes(file), name.replace(/^.*\/|\.json$/g, ''), file);
    const algorithm = memberOf(text, 'algorithm');
    if (typeof algorithm !== 'string' || algorithm.trim() === '') continue;
    const params = memberOf(text, 'params');
    return { algorithm, params: params === undefined ? null : JSON.stringify(params) };
  }
  return null;
}

/** The first value of a member in a text with JSON in it, up to the end of its line for objects that span lines. */
function memberOf(text: string, name: string): unknown {
  const start = new RegExp(`"${name}"\\s*:\\s*`).exec(text);
  if (start === null) return undefined;
  const rest = text.slice(start.index + start[0].length);
  for (let end = 1; end <= Math.min(rest.length, LONGEST); end++) {
    if (!CLOSING.has(rest[end - 1])) continue;
    try {
      return JSON.parse(rest.slice(0, end));
    } catch {
      // The value is not complete yet.
    }
  }
  return undefined;
}

/** Characters with which a string, object or list ends. */
const CLOSING = new Set(['"', '}', ']']);

/** Characters of a value; longer ones are no names and parameters. */
const LONGEST = 2000;
