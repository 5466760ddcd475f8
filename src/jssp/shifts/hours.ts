import { InputError } from '@alas-jssp/core/errors';

/** The minutes of a day. */
export const DAY = 1440;

/** Hours as minutes after midnight; an end that is not after its begin is on the next day. */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

/** The hours of a shift, and its breaks. */
export interface ShiftHours extends Hours {
  readonly breaks: readonly Hours[];
}

/**
 * Checks the hours of a shift.
 *
 * @throws InputError `bad_calendar` if it is empty, or a break is not within it
 */
export function checkHours(shift: ShiftHours, file: string | undefined, path: string): void {
  const refuse = (problem: string, hint: string) => {
    throw new InputError('bad_calendar', problem, hint, { file, path });
  };
  if (shift.from === shift.to) {
    refuse('the shift ends when it begins', 'write 00:00 to 24:00 for a whole day');
  }
  for (const pause of shift.breaks) {
    if (breakOf(pause, shift).to <= endMinute(shift)) continue;
    const outside = `the break from ${hoursText(pause)} is not within the shift from ${hoursText(shift)}`;
    refuse(outside, 'let it begin and end there');
  }
}

/** The end of hours in minutes after the midnight before they begin. */
export function endMinute({ from, to }: Hours): number {
  return to > from ? to : to + DAY;
}

/** A break in minutes after the midnight before its shift begins. */
export function breakOf(pause: Hours, shift: Hours): Hours {
  const later = pause.from < shift.from ? DAY : 0;
  return { from: pause.from + later, to: endMinute(pause) + later };
}

function hoursText({ from, to }: Hours): string {
  return [from, to]
    .map((minute) => [Math.floor(minute / 60), minute % 60])
    .map((numbers) => numbers.map((number) => String(number).padStart(2, '0')).join(':'))
    .join(' to ');
}
