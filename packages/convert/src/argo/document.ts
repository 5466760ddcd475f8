/** A value of a parameter of a template or of a task. */
export interface Parameter {
  readonly name: string;
  readonly value?: unknown;
  readonly default?: unknown;
  readonly valueFrom?: {
    readonly path?: string;
    readonly parameter?: string;
    readonly expression?: string;
    readonly supplied?: object;
    readonly default?: string;
  };
  readonly globalName?: string;
}

/** A task of a DAG, or a step of a list of steps. */
export interface ArgoCall {
  readonly name: string;
  readonly template?: string;
  readonly templateRef?: unknown;
  readonly inline?: unknown;
  readonly arguments?: { readonly parameters?: readonly Parameter[]; readonly artifacts?: unknown };
  readonly depends?: string;
  readonly dependencies?: readonly string[];
  readonly when?: string;
  readonly withParam?: string;
  readonly withItems?: readonly unknown[];
  readonly withSequence?: unknown;
  readonly continueOn?: { readonly failed?: boolean; readonly error?: boolean };
  readonly hooks?: unknown;
  readonly onExit?: string;
}

/** The retries of a template, and the waits between them. */
export interface RetryStrategy {
  readonly limit?: number | string;
  readonly retryPolicy?: string;
  readonly expression?: string;
  readonly backoff?: {
    readonly duration?: string | number;
    readonly factor?: number | string;
    readonly maxDuration?: string;
  };
}

/** A template of Argo Workflows, restricted to the fields that workflows use. */
export interface Template {
  readonly name: string;
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly inputs?: { readonly parameters?: readonly Parameter[]; readonly artifacts?: unknown };
  readonly outputs?: { readonly parameters?: readonly Parameter[]; readonly artifacts?: unknown };
  readonly container?: {
    readonly image?: string;
    readonly command?: readonly string[];
    readonly args?: readonly string[];
  };
  readonly script?: {
    readonly image?: string;
    readonly command?: readonly string[];
    readonly source?: string;
    readonly env?: unknown;
  };
  readonly suspend?: { readonly duration?: string | number | undefined };
  readonly dag?: {
    readonly tasks: readonly ArgoCall[];
    readonly failFast?: boolean;
    readonly target?: string;
  };
  readonly steps?: readonly (readonly ArgoCall[])[];
  readonly retryStrategy?: RetryStrategy;
  readonly activeDeadlineSeconds?: number | string;
  readonly timeout?: string;
  readonly parallelism?: number;
  readonly synchronization?: unknown;
}

/** A document of Argo Workflows. */
export interface ArgoDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly entrypoint?: string;
    readonly onExit?: string;
    readonly serviceAccountName?: string;
    readonly arguments?: { readonly parameters?: readonly Parameter[] };
    readonly parallelism?: number;
    readonly activeDeadlineSeconds?: number;
    readonly templates?: readonly Template[];
  };
}
