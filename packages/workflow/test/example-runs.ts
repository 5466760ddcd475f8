import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { startService } from '../../../examples/booking-service.mjs';
import * as changeset from '../../../examples/changeset-workflow.mjs';
import * as refund from '../../../examples/refund-workflow.mjs';
import { fateOf } from '../../../examples/table.mjs';
import * as travel from '../../../examples/travel-workflow.mjs';
import type { Json, Registry, RunOptions, Workflow } from '../src/index.js';
import { createWorld } from './interpreter/world.js';
import { registryOfTalks } from './talks.js';
import { tour } from './tour.js';

/** The outside that a run meets, and how to look at it. */
export interface Outside {
  readonly options: RunOptions;
  /** The present contents. */
  look(): unknown;
  close(): void | Promise<void>;
}

/** A run of an example. */
export interface ExampleRun {
  /** Also the id of the run. */
  readonly name: string;
  readonly workflow: Workflow;
  readonly input: Json;
  open(): Promise<Outside>;
}

/** The outside of an example that knows nothing of any: for replays, which call nothing. */
export const REGISTRIES: Readonly<Record<string, Registry>> = {
  refund: refund.refundAt('nowhere').registry,
  trip: travel.tripAt('nowhere').registry,
  change: changeset.changeAt({ root: 'nowhere', directory: 'nowhere' }).registry,
  tour: createWorld().registry,
  talk: registryOfTalks(),
};

/** What can go wrong in the examples, one run for each. */
export const EXAMPLE_RUNS: readonly ExampleRun[] = [
  refundRun('refund', {}),
  refundRun('refund-too-late', {}, 90),
  refundRun('refund-ledger-down', { ledger: 'down' }),
  refundRun('refund-ticket-busy', { ticket: 'busy' }),
  refundRun('refund-answer-lost', { confirmation: 'lost' }),
  refundRun('refund-stuck', { ledger: 'down', refund: 'stuck' }),
  travelRun('trip', {}),
  travelRun('trip-inbound-down', { inbound: 'down' }),
  travelRun('trip-to-bonn', {}, { city: 'Bonn' }),
  changesetRun('change', true),
  changesetRun('change-unpublished', false),
  tourRun('tour', { n: 1, list: [1, 2, 3], fails: false }),
  tourRun('tour-right', { n: 0, list: [], fails: false }),
  tourRun('tour-undone', { n: 1, list: [1, 2], fails: true }),
];

/** A refund whose confirmation takes longer than it may. */
export const LATE_REFUND: ExampleRun = {
  ...refundRun('refund-mute', { confirmation: 'mute' }),
  workflow: refund.refundAt('nowhere', 'confirmation').workflow,
};

function refundRun(name: string, moods: Record<string, string>, days = 3): ExampleRun {
  return {
    name,
    workflow: refund.refundAt('nowhere').workflow,
    input: { order: 'A-1041', amount: 59.9, days },
    open: () => meetService(moods, refund.kinds, (url) => refund.refundAt(url).registry),
  };
}

function travelRun(name: string, moods: Record<string, string>, input: Json = {}): ExampleRun {
  return {
    name,
    workflow: travel.tripAt('nowhere').workflow,
    input,
    open: () => meetService(moods, travel.kinds, (url) => travel.tripAt(url).registry),
  };
}

async function meetService(
  moods: Record<string, string>,
  kinds: readonly string[],
  registryOf: (url: string) => Registry,
): Promise<Outside> {
  const service = await startService(moods);
  return {
    // Who is asked second is not to depend on who was faster.
    options: { registry: registryOf(service.url), maxConcurrency: 1 },
    look: () => kinds.filter((kind) => fateOf(service, kind) === 'done'),
    close: () => service.stop(),
  };
}

function changesetRun(name: string, works: boolean): ExampleRun {
  const edits = [
    { op: 'write', path: 'limits.json', text: '{ "jobs": 20 }\n' },
    { op: 'rename', path: 'notes.txt', to: 'NOTES.md' },
  ];
  return {
    name,
    workflow: changeset.changeAt({ root: 'nowhere', directory: 'nowhere' }).workflow,
    input: { edits, works },
    async open() {
      const place = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
      const root = join(place, 'project');
      mkdirSync(root);
      for (const [file, text] of Object.entries(changeset.project)) {
        writeFileSync(join(root, file), text);
      }
      const { registry } = changeset.changeAt({ root, directory: join(place, 'changesets') });
      return {
        options: { registry },
        look: () => changeset.contentsOf(root),
        close: () => rmSync(place, { recursive: true }),
      };
    },
  };
}

function tourRun(name: string, input: Json): ExampleRun {
  return {
    name,
    workflow: tour,
    input,
    async open() {
      const { registry, standing } = createWorld();
      return {
        options: { registry, clock: virtualClock(), approvals: { kim: 'kim' }, snapshotEvery: 20 },
        look: () => [...standing.values()].sort(),
        close: () => {},
      };
    },
  };
}
