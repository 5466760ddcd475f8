import { InputError } from '@alas-jssp/core/errors';
import { formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import type { Instance } from '../../instance.js';
import type { PlanEntry } from '../../plan.js';
import { machineSequences, type Schedule } from '../../schedule.js';
import { modeDuration, modeMachine, modesOf } from '../../shop-parts.js';
import { joinLines } from '../join-lines.js';
import type { PlanFile } from '../plan-file.js';
import { badPlan } from './bad-plan.js';
import { instanceFromJobShopLib } from './job-shop-lib.js';
import type { FormatLoss } from './losses.js';
import { readingNotes } from './reading-notes.js';
import {
  describeJobShopLib,
  jobShopLibLosses,
  type WrittenInstance,
} from './write-job-shop-lib.js';

/** Detects schedules of job_shop_lib: `Schedule.to_dict` as JSON. */
export function isJobShopLibSchedule(document: unknown): document is Record<string, unknown> {
  return isObject(document) && !('schema' in document) && 'job_sequences' in document;
}

/**
 * Reads a schedule of job_shop_lib: its instance, and the order of jobs on each machine. There are no times in such a
 * file; as in the library, each operation starts as early as these orders allow, with the durations of its own instance.
 *
 * @throws InputError with file and JSON path of a part that is missing, or of an order that no schedule can follow
 */
export function planFromJobShopLib(document: Record<string, unknown>, file?: string): PlanFile {
  const { instance: inner, job_sequences: sequences } = document;
  if (!isObject(inner)) throw badPlan(inner, ['instance'], 'give the instance as an object', file);
  const name = typeof inner.name === 'string' && inner.name !== '' ? inner.name : undefined;
  const instance = instanceFromJobShopLib(inner, { file, name: name ?? 'instance' }, ['instance']);
  const orders = readSequences(sequences, instance, file);
  const entries = startEarly(instance, orders, file);
  const makespan = entries.reduce((latest, { end }) => Math.max(latest, end), 0);
  const notes = [...readingNotes(instance)];
  const { metadata } = document;
  if (isObject(metadata) && Object.keys(metadata).length > 0) {
    notes.push(`metadata of the schedule is not kept: ${Object.keys(metadata).join(', ')}`);
  }
  return { plan: { entries, makespan }, ...(name !== undefined && { instance: name }), notes };
}

function readSequences(value: unknown, instance: Instance, file?: string): number[][] {
  const path = ['job_sequences'];
  if (!Array.isArray(value)) throw badPlan(value, path, 'give a list for each machine', file);
  if (value.length > instance.machines) {
    const problem = `there are ${value.length} lists for ${instance.machines} machines`;
    throw refused(problem, 'give one list for each machine', path, file);
  }
  return value.map((list, machine) => {
    if (!Array.isArray(list)) throw badPlan(list, [...path, machine], 'give a list of jobs', file);
    return list.map((job, i) => {
      if (Number.isInteger(job) && job >= 0 && job < instance.jobs) return Number(job);
      throw badPlan(job, [...path, machine, i], `give a job from 0 to ${instance.jobs - 1}`, file);
    });
  });
}

/**
 * Starts operations as the library does: machine after machine, the next operation of the first job in the order of the
 * machine. Only with alternatives the order of these turns matters.
 */
function startEarly(instance: Instance, orders: readonly number[][], file?: string): PlanEntry[] {
  const { jobOffset, release } = instance;
  const next = jobOffset.slice(0, -1);
  const jobFree = new Float64Array(instance.jobs);
  const machineFree = new Float64Array(instance.machines);
  const at = new Int32Array(orders.length);
  const entries: PlanEntry[] = [];
  const total = orders.reduce((sum, list) => sum + list.length, 0);
  for (let before = -1; entries.length < total && entries.length > before; ) {
    before = entries.length;
    for (const [machine, list] of orders.entries()) {
      if (at[machine] >= list.length) continue;
      const job = list[at[machine]];
      const op = next[job];
      const mode = op < jobOffset[job + 1] ? modeOn(instance, op, machine) : -1;
      if (mode < 0) continue;
      const start = Math.max(jobFree[job], machineFree[machine], release?.[op] ?? 0);
      const end = start + modeDuration(instance, mode);
      entries.push({ job, step: op - jobOffset[job], machine, start, end });
      jobFree[job] = end;
      machineFree[machine] = end;
      next[job]++;
      at[machine]++;
    }
  }
  const stuck = orders.findIndex((list, machine) => at[machine] < list.length);
  if (stuck < 0) return entries.sort((a, b) => a.job - b.job || a.step - b.step);
  const hint = 'give orders that a schedule can follow, with each operation once';
  const job = orders[stuck][at[stuck]];
  const problem = `machine ${stuck} waits for job ${job}, whose next operation is not done there`;
  throw refused(problem, hint, ['job_sequences', stuck, at[stuck]], file);
}

function modeOn(instance: Instance, op: number, machine: number): number {
  const [first, stop] = modesOf(instance, op);
  for (let mode = first; mode < stop; mode++) {
    if (modeMachine(instance, mode) === machine) return mode;
  }
  return -1;
}

/**
 * Writes a schedule as job_shop_lib reads it: `Schedule.from_dict(**json.load(file))`. That library derives the starts
 * from the order of each machine: others are lost. Its instance has the chosen machines only, because with alternatives
 * the library itself may assign an operation to another machine when it follows these orders.
 */
export function writeJobShopLibSchedule(schedule: Schedule): WrittenInstance {
  const { instance, start } = schedule;
  const { machines, machineOffset, jobOf } = instance;
  const sequences = machineSequences(schedule);
  const order = (machine: number) =>
    Array.from(sequences.subarray(machineOffset[machine], machineOffset[machine + 1]))
      .filter((op) => start[op] >= 0)
      .map((op) => jobOf[op]);
  const orders = Array.from({ length: machines }, (_, machine) => order(machine));
  const lists = joinLines(machines, ',\n', (machine) => JSON.stringify(orders[machine]));
  const text = `{"instance":${describeJobShopLib({ ...instance, modes: null })},\n"job_sequences":[\n${lists}\n],\n"metadata":{}}\n`;
  const losses = jobShopLibLosses(instance).filter(({ feature }) => feature !== 'alternatives');
  if (instance.modes !== null) {
    const note = 'the instance of the schedule has the chosen machines only';
    losses.push({ feature: 'alternatives', effect: 'none', note });
  }
  return { text, losses: [...losses, ...startLosses(schedule, text)] };
}

/** The losses of a schedule whose starts are not those that the library derives. */
function startLosses({ instance, start }: Schedule, text: string): FormatLoss[] {
  const moved = () => {
    const { plan } = planFromJobShopLib(JSON.parse(text));
    return plan.entries.filter(
      (entry) => start[instance.jobOffset[entry.job] + entry.step] !== entry.start,
    ).length;
  };
  let note: string;
  try {
    const count = moved();
    if (count === 0) return [];
    note = `${count} operations start earlier there: as early as the orders of the machines allow`;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    note = `it has no starts but those that follow from the orders of machines, and ${error.problem}`;
  }
  return [{ feature: 'start-times', effect: 'looser', note }];
}

function refused(problem: string, hint: string, path: JsonPath, file?: string): InputError {
  return new InputError('bad_plan', problem, hint, { file, path: formatPath(path) });
}
