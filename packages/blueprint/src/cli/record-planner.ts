import { CASSETTE_SCHEMA, type Cassette } from '@alas-jssp/agents';
import { writeJsonFile } from '@alas-jssp/core/json-file';
import type { Json, LogStore } from '@alas-jssp/workflow';
import type { Answer } from 'alas-jssp/llm';

/** Writes a cassette of all answers of the planner that the log of drafting has, also those before an interruption. */
export function recordPlanner(file: string, log: LogStore, runId: string): void {
  const answers: Record<string, Json[]> = {};
  let model: string | null = null;
  for (const { payload } of log.read({ runId, eventTypes: ['Response'] })) {
    const { part, answer } = payload as unknown as { part: string; answer: Answer };
    answers[part] = [...(answers[part] ?? []), answer.text];
    model = answer.model;
  }
  const cassette: Cassette = {
    schema: CASSETTE_SCHEMA,
    origin: 'recorded',
    model,
    answers: answers as Cassette['answers'],
  };
  writeJsonFile(file, cassette);
}
