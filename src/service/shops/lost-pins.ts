import type { Sentences } from '../../jssp/sentences/english.js';
import { describeLostPin } from '../../lcrp/pins/lost-pins.js';
import type { RepairResult } from '../../lcrp/repair-result.js';
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
