import type { Judged, Otherwise, StepFinding, Validator, Verdict } from '@alas-jssp/workflow';
import { VALIDATOR_KINDS, type ValidatorKind } from './kinds.js';

/** A validator for a registry, with its kind. */
export interface ReadyValidator {
  readonly kind: ValidatorKind;
  /** For findings, such as the id of a constraint. */
  readonly name: string;
  readonly judge: Validator;
}

/** Options of every validator. */
export interface ValidatorOptions {
  readonly name: string;
  /** The consequence of a finding. Default: `reject`. */
  readonly otherwise?: Otherwise | undefined;
}

/** Finds the faults of a value, in a sentence each. */
export type FaultFinder = (judged: Judged) => readonly string[] | Promise<readonly string[]>;

/** Makes a validator of a search for faults. */
export function readyValidator(
  kind: ValidatorKind,
  { name, otherwise = 'reject' }: ValidatorOptions,
  find: FaultFinder,
): ReadyValidator {
  const { check } = VALIDATOR_KINDS[kind];
  return {
    kind,
    name,
    async judge(judged): Promise<Verdict> {
      const findings = (await find(judged)).map(
        (message): StepFinding => ({ check, name, message, otherwise }),
      );
      if (findings.length === 0) return { outcome: 'pass' };
      return otherwise === 'reject'
        ? { outcome: 'reject', errors: findings }
        : { outcome: 'feedback', feedback: findings };
    },
  };
}

/**
 * One validator of several, for a registry. Those that are code judge first; models are asked only if these have no
 * objection. The findings of all that object are listed; one that rejects is enough for a rejection.
 */
export function combineValidators(validators: readonly ReadyValidator[]): Validator {
  const byCode = validators.filter(({ kind }) => VALIDATOR_KINDS[kind].by === 'code');
  const byModel = validators.filter(({ kind }) => VALIDATOR_KINDS[kind].by === 'model');
  return async (judged) => {
    const verdict = await judgeAll(byCode, judged);
    return verdict.outcome === 'pass' ? judgeAll(byModel, judged) : verdict;
  };
}

async function judgeAll(validators: readonly ReadyValidator[], judged: Judged): Promise<Verdict> {
  const errors = [];
  const feedback = [];
  for (const { judge } of validators) {
    const verdict = await judge(judged);
    if (verdict.outcome === 'reject') errors.push(...verdict.errors);
    if (verdict.outcome === 'feedback') feedback.push(...[verdict.feedback].flat());
  }
  if (errors.length > 0) return { outcome: 'reject', errors: [...errors, ...feedback] };
  return feedback.length > 0 ? { outcome: 'feedback', feedback } : { outcome: 'pass' };
}
