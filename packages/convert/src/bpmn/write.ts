import { errorLine, InputError, type InputLocation } from '@alas-jssp/core/errors';
import type { Workflow } from '@alas-jssp/workflow';
import { embedWorkflow, extractWorkflow } from '../embedded.js';
import { featuresOf } from '../features.js';
import { EMPTY_MAP, type HandlerMap } from '../mapping.js';
import { type Conversion, reportOf } from '../report.js';
import { openDocument, writeDocument } from './document.js';
import { processOf } from './process.js';
import { BPMN_SUPPORT } from './support.js';

/**
 * Converts a workflow to BPMN 2.0: an executable process for Flowable with its diagrams, and a
 * report of how each feature is expressed. Conditions and scripts are JSONata.
 *
 * @param map topics of external workers, and delegates, of handlers and compensators
 * @throws AlasError `bad_workflow` for edges and policies that lead nowhere
 */
export async function writeBpmn(
  workflow: Workflow,
  map: HandlerMap = EMPTY_MAP,
): Promise<Conversion> {
  const { name, description } = workflow;
  const text = await writeDocument({
    name,
    documentation: description,
    scope: processOf(workflow, map),
    embed: (rest) => embedWorkflow(workflow, rest),
  });
  return { text, report: reportOf(featuresOf(workflow), BPMN_SUPPORT) };
}

/**
 * Reads the workflow from a document that {@link writeBpmn} wrote.
 *
 * @throws InputError `bad_bpmn` for a document that is not BPMN; otherwise as `extractWorkflow`
 *   does
 */
export async function readBpmn(text: string, location: InputLocation): Promise<Workflow> {
  const { rest, carried } = await openDocument(text).catch((error) => {
    throw new InputError('bad_bpmn', errorLine(error), 'give a BPMN 2.0 document', location);
  });
  return extractWorkflow(carried, rest, location);
}
