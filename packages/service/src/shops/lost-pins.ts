import { describeLostPin, type Sentences } from 'alas-jssp/internal/service';
import type { RepairResult } from 'alas-jssp/lcrp';
import { wireOperation, wireTime } from '../api/wire.js';

/** The pins that a repair violates, and why, with the names and the clock of the shop. */
export function wireLostPins(
  { task, schedule, method, lostPins }: RepairResult,
  sentences?: Sentences,
) {
  return lostPins.map((pin) => {
    const { job, step, operation, machine, start } = wireOperation(schedule, pin.operation);
    return {
      job,
      step,
      machine,
      start,
      ...(operation === undefined ? {} : { operation }),
      was: wireTime(task.instance.timeScale, task.planned[pin.operation]),
      why: describeLostPin(pin, task, method.name, sentences),
    };
  });
}
