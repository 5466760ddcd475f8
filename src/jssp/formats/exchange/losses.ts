import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';

/** The parts of shops and plans that a format of another program may be unable to express. */
const LOSS_FEATURES = [
  'alternatives',
  'calendars',
  'capacity',
  'claims',
  'deadlines',
  'downtimes',
  'due-dates',
  'frozen',
  'incomplete',
  'names',
  'precedence',
  'releases',
  'resources',
  'setups',
  'start-times',
  'time-scale',
  'transport',
  'weights',
  'zero-durations',
] as const;

/** A part of a shop or plan that another format may be unable to express. */
type LossFeature = (typeof LOSS_FEATURES)[number];

/** A part that a file in another format does not have, or has in another form. */
export interface FormatLoss {
  readonly feature: LossFeature;
  /** The loss as a sentence without a full stop. */
  readonly note: string;
  /**
   * `looser` if the other program may make schedules that are infeasible here, `stricter` if it misses some that are
   * feasible here, `none` if it has the same schedules.
   */
  readonly effect: 'none' | 'stricter' | 'looser';
}

/**
 * Refuses a file that would lose a constraint or a start time.
 *
 * @param allowed the features that may be lost
 * @throws InputError `not_expressible` with the first loss that is not allowed, `bad_feature` for an unknown one
 */
export function refuseFormatLosses(
  losses: readonly FormatLoss[],
  format: string,
  allowed: readonly string[] = [],
): void {
  for (const name of allowed) {
    if ((LOSS_FEATURES as readonly string[]).includes(name)) continue;
    const hint = suggestNames(name, LOSS_FEATURES);
    throw new InputError('bad_feature', `there is no feature ${JSON.stringify(name)}`, hint);
  }
  const refused = losses.filter(
    ({ feature, effect }) => effect === 'looser' && !allowed.includes(feature),
  );
  if (refused.length === 0) return;
  const features = [...new Set(refused.map(({ feature }) => feature))];
  throw new InputError(
    'not_expressible',
    `${format} cannot express this: ${refused.map(({ note }) => note).join('; ')}`,
    `choose another format, or allow the loss with --allow-loss ${features.join(',')}`,
    {},
    features,
  );
}
