import { AlasError, InputError, printableLine } from '@alas-jssp/core/errors';

/** A reason why a submission does not hold. */
export interface SubmissionFault {
  /** File relative to the folder of the submission. */
  readonly file: string;
  /** Line, from 1; null for the whole file. */
  readonly line: number | null;
  readonly problem: string;
}

/** The limit of listed faults; all are counted. */
const LISTED_FAULTS = 20;

/** Collects the faults of a submission. */
export interface FaultList {
  add(file: string, line: number | null, problem: string): void;
  /**
   * The result of `work`; undefined if it throws an error of this package, which becomes a fault.
   *
   * @throws all other errors
   */
  attempt<T>(file: string, line: number | null, work: () => T): T | undefined;
  listed(): readonly SubmissionFault[];
  total(): number;
}

/** An empty list. */
export function createFaultList(): FaultList {
  const faults: SubmissionFault[] = [];
  let total = 0;
  const add = (file: string, line: number | null, problem: string) => {
    if (++total <= LISTED_FAULTS) {
      faults.push({ file: printableLine(file), line, problem: printableLine(problem) });
    }
  };
  return {
    add,
    attempt(file, line, work) {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof AlasError)) throw error;
        const { location = {}, problem = error.message } = error instanceof InputError ? error : {};
        const path = location.path === undefined ? '' : `${location.path}: `;
        // The line of a list names another file, which the problem then names.
        const other = line === null || (location.file ?? file) === file ? '' : `${location.file}: `;
        const place = line === null ? (location.file ?? file) : file;
        add(place, line ?? location.line ?? null, `${other}${path}${problem}`);
        return undefined;
      }
    },
    listed: () => faults,
    total: () => total,
  };
}

/** A fault as one line: `records.jsonl:3: the makespan is 55`. */
export function formatFault({ file, line, problem }: SubmissionFault): string {
  return `${file}${line === null ? '' : `:${line}`}: ${problem}`;
}
