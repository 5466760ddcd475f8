import { systemClock } from '@alas-jssp/core/clock';
import { isoTime } from '@alas-jssp/core/iso-time';
import { type AuditableLog, type ListedRun, listRuns, type Workflow } from '@alas-jssp/workflow';
import { columnsOf } from '../../report/columns.js';
import { whole } from '../../report/format.js';
import { shellWord } from '../common/shell-word.js';
import { bringsHandlers } from '../workflow/find-registry.js';

/** A run in the list of runs. */
export interface RunRow {
  readonly run: string;
  readonly workflow: string | null;
  readonly status: ListedRun['status'];
  readonly entries: number;
  readonly began: string | null;
  readonly last_event: string | null;
  readonly owner: string | null;
  /** ISO 8601, UTC: the end of the owner's lease. */
  readonly until: string | null;
  /** ISO 8601, UTC: when the run is due. */
  readonly wake_at: string | null;
  /** Why it is in doubt, waits or is stuck, in words. */
  readonly why: string | null;
  /** The command that helps; null if none is needed. */
  readonly help: string | null;
}

/** Runs of a log, with the commands that help those which need one. */
export function describeRuns(log: AuditableLog, file: string, runs = log.runs()): RunRow[] {
  return listRuns(log, systemClock, runs).map((run) => ({
    run: run.runId,
    workflow: run.workflow,
    status: run.status,
    entries: run.entries,
    began: run.startedAt,
    last_event: run.lastEvent,
    owner: run.owner ?? null,
    until: timeOf(run.until),
    wake_at: timeOf(run.wakeAt),
    why: reasonOf(run),
    help: helpFor(run, file, () => handlersOf(log, run)),
  }));
}

function timeOf(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : isoTime(milliseconds);
}

/** Why a run has not ended, or has not ended well. */
function reasonOf({ status, owner, until, wakeAt, waitsFor, inDoubt }: ListedRun): string | null {
  switch (status) {
    case 'RUNNING':
      return `owned by ${owner} until ${timeOf(until)}`;
    case 'INTERRUPTED':
      return owner === undefined ? 'interrupted' : `its owner ${owner} is gone`;
    case 'DUE':
      return wakeAt === undefined
        ? 'a message arrived, and no process continued the run'
        : `due since ${timeOf(wakeAt)}, and no process continued the run`;
    case 'WAITING': {
      const names = waitsFor.map(({ kind, name }) => `the ${kind} ${name}`);
      const what = names.length === 0 ? 'it waits' : `it waits for ${names.join(', ')}`;
      return wakeAt === undefined ? what : `${what} until ${timeOf(wakeAt)}`;
    }
    case 'IN_DOUBT':
      return `unknown whether these happened: ${inDoubt.join(', ')}`;
    case 'COMPENSATION_FAILED':
      return 'not all effects could be undone';
    default:
      return null;
  }
}

/** The option `--handlers` with a leading blank, if a run needs it to resume. */
function handlersOf(log: AuditableLog, { runId, workflow }: ListedRun): string {
  if (workflow === null) return '';
  // Another program may have written the entry, so it need not hold a workflow.
  const [start] = log.read({ runId, to: 0 });
  const { nodes = [], meta = {} } = (start.payload as { workflow: Partial<Workflow> }).workflow;
  return bringsHandlers({ name: workflow, nodes, meta }) ? '' : ' --handlers MODULE';
}

/** The command that helps a run; null if it needs none. */
function helpFor(
  { runId, status, waitsFor, inDoubt }: ListedRun,
  file: string,
  handlers: () => string,
): string | null {
  switch (status) {
    case 'INTERRUPTED':
    case 'DUE':
      return `log resume ${file} --run ${runId}${handlers()}`;
    case 'WAITING': {
      const [wait] = waitsFor;
      if (wait === undefined) return null;
      const place = [file, runId, wait.name].map(shellWord).join(' ');
      return wait.kind === 'approval' ? `log approve ${place} --by WHO` : `log signal ${place}`;
    }
    case 'IN_DOUBT':
      return `log settle ${file} ${runId} ${inDoubt[0]} --happened|--did-not --by WHO`;
    case 'COMPENSATION_FAILED':
      return `log trigger ${file} ${runId} --by WHO${handlers()}`;
    default:
      return null;
  }
}

const column = columnsOf<RunRow>();

/** The columns of a list of runs. */
export const runColumns = [
  column('run'),
  column('entries', whole),
  column('began', { minor: 2 }),
  column('last_event', { minor: 3 }),
  column('status', { tone: ({ help }) => (help === null ? 'plain' : 'bad') }),
  column('why', { when: (rows) => rows.some(({ why }) => why !== null) }),
  column('help', { when: (rows) => rows.some(({ help }) => help !== null) }),
  ...column.hidden('workflow', 'owner', 'until', 'wake_at'),
];
