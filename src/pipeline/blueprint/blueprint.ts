import { InputError } from '../../core/errors.js';
import { checkWorkflow, type Finding, type Workflow } from '../../workflow/index.js';
import { pipelineSteps } from '../handlers/handlers.js';
import { type BlueprintSpec, fillSpec } from './spec.js';
import { writeTemplate } from './template.js';

/**
 * Builds the workflow by which a job shop is planned: Algorithm 1 of the ALAS paper. The template is
 * complete when it is written; then the checker, which knows nothing of who made it, goes over its
 * structure, its constraints and the coverage of the disruptions that are named. The same spec gives the
 * same workflow.
 *
 * @throws InputError `bad_variant`, `bad_number`; `no_blueprint` with the findings as its value if
 *   the checker finds an error, such as a disruption that no repair covers
 */
export function blueprint(spec: BlueprintSpec = {}): Workflow {
  const filled = fillSpec(spec);
  const { disruptions } = filled;
  const workflow = writeTemplate(filled);
  const findings = checkWorkflow(workflow, { handlers: pipelineSteps, disruptions });
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw refusal(errors);
  return workflow;
}

function refusal(errors: readonly Finding[]): InputError {
  const [{ message, cure }] = errors;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  const problem = `there is no such workflow: ${message}${more}`;
  return new InputError('no_blueprint', problem, cure, {}, errors);
}
