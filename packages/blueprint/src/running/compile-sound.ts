import { InputError } from '@alas-jssp/core/errors';
import type { Workflow } from '@alas-jssp/workflow';
import { compileTemplate } from '../template/compile.js';
import type { RunnableDraft } from './draft-registry.js';

/**
 * The workflow of a draft.
 *
 * @throws InputError `bad_template` if its template does not compile
 */
export function compileSound({ template, specification, catalogue }: RunnableDraft): Workflow {
  const { workflow, findings } = compileTemplate(template, specification, catalogue);
  const [first] = findings;
  if (first === undefined) return workflow;
  throw new InputError('bad_template', `${first.part}: ${first.message}`, first.hint);
}
