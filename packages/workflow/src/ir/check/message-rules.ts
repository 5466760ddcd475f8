import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { JsonPath } from '@alas-jssp/core/json-path';
import type { JsonSchema, Workflow } from '../workflow.js';
import { error, type Finding } from './finding.js';
import type { BodyScope } from './scope.js';

/** A place where a workflow names a message. */
interface Mention {
  readonly kind: 'approval' | 'message' | 'signal';
  readonly name: string;
  readonly path: JsonPath;
  readonly schema?: JsonSchema | undefined;
}

/** Messages: approvals, awaited messages and signals have distinct names. */
export function checkMessages(
  workflow: Workflow,
  scopes: readonly BodyScope[],
): readonly Finding[] {
  const mentions = [
    ...scopes.flatMap(mentionsIn),
    ...Object.entries(workflow.signals ?? {}).map(
      ([name, schema]): Mention => ({ kind: 'signal', name, path: ['signals', name], schema }),
    ),
  ];
  const firsts = new Map<string, Mention>();
  return mentions.flatMap((mention) => {
    const { kind, name, path, schema = true } = mention;
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, mention);
      return [];
    }
    if (first.kind !== kind) {
      const message = `${name} is the name of both ${first.kind} and ${kind}`;
      return [error('ambiguous_message', path, message, 'give them different names')];
    }
    if (canonicalJson(first.schema ?? true) === canonicalJson(schema)) return [];
    const message = `the message ${name} has another schema elsewhere`;
    return [error('ambiguous_message', path, message, 'give them one schema, or different names')];
  });
}

function mentionsIn({ body, path }: BodyScope): readonly Mention[] {
  return body.nodes.flatMap((node, i): Mention[] => {
    const at = [...path, 'nodes', i];
    if (node.type === 'wait') {
      const { message: name, io } = node;
      return [{ kind: 'message', name, path: [...at, 'message'], schema: io.output }];
    }
    if (node.type !== 'task' || node.approval === undefined) return [];
    return [{ kind: 'approval', name: node.approval, path: [...at, 'approval'] }];
  });
}
