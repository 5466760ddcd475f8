import type { JsonFault } from '../core/json-check.js';
import { describeFound, type JsonPath } from '../core/json-path.js';
import type { Instance } from '../jssp/instance.js';
import type { DisruptionEvent } from './event.js';

/**
 * The first event that names a job, step or machine that there is not, neither in the instance nor
 * among the jobs that arrive with these events (in their order, wherever they stand in it).
 */
export function findStranger(
  events: readonly DisruptionEvent[],
  instance: Instance,
): { readonly index: number; readonly fault: JsonFault } | undefined {
  const { jobs, jobOffset } = instance;
  const lengths = Array.from({ length: jobs }, (_, job) => jobOffset[job + 1] - jobOffset[job]);
  for (const event of events) {
    if (event.kind === 'arrival') lengths.push(event.job.operations.length);
  }
  for (let index = 0; index < events.length; index++) {
    const fault = referenceFault(events[index], instance.machines, lengths);
    if (fault !== undefined) return { index, fault };
  }
  return undefined;
}

function referenceFault(
  event: DisruptionEvent,
  machines: number,
  lengths: readonly number[],
): JsonFault | undefined {
  if (event.kind === 'arrival') {
    const i = event.job.operations.findIndex(({ machine }) => machine >= machines);
    if (i < 0) return undefined;
    return noMachine(event.job.operations[i].machine, machines, [
      'job',
      'operations',
      i,
      'machine',
    ]);
  }
  if (event.kind === 'breakdown' || event.kind === 'restored') {
    return event.machine < machines ? undefined : noMachine(event.machine, machines, ['machine']);
  }
  if (event.job >= lengths.length) {
    return stranger(['job'], `Job${event.job + 1}`, `use Job1 to Job${lengths.length}`);
  }
  const step = 'step' in event ? event.step : undefined;
  const steps = lengths[event.job];
  if (step === undefined || step < steps) return undefined;
  return stranger(['step'], step + 1, steps === 0 ? 'this job has no steps' : `use 1 to ${steps}`);
}

function noMachine(machine: number, machines: number, path: JsonPath): JsonFault {
  return stranger(path, `Machine${machine}`, `use Machine0 to Machine${machines - 1}`);
}

function stranger(path: JsonPath, found: unknown, cure: string): JsonFault {
  return { path, problem: `${describeFound(found)}, which there is not`, cure, found };
}
