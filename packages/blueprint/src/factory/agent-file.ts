import { mappingSchema } from '@alas-jssp/agents';
import * as z from 'zod';

/** The name and version of the JSON format of generated agents. */
export const AGENT_SCHEMA = 'alas-jssp/agent@1';

const text = z.string().min(1);
const objectSchema = z.record(z.string(), z.json());

/** A term of the score S(α, I) of an implementation I for a specification α, and its weight. */
const scoreTerm = z.strictObject({ name: text, weight: z.number(), value: z.number() });

/** The implementation of an agent. */
const implementation = z.discriminatedUnion('kind', [
  /** A tool of a module, an MCP server or an HTTP service, called as it is, or with a mapping from the node's input. */
  z.strictObject({ kind: z.literal('tool'), tool: text, mapping: mappingSchema.optional() }),
  /** A prompt, run by a client of a model. */
  z.strictObject({ kind: z.literal('prompt'), system: text, instruction: text }),
  /** A pure function in JavaScript, run in the sandbox: `export default (input) => output`. */
  z.strictObject({ kind: z.literal('code'), file: text }),
]);

/** An agent that the factory found or made for a node of a template: `agents/NAME.json`. */
export const agentFileSchema = z.strictObject({
  schema: z.literal(AGENT_SCHEMA),
  name: text,
  /** SHA-256 of the canonical JSON of its specification: an equal specification reuses the agent. */
  specification: text,
  /** The specification α: what it does, its schemas, its access and its capabilities. */
  does: text,
  access: z.enum(['compute', 'decide', 'read', 'change', 'irreversible']),
  capabilities: z.array(text),
  input: objectSchema,
  output: objectSchema,
  implementation,
  /** How it was found: in a registry, or made by a model. */
  made: z.discriminatedUnion('by', [
    z.strictObject({
      by: z.literal('discovery'),
      registry: text,
      match: z.enum(['exact', 'approximate']),
      score: z.number(),
      terms: z.array(scoreTerm),
    }),
    z.strictObject({ by: z.literal('generation'), model: text, prompt: text }),
  ]),
  /** Cases that the implementation passed before it was accepted. */
  tests: z.array(z.strictObject({ input: z.json(), output: z.json() })),
});

export type AgentFile = z.infer<typeof agentFileSchema>;
export type ScoreTerm = z.infer<typeof scoreTerm>;
