import type { Schedule } from '../../schedule.js';
import type { TimeScale } from '../../shop-clock.js';
import { SETUP_PHASE } from '../../shop-parts.js';
import { formatTime } from '../../time-scale.js';
import type { FormatLoss } from './losses.js';

/** The parts of a plan that Microsoft Project does not have, or has in another form. None of them moves a start. */
export function projectLosses(
  { instance, start, makespan }: Schedule,
  scale: TimeScale,
): FormatLoss[] {
  const { calendar, setups, transport, precedence, resources, modes, due, deadline, weight } =
    instance;
  const losses: FormatLoss[] = [];
  const add = (feature: FormatLoss['feature'], note: string) =>
    losses.push({ feature, effect: 'none', note });
  const missing = start.filter((time) => time < 0).length;
  if (missing > 0) add('incomplete', `${missing} operations have no start, and are not written`);
  const empty = instance.jobs - new Set(instance.jobOf).size;
  if (empty > 0) add('incomplete', `${empty} jobs without operations are not written`);
  if (calendar !== null) {
    add('downtimes', 'machines work day and night there; interruptions are part of the durations');
  }
  if (setups !== null) add('setups', 'setups are lags between the tasks of a machine');
  if (transport !== null) add('transport', 'transport times are lags between the tasks of a job');
  if (precedence?.maxLag.some((lag) => lag >= 0)) {
    add('precedence', 'greatest waiting times are not written');
  }
  if (resources?.needPhase.includes(SETUP_PHASE)) {
    add('resources', 'operators and tools of setups are not written');
  }
  if (resources?.calendar) add('calendars', 'absences of operators and tools are not written');
  if (modes !== null) add('alternatives', 'the chosen machines are written, and no others');
  if (due !== null && deadline !== null) {
    add('due-dates', 'the deadline of a job is written, otherwise its due date');
  }
  if (weight !== null) add('weights', 'the weights of jobs are not written');
  const offsetAt = (time: number) =>
    /(?:Z|[+-]\d\d:\d\d)$/.exec(String(formatTime(scale, time)))?.[0];
  if (offsetAt(0) !== offsetAt(makespan)) {
    add(
      'time-scale',
      'the clock is changed during the plan, and a task across that hour has another duration',
    );
  }
  if (scale.unit % 60 !== 0) {
    add('time-scale', 'Microsoft Project rounds to tenths of a minute when it calculates');
  }
  return losses;
}
