import type { ToolCatalogue } from '@alas-jssp/agents';
import { formatPath, type JsonPath } from '@alas-jssp/core/json-path';
import type { DraftFinding, PartName } from '../drafting/part.js';
import { isApprovalName } from './compile-node.js';
import { splitMapping } from './sources.js';
import type { Template, TemplateNode } from './template.js';
import { inlineReferences, schemaProblem } from './tool-schemas.js';

/** The parts of a template that have no counterpart in a workflow. */
export function findUncompiled(template: Template, catalogue: ToolCatalogue): DraftFinding[] {
  return [
    ...template.nodes.flatMap((node) => [
      ...checkDetails(node),
      ...checkLoop(node),
      ...checkTool(node, catalogue),
      ...checkSchemasOf(node, catalogue),
    ]),
    ...checkEdges(template),
  ];
}

function error(
  code: string,
  part: PartName,
  path: JsonPath,
  message: string,
  hint: string,
): DraftFinding {
  return { code, severity: 'error', part, path: formatPath(path), message, hint };
}

function checkDetails(node: TemplateNode): DraftFinding[] {
  const { id, details } = node;
  const part = `node/${id}`;
  const findings: DraftFinding[] = [];
  if (details.id !== id) {
    const message = `the details are about ${details.id}`;
    findings.push(error('wrong_node', part, ['id'], message, `give "id": "${id}"`));
  }
  if (details.approval !== undefined && !isApprovalName(details.approval)) {
    const message = `${JSON.stringify(details.approval)} cannot name an approval`;
    const hint = 'use braces only as {input.KEY}, or leave them out';
    findings.push(error('bad_approval', part, ['approval'], message, hint));
  }
  (details.catch ?? []).forEach(({ to, backTo, times }, i) => {
    if ((to === undefined) === (backTo === undefined)) {
      const message = 'the route of errors has not exactly one target';
      const hint = 'give either "to" with a later node, or "backTo" with an earlier one';
      findings.push(error('bad_catch', part, ['catch', i], message, hint));
    } else if (times !== undefined && backTo === undefined) {
      const hint = 'remove "times", or give "backTo" instead of "to"';
      findings.push(
        error('bad_catch', part, ['catch', i, 'times'], 'only returns are counted', hint),
      );
    }
  });
  return [...findings, ...checkChoice(node, part)];
}

/** A choice reads references only, and does nothing else. */
function checkChoice({ work, details }: TemplateNode, part: PartName): DraftFinding[] {
  if (work !== 'choice') return [];
  const constants = Object.keys(splitMapping(details.input).constants);
  const findings = constants.map((key) =>
    error(
      'constant_in_choice',
      part,
      ['input', key],
      `${key} is a constant, and guards see references only`,
      `remove ${key} here, and write its value into the guards of the edges`,
    ),
  );
  const { tool, forEach, approval, reviews, output, retry, repair } = details;
  const extras = { tool, forEach, approval, reviews, output, retry, repair, catch: details.catch };
  for (const [key, value] of Object.entries(extras)) {
    if (value === undefined) continue;
    const message = `a choice only takes an edge, and has no ${key}`;
    findings.push(
      error('work_in_choice', part, [key], message, `remove "${key}", or give it to another node`),
    );
  }
  return findings;
}

/** The body of a loop sees its item, and nothing else. */
function checkLoop({ id, work, details }: TemplateNode): DraftFinding[] {
  const part = `node/${id}`;
  const { references } = splitMapping(details.input);
  const isItem = (reference: string) => reference === 'item' || reference.startsWith('item.');
  if (details.forEach === undefined || work === 'choice') {
    return Object.entries(references).flatMap(([key, reference]) => {
      if (!isItem(reference)) return [];
      const message = `${reference} exists only with forEach`;
      const hint =
        'give "forEach" with a reference to a list, or use input.KEY or outputs.NODE.KEY';
      return [error('item_without_loop', part, ['input', key], message, hint)];
    });
  }
  return Object.entries(references).flatMap(([key, reference]) => {
    if (isItem(reference)) return [];
    const message = `${reference} is not part of an item, and a node with forEach sees its item only`;
    const hint = `use item.KEY or a constant; if the items lack ${key}, add it to each in a compute node before, and run for each of its output`;
    return [error('outside_of_item', part, ['input', key], message, hint)];
  });
}

function checkTool({ id, work, details }: TemplateNode, { tools }: ToolCatalogue): DraftFinding[] {
  if (work !== 'tool') return [];
  const { tool } = details;
  if (tool !== undefined && tools.some(({ name }) => name === tool)) return [];
  const names = tools.map(({ name }) => name).join(', ');
  const message = tool === undefined ? `${id} names no tool` : `there is no tool ${tool}`;
  const hint = tools.length === 0 ? 'there are no tools: let it compute' : `name one of ${names}`;
  return [error('unknown_tool', `node/${id}`, ['tool'], message, hint)];
}

/** Schemas of answers and tools are JSON Schemas; the workflow accepts any value in place of others. */
function checkSchemasOf(
  { id, work, details }: TemplateNode,
  { tools }: ToolCatalogue,
): DraftFinding[] {
  const tool = work === 'tool' ? tools.find(({ name }) => name === details.tool) : undefined;
  const findings: DraftFinding[] = [];
  for (const schema of tool === undefined ? [] : [tool.input, tool.output]) {
    const problem = schemaProblem(inlineReferences(schema));
    if (problem === undefined) continue;
    const message = `a schema of ${tool?.name} is no JSON Schema: ${problem}`;
    const hint = 'name another tool, or mend the schema in the catalogue';
    findings.push(error('bad_schema', `node/${id}`, ['tool'], message, hint));
  }
  if (tool !== undefined || details.output === undefined) return findings;
  const problem = schemaProblem(inlineReferences(details.output));
  if (problem === undefined) return findings;
  const message = `the output is no JSON Schema: ${problem}`;
  const hint = 'give a JSON Schema of an object, such as {"type":"object","properties":{…}}';
  return [...findings, error('bad_schema', `node/${id}`, ['output'], message, hint)];
}

/** Guards belong to choices; each edge of a choice has a guard or is the default. */
function checkEdges({ nodes, edges }: Template): DraftFinding[] {
  return edges.flatMap(({ from, to, when, otherwise }, i) => {
    const node = nodes.find(({ id }) => id === from);
    if (node === undefined) return [];
    const at = (key: string) => ['edges', i, key];
    if (node.work === 'choice') {
      if (when === undefined || otherwise === undefined) return [];
      const hint = 'give either "when" or "otherwise"';
      const message = `the edge to ${to} has a guard and is the default, too`;
      return [error('bad_edge', 'edges', at('otherwise'), message, hint)];
    }
    if (when === undefined && otherwise === undefined) return [];
    const message = `${from} is no choice, and its edge to ${to} has a guard`;
    const hint = `remove "when" and "otherwise", or make the edge start at a choice`;
    const key = when === undefined ? 'otherwise' : 'when';
    return [error('bad_edge', 'edges', at(key), message, hint)];
  });
}
