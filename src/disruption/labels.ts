import type { DisruptionEvent } from './event.js';

/**
 * An event as files have it: jobs and steps counted from 1, `"Job1"` and `"Machine0"`. Its keys
 * stand in the order of the documentation.
 */
export function labelEvent(event: DisruptionEvent): Record<string, unknown> {
  const { kind, at } = event;
  switch (event.kind) {
    case 'breakdown': {
      const { from, to, resumable, estimated } = event;
      return { kind, at, machine: machineLabel(event.machine), from, to, resumable, estimated };
    }
    case 'duration': {
      const { step, duration, factor } = event;
      return { kind, at, job: jobLabel(event.job), step: step + 1, duration, factor };
    }
    case 'arrival': {
      const { name, operations, release, due, weight } = event.job;
      const labelled = operations.map(({ name: called, machine, duration }) => ({
        ...(called === undefined ? {} : { name: called }),
        machine: machineLabel(machine),
        duration,
      }));
      return { kind, at, job: { name, operations: labelled, release, due, weight } };
    }
    case 'cancellation':
      return { kind, at, job: jobLabel(event.job) };
    case 'delay': {
      const step = event.step === undefined ? undefined : event.step + 1;
      return { kind, at, job: jobLabel(event.job), step, until: event.until };
    }
    case 'restored':
      return { kind, at, machine: machineLabel(event.machine) };
  }
}

const jobLabel = (job: number): string => `Job${job + 1}`;
const machineLabel = (machine: number): string => `Machine${machine}`;
