import type { Random } from '@alas-jssp/core/random';
import { samplePattern } from './sample-pattern.js';

/** Texts of the formats of JSON Schema. */
const FORMATS: Readonly<Record<string, (random: Random) => string>> = {
  date: drawDate,
  time: (random) => `${two(random.integer(0, 23))}:${two(random.integer(0, 59))}:00Z`,
  'date-time': (random) => `${drawDate(random)}T${two(random.integer(0, 23))}:00:00Z`,
  duration: (random) => `PT${random.integer(1, 59)}M`,
  email: (random) => `person${random.integer(1, 999)}@example.com`,
  hostname: (random) => `host${random.integer(1, 999)}.example.com`,
  ipv4: (random) => `192.0.2.${random.integer(1, 254)}`,
  uri: (random) => `https://example.com/${random.integer(1, 9999)}`,
  uuid: (random) =>
    [8, 4, 4, 4, 12]
      .map((length, part) => {
        const digits = Array.from({ length }, () => random.integer(0, 15).toString(16));
        if (part === 2) digits[0] = '4';
        if (part === 3) digits[0] = 'a';
        return digits.join('');
      })
      .join('-'),
};

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function drawDate(random: Random): string {
  return `2026-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`;
}

/** Draws a text for a JSON Schema of texts: of its pattern or format, or the member's name with a number. */
export function sampleText(
  schema: Readonly<Record<string, unknown>>,
  random: Random,
  name: string,
): string {
  const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const matching = typeof pattern === 'string' ? samplePattern(pattern, random) : undefined;
  if (matching !== undefined) return matching;
  if (typeof format === 'string' && Object.hasOwn(FORMATS, format)) return FORMATS[format](random);
  const text = `${name} ${random.integer(1, 9999)}`.padEnd(Number(minLength), '.');
  return text.slice(0, Number(maxLength));
}
