import fc from 'fast-check';
import { drawWorkflow, isSound } from '../../lab/src/conformance/random-workflows.js';
import type { Workflow } from '../../workflow/src/ir/workflow.js';
import { toWorkflow } from '../../workflow/src/ir/workflow-file.js';

/**
 * Random sound workflows that every target can say; they get smaller as the tape from which they are
 * drawn does.
 *
 * @param shape `timers`: waits of whole seconds; `rich`: also what targets only take along as notes
 */
export function arbitraryWorkflow(
  shape: { timers?: boolean; rich?: boolean } = {},
): fc.Arbitrary<Workflow> {
  return fc
    .array(fc.nat(2 ** 20), { minLength: 0, maxLength: 400, size: 'max' })
    .map((tape) => {
      let next = 0;
      const draw = (below: number) => (next < tape.length ? tape[next++] % below : 0);
      return toWorkflow(drawWorkflow(draw, shape));
    })
    .filter(isSound);
}
