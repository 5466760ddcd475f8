import { errorLine } from '@alas-jssp/core/errors';
import type { Json, Judged, Validator } from '@alas-jssp/workflow';

/** A value whose verdict is known. */
export interface CalibrationCase {
  readonly name: string;
  readonly judged: Judged;
  /** Whether the value has a fault that the validator shall find. */
  readonly faulty: boolean;
}

/** A fault that can be planted. */
export interface PlantedFault {
  readonly name: string;
  /** The value with the fault; undefined if it cannot have it. */
  plant(value: Json): Json | undefined;
}

/** A share, with its 95 % confidence interval (Wilson). */
export interface Share {
  readonly count: number;
  readonly of: number;
  /** Null without cases. */
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
}

/** The accuracy of a validator on cases whose verdicts are known. */
export interface Calibration {
  /** Correct verdicts. A validator that failed gave none. */
  readonly accuracy: Share;
  /** Faulty values that passed. */
  readonly falsePasses: Share;
  /** Sound values that did not pass. */
  readonly falseRejections: Share;
  readonly mistakes: readonly CalibrationMistake[];
}

/** A wrong verdict, or an error of the validator. */
export interface CalibrationMistake {
  readonly name: string;
  readonly kind: 'false pass' | 'false rejection' | 'error';
  readonly reason: string;
}

/**
 * Measures a validator on cases whose verdicts are known, one after the other. A correction counts as a finding. An error
 * of the validator counts as a wrong verdict: as a false rejection for a sound value, and as neither found nor passed
 * for a faulty one.
 */
export async function calibrateValidator(
  validator: Validator,
  cases: readonly CalibrationCase[],
): Promise<Calibration> {
  const mistakes: CalibrationMistake[] = [];
  const wrong = { passes: 0, rejections: 0 };
  for (const { name, judged, faulty } of cases) {
    try {
      const verdict = await validator(judged);
      const found = verdict.outcome !== 'pass';
      if (found === faulty) continue;
      wrong[faulty ? 'passes' : 'rejections']++;
      const kind = faulty ? 'false pass' : 'false rejection';
      mistakes.push({ name, kind, reason: faulty ? 'it passed' : JSON.stringify(verdict) });
    } catch (error) {
      if (!faulty) wrong.rejections++;
      mistakes.push({ name, kind: 'error', reason: errorLine(error) });
    }
  }
  const faulty = cases.filter((one) => one.faulty).length;
  return {
    accuracy: shareOf(cases.length - mistakes.length, cases.length),
    falsePasses: shareOf(wrong.passes, faulty),
    falseRejections: shareOf(wrong.rejections, cases.length - faulty),
    mistakes,
  };
}

/** Cases of sound values, and of the same values with each fault that can be planted in them. */
export function plantFaults(
  sound: readonly Judged[],
  faults: readonly PlantedFault[],
): CalibrationCase[] {
  return sound.flatMap((judged, index): CalibrationCase[] => {
    const planted = faults.flatMap(({ name, plant }): CalibrationCase[] => {
      const value = plant(judged.value);
      if (value === undefined) return [];
      return [{ name: `${index}: ${name}`, judged: { ...judged, value }, faulty: true }];
    });
    return [{ name: `${index}: sound`, judged, faulty: false }, ...planted];
  });
}

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/** A share with its Wilson interval (1927), doi:10.2307/2276774. */
export function shareOf(count: number, of: number): Share {
  if (of === 0) return { count, of, share: null, low: 0, high: 1 };
  const share = count / of;
  const center = (share + Z ** 2 / (2 * of)) / (1 + Z ** 2 / of);
  const spread =
    (Z / (1 + Z ** 2 / of)) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const low = count === 0 ? 0 : Math.max(0, center - spread);
  const high = count === of ? 1 : Math.min(1, center + spread);
  return { count, of, share, low, high };
}
