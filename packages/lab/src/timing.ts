// How fast schedules are timed and bounded. Usage: npm run bench -- timing [--json FILE]
import {
  criticalPath,
  generateTaillard,
  headsAndTails,
  lowerBound,
  machineSequences,
  semiActive,
} from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';
import { measure, save } from './measure.js';

const rows = [];
for (const [jobs, machines] of [
  [15, 15],
  [100, 20],
  [1000, 1000],
]) {
  const instance = generateTaillard({ jobs, machines, timeSeed: 1, machineSeed: 2 });
  const { operations } = instance;
  const schedule = dispatch(instance, { rule: 'mwkr' });
  const sequences = machineSequences(schedule);
  const starts = schedule.start;
  const cases = [
    { name: 'copy of the starts (memory limit)', run: () => starts.slice() },
    { name: 'semi-active timing', run: () => semiActive(instance, sequences) },
    { name: 'heads and tails', run: () => headsAndTails(instance, sequences) },
    { name: 'critical path', run: () => criticalPath(schedule, sequences) },
    { name: 'machine sequences', run: () => machineSequences(schedule) },
    { name: 'lower bounds', run: () => lowerBound(instance) },
  ].map((one) => ({ ...one, operations }));
  rows.push(...(await measure(`${jobs}×${machines}`, cases)));
}
save(rows);
