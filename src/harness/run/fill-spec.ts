import { InputError } from '@alas-jssp/core/errors';
import { describeFound, formatPath, isObject, valueAt } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { parseBudget } from '@alas-jssp/core/stopping';
import type * as z from 'zod';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import { isModelSpec } from '../../llm/planner-spec.js';
import { needsModel } from '../../pipeline/blueprint/spec.js';
import { requireDifferentNames } from '../../pipeline/planners/planner-name.js';
import { createPlanner, needsTimeLimit } from '../../pipeline/planners/planners.js';
import { CONTROL_PLANNERS } from '../attribution/controls.js';
import { hintFor, shapeAt } from './setting.js';
import {
  type FilledRunSpec,
  RUN_SETTINGS,
  type RunSpec,
  runSpecSchema,
  type TaskLimits,
} from './spec.js';

/**
 * Checks a spec and fills in defaults. Planners and methods get their canonical names; duplicates are removed. The
 * controls of an attribution are planners. A complete spec is unchanged.
 *
 * @throws InputError that names the setting
 */
export function fillRunSpec(given: RunSpec): FilledRunSpec {
  const parsed = runSpecSchema.safeParse(given);
  if (!parsed.success) throw refusal(parsed.error, given);
  const spec = parsed.data;
  const controls = spec.attribution ? CONTROL_PLANNERS : [];
  const named = [...spec.planners, ...controls];
  const planners = [...new Set(named.map((planner) => createPlanner(planner).name))];
  const methods = [...new Set(spec.disruption?.methods.map((method) => findMethod(method).name))];
  requireDifferentNames(planners);
  requireLimit(planners, spec.limits);
  if (spec.optimize !== null) parseBudget(spec.optimize);
  if (spec.repairer === 'llm' && !planners.some(isModelSpec)) {
    throw new InputError(
      'no_model',
      'no planner asks a model that could repair',
      'name one, such as openai:MODEL',
    );
  }
  return { ...spec, planners, disruption: spec.disruption && { ...spec.disruption, methods } };
}

/** Refuses programs that use `{seconds}` without a time limit. */
function requireLimit(planners: readonly string[], { seconds }: TaskLimits): void {
  const planner = seconds === null ? planners.find(needsTimeLimit) : undefined;
  if (planner === undefined) return;
  throw new InputError(
    'no_seconds',
    '{seconds} has no value without a limit of time',
    'give one with --time-limit, as `limits.seconds`, or write a number in its place',
    {},
    planner,
  );
}

/** Whether a variant allows a planner; one variant is only for planners that use a model. */
export function isAllowedIn(planner: string, variant: string): boolean {
  return !needsModel(variant) || isModelSpec(planner);
}

/** Planners that are skipped in some variants of a run, in words. */
export function skippedIn({
  planners,
  variants,
}: Pick<FilledRunSpec, 'planners' | 'variants'>): string[] {
  return variants.flatMap((variant) => {
    const skipped = planners.filter((planner) => !isAllowedIn(planner, variant));
    const words = `${variant} is for planners that ask a model: skipped for`;
    return skipped.length === 0 ? [] : [`${words} ${skipped.join(', ')}`];
  });
}

/** The planners of a run that use models. */
export function askingPlanners({ planners }: Pick<FilledRunSpec, 'planners'>): string[] {
  return planners.filter(isModelSpec);
}

/** A spec overlaid with given settings, such as on resume; lists are replaced. */
export function layOver(before: FilledRunSpec, given: RunSpec): RunSpec {
  return merge(before, given) as RunSpec;
}

function merge(before: unknown, given: unknown): unknown {
  if (given === undefined) return before;
  if (!isObject(before) || !isObject(given)) return given;
  const merged = Object.entries(given).map(([key, value]) => [key, merge(before[key], value)]);
  return { ...before, ...Object.fromEntries(merged) };
}

/** The first error of a spec, in one line. */
function refusal({ issues: [issue] }: z.ZodError, spec: unknown): InputError {
  const place = issue.path.filter((key) => typeof key === 'string').join('.');
  const value = valueAt(spec, issue.path);
  const setting = RUN_SETTINGS.find(({ path }) => path === place);
  const words = setting?.words ?? (place || 'the spec of a run');
  const one = words.replace(/s$/, '');
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys;
    const hint = suggestNames(key, Object.keys(shapeAt(runSpecSchema, issue.path)));
    return new InputError('unknown_setting', `a run has no setting '${key}'`, hint, {}, key);
  }
  if (issue.code === 'invalid_value') {
    const hint = suggestNames(String(value), issue.values.map(String));
    return new InputError(`bad_${one}`, `there is no ${one} '${value}'`, hint, {}, value);
  }
  if (issue.code === 'too_small' && issue.origin === 'array') {
    return new InputError(
      `no_${one.replace(/.* /, '')}`,
      `there is no ${one} to run`,
      issue.message,
      {},
      value,
    );
  }
  const hint = hintFor(issue);
  return typeof value === 'number'
    ? new InputError('bad_number', `${words} is ${value}`, hint, {}, value)
    : new InputError(
        'bad_spec',
        describeFound(value),
        hint,
        { path: formatPath(issue.path) },
        value,
      );
}
