import {
  type Account,
  type Answer,
  type Ask,
  type AskOptions,
  createAccount,
  createAsk,
  LlmError,
  type Message,
  type ModelSettings,
} from 'alas-jssp/llm';
import { modelSpecOf } from '../experiments/control-models.js';
import { promptOf } from '../experiments/experiment-prompt.js';
import {
  type JudgedKind,
  judgedPlan,
  judgePrompt,
  narrowJudgePrompts,
  threadJudgePrompt,
} from '../experiments/self-validation.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { RunTask } from '../runs/tasks.js';
import type { AskedForm } from './answer-forms.js';
import { type PlanClaims, readVerdict } from './decode/claims.js';
import { type DecodedAnswer, decodeAnswer } from './decode/decode.js';
import { PLAN_SHAPE, planPrompt } from './prompt.js';

/** An answer, and how it was parsed. */
export interface ModelProposal {
  readonly plan: CoordinationPlan | null;
  readonly claims: PlanClaims;
  /** Null if the model gave no answer. */
  readonly answer:
    | (Pick<DecodedAnswer, 'form' | 'unread'> &
        Pick<Answer, 'text' | 'finish'> & { readonly key: string })
    | null;
  readonly usage: ReturnType<Account['read']>;
  /** One line: the reason for a missing plan or verdict. */
  readonly error: string | null;
}

/** Settings of requests to models. */
export interface AskingOptions {
  readonly form: AskedForm;
  /** A valid plan of the problem, for the experiment in which models judge plans. */
  readonly correctPlan: () => CoordinationPlan | null;
  readonly onWait?: AskOptions['onWait'];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks a model for the plan or the verdict of a task.
 *
 * @throws LlmError `BudgetSpent`, or `MissingKey`; the reason of the signal once it is aborted
 */
export async function askModel(
  task: RunTask,
  attempt: Ask,
  { form, correctPlan, onWait, signal }: AskingOptions,
): Promise<ModelProposal> {
  const { model, settings } = modelSpecOf(task.planner);
  const { attempts } = settings;
  const account = createAccount();
  const asking = createAsk(attempt, { attempts, account, onWait });
  const ask = askerOf(model, settings, asking, task.replicate, signal);
  try {
    if (task.experiment?.name === 'self-validation') {
      return await askVerdict(task, ask, account, form, correctPlan());
    }
    const answer = await ask(promptOf(task, form), form);
    const { plan, claims, form: readAs, unread } = decodeAnswer(task.problem, answer.text);
    const error = plan === null ? NO_PLAN : null;
    const read = { form: readAs, unread, ...answerPart(answer, account) };
    return { plan, claims, answer: read, usage: account.read(), error };
  } catch (error) {
    if (!(error instanceof LlmError) || STOPPING.includes(error.code)) throw error;
    return unanswered(account, `${error.code}: ${error.message}`);
  }
}

export const NO_PLAN = 'nothing in the answer is read as a plan';

function unanswered(account: Account, error: string): ModelProposal {
  const claims = { feasible: null, km: null, finish: null };
  return { plan: null, claims, answer: null, usage: account.read(), error };
}

/** Asks a model to judge a plan: its own, which it makes first, or a given one. */
async function askVerdict(
  task: RunTask,
  ask: ReturnType<typeof askerOf>,
  account: Account,
  form: AskedForm,
  correct: CoordinationPlan | null,
): Promise<ModelProposal> {
  const { problem, past, experiment } = task;
  const [, kind, way] =
    /^(own|correct|too-fast|left-out)(?:-(.*))?$/.exec(experiment?.arm ?? '') ?? [];
  const isOwn = kind === 'own';
  const asked = planPrompt(problem, form, past);
  const own = isOwn ? (await ask(asked, form)).text : '';
  const plan = isOwn
    ? decodeAnswer(problem, own).plan
    : judgedPlan(task, kind as JudgedKind, correct);
  if (plan === null) return unanswered(account, isOwn ? NO_PLAN : 'there is no such plan to judge');
  const prompts =
    way === 'narrow'
      ? narrowJudgePrompts(problem, plan, past)
      : [way === 'thread' ? threadJudgePrompt(asked, own) : judgePrompt(problem, plan, past)];
  const answers: Answer[] = [];
  for (const prompt of prompts) answers.push(await ask(prompt, null));
  const claims = { feasible: verdictOf(answers), km: null, finish: null };
  const error = claims.feasible === null ? 'the answer says neither yes nor no' : null;
  const [first] = answers;
  const text = answers.map((one) => one.text).join('\n\n');
  const read = { form: 'none' as const, unread: [], ...answerPart({ ...first, text }, account) };
  return { plan, claims, answer: read, usage: account.read(), error };
}

/** The verdict of all validators together: no if one says no, yes if all say yes. */
function verdictOf(answers: readonly Answer[]): boolean | null {
  const verdicts = answers.map(({ text }) => readVerdict(text));
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) ? null : true;
}

/** Errors after which no other request can succeed. */
const STOPPING: readonly string[] = ['BudgetSpent', 'MissingKey', 'Unauthorized'];

/** Creates the function that sends one request. If the provider enforces schemas, the plan's schema is sent along. */
function askerOf(
  model: string,
  settings: ModelSettings,
  ask: Ask,
  replicate: number,
  signal: AbortSignal | undefined,
) {
  const { temperature, topP, seed, effort, maxOutputTokens, structured } = settings;
  return (messages: readonly Message[], form: AskedForm | null): Promise<Answer> =>
    ask(
      {
        model,
        messages,
        maxOutputTokens,
        ...(structured && form === 'json' && { shape: PLAN_SHAPE }),
        ...(temperature !== undefined && { temperature }),
        ...(topP !== undefined && { topP }),
        // Such a model gives equal answers for equal prompts and seeds, so each replicate has its own seed.
        ...(seed !== undefined && { seed: seed + replicate }),
        ...(effort !== undefined && { effort }),
      },
      { replicate, signal },
    );
}

function answerPart({ text, finish }: Answer, account: Account) {
  return { text, finish, key: account.read().keys.at(-1) ?? '' };
}
