import type { Judged, Verdict } from '../interpreter/registry.js';
import type { JsonSchema } from '../ir/workflow.js';
import { type Agreement, testAgreement } from './agreement.js';
import type { CheckKind, Constraint, Otherwise, StepFinding } from './findings.js';
import { inspectPrecedents } from './precedents.js';
import { createSchemaChecks, type Schemas } from './schema-check.js';
import { type Inspection, inspectConstraints, verdictOn } from './verdict.js';

/** Checks of the output of a step before it is committed. */
export interface StepChecks {
  /** The shape of the value. */
  readonly schema?: JsonSchema;
  /** Schemas that `schema` refers to. */
  readonly schemas?: Schemas;
  readonly constraints?: readonly Constraint[];
  /** Places that must hold the same, in the value and in committed outputs. */
  readonly agreements?: readonly Agreement[];
  /**
   * The consequence of all violations except those of constraints, which have their own. Default
   * `reject`.
   */
  readonly otherwise?: Otherwise;
}

/** Checks of the input of a step before it is delivered. */
export interface InputChecks extends StepChecks {
  /**
   * Paths of the nodes on whose outputs the step builds: all must be committed, their effects not
   * undone, and they must have ended in this order.
   */
  readonly after?: readonly string[];
}

/** A validator of outputs with these checks, for `validators` of a registry. */
export function stepValidator(checks: StepChecks): (judged: Judged) => Verdict {
  return makeValidator(checks, { schema: 'syntax', agreements: 'consistency' }, () => []);
}

/** A validator of inputs with these checks, for `inputValidators` of a registry. */
export function inputValidator(checks: InputChecks): (judged: Judged) => Verdict {
  const { after = [], otherwise = 'reject' } = checks;
  return makeValidator(checks, { schema: 'contract', agreements: 'agreement' }, (judged) =>
    inspectPrecedents(judged, after, otherwise),
  );
}

function makeValidator(
  checks: StepChecks,
  kinds: { readonly schema: CheckKind; readonly agreements: CheckKind },
  inspectMore: Inspection,
): (judged: Judged) => Verdict {
  const { schema = true, schemas, constraints = [], agreements = [] } = checks;
  const { otherwise = 'reject' } = checks;
  const violations = createSchemaChecks(schemas)(schema);
  const inspectShape: Inspection = ({ value }) =>
    violations(value).map((message) => ({
      check: kinds.schema,
      name: 'schema',
      message,
      otherwise,
    }));
  const inspectAgreements: Inspection = (judged) =>
    agreements.flatMap((agreement): StepFinding[] => {
      const message = testAgreement(agreement, judged);
      const { name } = agreement;
      return message === undefined ? [] : [{ check: kinds.agreements, name, message, otherwise }];
    });
  // Constraints are written for values of the right shape: others do not reach them.
  return (judged) =>
    verdictOn(judged, inspectShape(judged).length > 0 ? [] : constraints, (corrected) => {
      const shape = inspectShape(corrected);
      if (shape.length > 0) return shape;
      return [
        ...inspectConstraints(corrected, constraints),
        ...inspectAgreements(corrected),
        ...inspectMore(corrected),
      ];
    });
}
