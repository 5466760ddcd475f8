import { InputError } from '../../core/errors.js';
import { checkWorkflow, type Finding, type Workflow } from '../../workflow/index.js';
import { refineWorkflow } from './refine.js';
import { type BlueprintSpec, fillSpec } from './spec.js';
import { draftWorkflow } from './template.js';

/** What the handlers of the pipeline are to a checker: those that it does not trust to end. */
export const HANDLER_KINDS = {
  plan: { kind: 'external' },
  validate: { kind: 'pure' },
  repair: { kind: 'pure' },
  gather: { kind: 'pure' },
  mend: { kind: 'external' },
  choose: { kind: 'pure' },
  optimize: { kind: 'external' },
  giveUp: { kind: 'pure' },
  supervise: { kind: 'pure' },
} as const;

/**
 * Builds the workflow by which a job shop is planned: Algorithm 1 of the ALAS paper. A draft of the
 * template is refined until the checker, which knows nothing of who made it, passes its structure,
 * its constraints and the coverage of the disruptions that are named. What was refined stands in
 * `meta.refined`. The same spec gives the same workflow.
 *
 * @throws InputError `bad_variant`, `bad_number`; `no_blueprint` with the findings as its value if
 *   the checker finds what cannot be refined, such as a disruption that no repair covers
 */
export function blueprint(spec: BlueprintSpec = {}): Workflow {
  const filled = fillSpec(spec);
  const { disruptions } = filled;
  let workflow = draftWorkflow(filled);
  const refined: string[] = [];
  for (;;) {
    const findings = checkWorkflow(workflow, { handlers: HANDLER_KINDS, disruptions });
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) return { ...workflow, meta: { ...workflow.meta, refined } };
    const { better, left } = refineWorkflow(workflow, errors, filled);
    if (left.length > 0) throw refusal(left);
    workflow = better;
    refined.push(...errors.map(({ code, path, message }) => `${code} at ${path}: ${message}`));
  }
}

function refusal(errors: readonly Finding[]): InputError {
  const [{ message, cure }] = errors;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  const problem = `there is no such workflow: ${message}${more}`;
  return new InputError('no_blueprint', problem, cure, {}, errors);
}
