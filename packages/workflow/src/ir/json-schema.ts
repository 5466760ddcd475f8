import * as z from 'zod';
import { workflowSchema } from './workflow.js';

/** The JSON Schema (draft 2020-12) of workflow files, made from the schemas that read them. */
export function workflowJsonSchema(): object {
  const schema = z.toJSONSchema(workflowSchema, { io: 'input', target: 'draft-2020-12' });
  return { ...schema, title: 'Workflow of alas-jssp' };
}
