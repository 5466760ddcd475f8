import { counted } from 'alas-jssp/command-line';
import type { CoordinationRecord } from './record.js';

/** The common members of the records in a row of a report. */
export interface ReportGroup {
  readonly planner: string;
  readonly experiment: string | null;
  readonly condition: string | null;
  /** The topology and the number of rounds with feedback, as in `alas, 3 rounds`; null for a single request. */
  readonly team: string | null;
  readonly variant: CoordinationRecord['variant'];
  /** In streams of events: plans made before the first event, or after one; null outside of streams. */
  readonly events: 'before' | 'after' | null;
}

/** The group of a record. */
export function groupOf(record: CoordinationRecord): ReportGroup {
  const { planner, experiment, team, variant, disruption } = record;
  const { name = null, condition = null } = experiment ?? {};
  const step = disruption?.step ?? null;
  return {
    planner,
    experiment: name,
    condition,
    team: team && teamText(team.topology, team.most_rounds),
    variant,
    events: step === null ? null : step === 0 ? 'before' : 'after',
  };
}

/** A topology and a number of rounds with feedback: `alas, 3 rounds`. */
export function teamText(topology: string, rounds: number): string {
  return `${topology}, ${counted(rounds, 'round')}`;
}

/** The records by group, in the order of their first ones. */
export function groupRecords(records: readonly CoordinationRecord[]): CoordinationRecord[][] {
  const groups = new Map<string, CoordinationRecord[]>();
  for (const record of records) {
    const key = JSON.stringify(groupOf(record));
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()];
}

/** Whether the first plan of a record, without any feedback of the judge, is valid. */
export function isValidAlone({ team, judged }: CoordinationRecord): boolean {
  return (team === null ? judged : team.rounds[0]?.judged)?.valid === true;
}

/** Whether the plan that a record ends with is valid: the repaired one, or that of the planner. */
export function isValidInTheEnd({ repaired, judged, experiment }: CoordinationRecord): boolean {
  // A plan that a model only judges is not its own.
  if (experiment?.name === 'self-validation') return false;
  return repaired !== null || judged?.valid === true;
}

/** The number of plans up to the first valid one; null if there is none. */
export function iterationsOf({ team, judged }: CoordinationRecord): number | null {
  if (team === null) return judged?.valid === true ? 1 : null;
  const first = team.rounds.findIndex((round) => round.judged?.valid === true);
  return first < 0 ? null : first + 1;
}

/** The number of requests that were answered. */
export function requestsOf({ team, answer }: CoordinationRecord): number {
  if (team === null) return answer === null ? 0 : 1;
  return team.rounds.reduce((sum, { turns }) => sum + turns.length, 0);
}

/** The own verdict of the planner on the plan that is kept; null if it gave none. */
export function selfVerdictOf({ team }: CoordinationRecord): boolean | null {
  const kept = team?.kept ?? null;
  return kept === null ? null : (team?.rounds[kept].self_verdict?.feasible ?? null);
}
