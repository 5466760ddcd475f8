import type { AskWait } from '../../llm/ask.js';
import type { Usage } from '../../llm/usage.js';
import { clipped, formatFixed, formatSeconds } from '../../report/format.js';

/** Waits of this length or less, in seconds, are not reported. */
const SHORT_WAIT = 1;

/** Whether a wait is long enough to be reported. */
export function isLongWait({ seconds }: AskWait): boolean {
  return seconds >= SHORT_WAIT;
}

/** A wait, such as `waiting 12.0 s (openai: rate limited)`. */
export function describeWait({ reason, seconds }: AskWait): string {
  return `waiting ${formatSeconds(seconds)} (${clipped(100)(reason)})`;
}

/** Tokens and their price, such as `544 tokens in, 320 out, $0.0012`. */
export function describeUsage({ tokens, usd }: Pick<Usage, 'tokens' | 'usd'>): string {
  const { input, output, estimated } = tokens;
  const cost = usd === null ? 'price unknown' : `$${formatFixed(usd, 4)}`;
  return `${estimated ? 'about ' : ''}${input} tokens in, ${output} out, ${cost}`;
}
