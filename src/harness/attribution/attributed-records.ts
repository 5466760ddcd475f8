import { isWithoutTranscript } from '../../pipeline/planners/transcripts-planner.js';
import type { AttributionRecord } from '../records/attribution-record.js';
import type { RunRecord } from '../records/record.js';
import { groupBy } from '../statistics/descriptive.js';
import { CONTROL_PLANNERS, RANDOM_CONTROL } from './controls.js';

/** A record with the facts of its attribution, and the level from which its gains count. */
export interface AttributedRecord {
  readonly record: RunRecord;
  readonly facts: AttributionRecord;
  /** Value of the random control's plan, before any repair or search. */
  readonly random: number;
  /** The value of one hundred points: the best known, or that of the random plan if none is known. */
  readonly unit: number;
  /** The same repair and search, with the same seeds, from the plan of each control; by control. */
  readonly controls: ReadonlyMap<string, AttributionRecord>;
}

/** Records whose gains can be measured, and the number of those that cannot. */
export interface AttributedRecords {
  readonly attributed: readonly AttributedRecord[];
  /** Records whose random control has no feasible plan, or that are of a variant without controls. */
  readonly left_out: number;
}

/** The facts of a record whose worker thread died. */
const NO_FACTS: AttributionRecord = {
  values: { plan: null, repair: null, final: null },
  operations: 0,
  claimed: 0,
  pairs: null,
  neighbours: null,
};

/**
 * Finds the controls of every record of runs with facts. Executions of the same schedule count once. A planner without a
 * recorded answer for an instance has not failed there: it was not asked.
 */
export function attributeRecords(records: readonly RunRecord[]): AttributedRecords {
  if (records.every(({ attribution }) => attribution === null)) {
    return { attributed: [], left_out: 0 };
  }
  const asked = records.filter(({ error }) => error === null || !isWithoutTranscript(error));
  const once = [...groupBy(asked, planKey).values()].map(([first]) => first);
  const tasks = groupBy(once, taskKey);
  const attributed = once.flatMap((record): AttributedRecord[] => {
    const controls = controlsIn(tasks.get(taskKey(record)) ?? []);
    const random = controls.get(RANDOM_CONTROL)?.values.plan ?? null;
    const facts = record.attribution ?? (record.status === 'error' ? NO_FACTS : null);
    if (random === null || random <= 0 || facts === null) return [];
    const known = record.upper_bound ?? 0;
    return [{ record, facts, random, unit: known > 0 ? known : random, controls }];
  });
  return { attributed, left_out: once.length - attributed.length };
}

function controlsIn(task: readonly RunRecord[]): Map<string, AttributionRecord> {
  return new Map(
    task.flatMap((record) =>
      CONTROL_PLANNERS.includes(record.planner) && record.attribution !== null
        ? [[record.planner, record.attribution] as const]
        : [],
    ),
  );
}

/** The properties that a plan and its controls share. */
function taskKey({ instance, suite, variant, replicate, objective, seed }: RunRecord): string {
  return JSON.stringify([instance, suite, variant, replicate, objective, seed]);
}

function planKey(record: RunRecord): string {
  return JSON.stringify([taskKey(record), record.planner]);
}
