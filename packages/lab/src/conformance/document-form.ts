// The form of workflow documents as cases and drawings write them, before they are checked.

export interface DocumentNode {
  id: string;
  type: string;
  handler?: string;
  effect?: string;
  policyRef?: string;
  input?: unknown;
  items?: string;
  branches?: Record<string, DocumentBody>;
  body?: DocumentBody;
  [key: string]: unknown;
}

interface DocumentEdge {
  from: string;
  to: string;
  kind?: string;
  guard?: string;
  [key: string]: unknown;
}

export interface DocumentBody {
  nodes: DocumentNode[];
  edges: DocumentEdge[];
  output?: string | string[];
}

export interface DocumentPolicy {
  timeout?: { seconds: number };
  backoff?: object;
  idempotencyKey?: { scope?: string; template?: string };
  compensation?: Record<string, unknown>;
  loopGuards?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface WorkflowDocument extends DocumentBody {
  policies: Record<string, DocumentPolicy>;
  [key: string]: unknown;
}
