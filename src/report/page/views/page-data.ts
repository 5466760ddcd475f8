import type { AttributionReport } from '../../../harness/attribution/attribution.js';
import type { Evaluation } from '../../../harness/evaluation/evaluate.js';
import type { FailureReport } from '../../../harness/evaluation/failures.js';
import type { RunRecord } from '../../../harness/records/record.js';
import type { RunSummary } from '../../../harness/records/summary.js';
import type { ExecutionView, ScheduleView, StageView, TurnView } from './schedule-data.js';

/** The data that a page shows first, as plain JSON, without schedules and other large parts. */
export interface PageData {
  readonly schema: 'alas-jssp/page@1';
  readonly title: string;
  /** Version of the package that made the page. */
  readonly version: string;
  /** Route of the view that opens first, such as `#/` or `#/schedule/ft06`. */
  readonly home: string;
  /** Directories of runs, in the order given; none on a page of one schedule. */
  readonly runs: readonly RunView[];
  readonly records: readonly RecordRow[];
  /** Averages by suite and planner; null on a page without records. */
  readonly summary: RunSummary | null;
  /** Statistics of all records; null on a page without records. */
  readonly evaluation: Evaluation | null;
  /** Shares of plan, repair and search, with findings in words; null for runs that did not measure them. */
  readonly attribution: (AttributionReport & { readonly findings: readonly string[] }) | null;
  /** Reasons of failed plans; null on a page without records. */
  readonly failures: FailureReport | null;
  readonly executions: readonly DetailLink[];
  readonly logs: readonly DetailLink[];
  /** One line for each part that could not be read, with the reason. */
  readonly problems: readonly string[];
}

/** A run in the overview. */
export interface RunView {
  readonly directory: string;
  readonly command: string | null;
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly finished: string | null;
  readonly planned: number;
  readonly records: number;
  readonly machine: string;
}

/** A row of the table of records. */
export interface RecordRow
  extends Pick<
    RunRecord,
    | 'instance'
    | 'suite'
    | 'jobs'
    | 'machines'
    | 'planner'
    | 'synthetic'
    | 'variant'
    | 'method'
    | 'replicate'
    | 'status'
    | 'makespan'
    | 'gap_percent'
    | 'lower_bound'
    | 'upper_bound'
    | 'proven_optimal'
    | 'cost_usd'
    | 'error'
  > {
  /** Key of its detail and its route `#/record/KEY`. */
  readonly key: string;
  /** Violations of the planner's plan before any repair; null if there was no plan to validate. */
  readonly violations: number | null;
  /** Wall-clock time of the whole task. */
  readonly seconds: number;
}

/** A view that is opened on demand. */
export interface DetailLink {
  readonly key: string;
  readonly title: string;
  /** Description of the view. */
  readonly about: string;
}

/** The detail of a record, `#/record/KEY`. */
export interface RecordDetail {
  readonly record: RunRecord;
  /** The stages whose plans were saved, in their order. */
  readonly stages: readonly StageView[];
  /** The answers of a model in their order; empty if none was requested or kept. */
  readonly conversation: readonly TurnView[];
  /** Whether `#/execution/KEY` shows the execution of its schedule. */
  readonly isExecuted: boolean;
  readonly problems: readonly string[];
}

/** A schedule under execution, `#/execution/KEY`. */
export interface ExecutionDetail {
  readonly title: string;
  /** The record with its repairs; null for a shop in a log without a record. */
  readonly record: RunRecord | null;
  /** The versions of the schedule; null if no log has them. */
  readonly execution: ExecutionView | null;
  readonly problems: readonly string[];
}

/** A single plan, `#/schedule/KEY`. */
export interface ScheduleDetail {
  readonly title: string;
  readonly schedule: ScheduleView;
  /** The time to mark; null for none. */
  readonly now: number | null;
  readonly problems: readonly string[];
}

/** The tone of a log entry, or of a span of time. */
export type LogTone = 'plain' | 'good' | 'bad' | 'again' | 'undo' | 'wait';

/** An entry of a log in words. */
export interface LogEntryView {
  readonly version: number;
  /** Seconds since the first entry. */
  readonly at: number;
  /** Path of the node; empty for the run itself. */
  readonly node: string;
  readonly type: string;
  readonly tone: LogTone;
  /** The process, handler or person that wrote it; null if unknown. */
  readonly who: string | null;
  readonly words: string;
  /** The payload as JSON; only its beginning if it is long. */
  readonly payload: string;
}

/** A span of time in which a node worked, waited or was undone. */
export interface LogSpan {
  readonly node: string;
  /** Seconds since the first entry. */
  readonly from: number;
  /** Null if the log does not record the end. */
  readonly to: number | null;
  readonly tone: LogTone;
  readonly who: string | null;
  readonly words: string;
}

/** A run of a workflow in a log, `#/log/KEY`. */
export interface LogDetail {
  readonly title: string;
  /** The path of the log, as given. */
  readonly file: string;
  readonly workflow: string | null;
  readonly status: string;
  /** ISO 8601, UTC. */
  readonly began: string | null;
  /** Seconds from the first entry to the last. */
  readonly seconds: number;
  /** The owners of the run, its handlers and the people who decided, with their numbers of entries. */
  readonly people: readonly {
    readonly who: string;
    readonly did: string;
    readonly entries: number;
  }[];
  readonly entries: readonly LogEntryView[];
  readonly spans: readonly LogSpan[];
  readonly problems: readonly string[];
}

/** Details by the kind of view that shows them; the kind is the first part of the route. */
export interface DetailKinds {
  readonly record: RecordDetail;
  readonly execution: ExecutionDetail;
  readonly schedule: ScheduleDetail;
  readonly log: LogDetail;
}

/** A detail in the page: compressed until it is viewed. */
export type PageDetail = {
  [Kind in keyof DetailKinds]: {
    readonly kind: Kind;
    /** Letters, digits, `.`, `_` and `-`; unique within its kind. */
    readonly key: string;
    readonly detail: DetailKinds[Kind];
  };
}[keyof DetailKinds];

/** A page: its data, and an iterator of its details, which may be many and large. */
export interface PageContents {
  readonly data: PageData;
  readonly details: Iterable<PageDetail>;
}
