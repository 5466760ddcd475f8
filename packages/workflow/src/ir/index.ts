// The form of a workflow for programs that read or write it: its plan as a graph, and its guards.
export {
  type BodyPlan,
  buildsOn,
  dependsOn,
  guardOf,
  type Link,
  type NodePlan,
  nodeAt,
  planWorkflow,
  type WorkflowPlan,
} from '../interpreter/plan.js';
// The rules of the checker, for programs that check more about a workflow.
export { areExclusive, type Graph, isBefore, isSureBefore } from './check/graph.js';
export { checkSchemas } from './check/schema-rules.js';
export {
  type BodyScope,
  inputSchemaOf,
  outputsOf,
  referenceSchema,
  scopesOf,
} from './check/scope.js';
export { type Quick, quickEvaluator, UNDECIDED } from './guard/quick.js';
export { type Ast, filtersOf, parseGuard, partsOf } from './guard/syntax.js';
export { alternatives, type Kind, kindsOf, propertyOf, type SchemaObject } from './json-types.js';
