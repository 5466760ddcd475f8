import type { RunRecord } from '../records/record.js';
import type { ExecutionDetail, RecordDetail } from './page-data.js';
import type { RunSource } from './run-source.js';

/** Everything there is to see of a record of a run. What cannot be read becomes a line of `problems`. */
export function collectRecord(record: RunRecord, _source: RunSource): RecordDetail {
  return {
    record,
    stages: [],
    conversation: [],
    isExecuted: record.disruption !== null,
    problems: [],
  };
}

/** The execution of the schedule of a record; null if it was not executed. */
export function collectExecution(record: RunRecord, _source: RunSource): ExecutionDetail | null {
  if (record.disruption === null) return null;
  return { title: `${record.instance}, ${record.planner}`, record, execution: null, problems: [] };
}
