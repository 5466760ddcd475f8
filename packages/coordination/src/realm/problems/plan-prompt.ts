import type { Message } from 'alas-jssp/llm';

const SYSTEM =
  'You plan. You keep every rule that is stated, and use no names but those that are stated.';

/** The prompt for a plan as one JSON object, with an example of its form. */
export function planJsonPrompt(statement: string, example: unknown): Message[] {
  const form = `Make the plan. Answer with one JSON object and nothing else; "feasible" is whether your plan keeps all rules, "cost" what it costs. An example of another problem:\n\n${JSON.stringify(example)}`;
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: `${statement}\n\n${form}` },
  ];
}
