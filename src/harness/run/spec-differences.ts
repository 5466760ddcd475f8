import { isObject } from '../../core/json-path.js';
import { type FilledRunSpec, SETTINGS } from './spec.js';

/** The effect of a setting: on the set of records, their results, saved files, or only on the execution. */
type SettingScope = 'records' | 'results' | 'files' | 'execution';

const SCOPES: Readonly<Record<keyof FilledRunSpec, SettingScope>> = {
  suite: 'execution',
  planners: 'records',
  variants: 'records',
  replicates: 'records',
  seed: 'records',
  repair: 'results',
  repairer: 'results',
  rounds: 'results',
  objective: 'records',
  dueTightness: 'results',
  optimize: 'results',
  disruption: 'results',
  limits: 'results',
  saveSchedules: 'files',
  log: 'execution',
  workers: 'execution',
  models: 'execution',
};

/** A setting that differs between two runs. */
export interface SettingDifference {
  /** Its path in the spec, such as `disruption.policy`. */
  readonly setting: string;
  /** In words, such as `time limit`. */
  readonly words: string;
  /** Its values in words: `40 s`, `on`, `none`. */
  readonly run: string;
  readonly baseline: string;
}

/** The settings with certain effects by which two specs differ, in the order of the spec. */
export function specDifferences(
  run: FilledRunSpec,
  baseline: FilledRunSpec,
  scopes: readonly SettingScope[],
): SettingDifference[] {
  const keys = Object.keys(SCOPES) as (keyof FilledRunSpec)[];
  return keys
    .filter((key) => scopes.includes(SCOPES[key]))
    .flatMap((key) => walk(key, run[key], baseline[key]));
}

function walk(setting: string, run: unknown, baseline: unknown): SettingDifference[] {
  const [one, other] = [run, baseline].map((value) => (isObject(value) ? value : undefined));
  if (one === undefined && other === undefined) {
    const [words = setting, unit] = SETTINGS[setting] ?? [];
    const pair = { run: inWords(run, unit), baseline: inWords(baseline, unit) };
    return pair.run === pair.baseline ? [] : [{ setting, words, ...pair }];
  }
  const keys = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...keys].flatMap((key) => walk(`${setting}.${key}`, one?.[key], other?.[key]));
}

function inWords(value: unknown, unit?: string): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(', ');
  return unit === undefined ? String(value) : `${value} ${unit}`;
}
