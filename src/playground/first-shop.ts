import { optimizedStarts } from 'playground-benchmarks';
import { createSchedule } from '../browser/index.js';
import { openBenchmark } from './model/instances.js';
import { shopWith } from './model/open-shop.js';
import type { PlayState } from './model/play-state.js';

/** The shop that the page opens with: a famous one, with an optimal plan. */
export function firstShop(): PlayState {
  const { name, starts } = optimizedStarts;
  const loaded = openBenchmark(name);
  const schedule = createSchedule(loaded.instance, Int32Array.from(starts));
  return shopWith(loaded, schedule, {
    title: 'A perfect plan',
    sentence:
      'Ten jobs visit ten machines. Each row is a machine, each colour is a job, and no plan of this shop can end earlier. Then a machine breaks.',
  });
}
