import type { ToolCatalogue } from '@alas-jssp/agents';
import type { Json } from '@alas-jssp/workflow';
import type { PartName, Parts } from '../part.js';

/** The facts of which prompts are made. */
export interface PromptFacts {
  /** The text of the task, with what people added. */
  readonly text: string;
  readonly catalogue: ToolCatalogue;
  readonly parts: Parts;
  /** Of a change of a draft: the words of the change, and the parts before it. */
  readonly change?: { readonly words: string; readonly before: Parts } | undefined;
}

/** A question for a model, before its schema is added. */
export interface PartPrompt {
  readonly system: string;
  readonly prompt: string;
}

/** Makes the prompt of a part. */
export type WritePrompt = (facts: PromptFacts, part: PartName) => string;

/** The rules that every question begins with. */
export const PLANNER_RULES = `You turn a process that is described in words into a workflow that a program runs.
You answer one small part at a time. Obey these rules:
- Use only what the text and the facts say. Never invent amounts, names, systems or steps.
- A "source" is a sentence, or a part of one, copied from the text word for word. If the text does not say something, its source is null.
- Ids are short words of letters, digits and -, such as "check-stock". Refer to things by their ids, exactly as they are written.
- Omit optional keys that you do not need.`;

/** A section of a prompt; empty if it has no content. */
export function section(title: string, content: string): string {
  return content.trim() === '' ? '' : `## ${title}\n${content.trim()}\n\n`;
}

/** Items as a list, one line each. */
export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** A value as compact JSON. */
export function json(value: Json | undefined): string {
  return JSON.stringify(value ?? null);
}

/** The text of the task. */
export function taskSection({ text }: PromptFacts): string {
  return section('Text', text);
}

/** A tiny example of another process, so that a model does not copy its content. */
export function example(answer: Json): string {
  return section('Example of the form, from another process', json(answer));
}
