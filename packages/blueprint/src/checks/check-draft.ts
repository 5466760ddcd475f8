import type { CheckDraft } from '../drafting/draft.js';
import type { DraftFinding } from '../drafting/part.js';
import { checkAgentTools } from './agent-tools.js';
import { checkCapabilities } from './capabilities.js';
import { checkCatchRoutes } from './catch-routes.js';
import { checkConstraints } from './constraints.js';
import { checkContexts } from './contexts.js';
import { checkDisruptions } from './disruptions.js';
import { checkGuards } from './guards.js';
import { checkInputs } from './inputs.js';
import { checkIrreversibles } from './irreversibles.js';
import { checkOperations } from './operations.js';
import { findOtherCauses } from './other-causes.js';
import { checkProvenance } from './provenance.js';
import { checkReviews } from './reviews.js';
import { scopeOfDraft } from './scope.js';
import { checkUndos } from './undos.js';
import { checkCompiled } from './workflow-rules.js';

/** Codes of the checker of workflows about inputs, which say less than a finding of these checks about the same part. */
const ABOUT_INPUTS: readonly string[] = [
  'incompatible_schemas',
  'unknown_fit',
  'unknown_key',
  'bad_reference',
];

/**
 * Checks a draft without a model: that it compiles into a sound workflow, performs the operations of the specification,
 * enforces its constraints, reacts to its disruptions, and accounts for every effect. It decides about every template
 * and never throws. A draft with errors must not run.
 */
export const checkDraft: CheckDraft = (draft) => {
  const scope = scopeOfDraft(draft);
  const own = [
    ...scope.compiled.findings,
    ...checkOperations(scope),
    ...checkCapabilities(scope),
    ...checkAgentTools(scope),
    ...checkGuards(scope),
    ...checkInputs(scope),
    ...checkUndos(scope),
    ...checkIrreversibles(scope),
    ...checkReviews(scope),
    ...checkProvenance(scope),
    ...checkConstraints(scope),
    ...checkDisruptions(scope),
    ...checkCatchRoutes(scope),
    ...checkContexts(scope),
  ];
  const answered = new Set(own.map(({ part }) => part));
  const compiled = checkCompiled(scope.compiled, draft.template).filter(
    ({ code, part }) => !(ABOUT_INPUTS.includes(code) && answered.has(part)),
  );
  const findings = [...compiled, ...own];
  return withoutRepeats([...findings, ...findOtherCauses(scope, findings)]);
};

function withoutRepeats(findings: readonly DraftFinding[]): readonly DraftFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ code, part, path, message }) => {
    const key = JSON.stringify([code, part, path, message]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
