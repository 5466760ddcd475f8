import { valueAt } from '@alas-jssp/core/json-path';
import type { SettingScope } from './setting.js';
import { type FilledRunSpec, RUN_SETTINGS } from './spec.js';

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

/** The settings of the given scopes that differ between two specs, in the order of the schema. */
export function specDifferences(
  run: FilledRunSpec,
  baseline: FilledRunSpec,
  scopes: readonly SettingScope[],
): SettingDifference[] {
  return RUN_SETTINGS.filter(({ scope }) => scopes.includes(scope)).flatMap(
    ({ path, words, unit }) => {
      const [one, other] = [run, baseline].map((spec) =>
        inWords(valueAt(spec, path.split('.')), unit),
      );
      return one === other ? [] : [{ setting: path, words, run: one, baseline: other }];
    },
  );
}

function inWords(value: unknown, unit?: string): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(', ');
  return unit === undefined ? String(value) : `${value} ${unit}`;
}
