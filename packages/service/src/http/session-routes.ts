import { callerSchema } from '../api/common.js';
import { answersOf } from './answers.js';
import type { Routes } from './context.js';

/** Adds the route that returns the caller and its role, for the page. */
export function addSessionRoute(app: Routes): void {
  app.get(
    '/session',
    {
      config: { role: 'view' },
      schema: {
        tags: ['session'],
        operationId: 'showSession',
        summary: 'The caller: the name and the role of the token',
        response: answersOf({ 200: callerSchema }),
      },
    },
    async ({ caller }) => caller,
  );
}
