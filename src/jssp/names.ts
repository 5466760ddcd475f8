import { once } from '@alas-jssp/core/once';
import { benchmarks, paperNames } from './benchmark-index.js';
import { instanceFileEnding } from './formats/source.js';

/**
 * The canonical name of a benchmark instance in any spelling. Case, leading zeros, a file ending and a separator before
 * the number do not matter (`TA1`, `abz07`, `yn01`, `la-1.txt`); `mt06` is ft06 and `tai01` ta01; names of the ALAS
 * paper and of the files by Demirkol et al. (`rcmax_20_15_5`) and of the converted Taillard files (`ta01js`) are known
 * as well.
 *
 * @returns undefined if no benchmark has that name
 */
export function canonicalName(name: string): string | undefined {
  return spellings().get(simplify(name));
}

/** True if two names denote the same instance: equal, or spellings of one benchmark. */
export function isSameInstanceName(a: string, b: string): boolean {
  return (canonicalName(a) ?? a) === (canonicalName(b) ?? b);
}

/** Canonical names by the simplified form of each known name. */
const spellings = once((): ReadonlyMap<string, string> => {
  const canonical = Array.from(benchmarks().keys(), (name) => [name, name] as const);
  return new Map(
    [...paperNames(), ...canonical].map(([spelling, name]) => [simplify(spelling), name]),
  );
});

/** Alternative prefixes of suites. */
const PREFIXES: Readonly<Record<string, string>> = { mt: 'ft', tai: 'ta' };

/** Large shops by Da Col and Teppan: jobs, machines and the number. */
const LARGE = /^tai[-_ ]*j?(\d+)[-_ x]+m?(\d+)[-_ ]+(\d+)$/;

/**
 * Reduces the usual spellings of a name to one: `MT06`, `ft-6.txt` and `ft06` all give `ft6`, `tai_j100_m100_1` gives
 * `tai_100_100_1`.
 */
export function simplify(name: string): string {
  const stem = name
    .trim()
    .toLowerCase()
    .replace(instanceFileEnding, '')
    .replace(/(?<!\d)0+(?=\d)/g, '');
  const large = LARGE.exec(stem);
  if (large !== null) return `tai_${large.slice(1).join('_')}`;
  const parts = /^([a-z0-9]*[a-z])[-_ ]?(\d+)(js)?$/.exec(stem);
  if (parts === null) return stem;
  const [, prefix, number] = parts;
  return `${Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : prefix}${number}`;
}
