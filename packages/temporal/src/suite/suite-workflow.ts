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
  /** Identifies the run: a SHA-256 over its bundle. */
  readonly run: string;
  /** The bundle of the run, with all data that its tasks need. */
  readonly bundle: BlobRef;
  /** Queue of the workers of the build that began the run. */
  readonly tasks: string;
  /** The tasks to do, see {@link readRanges}. */
  readonly open: string;
  /**
   * The tasks that ask models: they come last, as in threads, and more of them run concurrently.
   */
  readonly asking?: string;
  /** The ledger of the models that they ask. */
  readonly ledger?: { readonly workflowId: string; readonly input: LedgerInput };
  /** Tasks of a slice. */
  readonly size: number;
  /** Concurrent slices. */
  readonly window: number;
  /** The prefix of the ids of the slices; their number follows. */
  readonly slices: string;
  /** Number of finished slices: a long run continues as new from time to time. */
  readonly next?: number;
}

/** The input of `alasSlice`. */
export interface SliceInput extends Pick<SuiteInput, 'bundle' | 'tasks' | 'open'> {}

/** The end of a suite or a slice. */
export interface SuiteEnd {
  /** The budget that kept tasks from finishing, in words; null if there was none. */
  readonly stopped: string | null;
}

/** Attempts at a task whose worker dies or cannot begin, before it counts as a failure. */
const ATTEMPTS = 10;

/** The id of a slice. */
export function sliceId({ slices }: Pick<SuiteInput, 'slices'>, number: number): string {
  return `${slices}/${number}`;
}

/**
 * Performs the tasks of a run, slice by slice, some slices at a time. Their results are in the
 * histories of the slices, where the starter of the run reads them.
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

  // Each history finishes at least one slice.
  while (!isOver() && !(workflowInfo().continueAsNewSuggested && next > first)) {
    while (!isOver() && running.size < input.window) {
      const number = next++;
      const slice = runSlice(input, number, slices[number]).then((end) => {
        stopped ??= end?.stopped ?? null;
        running.delete(slice);
      });
      running.add(slice);
    }
    setCurrentDetails(`${next} of ${slices.length} slices are done or in progress`);
    await Promise.race(running);
  }
  await Promise.all(running);
  if (isCancelled()) throw new CancelledFailure('the run was cancelled');
  if (!isOver()) await continueAsNew<typeof alasSuite>({ ...input, next });
  return { stopped };
}

/** The tasks of each slice, and their queue. */
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

/** Starts the ledger of a run; it is cancelled, and ends, when the run is closed. */
async function startLedger({ ledger, next }: SuiteInput): Promise<void> {
  if (ledger === undefined || next !== undefined) return;
  await startChild(alasLedger, {
    workflowId: ledger.workflowId,
    args: [ledger.input],
    parentClosePolicy: 'REQUEST_CANCEL',
    // Cancelled tasks still report their usage.
    cancellationType: ChildWorkflowCancellationType.ABANDON,
    staticSummary: 'budget and pace of the models of the run',
  });
}

/**
 * Runs a slice. One that is ended from outside has undone tasks, which its reader finds: the others
 * continue.
 */
async function runSlice(
  input: SuiteInput,
  number: number,
  { open, tasks }: Pick<SliceInput, 'open' | 'tasks'>,
): Promise<SuiteEnd | undefined> {
  const { bundle } = input;
  try {
    return await executeChild(alasSlice, {
      workflowId: sliceId(input, number),
      args: [{ bundle, tasks, open }],
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
export async function alasSlice({ bundle, tasks, open }: SliceInput): Promise<SuiteEnd> {
  const { performTask } = proxyActivities<TaskActivities>({
    taskQueue: tasks,
    // The settings of a task limit its time; heartbeats show whether its worker lives.
    startToCloseTimeout: '1000 days',
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { maximumAttempts: ATTEMPTS, maximumInterval: '30 seconds' },
  });
  let stopped: string | null = null;
  const perform = async (index: number): Promise<void> => {
    try {
      const end = await performTask.executeWithOptions({ activityId: `${index}` }, [
        { bundle, index },
      ]);
      stopped ??= end.stopped;
    } catch (error) {
      // The history records failed and cancelled tasks.
      if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
    }
  };
  await Promise.all(Array.from(readRanges(open), perform));
  if (CancellationScope.current().consideredCancelled)
    throw new CancelledFailure('the run was cancelled');
  return { stopped };
}
