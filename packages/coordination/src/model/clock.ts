import { InputError } from 'alas-jssp';

/** A clock time; hours before AM or PM are 1 to 12. */
export const CLOCK = /^(?:\d{1,3}:[0-5]\d|(?:0?[1-9]|1[0-2]):[0-5]\d\s*[AaPp]\.?[Mm]\.?)$/;
const PARTS = /^(\d{1,3}):([0-5]\d)(?:\s*([ap])\.?m\.?)?$/i;

/**
 * Parses a clock time to minutes since midnight: `14:05`, `2:05 PM`, `25:10`.
 *
 * @throws InputError `bad_clock` if the text is no clock time
 */
export function parseClock(text: string, path?: string): number {
  const parts = CLOCK.test(text.trim()) ? PARTS.exec(text.trim()) : null;
  const [hours, minutes] = [Number(parts?.[1]), Number(parts?.[2])];
  const half = parts?.[3]?.toLowerCase();
  if (parts === null) {
    throw new InputError(
      'bad_clock',
      `'${text}' is no clock time`,
      'write it as 14:05 or 2:05 PM',
      { path },
      text,
    );
  }
  if (half === undefined) return 60 * hours + minutes;
  return 60 * ((hours % 12) + (half === 'p' ? 12 : 0)) + minutes;
}

/** Minutes since midnight as a clock time, such as `14:05`. */
export function formatClock(minutes: number): string {
  const sign = minutes < 0 ? '-' : '';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${sign}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
