// Short ways to write the workflows of cases.

import { toWorkflow } from '@alas-jssp/workflow';
import type { DocumentBody, DocumentNode } from '../document-form.js';

/** A task; without more about it of a plain policy. */
export const task = (id: string, more: object = {}) => ({ id, type: 'task', ...more });

/** A task that is undone. */
export const effect = (id: string, more: object = {}) =>
  task(id, { effect: 'compensable', policyRef: 'undoable', ...more });

/** Edges that lead from one node to the next. */
export const chain = (...ids: string[]) => ids.slice(1).map((to, k) => ({ from: ids[k], to }));

/** The body of tasks that run one after the other. */
export const line = (...nodes: DocumentNode[]) => ({
  nodes,
  edges: chain(...nodes.map(({ id }) => id)),
});

export const PLAIN = { timeout: { seconds: 60 } };

export const UNDOABLE = {
  timeout: { seconds: 60 },
  idempotencyKey: {},
  lateAnswer: { seconds: 0 },
  compensation: { handler: 'undo', safeReinvoke: true, timeout: { seconds: 60 } },
};

/** A workflow of a body; policies are added to those that all cases have. */
export const workflow = (
  name: string,
  { nodes, edges }: DocumentBody,
  policies: object = {},
  more: object = {},
) =>
  toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name,
    nodes,
    edges,
    defaultPolicy: 'plain',
    policies: { plain: PLAIN, undoable: UNDOABLE, ...policies },
    ...more,
  });

/** What the stub gives if its script says nothing else. */
export const given = (step: string, item = '', attempt = 1) => ({ step, item, attempt });
