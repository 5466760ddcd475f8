import { formatPath, type JsonPath } from '@alas-jssp/core/json-path';

/** A problem that the checker finds in a workflow. */
export interface Finding {
  /** Stable, for programs; `docs/reference/workflow.md` lists them all. */
  readonly code: string;
  /** A workflow with errors must not run; warnings mark unproven properties. */
  readonly severity: 'error' | 'warning';
  /** Where in the workflow, such as `$.nodes[3].policyRef`. */
  readonly path: string;
  readonly message: string;
  /** The change that would fix it. */
  readonly hint: string;
}

export function error(code: string, path: JsonPath, message: string, hint: string): Finding {
  return { code, severity: 'error', path: formatPath(path), message, hint };
}

export function warning(code: string, path: JsonPath, message: string, hint: string): Finding {
  return { ...error(code, path, message, hint), severity: 'warning' };
}
