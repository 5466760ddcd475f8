import { InputError } from '../../../core/errors.js';
import type { Policy } from '../../../workflow/ir/workflow.js';
import type { RetryStrategy, Template } from '../document.js';

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * A length of time as Argo writes it (`20`, `1m30s`, `500ms`), in seconds.
 *
 * @throws InputError `unsupported_time` for anything else
 */
export function secondsOf(duration: string | number, file: string | undefined): number {
  const text = String(duration);
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
    const sum = parts.reduce(
      (seconds, [, count, unit]) => seconds + Number(count) * UNITS[unit],
      0,
    );
    return Math.round(sum * 1000) / 1000;
  }
  throw new InputError(
    'unsupported_time',
    `${JSON.stringify(duration)} is no length of time that is known beforehand`,
    'write seconds, or 1m30s',
    { file },
  );
}

/** The time that each attempt of a template may take. */
export function attemptLimit(template: Template, file: string | undefined): Policy['timeout'] {
  const { activeDeadlineSeconds, timeout } = template;
  const limit = activeDeadlineSeconds ?? timeout;
  return limit === undefined ? undefined : { seconds: secondsOf(limit, file) };
}

/**
 * Attempts and waits between them; both undefined without a strategy.
 *
 * @param before the policy as it was: Argo says nothing of its cap and its jitter
 * @throws InputError `unsupported_retry` for strategies without a limit, and for conditions other than
 *   on the code of the error
 */
export function retryFrom(
  strategy: RetryStrategy | undefined,
  before: Policy,
  file: string | undefined,
): Pick<Policy, 'retry' | 'backoff'> {
  if (strategy === undefined) return { retry: undefined, backoff: undefined };
  const limit = Number(strategy.limit ?? Number.NaN);
  if (!Number.isInteger(limit) || limit < 0) {
    throw unsupported('retries without a limit that is a number do not end', 'give a limit', file);
  }
  const retry = { maxAttempts: limit + 1, retryOn: codesOf(strategy.expression, file) };
  const { duration = 0, factor } = strategy.backoff ?? {};
  if (factor !== undefined && ![1, 2].includes(Number(factor))) {
    throw unsupported(`a backoff grows by 2 or not at all, not by ${factor}`, 'use 1 or 2', file);
  }
  const { cap, jitter = 0 } = before.backoff ?? {};
  const backoff = {
    mode: Number(factor ?? 1) === 2 ? ('exponential' as const) : ('fixed' as const),
    base: secondsOf(duration, file),
    ...(cap !== undefined && { cap }),
    jitter,
  };
  return { retry, backoff };
}

/** The codes of errors that the condition of a strategy asks for; all without one. */
function codesOf(expression: string | undefined, file: string | undefined): string[] {
  if (expression === undefined) return ['*'];
  if (expression === 'false') return [];
  return expression.split(' || ').map((part) => {
    if (part === 'lastRetry.message contains "specified deadline"') return 'Timeout';
    if (part === 'lastRetry.status == "Error"') return 'Interrupted';
    const [, code] = /^lastRetry\.message contains "\\"code\\":\\"(.*)\\""$/.exec(part) ?? [];
    if (code !== undefined) return code;
    const cure = 'ask for codes: lastRetry.message contains "\\"code\\":\\"Busy\\""';
    throw unsupported(`a policy cannot say ${expression}`, cure, file);
  });
}

function unsupported(problem: string, cure: string, file: string | undefined): InputError {
  return new InputError('unsupported_retry', problem, cure, { file });
}
