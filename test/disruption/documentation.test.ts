import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EVENT_KINDS } from '../../src/disruption/event.js';
import { formatEvent, parseEvent } from '../../src/disruption/event-text.js';
import { parseEvents } from '../../src/disruption/events-json.js';
import { severities } from '../../src/disruption/injectors/parameters.js';
import { TOO_LATE } from '../../src/disruption/refusals.js';
import { replaceInstance } from '../../src/jssp/instance.js';
import { resolveSource } from '../../src/jssp/suites.js';

const page = readFileSync(new URL('../../docs/reference/disruption.md', import.meta.url), 'utf8');
const example = (language: string) =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? '';

test('the file and the short forms of the documentation are the same events, of every kind', () => {
  const ft06 = resolveSource('ft06').load();
  const instance = replaceInstance(ft06, {
    resources: {
      count: 1,
      capacity: Int32Array.of(2),
      names: null,
      calendar: null,
      needOffset: new Int32Array(ft06.operations + 1),
      needResource: new Int32Array(),
      needAmount: new Int32Array(),
      needPhase: new Uint8Array(),
    },
  });
  const { events } = parseEvents(Buffer.from(example('json')), 'e.json', { instance });
  const lines = example('events').trim().split('\n');
  expect(lines.map((line) => parseEvent(line))).toEqual(events);
  expect(events.map((event) => formatEvent(event))).toEqual(lines);
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(EVENT_KINDS));
});

test('the severities equal those in the documentation', () => {
  for (const [group, parameters] of Object.entries(severities.light)) {
    for (const key of Object.keys(parameters)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${group}.${key}\``)) ?? '';
      const numbers = Object.values(severities).map((severity) => {
        const own: Readonly<Record<string, unknown>> = severity[group as keyof typeof severity];
        return String(own[key]);
      });
      expect(
        row
          .split('|')
          .slice(2, 5)
          .map((cell) => cell.trim()),
      ).toEqual(numbers);
    }
  }
});

test('the codes of late events are those that the documentation marks', () => {
  const marked = [...page.matchAll(/^\| `(\w+)` \* \|/gm)].map(([, code]) => code);
  expect(marked.sort()).toEqual([...TOO_LATE].sort());
});
