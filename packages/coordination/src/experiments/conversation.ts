import { deriveSeed } from '@alas-jssp/core';
import { createRandom, type Random } from '@alas-jssp/core/random';
import { estimateTokens, type Message } from 'alas-jssp/llm';
import type { Problem } from '../model/problem.js';
import { constraintsOf } from './constraints.js';
import { libraryNote } from './filler.js';

/** One message of the user in a growing conversation, before a plan is asked for. */
export interface ConversationTurn {
  /** The id of the constraint that it states; null for other text. */
  readonly constraint: string | null;
  readonly text: string;
  /** Ids of people, places and activities that it mentions. */
  readonly mentions: readonly string[];
}

/** The acknowledgement of each turn, in place of a model's. */
const NOTED = 'Noted.';
/** Notes in one message. */
const NOTES = 4;
/** One of so many messages of other text is about the people and places of the problem, without limiting the plan. */
const CHATTER = 3;

/**
 * A conversation in which the constraints of a problem are stated first, in random order, and other text follows.
 *
 * @param filler tokens of other text, at least, by the estimate
 * @param replicate another replicate has another order of constraints and other text
 */
export function conversationOf(
  problem: Problem,
  filler: number,
  replicate: number,
): ConversationTurn[] {
  const random = createRandom(deriveSeed('conversation', problem.name, replicate));
  const constraints = constraintsOf(problem);
  const order = random.shuffle(Uint32Array.from(constraints.keys()));
  const turns: ConversationTurn[] = Array.from(order, (at) => {
    const { id, says } = constraints[at];
    return { constraint: id, text: `For '${problem.name}', keep in mind: ${says}`, mentions: [] };
  });
  for (let tokens = 0; tokens < filler; ) {
    const turn = otherTurn(problem, random);
    tokens += tokensOfTurn(turn);
    turns.push(turn);
  }
  return turns;
}

/** The estimated tokens of a turn and its acknowledgement. */
export function tokensOfTurn({ text }: ConversationTurn): number {
  return estimateTokens(text) + estimateTokens(NOTED);
}

/** Turns as messages, each acknowledged. */
export function threadOf(turns: readonly ConversationTurn[]): Message[] {
  return turns.flatMap(({ text }): Message[] => [
    { role: 'user', content: text },
    { role: 'assistant', content: NOTED },
  ]);
}

function otherTurn(problem: Problem, random: Random): ConversationTurn {
  if (random.integer(1, CHATTER) === 1) return chatter(problem, random);
  const notes = Array.from({ length: NOTES }, () => libraryNote(random.integer(0, 9999)));
  return {
    constraint: null,
    text: `By the way, from the library:\n${notes.join('\n')}`,
    mentions: [],
  };
}

const REMARKS = [
  'is looking forward to the day',
  'has told a long story about last year',
  'has asked how the weather will be',
  'would like to see the photos of the last time',
];

/** Talk about a person and a place that limits nothing. */
function chatter({ people, places, name }: Problem, random: Random): ConversationTurn {
  const pick = <T>(some: readonly T[]) => some[random.integer(0, some.length - 1)];
  const person = pick([...people.keys()]);
  const place = pick([...places.keys()]);
  const text = `About '${name}', nothing that matters for the plan: ${person} ${pick(REMARKS)}, and was at ${place} some years ago.`;
  return { constraint: null, text, mentions: [person, place] };
}
