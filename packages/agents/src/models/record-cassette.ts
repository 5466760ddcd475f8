import { writeJsonFile } from '@alas-jssp/core/json-file';
import type { Json } from '@alas-jssp/workflow';
import { CASSETTE_SCHEMA, type Cassette } from './cassette.js';
import type { Model } from './model.js';

/**
 * Wraps a model so that its answers are written to a cassette, which reproduces the session. The file is replaced after
 * each answer, so that an interrupted session keeps its answers. Answers to concurrent requests with equal keys are in
 * the order of the requests. The cassette must not hold secrets: answers are written as the model gave them.
 *
 * @param file is overwritten
 */
export function recordCassette(model: Model, file: string): Model {
  const answers = new Map<string, (Json | undefined)[]>();
  const seen = new Set<string>();
  const write = () => {
    const complete = [...answers].map(([key, texts]) => [key, withoutGaps(texts)] as const);
    const answered = complete.filter(([, texts]) => texts.length > 0);
    const cassette = {
      schema: CASSETTE_SCHEMA,
      origin: 'recorded',
      model: seen.size === 0 ? model.name : [...seen].join(', '),
      answers: Object.fromEntries(answered) as Cassette['answers'],
    } satisfies Cassette;
    writeJsonFile(file, cassette);
  };
  return {
    name: model.name,
    async ask(request, signal) {
      const texts = answers.get(request.key) ?? [];
      answers.set(request.key, texts);
      const place = request.occurrence === undefined ? texts.length : request.occurrence - 1;
      texts[place] ??= undefined;
      const answer = await model.ask(request, signal);
      texts[place] = answer.text;
      seen.add(answer.model);
      write();
      return answer;
    },
  };
}

/** Requests that failed or are in flight have no answer yet. */
function withoutGaps(texts: readonly (Json | undefined)[]): Json[] {
  return Array.from(texts, (text) => text).filter((text) => text !== undefined);
}
