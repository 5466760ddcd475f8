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
export { type Ast, filtersOf, parseGuard, partsOf } from './guard/syntax.js';
