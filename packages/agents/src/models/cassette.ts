import * as z from 'zod';

/** The name and version of the JSON format of cassettes. */
export const CASSETTE_SCHEMA = 'alas-jssp/cassette@1';

/** Answers by the keys of requests, in the order in which each key was requested; the last one repeats. */
export const cassetteSchema = z.strictObject({
  schema: z.literal(CASSETTE_SCHEMA, `give "${CASSETTE_SCHEMA}"`),
  /** Whether people wrote the answers, or a model gave them. */
  origin: z.enum(['handwritten', 'recorded']),
  /** The model that gave them; null if they are handwritten. */
  model: z.string().nullable(),
  /**
   * Each answer as JSON, or as the text of the model. The key of a part of a draft is its name, that of an agent of a
   * run `agent/NODE`, that of a validator `validator/NODE`.
   */
  answers: z.record(z.string(), z.array(z.json()).min(1)),
});

export type Cassette = z.infer<typeof cassetteSchema>;
