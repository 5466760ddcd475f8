import { GUARD_PREFIX } from '../guarded-tool.js';

/** The tools by which a model asks the guard itself. None of them can approve a call. */
export const GUARD_TOOLS = [
  {
    name: `${GUARD_PREFIX}status`,
    description:
      'Reports the calls of this session, and looks whether calls in doubt have acted. With the number of a call: its outcome.',
    inputSchema: {
      type: 'object',
      properties: { call: { type: 'integer', description: 'the number of a call' } },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: `${GUARD_PREFIX}abort`,
    description: 'Takes back everything that this session has changed, last first.',
    inputSchema: {
      type: 'object',
      properties: { reason: { type: 'string', description: 'the reason, in a sentence' } },
    },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  {
    name: `${GUARD_PREFIX}commit`,
    description:
      'Keeps everything that this session has changed. It is refused while a call is in doubt; calls that wait for an approval are dropped.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
] as const;

/** Whether a name is that of a tool of the guard itself. */
export function isGuardTool(name: string): boolean {
  return GUARD_TOOLS.some((tool) => tool.name === name);
}
