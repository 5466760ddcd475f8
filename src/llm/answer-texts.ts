import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AnswerStore, missingAnswer, parseAnswer } from './answer-store.js';
import { requestKey } from './request-key.js';

const ANSWER_FILE = /^([\da-f]{64})\.json$/;

/** The texts of a directory of answers by the keys of their requests, in a portable form; none if it does not exist. */
export function readAnswerTexts(directory: string): Record<string, string> {
  const isThere = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  const texts = (isThere ? readdirSync(directory) : []).flatMap((name) => {
    const key = ANSWER_FILE.exec(name)?.[1];
    return key === undefined ? [] : [[key, readFileSync(join(directory, name), 'utf8')]];
  });
  return Object.fromEntries(texts);
}

/**
 * Opens read-only answers from portable texts.
 *
 * @param place their origin, for error messages
 * @param planner the specification of the answers' planner
 */
export function openAnswerTexts(
  texts: Readonly<Record<string, string>>,
  place: string,
  planner: string,
): AnswerStore {
  return {
    find(request, replicate) {
      const key = requestKey(request, replicate);
      const text = texts[key];
      if (text === undefined) return null;
      return parseAnswer(Buffer.from(text), key, join(place, `${key}.json`));
    },
    keep: () => {},
    missing: (request, replicate) => missingAnswer(place, planner, request, replicate),
  };
}
