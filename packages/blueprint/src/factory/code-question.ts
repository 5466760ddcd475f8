import type { Json } from '@alas-jssp/workflow';
import * as z from 'zod';
import type { PartQuestion } from '../drafting/draft.js';
import type { Specification } from '../specification/specification.js';
import type { TemplateNode } from '../template/template.js';
import type { AgentSpec } from './agent-spec.js';
import { rulesOf } from './prompt-agent.js';

/** The answer of a model that writes a pure function. */
const codeAnswerSchema = z.strictObject({
  /** A module: `export default (input) => output`. */
  code: z.string('give the code as a text').min(1, 'give the code'),
  /** Inputs with the outputs that the task demands. */
  cases: z
    .array(z.strictObject({ input: z.record(z.string(), z.json()), output: z.json() }))
    .min(1, 'give cases'),
});

export type CodeAnswer = z.infer<typeof codeAnswerSchema>;

const SYSTEM = `You write one pure function in JavaScript for a step of a workflow, and cases that show what it does.
The code is a module: export default (input) => output. It has no imports, no files, no network, no clock (Date), no
chance (Math.random), no promises and no eval. Input and output are JSON. Equal inputs give equal outputs. It never
throws: for every input of the schema it returns an output of the schema, also for empty texts, empty lists, zero and
negative numbers. Answer with one JSON object: { "code": "...", "cases": [{ "input": {...}, "output": {...} }] }.`;

/** The question for the code of a node. */
export function codeQuestion(
  node: TemplateNode,
  spec: AgentSpec,
  specification: Specification,
  example: Json,
): PartQuestion<CodeAnswer> {
  const rules = rulesOf(node, specification).map(({ text }) => `- ${text}`);
  const prompt = [
    `Task: ${specification.title}`,
    `Step ${node.id}: ${node.does}`,
    spec.role === null ? '' : `Role: ${spec.role.purpose}`,
    rules.length === 0 ? '' : `Rules:\n${rules.join('\n')}`,
    `Schema of the input: ${JSON.stringify(spec.input)}`,
    `Schema of the output: ${JSON.stringify(spec.output)}`,
    `An input of that schema: ${JSON.stringify(example)}`,
    spec.reviews
      ? `The step reviews the output of ${node.details.reviews}: "ok" is true only if everything that can be checked is right. Give at least one case with "ok": true, and one with "ok": false.`
      : '',
    'Give two to five cases, one of them an unusual one.',
  ];
  return {
    part: `code/${node.id}`,
    system: SYSTEM,
    prompt: prompt.filter((line) => line !== '').join('\n'),
    schema: codeAnswerSchema,
  };
}

/** The code of an answer as a module: models write fences around it, or forget the export. */
export function toModule(code: string): string {
  const text = code.replace(/^\s*```\w*\s*\n([\s\S]*?)\n?```\s*$/, '$1').trim();
  if (/^export\s+default\b/m.test(text)) return text;
  if (/^module\.exports\s*=/m.test(text)) {
    return text.replace(/^module\.exports\s*=/m, 'export default');
  }
  if (/^(\([^()]*\)|\w+)\s*=>/.test(text)) return `export default ${text}`;
  const [, name] = /^(?:function\s+(\w+)\s*\(|(?:const|let)\s+\w)/.exec(text) ?? [];
  const [, constant] = /^(?:const|let)\s+(\w+)\s*=\s*(?:\([^()]*\)|\w+)\s*=>/.exec(text) ?? [];
  const main = name ?? constant;
  return main === undefined ? text : `${text}\nexport default ${main};`;
}
