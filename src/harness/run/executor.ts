import type { Answer, LlmRequest } from '../../llm/client.js';
import type { Environment } from '../../llm/keys.js';
import type { AskWait } from '../../pipeline/planners/question.js';
import type { RunRecord } from '../records/record.js';
import type { RunDisruption } from './disruption.js';
import type { Manifest } from './manifest.js';
import type { RunInstance } from './sources.js';
import type { FilledRunSpec } from './spec.js';

/**
 * A place where the tasks of runs are performed: threads of this process, or workers elsewhere. The records
 * are the same everywhere, but for the seconds they took.
 */
export interface Executor {
  /** Its address, which the manifest keeps, so that a resumed run uses it again. */
  readonly on?: string | undefined;
  /**
   * Prepares the tasks of a run, before anything of the run is written.
   *
   * @throws InputError if the run cannot be performed here
   */
  prepare(job: RunJob): Promise<PreparedJob>;
}

/** A run whose spec was checked and whose files were read: all that its records depend on. */
export interface RunJob {
  readonly spec: FilledRunSpec;
  readonly instances: readonly RunInstance[];
  readonly disruption: RunDisruption | null;
  /** The directory of the run, absolute or relative to the working directory; undefined for none. */
  readonly out: string | undefined;
  /** Whether the run was begun before. */
  readonly resume: boolean;
  /** Ends the run early: what is finished is kept, running tasks are stopped. */
  readonly signal: AbortSignal | undefined;
  /** Where keys of models are. Default: the environment of the process, and a `.env` file. */
  readonly environment: Environment | undefined;
  /** Receives every wait for a model. */
  onWait(wait: AskWait): void;
  /** Receives notices for the user, one line each, such as that no worker takes the tasks. */
  onNotice(line: string): void;
}

/** A run that is ready to be performed. */
export interface PreparedJob {
  /**
   * Performs the tasks with missing records and delivers their results in any order. Resolves when all are
   * done, when the run is aborted, or when its budget is spent.
   */
  execute(work: RunWork): Promise<WorkEnd>;
}

/** The part of a run that is still to be done. */
export interface RunWork {
  /** Names the run: the same when it is resumed in its directory, and different from all others. */
  readonly id: string;
  /** Keys of the records that are there, see {@link recordKey}. */
  readonly done: ReadonlySet<string>;
  /**
   * Takes the result of a task: writes its schedules, and then its records. Records that are there are
   * passed over, so a result may come twice.
   */
  take(result: TaskResult): void;
}

/** The end of the tasks of a run. */
export interface WorkEnd {
  /**
   * Why not all are done, in words: a budget is spent, for example, or a worker has other files than the run
   * was begun with. Null if they are, or if the run was aborted.
   */
  readonly stopped: string | null;
  /** The spending on models, for the manifest; null if none was to be asked. */
  readonly spent: Manifest['outcome']['spent'];
}

/** The result of a task, in plain JSON. */
export interface TaskResult {
  /** One for each cell of the task; none if it was aborted or the budget was spent before its end. */
  readonly records: readonly RunRecord[];
  /** The schedules of the records, to be saved; those that were saved already are not among them. */
  readonly files: readonly SavedText[];
  /** Answers of models that were asked for the task, to be kept. */
  readonly answers: readonly GivenAnswer[];
  /** Why the task did not come to its end, and no other will, in words; null if nothing kept it from that. */
  readonly stopped: string | null;
}

/** A file of a run. */
export interface SavedText {
  /** Its path in the directory of the run, with slashes. */
  readonly name: string;
  readonly text: string;
}

/** A model's answer to a planner. */
export interface GivenAnswer {
  readonly planner: string;
  readonly request: LlmRequest;
  readonly replicate: number;
  readonly answer: Answer;
}
