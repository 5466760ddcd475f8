import { type Models, modelOf } from 'alas-jssp/harness';
import { type AskOptions, createAccount, createAsk, LlmError } from 'alas-jssp/llm';
import type { AskedForm } from '../../llm/answer-forms.js';
import type { RealmAnswer, RealmProblem } from '../problems/realm-problem.js';
import type { RealmStep } from './realm-record.js';

/** A planner's plan for one step, and its costs. */
export interface RealmProposal {
  readonly plan: unknown;
  readonly claims: RealmStep['claimed'];
  readonly answer: RealmStep['answer'];
  readonly tokens: RealmStep['tokens'];
  readonly usd: number | null;
  readonly seconds: number;
  readonly error: string | null;
}

/** Settings of requests to models. */
export interface RealmAsking {
  readonly form: AskedForm;
  readonly replicate: number;
  readonly onWait?: AskOptions['onWait'];
  readonly signal?: AbortSignal | undefined;
}

/** Errors after which no other request can succeed. */
const STOPPING: readonly string[] = ['BudgetSpent', 'MissingKey', 'Unauthorized'];

/**
 * Asks a model for a plan.
 *
 * @throws LlmError `BudgetSpent`, `MissingKey`, `Unauthorized`; the reason of the signal once it is aborted
 */
export async function askRealm(
  problem: RealmProblem,
  planner: string,
  models: Models,
  { form, replicate, onWait, signal }: RealmAsking,
): Promise<RealmProposal> {
  const { model, settings } = modelOf(planner);
  const { attempts, temperature, topP, seed, effort, maxOutputTokens } = settings;
  const account = createAccount();
  const ask = createAsk(models.askFor(planner), { attempts, account, onWait });
  const spent = () => {
    const { tokens, usd, elapsed } = account.read();
    return { tokens: { input: tokens.input, output: tokens.output }, usd, seconds: elapsed };
  };
  try {
    const { text, finish } = await ask(
      {
        model,
        messages: [...problem.prompt(form)],
        maxOutputTokens,
        ...(temperature !== undefined && { temperature }),
        ...(topP !== undefined && { topP }),
        // Such a model gives equal answers for equal prompts and seeds, so each replicate has its own seed.
        ...(seed !== undefined && { seed: seed + replicate }),
        ...(effort !== undefined && { effort }),
      },
      { replicate, signal },
    );
    const { plan, claims, form: readAs, unread }: RealmAnswer = problem.decode(text);
    const key = account.read().keys.at(-1) ?? '';
    return {
      plan,
      claims: { ...claims },
      answer: { text, form: readAs, unread: [...unread], finish, key },
      ...spent(),
      error: plan === null ? 'nothing in the answer is read as a plan' : null,
    };
  } catch (error) {
    if (!(error instanceof LlmError) || STOPPING.includes(error.code)) throw error;
    const claims = { feasible: null, cost: null };
    return {
      plan: null,
      claims,
      answer: null,
      ...spent(),
      error: `${error.code}: ${error.message}`,
    };
  }
}
