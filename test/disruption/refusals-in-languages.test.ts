import type { AlasError } from '@alas-jssp/core/errors';
import { packError, unpackError } from '@alas-jssp/core/sent-error';
import { expect, it } from 'vitest';
import { applyEvents, type EventInput } from '../../src/disruption/index.js';
import { createInstance } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { german } from '../../src/jssp/sentences/german.js';
import { formatProblem, storyWords } from '../../src/pipeline/shop/story-lines.js';

const timeScale = { epoch: '2026-11-23T06:00:00+01:00', unit: 60, zone: 'Europe/Berlin' };
const shop = createInstance({
  ...{ name: 'two', machines: 2, timeScale },
  jobOffset: Int32Array.of(0, 2, 3),
  machine: Int32Array.of(0, 1, 1),
  duration: Int32Array.of(60, 60, 30),
  names: { jobs: ['A-1', 'A-2'], operations: null, machines: ['Kran', 'Ofen'] },
});
const plan = createSchedule(shop, Int32Array.of(0, 60, 0));

it.each<[string, EventInput, string]>([
  [
    'operation_finished',
    { kind: 'duration', job: 'A-2', step: 0, duration: 40 },
    'A-2, Arbeitsgang 1 dauert 40 min: der Arbeitsgang ist seit Mo 23.11. 06:30 fertig, jetzt ist Mo 23.11. 07:10',
  ],
  [
    'operation_started',
    { kind: 'delay', job: 'A-1', step: 1, until: 200 },
    'A-1, Arbeitsgang 2 verzögert sich bis 09:20: der Arbeitsgang läuft seit Mo 23.11. 07:00, jetzt ist Mo 23.11. 07:10',
  ],
  [
    'operation_started',
    { kind: 'delay', job: 'A-1', until: 200 },
    'A-1 verzögert sich bis 09:20: alle Arbeitsgänge des Auftrags haben schon begonnen',
  ],
  [
    'already_longer',
    { kind: 'duration', job: 'A-1', step: 1, duration: 5 },
    'A-1, Arbeitsgang 2 dauert 5 min: der Arbeitsgang läuft schon länger als gemeldet und ist nicht fertig, jetzt ist Mo 23.11. 07:10',
  ],
  [
    'job_finished',
    { kind: 'cancellation', job: 'A-2' },
    'A-2 storniert: vom Auftrag ist nichts mehr zu tun',
  ],
  [
    'machine_up',
    { kind: 'restored', machine: 'Ofen' },
    'Ofen läuft wieder: die Maschine steht gar nicht (Mo 23.11. 07:10)',
  ],
  [
    'before_now',
    { kind: 'breakdown', machine: 'Kran', from: 10, to: 20 },
    'Störung an Kran bis 06:20: der Beginn (Mo 23.11. 06:10) liegt in der Vergangenheit: jetzt ist Mo 23.11. 07:10',
  ],
  [
    'unknown_step',
    { kind: 'duration', job: 1, step: 4, duration: 5 },
    'A-2, Arbeitsgang 5 dauert 5 min: der Auftrag hat keinen Arbeitsgang 5',
  ],
  [
    'unknown_job',
    { kind: 'cancellation', job: 7 },
    'Auftrag 8 storniert: diesen Auftrag gibt es nicht',
  ],
  [
    'unknown_resource',
    { kind: 'capacity', resource: 3, from: 80 },
    'diese Ressource gibt es nicht',
  ],
  [
    'cannot_do',
    { kind: 'duration', job: 'A-1', step: 1, machine: 'Kran', duration: 90 },
    'A-1, Arbeitsgang 2 dauert 1 h 30 min: diese Maschine führt den Arbeitsgang nicht aus',
  ],
  [
    'bad_event',
    { kind: 'arrival', job: { name: 'A-1', operations: [{ machine: 0, duration: 1 }] } },
    'es gibt schon einen Auftrag „A-1“',
  ],
])('%s is refused in German by its facts, also from another thread', (code, event, expected) => {
  let refusal: unknown;
  try {
    applyEvents(plan, [event], 70);
  } catch (error) {
    refusal = unpackError(packError(error));
  }
  expect(refusal).toMatchObject({ code });
  const { facts } = refusal as AlasError;
  const words = storyWords(timeScale, german);
  expect(formatProblem({ code, facts }, words)?.[0]).toBe(expected);
});
