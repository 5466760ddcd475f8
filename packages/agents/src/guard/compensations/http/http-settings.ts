import * as z from 'zod';
import { mappingSchema } from '../../../tools/tool.js';

const path = z
  .string('give a path, such as "/orders/{input.id}"')
  .startsWith('/', 'give a path that begins with /');

/** The settings of the compensation for HTTP services. */
export const httpSettings = z.strictObject({
  /** The address of the service. Paths are below it. */
  url: z.url({ protocol: /^https?$/, error: 'give an address with http or https' }),
  /** The environment variable with the bearer token of the requests. */
  token: z.string('give the name of an environment variable').optional(),
  /**
   * The resource that the call makes, changes or deletes; `{input.KEY}`, `{output.KEY}`, `{key}` stand for values.
   * A path without `output` is also read before the call.
   */
  resource: path,
  /** The request that takes the call back. */
  undo: z.strictObject({
    method: z.enum(['DELETE', 'POST', 'PUT', 'PATCH'], 'give DELETE, POST, PUT or PATCH'),
    /** Default: the resource. */
    path: path.optional(),
    /** `before`: the resource as it was before the call; or an object with sources, as in an inverse. */
    body: z.union([z.literal('before'), mappingSchema]).optional(),
  }),
  /** Members of the resource that a service changes itself, such as the time of the last change. */
  ignore: z.array(z.string('give a name'), 'give a list of names').default([]),
  timeoutSeconds: z.number('give seconds').gt(0, 'give seconds, above 0').default(30),
});

export type HttpSettings = z.infer<typeof httpSettings>;
