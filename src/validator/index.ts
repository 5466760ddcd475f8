export type {
  ProvenBound,
  /** @deprecated Say `ProvenBound`. */
  ProvenBound as KnownBound,
} from '../jssp/bounds.js';
export {
  type Certificate,
  type CertificateCheck,
  type CertificateOptions,
  createCertificate,
  type KnownBounds,
  verifyCertificate,
} from './certificate.js';
export type { ViolationGroup } from './groups.js';
export { countViolations, createJudge, isFeasible, type Judge } from './judge.js';
export { type ValidateOptions, type ValidationReport, validate, type Warning } from './validate.js';
export {
  VIOLATION_CODES,
  type Violation,
  type ViolationCode,
  type ViolationCounts,
  type ViolationOf,
  type ViolationScope,
  /** @deprecated Say `ViolationScope`. */
  type ViolationScope as Scope,
} from './violation.js';
