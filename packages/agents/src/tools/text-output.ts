/** The output of tools whose answers are texts. */
export const TEXT_OUTPUT = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
} as const;
