import { startChatServer } from '../../../../test/llm/servers/chat-completions.js';
import type { WireRequest } from '../../../../test/llm/servers/wire-server.js';
import { writeAnswer } from '../../src/llm/answer-forms.js';
import type { CoordinationPlan } from '../../src/model/plan.js';

/** The plans that a team gives, in this order, before the day and after what has become known at a time. */
export type TeamScript = Readonly<Record<string, readonly CoordinationPlan[]>>;

/** A request as the endpoint received it. */
interface HeardRequest {
  /** The name of the role; `planner` without one. */
  readonly role: string;
  /** The time of the change that the prompt reports, or `begin`. */
  readonly moment: string;
  readonly text: string;
}

/** An endpoint whose model plays all roles of a team by a script, with what it heard. */
export async function startTeamServer(script: TeamScript) {
  const heard: HeardRequest[] = [];
  const given = new Map<string, number>();
  const server = await startChatServer(({ body }: WireRequest) => {
    const text = body.messages.map(({ content }: { content: string }) => content).join('\n\n');
    const role = /You are the ([^.\n]+)\./.exec(text)?.[1] ?? 'planner';
    const moment = /By the log, at (\d\d:\d\d)/.exec(text)?.[1] ?? 'begin';
    heard.push({ role, moment, text });
    return { kind: 'answer', text: answerTo(script, given, { role, moment, text }) } as const;
  });
  const planner = `openai-compatible:small@${server.url}/v1#structured=no,attempts=1`;
  return { server, planner, heard };
}

function answerTo(
  script: TeamScript,
  given: Map<string, number>,
  { role, moment, text }: HeardRequest,
): string {
  if (role.startsWith('agent for')) return `I have read the facts about ${role.slice(10)}.`;
  if (role === 'validator of drives') return 'OK';
  if (text.includes('Does it keep all rules and facts?')) return 'Feasible: yes';
  const plans = script[moment] ?? [];
  const number = given.get(moment) ?? 0;
  if (role === 'validator of tasks') return number < plans.length ? '- Something is closed.' : 'OK';
  given.set(moment, number + 1);
  const plan = plans[Math.min(number, plans.length - 1)];
  return plan === undefined ? 'I have no plan.' : writeAnswer(plan, 'json');
}
