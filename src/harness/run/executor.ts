import type { StoredAnswer } from '../../llm/answer-store.js';
import type { AskWait } from '../../llm/ask.js';
import type { Environment } from '../../llm/keys.js';
import type { RunRecord } from '../records/record.js';
import type { RunDisruption } from './disruption.js';
import type { Manifest } from './manifest.js';
import type { RunInstance } from './sources.js';
import type { FilledRunSpec } from './spec.js';

/**
 * A place that performs the tasks of runs: threads of this process, or workers elsewhere. Records are the same
 * everywhere except for measured seconds.
 */
export interface Executor {
  /** Its address, which the manifest keeps so that a resumed run uses it again. */
  readonly on?: string | undefined;
  /**
   * Prepares the tasks of a run before any file of the run is written.
   *
   * @throws InputError if the run cannot be performed here
   */
  prepare(job: RunJob): Promise<PreparedJob>;
}

/** A run with a checked spec and all files read: everything that its records depend on. */
export interface RunJob {
  readonly spec: FilledRunSpec;
  readonly instances: readonly RunInstance[];
  readonly disruption: RunDisruption | null;
  /** The directory of the run, absolute or relative to the working directory; undefined for none. */
  readonly out: string | undefined;
  /** Whether the run was started before. */
  readonly resume: boolean;
  /** Ends the run early: finished records are kept, running tasks are stopped. */
  readonly signal: AbortSignal | undefined;
  /** Source of model keys. Default: the environment of the process, and a `.env` file. */
  readonly environment: Environment | undefined;
  /** Receives every wait for a model. */
  onWait(wait: AskWait): void;
  /** Receives notices for the user, one line each, such as that no worker takes the tasks. */
  onNotice(line: string): void;
}

/** A run that is ready to be performed. */
export interface PreparedJob {
  /**
   * Performs the tasks with missing records and delivers their results in any order. Resolves when all are done, when
   * the run is aborted, or when its budget is spent.
   */
  execute(work: RunWork): Promise<WorkEnd>;
}

/** The remaining part of a run. */
export interface RunWork {
  /** Id of the run: unchanged when it is resumed in its directory, and unique. */
  readonly id: string;
  /** Keys of the existing records, see {@link recordKey}. */
  readonly done: ReadonlySet<string>;
  /**
   * Stores the result of a task: its schedules first, then its records. Existing records are skipped, so a result may
   * arrive twice.
   */
  take(result: TaskResult): void;
}

/** The end of the tasks of a run. */
export interface WorkEnd {
  /**
   * The reason why some tasks are not done: for example, a budget is spent, or a worker has other files than the run.
   * Null if all are done, or if the run was aborted.
   */
  readonly stopped: string | null;
  /** Spending on models, for the manifest; null if the run uses none. */
  readonly spent: Manifest['outcome']['spent'];
}

/** The result of a task, in plain JSON. */
export interface TaskResult {
  /** One for each cell of the task; none if the run was aborted or the budget was spent before it finished. */
  readonly records: readonly RunRecord[];
  /** Schedules of the records that still need to be saved. */
  readonly files: readonly SavedText[];
  /** Model answers of the task that need to be kept. */
  readonly answers: readonly StoredAnswer[];
  /** The reason why this task and all others cannot finish, in words; null if there is none. */
  readonly stopped: string | null;
}

/** A file of a run. */
export interface SavedText {
  /** Its path in the directory of the run, with slashes. */
  readonly name: string;
  readonly text: string;
}
