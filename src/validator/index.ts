export type { ProvenBound } from '../jssp/bounds.js';
export {
  type Certificate,
  type CertificateCheck,
  type CertificateOptions,
  createCertificate,
  type KnownBounds,
  verifyCertificate,
} from './certificate.js';
export type { ViolationGroup } from './groups.js';
export { countViolations, createJudge, isFeasible } from './judge.js';
export type { Judge } from './judge-interface.js';
export { checkProof, type ProofCheck } from './proof/check-proof.js';
export { createProofArchive, type ProofArchive } from './proof/proof-archive.js';
export { type ProofHeader, readProofHeader } from './proof/proof-header.js';
export { proofLines } from './proof/proof-text.js';
export { type ValidateOptions, type ValidationReport, validate, type Warning } from './validate.js';
export {
  VIOLATION_CODES,
  type Violation,
  type ViolationCode,
  type ViolationCounts,
  type ViolationOf,
  type ViolationScope,
} from './violation.js';
