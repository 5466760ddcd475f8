import { alternative } from './kinds/alternative.js';
import { arrival } from './kinds/arrival.js';
import { breakdown } from './kinds/breakdown.js';
import { cancellation } from './kinds/cancellation.js';
import { capacity } from './kinds/capacity.js';
import { delay } from './kinds/delay.js';
import { duration } from './kinds/duration.js';
import { restored } from './kinds/restored.js';

/** All kinds of events, in the order of lists. Add a new one at the end. */
export const eventKinds = {
  breakdown,
  duration,
  arrival,
  cancellation,
  delay,
  restored,
  capacity,
  alternative,
};
