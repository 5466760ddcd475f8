// Decodes random and mutated texts and stops at the first that throws, is slow, or yields what the
// text cannot say. Build first, then: node bench/fuzz-decoding.mjs [--texts 1000000] [--seed 1]
import { parseArgs } from 'node:util';
import { generateTaillard } from 'alas-jssp/jssp';
import { validate } from 'alas-jssp/validator';
import { createRandom } from '../dist/core/random.js';
import { decodePlan } from '../dist/llm/decoding/decode-plan.js';
import { mutate, writings } from './writings.mjs';

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
  },
});
const count = Number(values.texts);
const random = createRandom(values.seed);
const instance = generateTaillard({ jobs: 4, machines: 3, timeSeed: 1, machineSeed: 2 });
const texts = writings(instance);

let entries = 0;
let slowest = 0;
for (let i = 0; i < count; i++) {
  const text = mutate(texts, random);
  const began = performance.now();
  try {
    const { plan } = decodePlan(text, random.next() < 0.9 ? instance : undefined);
    entries += plan.entries.length;
    validate(instance, plan);
    for (const { place } of plan.entries) {
      if (!(place.offset >= 0 && place.offset < place.end && place.end <= text.length)) {
        throw new Error(`an entry stands nowhere: ${JSON.stringify(place)}`);
      }
    }
  } catch (error) {
    console.error(`text ${i}: ${error.stack}\n${JSON.stringify(text)}`);
    process.exit(1);
  }
  slowest = Math.max(slowest, performance.now() - began);
}
console.log(`${count} texts, ${entries} entries, slowest ${slowest.toFixed(0)} ms`);
