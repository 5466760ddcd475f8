import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../../instance.js';
import { labelsOf } from '../../labels.js';
import { jobEnd, machineSequences, type Schedule } from '../../schedule.js';
import type { TimeScale } from '../../shop-clock.js';
import { eachPredecessor, setupTime, transportTime, WORK_PHASE } from '../../shop-parts.js';
import { formatTime } from '../../time-scale.js';
import { projectLosses } from './project-losses.js';
import type { WrittenInstance } from './write-job-shop-lib.js';
import { escapeXml } from './xml-text.js';

/** The number of the calendar without breaks, and codes of the format. */
const CALENDAR = 1;
const WORK_RESOURCE = 1;
const FIXED_DURATION = 1;
const FINISH_TO_START = 1;
const START_NO_EARLIER = 4;
const IN_MINUTES = 3;
const ELAPSED_MINUTES = 4;

/** An element: its name, and its text or its children in the order of the schema. */
type Element = readonly [name: string, content: string | number | readonly Element[]];

/** The schedule whose elements are written, with its clock and labels. */
interface ProjectContext {
  readonly schedule: Schedule;
  readonly scale: TimeScale;
  readonly labels: ReturnType<typeof labelsOf>;
}

/**
 * Writes a schedule as XML of Microsoft Project 2007 and later: a summary task for each job, a task for each operation,
 * machines, operators and tools as resources, and links for precedence and for the order of each machine. Tasks start no
 * earlier than planned, on a calendar of 24 hours: the times are those of clocks on the wall.
 *
 * @throws InputError `no_clock` for a shop without a clock, `bad_time` for a plan that ends after the year 9999
 */
export function writeProjectXml(schedule: Schedule): WrittenInstance {
  const { instance, makespan } = schedule;
  const { timeScale: scale, name } = instance;
  if (scale === null) {
    const problem = 'the shop has no clock, so its times are no dates';
    throw new InputError(
      'no_clock',
      problem,
      'give --epoch and --unit, or its instance a time_scale',
    );
  }
  if (typeof formatTime(scale, makespan) === 'number') {
    const problem = 'the plan ends after the year 9999, and projects do not';
    throw new InputError('bad_time', problem, 'give a finer unit of time');
  }
  const context = { schedule, scale, labels: labelsOf(instance) };
  const project: Element[] = [
    ['SaveVersion', 12],
    ['Name', name],
    ['Title', name],
    ['ScheduleFromStart', 1],
    ['StartDate', wallTime(context, 0)],
    ['FinishDate', wallTime(context, makespan)],
    ['CalendarUID', CALENDAR],
    ['DefaultStartTime', '00:00:00'],
    ['MinutesPerDay', 1440],
    ['MinutesPerWeek', 10_080],
    ['DaysPerMonth', 30],
    ['Calendars', [['Calendar', dayAndNight()]]],
    ['Tasks', tasksIn(context)],
    ['Resources', resourcesIn(context)],
    ['Assignments', assignmentsIn(context)],
  ];
  const lines = project.map((element) => elementText(element, '  ')).join('\n');
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const text = `${head}\n<Project xmlns="http://schemas.microsoft.com/project">\n${lines}\n</Project>\n`;
  return { text, losses: projectLosses(schedule, scale) };
}

/** A calendar in which each day works from midnight to midnight. */
function dayAndNight(): Element[] {
  const hours: Element = [
    'WorkingTime',
    [
      ['FromTime', '00:00:00'],
      ['ToTime', '00:00:00'],
    ],
  ];
  const day = (number: number): Element => [
    'WeekDay',
    [
      ['DayType', number],
      ['DayWorking', 1],
      ['WorkingTimes', [hours]],
    ],
  ];
  return [
    ['UID', CALENDAR],
    ['Name', '24 Hours'],
    ['IsBaseCalendar', 1],
    ['WeekDays', [1, 2, 3, 4, 5, 6, 7].map(day)],
  ];
}

/** The number of the task of a job and of an operation. */
const jobTask = (job: number) => job + 1;
const operationTask = ({ jobs }: Instance, op: number) => jobs + 1 + op;

function tasksIn(context: ProjectContext): Element[] {
  const { schedule, labels } = context;
  const { instance, start } = schedule;
  const { jobs, jobOffset, due, deadline, jobOf } = instance;
  const tasks: Element[] = [];
  const before = machinePredecessors(schedule);
  const task = (elements: readonly Element[]) => tasks.push(['Task', elements]);
  let outline = 0;
  for (let job = 0; job < jobs; job++) {
    const operations = [];
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      if (start[op] >= 0) operations.push(op);
    }
    if (operations.length === 0) continue;
    outline++;
    const from = operations.reduce((least, op) => Math.min(least, start[op]), start[operations[0]]);
    const date = [deadline?.[job] ?? -1, due?.[job] ?? -1].find((time) => time >= 0);
    task([
      ['UID', jobTask(job)],
      ['ID', tasks.length + 1],
      ['Name', labels.job(job)],
      ['Type', FIXED_DURATION],
      ...outlineOf(`${outline}`, 1),
      ...timesOf(context, from, jobEnd(schedule, job)),
      ['Estimated', 0],
      ['Milestone', 0],
      ['Summary', 1],
      ...(date === undefined ? [] : [['Deadline', wallTime(context, date)] as const]),
    ]);
    for (const [i, op] of operations.entries()) {
      const step = op - jobOffset[jobOf[op]];
      const isMilestone = schedule.end[op] === start[op];
      task([
        ['UID', operationTask(instance, op)],
        ['ID', tasks.length + 1],
        ['Name', labels.operation(job, step) ?? `${labels.job(job)} step ${step + 1}`],
        ['Type', FIXED_DURATION],
        ...outlineOf(`${outline}.${i + 1}`, 2),
        ...timesOf(context, start[op], schedule.end[op]),
        ['Estimated', 0],
        ['Milestone', isMilestone ? 1 : 0],
        ['Summary', 0],
        ['ConstraintType', START_NO_EARLIER],
        ['ConstraintDate', wallTime(context, start[op])],
        ...linksOf(context, op, before[op]),
      ]);
    }
  }
  return tasks;
}

function outlineOf(number: string, level: number): Element[] {
  return [
    ['WBS', number],
    ['OutlineNumber', number],
    ['OutlineLevel', level],
  ];
}

function timesOf(context: ProjectContext, from: number, to: number): Element[] {
  return [
    ['Start', wallTime(context, from)],
    ['Finish', wallTime(context, to)],
    ['Duration', durationText(wallSeconds(context, from, to))],
    ['DurationFormat', IN_MINUTES],
  ];
}

/** The operation before each one on its machine, −1 for none; those of duration 0 occupy no machine. */
function machinePredecessors(schedule: Schedule): Int32Array {
  const { instance, start } = schedule;
  const { machines, machineOffset, duration, operations } = instance;
  const before = new Int32Array(operations).fill(-1);
  const sequences = machineSequences(schedule);
  for (let k = 0; k < machines; k++) {
    let last = -1;
    for (let slot = machineOffset[k]; slot < machineOffset[k + 1]; slot++) {
      const op = sequences[slot];
      if (start[op] < 0 || duration[op] === 0) continue;
      before[op] = last;
      last = op;
    }
  }
  return before;
}

/** The links from the predecessors in the job and on the machine, with transport, waiting times and setups as lags. */
function linksOf({ schedule, scale }: ProjectContext, op: number, onMachine: number): Element[] {
  const { instance, start } = schedule;
  const lags = new Map<number, number>();
  eachPredecessor(instance, op, (before, minLag) => {
    if (start[before] >= 0) lags.set(before, minLag + transportTime(instance, before, op));
  });
  if (onMachine >= 0) {
    const setup = setupTime(instance, instance.machine[op], onMachine, op);
    lags.set(onMachine, Math.max(lags.get(onMachine) ?? 0, setup));
  }
  return [...lags].map(([before, lag]): Element => {
    const elements: Element[] = [
      ['PredecessorUID', operationTask(instance, before)],
      ['Type', FINISH_TO_START],
      ['CrossProject', 0],
      // In tenths of a minute.
      ['LinkLag', Math.floor((lag * scale.unit) / 6)],
      ['LagFormat', ELAPSED_MINUTES],
    ];
    return ['PredecessorLink', elements];
  });
}

function resourcesIn({ schedule, labels }: ProjectContext): Element[] {
  const { machines, resources } = schedule.instance;
  const resource = (number: number, name: string, units: number): Element => [
    'Resource',
    [
      ['UID', number],
      ['ID', number],
      ['Name', name],
      ['Type', WORK_RESOURCE],
      ['MaxUnits', units],
    ],
  ];
  const listed = Array.from({ length: machines }, (_, k) => resource(k + 1, labels.machine(k), 1));
  for (let i = 0; i < (resources?.count ?? 0); i++) {
    const name = resources?.names?.[i] || `Resource${i + 1}`;
    listed.push(resource(machines + i + 1, name, resources?.capacity[i] ?? 1));
  }
  return listed;
}

function assignmentsIn(context: ProjectContext): Element[] {
  const { schedule } = context;
  const { instance, start, end, mode } = schedule;
  const { operations, machine, machines, resources, duration } = instance;
  const list: Element[] = [];
  const assign = (op: number, resource: number, units: number) => {
    const work = wallSeconds(context, start[op], end[op]) * units;
    const elements: Element[] = [
      ['UID', list.length + 1],
      ['TaskUID', operationTask(instance, op)],
      ['ResourceUID', resource],
      ['Finish', wallTime(context, end[op])],
      ['Start', wallTime(context, start[op])],
      ['Units', units],
      ['Work', durationText(work)],
    ];
    list.push(['Assignment', elements]);
  };
  for (let op = 0; op < operations; op++) {
    if (start[op] < 0) continue;
    assign(op, machine[op] + 1, 1);
    if (resources === null || duration[op] === 0) continue;
    const chosen = mode?.[op] ?? op;
    for (let i = resources.needOffset[chosen]; i < resources.needOffset[chosen + 1]; i++) {
      if (resources.needPhase[i] !== WORK_PHASE) continue;
      assign(op, machines + resources.needResource[i] + 1, resources.needAmount[i]);
    }
  }
  return list;
}

/** The time that clocks show, such as `2026-11-23T14:10:00`. */
function wallTime({ scale }: ProjectContext, time: number): string {
  return String(formatTime(scale, time)).replace(/(?:Z|[+-]\d\d:\d\d(?::\d\d)?)$/, '');
}

/** The seconds between two times by the clock on the wall, which counts one hour more or less when it is changed. */
function wallSeconds(context: ProjectContext, from: number, to: number): number {
  const moment = (time: number) => Date.parse(`${wallTime(context, time)}Z`) / 1000;
  return Math.max(0, moment(to) - moment(from));
}

function durationText(seconds: number): string {
  return `PT${Math.floor(seconds / 3600)}H${Math.floor((seconds % 3600) / 60)}M${seconds % 60}S`;
}

function elementText([name, content]: Element, indent: string): string {
  if (typeof content !== 'object')
    return `${indent}<${name}>${escapeXml(String(content))}</${name}>`;
  const inner = content.map((child) => elementText(child, `${indent}  `)).join('\n');
  return content.length === 0
    ? `${indent}<${name}/>`
    : `${indent}<${name}>\n${inner}\n${indent}</${name}>`;
}
