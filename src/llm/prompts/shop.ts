import { downtimesOf } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { featureTexts } from './feature-texts.js';
import { listText, writeChoices, writeFeatures, writeNumber } from './shop-features.js';
import { fill, shopTexts } from './templates.js';

/**
 * Describes an instance completely: a line for each job that has operations, the times when machines are not available,
 * and the rules that apply.
 *
 * @param isPart whether other jobs of the shop are planned separately
 */
export function writeShop(instance: Instance, isPart: boolean): string {
  const jobs = Array.from({ length: instance.jobs }, (_, job) => job).filter(
    (job) => instance.jobOffset[job] < instance.jobOffset[job + 1],
  );
  const head = fill(shopTexts.head, {
    operations: instance.operations,
    jobs: jobs.length,
    lastMachine: instance.machines - 1,
  });
  return [
    head,
    ...(isPart ? [shopTexts.part] : []),
    `${listText(instance, shopTexts.list)}\n${jobs.map((job) => writeJob(instance, job)).join('\n')}`,
    ...legend(instance, jobs),
    ...writeDowntimes(instance),
    ...writeFeatures(instance),
    rulesOf(instance),
  ].join('\n\n');
}

function writeJob(instance: Instance, job: number): string {
  const { jobOffset, release, frozen, due, weight, deadline } = instance;
  const operations: string[] = [];
  for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
    let text = `${writeNumber(instance, op)}${writeChoices(instance, op)}`;
    if (release !== null && release[op] > 0) text += ` @${release[op]}`;
    if (frozen !== null && frozen[op] >= 0) text += ` =${frozen[op]}`;
    operations.push(text);
  }
  let text = `Job${job + 1}: ${operations.join(', ')}`;
  if (due !== null && due[job] >= 0) text += `; due ${due[job]}, weight ${weight?.[job] ?? 1}`;
  if (deadline !== null && deadline[job] >= 0) text += `; deadline ${deadline[job]}`;
  return text;
}

/** The meaning of the signs in the list of jobs, and its unusual features, if any. */
function legend(instance: Instance, jobs: readonly number[]): string[] {
  const { release, frozen, due, deadline, modes, duration } = instance;
  const lines = [
    release !== null ? shopTexts.release : '',
    frozen !== null ? shopTexts.frozen : '',
    due !== null && jobs.some((job) => due[job] >= 0) ? shopTexts.due : '',
    deadline !== null && jobs.some((job) => deadline[job] >= 0) ? shopTexts.deadline : '',
    (modes?.duration ?? duration).includes(0) ? shopTexts.zero : '',
    modes === null && jobs.some((job) => hasVisits(instance, job)) ? shopTexts.visits : '',
  ].filter((line) => line !== '');
  return lines.length > 0 ? [lines.join('\n')] : [];
}

/** Whether a job visits a machine more than once. */
function hasVisits({ jobOffset, machine }: Instance, job: number): boolean {
  const machines = machine.subarray(jobOffset[job], jobOffset[job + 1]);
  return new Set(machines).size < machines.length;
}

function rulesOf({ precedence }: Instance): string {
  const { chainRule, graphRule } = featureTexts;
  return precedence === null ? shopTexts.rules : shopTexts.rules.replace(chainRule, graphRule);
}

function writeDowntimes({ calendar, machines }: Instance): string[] {
  if (calendar === null) return [];
  const lines: string[] = [];
  for (let machine = 0; machine < machines; machine++) {
    const times = downtimesOf(calendar, machine).map(
      ({ from, to, resumable }) => `${from} to ${to}${resumable ? '~' : ''}`,
    );
    if (times.length > 0) lines.push(`Machine${machine}: ${times.join(', ')}`);
  }
  const resumable = calendar.resumable.includes(1) ? shopTexts.resumable : '';
  return [`${fill(shopTexts.downtimes, { resumable })}\n${lines.join('\n')}`];
}
