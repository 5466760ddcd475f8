import type { Schedule } from '../../schedule.js';
import type { TimeScale } from '../../shop-clock.js';
import { SETUP_PHASE } from '../../shop-parts.js';
import { formatTime } from '../../time-scale.js';
import type { FormatLoss } from './losses.js';
import { isXmlText } from './xml-text.js';

/** The parts of a plan that Microsoft Project does not have, or has in another form. None of them moves a start. */
export function projectLosses(
  { instance, start, makespan }: Schedule,
  scale: TimeScale,
): FormatLoss[] {
  const {
    calendar,
    setups,
    transport,
    precedence,
    resources,
    modes,
    due,
    deadline,
    weight,
    release,
    frozen,
  } = instance;
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
  if (due !== null) {
    const note = deadline === null ? '' : ', unless the job has one';
    add('due-dates', `due dates are written as deadlines${note}`);
  }
  if (release !== null) add('releases', 'earliest starts are not written, only those of the plan');
  if (frozen !== null) add('frozen', 'starts that are frozen look like all others');
  if (weight !== null) add('weights', 'the weights of jobs are not written');
  const offsetAt = (time: number) =>
    /(?:Z|[+-]\d\d:\d\d)$/.exec(String(formatTime(scale, time)))?.[0];
  if (offsetAt(0) !== offsetAt(makespan)) {
    add(
      'time-scale',
      'the clock is changed during the plan, and a task across that hour has another duration',
    );
  }
  const { names } = instance;
  const texts = [instance.name, names?.jobs, names?.machines, names?.operations, resources?.names];
  if (!isXmlText(texts.flat().join(''))) {
    add('names', 'characters that XML cannot have are written as \ufffd');
  }
  if (names?.details?.some((details) => Object.keys(details).length > 0)) {
    add('names', 'details of jobs are not written');
  }
  if (scale.unit % 60 !== 0) {
    add('time-scale', 'Microsoft Project rounds to tenths of a minute when it calculates');
  }
  return losses;
}
