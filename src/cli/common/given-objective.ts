import type { Objective } from '../../jssp/objectives.js';
import { changePolicy, type OpenPolicy } from '../../lcrp/policy/policy.js';

/** A policy with the objective of `--objective`, if that is given. */
export function withGivenObjective(policy: OpenPolicy, objective?: Objective): OpenPolicy {
  return objective === undefined ? policy : changePolicy(policy, { objective });
}
