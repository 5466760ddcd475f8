import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Json } from '@alas-jssp/workflow';
import type { Tool } from '../tool.js';
import { violationsOf } from '../tool-checks.js';
import { sampleValue } from './sample-value.js';

/** Values drawn before an output schema counts as one that cannot be sampled. */
const ATTEMPTS = 50;

/**
 * The output of a trial: one of the tool's examples, or a value that its output schema allows. Equal tools, inputs and
 * seeds give equal outputs; different seeds explore the examples, or the schema.
 *
 * @throws AlasError `NoSample` if no value that was drawn matches the schema
 */
export function sampleOutput(
  tool: Tool,
  input: Readonly<Record<string, Json>>,
  seed: number | string,
): Json {
  const random = createRandom(deriveSeed(seed, 'output', tool.name, canonicalJson(input)));
  const { examples, output: schema } = tool;
  if (examples.length > 0) return examples[random.integer(0, examples.length - 1)] as Json;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const value = sampleValue(schema, random);
    if (violationsOf(schema, value).length === 0) return value;
  }
  const problem = `no output of the tool ${tool.name} can be made from its schema`;
  throw new AlasError('NoSample', `${problem}; give the tool an example output`, tool.name);
}
