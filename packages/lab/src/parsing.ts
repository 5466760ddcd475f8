// How fast instances are read and written. Usage: npm run bench -- parsing [--json FILE]
import {
  generateTaillard,
  parseInstance,
  parsePlan,
  semiActive,
  writeInstanceJson,
  writePlanJson,
  writeStandard,
} from 'alas-jssp/jssp';
import { type MeasuredCase, measure, save } from './measure.js';

const bytes = (text: string | undefined) => new TextEncoder().encode(text);
const rows = [];
for (const [jobs, machines] of [
  [100, 20],
  [1000, 1000],
]) {
  const instance = generateTaillard({ jobs, machines, timeSeed: 1, machineSeed: 2 });
  const { operations } = instance;
  const standard = bytes(writeStandard(instance));
  const json = bytes(writeInstanceJson(instance));
  // Every machine takes the jobs in order, which is always possible.
  const plan = bytes(writePlanJson(semiActive(instance, instance.machineOperations)));
  const source = { name: instance.name };
  const target = operations === 1e6 ? '≤ 2 s' : undefined;
  const cases: MeasuredCase[] = [
    { name: 'read standard', target, run: () => parseInstance(standard, source) },
    { name: 'read JSON', run: () => parseInstance(json, source) },
    { name: 'read plan, JSON', run: () => parsePlan(plan) },
    { name: 'write standard', run: () => writeStandard(instance) },
    { name: 'write JSON', run: () => writeInstanceJson(instance) },
  ].map((one) => ({ target: undefined, ...one, operations }));
  rows.push(...(await measure(`${jobs}×${machines}`, cases, { seconds: 2 })));
}
save(rows);
