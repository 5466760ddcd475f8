import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';

/** The features of workflows in reports of conversions. */
export const FEATURES = [
  'task',
  'params',
  'choice',
  'guard',
  'wait',
  'approval',
  'parallel',
  'map',
  'loop',
  'loop-guard',
  'concurrency',
  'side-by-side',
  'references',
  'retry',
  'backoff',
  'jitter',
  'timeout',
  'catch',
  'back-to',
  'approvers',
  'late-answer',
  'idempotency-key',
  'shared-key',
  'effect',
  'compensation',
  'cancellation',
  'effect-deadline',
  'compensate-on',
  'invariants',
  'signals',
  'schemas',
  'log-schemas',
  'large-values',
  'roles',
  'repair',
  'annotations',
] as const;

export type Feature = (typeof FEATURES)[number];

/**
 * How a target expresses a feature: with its own construct; with an equivalent combination of
 * several; as a note that is not executed; or not at all.
 */
export const SUPPORT_LEVELS = ['native', 'emulated', 'static-only', 'unsupported'] as const;

export type SupportLevel = (typeof SUPPORT_LEVELS)[number];

/** A use of a feature, and how the target expresses it. */
export interface FeatureNote {
  readonly feature: Feature;
  /** Path of the node, such as `ground/berlin/train`; empty for the workflow itself. */
  readonly place: string;
  readonly level: SupportLevel;
  /** How it is expressed there, or why it cannot be. */
  readonly how: string;
}

/** A feature that a workflow uses at one place. */
export interface FeatureUse {
  readonly feature: Feature;
  /** Path of the node, such as `ground/berlin/train`; empty for the workflow itself. */
  readonly place: string;
}

/** How a target expresses a feature, wherever that is used. */
export type FeatureSupport = Pick<FeatureNote, 'level' | 'how'>;

/** How a target expresses each feature. For some it depends on how the feature is used. */
export type FeatureTable<Use extends FeatureUse = FeatureUse> = Readonly<
  Record<Feature, (use: Use) => FeatureSupport>
>;

const supported = (level: SupportLevel) => (how: string) => (): FeatureSupport => ({ level, how });

/** Table rows for features that are expressed in the same way wherever they are used. */
export const native = supported('native');
export const emulated = supported('emulated');
export const noted = supported('static-only');
export const unsupported = supported('unsupported');

/** The report of a conversion: each use of a feature once, with how the target expresses it. */
export function reportOf<Use extends FeatureUse>(
  uses: readonly Use[],
  table: FeatureTable<Use>,
): FeatureNote[] {
  return uses.map((use) => {
    const { feature, place } = use;
    return { feature, place, ...table[feature](use) };
  });
}

/** A document in another language, and the outcome of each feature in the conversion. */
export interface Conversion {
  readonly text: string;
  readonly report: readonly FeatureNote[];
}

/**
 * Ensures that only allowed features are lost.
 *
 * @param allowed features that may be lost
 * @throws InputError `unsupported_feature` naming the first lost feature, its place, and the other
 *   lost features; its value holds all notes of them. `unknown_feature` for an unknown name in
 *   `allowed`
 */
export function refuseLosses(
  report: readonly FeatureNote[],
  target: string,
  allowed: readonly string[] = [],
): void {
  for (const name of allowed) {
    if ((FEATURES as readonly string[]).includes(name)) continue;
    throw new InputError(
      'unknown_feature',
      `there is no feature ${JSON.stringify(name)}`,
      suggestNames(name, [...FEATURES]),
    );
  }
  const lost = report.filter(({ feature, level }) => {
    return level === 'unsupported' && !allowed.includes(feature);
  });
  if (lost.length === 0) return;
  const [{ feature, place, how }] = lost;
  const [, ...others] = new Set(lost.map((note) => note.feature));
  const more = others.length === 0 ? '' : ` (and not ${others.join(', ')} either)`;
  throw new InputError(
    'unsupported_feature',
    `${target} cannot say ${feature}: ${how}${more}`,
    `leave ${more === '' ? 'it' : 'them'} out, or allow the loss with --allow-loss ${[feature, ...others].join(',')}`,
    place === '' ? {} : { path: place },
    lost,
  );
}
