import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ActivityCancellationType,
  ActivityFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  continueAsNew,
  executeChild,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { BlobRef } from '../blobs/blob.js';
import { alasLedger, type LedgerInput } from '../models/ledger-workflow.js';
import { askingQueue } from './asking-queue.js';
import { countRanges, readRanges, sliceRanges } from './ranges.js';
import type { TaskActivities } from './task-activities.js';

/** The input of `alasSuite`. */
export interface SuiteInput {
  /** Tells this run from others: a SHA-256 over its sheet. */
  readonly run: string;
  /** The sheet of the run, with all that its tasks depend on. */
  readonly sheet: BlobRef;
  /** Queue of the workers of the build that began the run. */
  readonly tasks: string;
  /** The tasks that are to be done, see {@link readRanges}. */
  readonly open: string;
  /** Those that ask models: they come last, as in threads, and more of them are under way. */
  readonly asking?: string;
  /** The ledger of the models that they ask. */
  readonly ledger?: { readonly workflowId: string; readonly input: LedgerInput };
  /** Tasks of a slice. */
  readonly size: number;
  /** Slices under way at a time. */
  readonly window: number;
  /** The beginning of the ids of the slices; their number follows. */
  readonly slices: string;
  /** Slices that are done already: a long run continues as new from time to time. */
  readonly next?: number;
}

/** The input of `alasSlice`. */
export interface SliceInput extends Pick<SuiteInput, 'sheet' | 'tasks' | 'open'> {}

/** The end of a suite or a slice. */
export interface SuiteEnd {
  /** The budget that kept tasks from their end, in words; null if there was none. */
  readonly stopped: string | null;
}

/** Attempts at a task whose worker dies or cannot begin, before it is called a failure. */
const ATTEMPTS = 10;

/** The id of a slice. */
export function sliceId({ slices }: Pick<SuiteInput, 'slices'>, number: number): string {
  return `${slices}/${number}`;
}

/**
 * Has the tasks of a run performed, slice by slice, some slices at a time. What they result in stands in the histories
 * of the slices, where whoever began the run reads it.
 */
export async function alasSuite(input: SuiteInput): Promise<SuiteEnd> {
  const slices = slicesOf(input);
  await startLedger(input);
  const running = new Set<Promise<void>>();
  const first = input.next ?? 0;
  let next = first;
  let stopped: string | null = null;
  const isCancelled = () => CancellationScope.current().consideredCancelled;
  const isOver = () => isCancelled() || stopped !== null || next === slices.length;

  // Each history brings the suite on by a slice at least.
  while (!isOver() && !(workflowInfo().continueAsNewSuggested && next > first)) {
    while (!isOver() && running.size < input.window) {
      const number = next++;
      const slice = runSlice(input, number, slices[number]).then((end) => {
        stopped ??= end?.stopped ?? null;
        running.delete(slice);
      });
      running.add(slice);
    }
    setCurrentDetails(`${next} of ${slices.length} slices are done or under way`);
    await Promise.race(running);
  }
  await Promise.all(running);
  if (isCancelled()) throw new CancelledFailure('the run was cancelled');
  if (!isOver()) await continueAsNew<typeof alasSuite>({ ...input, next });
  return { stopped };
}

/** The tasks of each slice, and the queue that they go to. */
function slicesOf({
  open,
  asking = '',
  tasks,
  size,
}: SuiteInput): readonly Pick<SliceInput, 'open' | 'tasks'>[] {
  return [
    ...sliceRanges(open, size).map((part) => ({ open: part, tasks })),
    ...sliceRanges(asking, size).map((part) => ({ open: part, tasks: askingQueue(tasks) })),
  ];
}

/** Starts the ledger of a run at its beginning; it is cancelled, and comes to its end, when the run is closed. */
async function startLedger({ ledger, next }: SuiteInput): Promise<void> {
  if (ledger === undefined || next !== undefined) return;
  await startChild(alasLedger, {
    workflowId: ledger.workflowId,
    args: [ledger.input],
    parentClosePolicy: 'REQUEST_CANCEL',
    // Tasks that are cancelled still tell what they took.
    cancellationType: ChildWorkflowCancellationType.ABANDON,
    staticSummary: 'budget and pace of the models of the run',
  });
}

/** Runs a slice. One that somebody ends has undone tasks, which whoever reads it finds: the others go on. */
async function runSlice(
  input: SuiteInput,
  number: number,
  { open, tasks }: Pick<SliceInput, 'open' | 'tasks'>,
): Promise<SuiteEnd | undefined> {
  const { sheet } = input;
  try {
    return await executeChild(alasSlice, {
      workflowId: sliceId(input, number),
      args: [{ sheet, tasks, open }],
      staticSummary: `${countRanges(open)} tasks: ${open.slice(0, 100)}`,
    });
  } catch (error) {
    const isEnded =
      error instanceof ChildWorkflowFailure ||
      error instanceof WorkflowExecutionAlreadyStartedError ||
      isCancellation(error);
    if (!isEnded) throw error;
    return undefined;
  }
}

/** Has the tasks of a slice performed, each by an activity. */
export async function alasSlice({ sheet, tasks, open }: SliceInput): Promise<SuiteEnd> {
  const { performTask } = proxyActivities<TaskActivities>({
    taskQueue: tasks,
    // A task may take as long as its settings let it; whether its worker lives is told by heartbeats.
    startToCloseTimeout: '1000 days',
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { maximumAttempts: ATTEMPTS, maximumInterval: '30 seconds' },
  });
  let stopped: string | null = null;
  const perform = async (index: number): Promise<void> => {
    try {
      const end = await performTask.executeWithOptions({ activityId: `${index}` }, [
        { sheet, index },
      ]);
      stopped ??= end.stopped;
    } catch (error) {
      // Of a task that failed, or was cancelled, the history tells.
      if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
    }
  };
  await Promise.all(Array.from(readRanges(open), perform));
  if (CancellationScope.current().consideredCancelled)
    throw new CancelledFailure('the run was cancelled');
  return { stopped };
}
