import { InputError } from '@alas-jssp/core/errors';
import { askingPlanners } from '../../harness/run/fill-spec.js';
import type { FilledRunSpec } from '../../harness/run/spec.js';
import type { Instance } from '../../jssp/instance.js';
import { type InstanceSource, resolveSource, resolveSources } from '../../jssp/suites.js';
import { modelOf } from '../../llm/model-of.js';
import type { PromptSettings } from '../../llm/prompts/prompt.js';
import type { Window } from '../../llm/prompts/windows.js';
import { firstQuestions, promptOf, proposalWindows } from '../../llm/topologies/propose.js';
import type { AgentQuestion } from '../../llm/topologies/team.js';
import { promptSettingsOf } from '../../pipeline/planners/llm-planner.js';
import { columnsOf } from '../../report/columns.js';
import { whole } from '../../report/format.js';
import type { Format } from '../../report/table.js';
import { print, remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { printRows } from '../common/tables.js';

/** The first requests of a planner to a model, and the settings behind them. */
interface Preview {
  readonly instance: string;
  readonly shop: Instance;
  readonly planner: string;
  readonly settings: PromptSettings;
  readonly windows: readonly Window[];
  readonly questions: readonly AgentQuestion[];
}

/**
 * Prints the first requests of a planner to its model, without sending them.
 *
 * @param format `table` prints a text for people
 */
export async function showPrompt(
  session: Session,
  spec: string,
  planner: string,
  format: Format,
): Promise<void> {
  const preview = await previewOf(resolveSource(spec), planner);
  if (format === 'table') return print(session, textOf(preview));
  await printRows(session, format, columns, preview.questions.flatMap(messagesOf), jsonOf(preview));
}

/**
 * Prints the first requests of each planner of a run that asks a model, for the first instance.
 *
 * @throws InputError `no_model` if no planner asks a model
 */
export async function showRunPrompts(
  session: Session,
  { suite, planners }: Pick<FilledRunSpec, 'suite' | 'planners'>,
  format: Format,
): Promise<void> {
  const [first, ...others] = resolveSources(suite ?? '');
  const asking = askingPlanners({ planners });
  if (asking.length === 0) {
    const hint = 'name one, such as openai:MODEL';
    throw new InputError('no_model', 'no planner asks a model', hint);
  }
  const previews = await Promise.all(asking.map((planner) => previewOf(first, planner)));
  if (format === 'table') await print(session, previews.map(textOf).join('\n\n'));
  else {
    const rows = previews.flatMap(({ questions }) => questions.flatMap(messagesOf));
    const data = { schema: 'alas-jssp/run-prompts@1', planners: previews.map(jsonOf) };
    await printRows(session, format, columns, rows, data);
  }
  const left = others.length;
  if (left > 0) remark(session, `for ${first.name} only, the first of ${left + 1} instances`);
}

async function previewOf(source: InstanceSource, planner: string): Promise<Preview> {
  const settings = promptSettingsOf(modelOf(planner));
  const instance = source.load();
  const windows = proposalWindows(instance, settings);
  const questions = await firstQuestions({ instance, settings, replicate: 0 });
  return { instance: source.name, shop: instance, planner, settings, windows, questions };
}

function textOf({ instance, shop, planner, settings, windows, questions }: Preview): string {
  const { topology, format, structured, contextTokens, maxOutputTokens } = settings;
  const { promptVersion, promptHash } = promptOf(topology, settings, shop);
  const shape = structured ? 'with a JSON schema' : 'as plain text';
  return [
    `${instance} by ${planner}`,
    `topology ${topology}, answers in the format ${format}, ${shape}`,
    `prompts ${promptVersion}, ${promptHash}`,
    `context ${contextTokens} tokens, answers up to ${maxOutputTokens}; all numbers of tokens are estimates`,
    ...windows.map(describeWindow),
    ...questions.flatMap(describeQuestion),
  ].join('\n');
}

function describeWindow({ jobs, answerTokens }: Window): string {
  const all = `jobs ${jobs[0] + 1} to ${jobs[jobs.length - 1] + 1}`;
  return `${all} in one answer of about ${answerTokens} tokens`;
}

function describeQuestion({ agent, purpose, promptTokens, request }: AgentQuestion): string[] {
  const { messages, shape } = request;
  return [
    `\n=== ${agent}, ${purpose}: about ${promptTokens} tokens`,
    ...messages.map(({ role, content }) => `--- ${role}\n${content}`),
    ...(shape === undefined ? [] : [`--- shape of the answer\n${JSON.stringify(shape.schema)}`]),
  ];
}

function jsonOf({ instance, shop, planner, settings, windows, questions }: Preview): unknown {
  const { model, topology, format, structured, contextTokens, maxOutputTokens } = settings;
  const { promptVersion, promptHash } = promptOf(topology, settings, shop);
  return {
    schema: 'alas-jssp/prompt@1',
    instance,
    planner,
    model,
    topology,
    format,
    structured,
    prompt_version: promptVersion,
    prompt_hash: promptHash,
    context_tokens: contextTokens,
    max_output_tokens: maxOutputTokens,
    windows: windows.map(({ jobs, promptTokens, answerTokens }) => ({
      first_job: jobs[0] + 1,
      last_job: jobs[jobs.length - 1] + 1,
      most_prompt_tokens: promptTokens,
      answer_tokens: answerTokens,
    })),
    prompts: questions.map(({ agent, purpose, promptTokens, request }) => ({
      agent,
      purpose,
      prompt_tokens: promptTokens,
      request,
    })),
  };
}

/** A message of a request, for tables. */
interface MessageRow extends Pick<AgentQuestion, 'agent' | 'purpose' | 'promptTokens'> {
  readonly role: string;
  readonly content: string;
}

function messagesOf({ agent, purpose, promptTokens, request }: AgentQuestion): MessageRow[] {
  return request.messages.map((message) => ({ agent, purpose, promptTokens, ...message }));
}

const column = columnsOf<MessageRow>();
const columns = [
  column('agent'),
  column('purpose'),
  column('promptTokens', whole, { key: 'prompt_tokens', header: 'tokens' }),
  column('role'),
  column('content'),
];
