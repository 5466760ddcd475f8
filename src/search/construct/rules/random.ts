import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { byKeys } from './keys.js';
import { PANWALKAR, type Rule } from './rule.js';

export const random: Rule = {
  name: 'random',
  description: 'a random number for each operation, drawn once',
  source: PANWALKAR,
  needsDueDates: false,
  prioritize: ({ operations }, seed) => {
    const source = createRandom(deriveSeed(seed, 'dispatch', 'random'));
    const key = new Float64Array(operations);
    for (let op = 0; op < operations; op++) key[op] = source.next();
    return byKeys(key);
  },
};
