import type { Workflow } from '../workflow.js';
import { checkEffects, type KnownHandlers } from './effect-rules.js';
import type { Finding } from './finding.js';
import { checkGraph } from './graph-rules.js';
import { checkGuards } from './guard-rules.js';
import { checkMessages } from './message-rules.js';
import { checkNodePolicies, checkPolicies } from './policy-rules.js';
import { checkReferences } from './reference-rules.js';
import { checkHandlers, checkRepairs } from './role-rules.js';
import { checkFlow, judgeSchemas } from './schema-rules.js';
import { scopesOf } from './scope.js';

/** Options of the checker: requirements in addition to the workflow. */
export interface CheckOptions extends KnownHandlers {
  /** Kinds of disruptions that its repairs must cover. */
  readonly disruptions?: readonly string[];
}

/**
 * Checks that a workflow is well-formed: the five rules of section 3.2 and the six invariants of
 * appendix A.2 of the ALAS paper, and further rules without which it cannot run (`docs/reference/workflow.md`
 * has the table). The checker does not depend on the author of the workflow.
 *
 * @returns findings in the order of the rules; a workflow without errors may be run
 */
export function checkWorkflow(workflow: Workflow, options: CheckOptions = {}): readonly Finding[] {
  const { findings, readable } = judgeSchemas(workflow);
  const scopes = scopesOf(readable);
  return [
    ...scopes.flatMap(checkGraph),
    ...findings,
    ...checkPolicies(readable),
    ...scopes.flatMap(checkNodePolicies),
    ...scopes.flatMap(checkReferences),
    ...checkMessages(readable, scopes),
    ...scopes.flatMap(checkGuards),
    ...scopes.flatMap(checkFlow),
    ...scopes.flatMap((scope) => checkEffects(scope, options)),
    ...checkHandlers(scopes, options),
    ...checkRepairs(scopes, options.disruptions ?? [], options),
  ];
}
