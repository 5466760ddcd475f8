import { printableLine } from '@alas-jssp/core/errors';
import { remark, type Session } from 'alas-jssp/command-line';
import type { OpenQuestion } from '../drafting/draft-task.js';

/**
 * Asks people open questions, one by one: each question on stderr, each answer a line of stdin. An empty line takes the
 * assumed answer, and so does the end of stdin.
 *
 * @returns answers by id of the question, without those that are assumed
 */
export async function askOnTerminal(
  session: Session,
  questions: readonly OpenQuestion[],
): Promise<Record<string, string>> {
  const lines = linesOf(session.host.stdin);
  const answers: Record<string, string> = {};
  for (const { id, question, assumed } of questions) {
    const text = `${printableLine(question)}\n  (empty: ${printableLine(assumed)})\n> `;
    session.host.stderr.write(text);
    const { value, done } = await lines.next();
    if (done === true) {
      remark(session, 'no more answers: the other questions are assumed');
      break;
    }
    const answer = value.trim();
    if (answer !== '') answers[id] = answer;
  }
  return answers;
}

async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
