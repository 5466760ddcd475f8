import { InputError } from '../../../core/errors.js';
import type { Body, Node, Policy } from '../../../workflow/ir/workflow.js';
import type { Feature, FeatureNote, SupportLevel } from '../../report.js';
import type { Template } from '../document.js';
import { attemptLimit, retryFrom } from './policies.js';
import type { Resolve } from './values.js';

/** A document of somebody else that is being read. */
export interface ForeignDocument {
  readonly templates: ReadonlyMap<string, Template>;
  readonly policies: Record<string, Policy>;
  /** Templates that nothing of a workflow says: they are kept beside it. */
  readonly kept: Record<string, unknown>;
  readonly notes: FeatureNote[];
  readonly file: string | undefined;
  /** Reads the template of a name as a body. */
  bodyOf(name: string, scope: ForeignScope): Body;
  /** Reads the graph of a template. */
  graphOf(template: Template, scope: ForeignScope): Body;
}

/** The surroundings of a body: which values it knows, and the templates around it. */
export interface ForeignScope {
  /** Path of the body, for notes. */
  readonly place: string;
  /** Parameters that are texts here, by name; all others are keys of the input of the body. */
  readonly constants: Readonly<Record<string, string>>;
  /** Names that stand for texts: `workflow.status` of an exit handler, the item of a loop. */
  readonly known: Readonly<Record<string, string>>;
  /** Whether the input of the body is the item of a loop. */
  readonly item: boolean;
  readonly around: readonly string[];
  /** Parameters of the workflow that the body needs and does not have itself. */
  readonly needs: Set<string> | undefined;
}

/** Takes down what becomes of a feature. */
export function take(
  { notes }: ForeignDocument,
  feature: Feature,
  place: string,
  level: SupportLevel,
  how: string,
): void {
  notes.push({ feature, place, level, how });
}

/** The template of a name. */
export function foreignTemplate(
  { templates, file }: ForeignDocument,
  name: string | undefined,
): Template {
  const template = templates.get(name ?? '');
  if (template !== undefined) return template;
  const cure = `give it, or one of ${[...templates.keys()].slice(0, 8).join(', ')}`;
  throw new InputError('bad_argo', `there is no template ${name ?? 'where one is called'}`, cure, {
    file,
  });
}

/** The policy of a template that is a step; none if it says nothing. */
export function policyOfTemplate(
  foreign: ForeignDocument,
  template: Template,
  place: string,
): Policy {
  const { file } = foreign;
  let retry: Pick<Policy, 'retry' | 'backoff'> = {};
  const { retryStrategy } = template;
  if (retryStrategy !== undefined) {
    try {
      retry = retryFrom(retryStrategy, {}, file);
    } catch (error) {
      if (!(error instanceof InputError) || error.code !== 'unsupported_retry') throw error;
      take(foreign, 'retry', place, 'unsupported', error.problem);
    }
    if (retryStrategy.backoff?.maxDuration !== undefined) {
      const how = 'maxDuration of all attempts: a policy limits their number';
      take(foreign, 'backoff', place, 'unsupported', how);
    }
  }
  const timeout = attemptLimit(template, file);
  for (const [key, feature] of [
    ['synchronization', 'shared-key'],
    ['daemon', 'task'],
    ['memoize', 'idempotency-key'],
  ] as const) {
    if (Object.hasOwn(template, key))
      take(foreign, feature, place, 'unsupported', `${key} of Argo`);
  }
  return { ...retry, ...(timeout !== undefined && { timeout }) };
}

/** A node that does nothing, where ways meet and part. */
export function joint(id: string): Node {
  return { id, type: 'parallel', branches: {} } as unknown as Node;
}

/** A task or a step that others refer to: its node, and where in its output theirs stand. */
export interface KnownTask {
  /** The reference to its output, or to that of the template within it. */
  readonly output: string;
  /** Whether its outputs have names, are one value, or are told apart by the branches of a node. */
  readonly outputs: 'named' | 'single' | 'branches';
}

/** Looks up what stands in double braces in a body. */
export function resolverOf(scope: ForeignScope, known: ReadonlyMap<string, KnownTask>): Resolve {
  return (name) => {
    if (Object.hasOwn(scope.known, name)) return { kind: 'text', text: scope.known[name] };
    const [root, ...rest] = name.split('.');
    const reference = (path: string) => ({ kind: 'reference', reference: path }) as const;
    if (root === 'item' && scope.item) return reference(['input', ...rest].join('.'));
    if (root === 'inputs' && ['parameters', 'artifacts'].includes(rest[0]) && rest.length === 2) {
      const [, parameter] = rest;
      if (Object.hasOwn(scope.constants, parameter)) {
        return { kind: 'text', text: scope.constants[parameter] };
      }
      return scope.item ? { kind: 'unknown' } : reference(`input.${parameter}`);
    }
    if (root === 'workflow' && rest[0] === 'parameters' && rest.length === 2 && !scope.item) {
      if (scope.needs === undefined) return reference(`input.${rest[1]}`);
      scope.needs.add(rest[1]);
      return reference(`input.workflow-${rest[1]}`);
    }
    const [task, outputs, kind, last] = rest;
    const found = known.get(task);
    const asks = (root === 'steps' || root === 'tasks') && outputs === 'outputs';
    if (!asks || found === undefined || kind === undefined) return { kind: 'unknown' };
    // Branches are an object, where Argo has a list.
    if (found.outputs === 'branches') return { kind: 'unknown' };
    return reference(found.outputs === 'named' ? `${found.output}.${last ?? kind}` : found.output);
  };
}
