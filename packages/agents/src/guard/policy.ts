import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { parseJson } from '@alas-jssp/core/json-text';
import * as z from 'zod';
import { mappingSchema } from '../tools/tool.js';

/** The name and version of the JSON format of policies. */
export const GUARD_SCHEMA = 'alas-jssp/guard@1';

const name = z.string('give a name').min(1, 'give a name');
const names = z.array(name, 'give a list of names');
const seconds = z.number('give seconds, above 0').gt(0, 'give seconds, above 0');
const expression = z.string('give an expression in JSONata').min(1, 'give an expression');

/** A call of a read tool of the same server; sources: `input.KEY`, `key`, and `{ "value": … }`. */
const readCall = z.strictObject({ tool: name, input: mappingSchema.default({}) });

const compensationUse = z.union(
  [name, z.strictObject({ name, settings: z.json().default({}) })],
  'give the name of a compensation, or { "name": …, "settings": … }',
);

/** The rules for a tool. They overlay what the server lists; what the server says of itself is not trusted. */
export const toolRulesSchema = z.strictObject({
  /** Whether a call only reads, changes something that can be taken back, or changes it for good. */
  access: z.enum(['read', 'change', 'irreversible'], 'give read, change or irreversible'),
  /** Whether a call can be repeated with the same effect: a call without an answer is then repeated. */
  idempotent: z.boolean('give true or false').default(false),
  /**
   * The tool that takes a call back, with sources `input.KEY`, `output.KEY`, `before.KEY` and `key`.
   * `idempotent`: a second call of it is harmless.
   */
  inverse: z
    .strictObject({
      tool: name,
      input: mappingSchema.default({}),
      idempotent: z.boolean('give true or false').default(false),
    })
    .optional(),
  /** A read before the call; its output is kept for the inverse. */
  before: readCall.optional(),
  /**
   * A read that finds out whether the effect exists: `done` is an expression over `$input`,
   * `$output` (null if unknown), `$before`, `$key` and `$found`, the output of the read.
   */
  check: readCall.extend({ done: expression }).optional(),
  /** A compensation that comes with the guard, in place of an inverse tool. */
  compensation: compensationUse.optional(),
  /** The people who may approve each call; `false`: an irreversible call needs no approval. */
  approval: z
    .union(
      [z.literal(false), z.strictObject({ by: names.min(1, 'name at least one person') })],
      'give { "by": [NAME, …] }, or false',
    )
    .optional(),
  /** The meaning of an answer that is an error, without a check: nothing has changed, or it is unknown. */
  errors: z
    .enum(['in-doubt', 'change-nothing'], 'give in-doubt or change-nothing')
    .default('in-doubt'),
  /** Limit of the wait for an answer. Default: that of the policy. */
  timeoutSeconds: seconds.optional(),
  /** The SHA-256 of the tool's definition for which the rules were written; another one is refused. */
  definition: z.string('give the digest that --print-policy writes').optional(),
});

const rulesByTool = z.record(name, toolRulesSchema, 'give an object of rules by tool');

/** A server, how it is reached, and the rules for its tools. */
const serverPolicySchema = z.strictObject({
  /** The command of the server and its arguments, as in a shell or as a list. */
  command: z.union([name, names.min(1, 'give the command')]).optional(),
  /** Its address, instead of a command. */
  http: z.string('give the address').optional(),
  /** The directory in which the command starts. Default: the working directory. */
  directory: name.optional(),
  /** Names of environment variables that the command receives besides the usual ones. */
  environment: names.default([]),
  /** The environment variable with the bearer token of the address. */
  token: name.optional(),
  /** The rules that come with the guard for servers of this name. Default: that which the server gives itself. */
  rules: z.union([name, z.literal(false)], 'give the name of shipped rules, or false').optional(),
  tools: rulesByTool.default({}),
  /**
   * Tools without rules: refused (default), or `trust-reads`: those that the server calls read-only
   * are reads, although a server may lie.
   */
  unknown: z.enum(['refuse', 'trust-reads'], 'give refuse or trust-reads').default('refuse'),
  /** Whether its process is ended before a call without an answer is taken back. Default: true. */
  restart: z.boolean('give true or false').default(true),
});

const validatorSchema = z.strictObject({
  name,
  /** Default: all tools that are no reads. */
  tools: names.optional(),
  /** `before` a call, `after` it, or at the `commit`. */
  when: z.enum(['before', 'after', 'commit'], 'give before, after or commit').default('after'),
  /**
   * Must be true: an expression over `$tool`, `$input`, `$output`, `$before` and `$calls`, the calls
   * of the session so far.
   */
  holds: expression,
  /** The extent of the undo if it fails. Default: the whole session. */
  takesBack: z.enum(['call', 'session'], 'give call or session').default('session'),
});

const guardPolicySchema = z.strictObject({
  $schema: z.string().optional(),
  schema: z.literal(GUARD_SCHEMA, `give "${GUARD_SCHEMA}"`),
  servers: z
    .record(
      name.regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'use letters, digits and - in the name of a server'),
      serverPolicySchema,
      {
        error: ({ code }) =>
          code === 'invalid_key'
            ? 'use letters, digits and - in the name of a server'
            : 'give an object of servers by name',
      },
    )
    .default({}),
  /** The people who may approve irreversible calls of tools without `approval`. */
  approvers: names.default([]),
  timeoutSeconds: seconds.default(60),
  /** How long calls without an answer are awaited before they are taken back. */
  lateAnswerSeconds: z.number('give seconds').min(0, 'give seconds, from 0').default(10),
  /** The end of a session whose client goes without a commit. */
  onClose: z.enum(['abort', 'commit'], 'give abort or commit').default('abort'),
  validators: z.array(validatorSchema, 'give a list of validators').default([]),
});

export type GuardPolicy = z.infer<typeof guardPolicySchema>;
export type GuardPolicyDraft = z.input<typeof guardPolicySchema>;
export type ServerPolicy = z.infer<typeof serverPolicySchema>;
export type ToolRules = z.infer<typeof toolRulesSchema>;
export type ToolRulesDraft = z.input<typeof toolRulesSchema>;
export type GuardValidator = z.infer<typeof validatorSchema>;

/**
 * Parses a value as a policy and fills in defaults.
 *
 * @throws InputError `bad_policy` with the JSON path of the first mistake
 */
export function toGuardPolicy(value: unknown, file?: string): GuardPolicy {
  const checked = checkJson(guardPolicySchema, value);
  if (checked.fault !== undefined) throw faultError('bad_policy', checked.fault, file);
  for (const [server, policy] of Object.entries(checked.data.servers)) {
    if (policy.command !== undefined && policy.http !== undefined) {
      const problem = `the server ${server} has a command and an address`;
      throw new InputError('bad_policy', problem, 'give one of them', {
        file,
        path: `$.servers.${server}`,
      });
    }
  }
  return checked.data;
}

/** Reads a policy. @throws InputError with the file and the place of the first mistake */
export function readGuardPolicy(file: string): GuardPolicy {
  return toGuardPolicy(parseJson(readBytes(file), file), file);
}

/** The JSON Schema of policies, for editors. */
export function guardPolicyJsonSchema(): object {
  return z.toJSONSchema(guardPolicySchema, { io: 'input' });
}
