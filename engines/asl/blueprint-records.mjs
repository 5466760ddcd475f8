// The blueprint, converted and executed on ASL with the real planner, validator, repair and search behind a bridge,
// against our own runtime: do they end in the same records? Build first, then:
// node engines/asl/blueprint-records.mjs [SUITE [PLANNER,…]]
import { startBridge } from '../bridge.mjs';
import { compareRecords } from './blueprint.mjs';
import { find, start } from './engine.mjs';

const PLANNERS = 'dispatch:mwkr,insertion,degraded:0.1,degraded:0.4,file:no-{instance}.json';
const [suite = 'ft06,la01', planners = PLANNERS] = process.argv.slice(2);
const variants = ['full', 'no-repair', 'no-validation', 'blind-repair', 'no-optimization'];
const computing = { suite, planners: planners.split(','), variants, optimize: '2k-iterations' };
// Made-up answers of a model, which is told what is wrong with its plans.
const asking = {
  suite: 'ft06,la01,la02,la03',
  planners: ['replay:test/llm/cassettes/scripted'],
  repairer: 'llm',
  rounds: 2,
};
const specs = process.argv.length > 2 ? [computing] : [computing, asking];

if (find() === undefined) {
  console.log('skipped: moto is not installed; run engines/asl/install.sh');
  process.exit(0);
}
const bridge = await startBridge();
const engine = await start({ stub: bridge.url });
console.log(`${engine.info.name}, version ${engine.info.version}\n`);
let [count, differing] = [0, 0];
try {
  for (const spec of specs) {
    for await (const { ours, differences, calls } of compareRecords(spec, { engine, bridge })) {
      count += 1;
      if (differences.length > 0) differing += 1;
      const { instance, planner, variant, status, makespan } = ours;
      const columns = [
        instance.padEnd(6),
        planner.padEnd(35),
        variant.padEnd(16),
        status.padEnd(11),
      ];
      const verdict = differences.length === 0 ? 'the same record' : differences.join('; ');
      console.log(
        columns.join(''),
        String(makespan ?? '').padStart(4),
        `${calls}`.padStart(3),
        verdict,
      );
    }
  }
} finally {
  await engine.stop();
  await bridge.stop();
}
console.log(`\n${count} records, ${differing} of them different`);
process.exitCode = differing === 0 && count > 0 ? 0 : 1;
