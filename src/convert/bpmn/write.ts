import type { Workflow } from '../../workflow/ir/workflow.js';
import { featuresOf } from '../features.js';
import { EMPTY_MAP, type HandlerMap } from '../mapping.js';
import { type Conversion, reportOf } from '../report.js';
import { writeDocument } from './document.js';
import { processOf } from './process.js';
import { BPMN_SUPPORT } from './support.js';

/**
 * Converts a workflow to BPMN 2.0: an executable process for Flowable with its diagrams, and a report
 * of how each feature is said in it. Conditions and scripts are JSONata.
 *
 * @param map topics of external workers, and delegates, of handlers and compensators
 * @throws AlasError `bad_workflow` for edges and policies that lead nowhere
 */
export async function writeBpmn(
  workflow: Workflow,
  map: HandlerMap = EMPTY_MAP,
): Promise<Conversion> {
  const { name, description, nodes: _, edges: __, ...rest } = workflow;
  const text = await writeDocument({
    ...{ name, documentation: description, scope: processOf(workflow, map) },
    notes: { workflow: rest },
  });
  return { text, report: reportOf(featuresOf(workflow), BPMN_SUPPORT) };
}
