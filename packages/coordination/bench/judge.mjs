// Plans that the judge judges in a second: the papers' plans, and 100 rides by 20 vehicles.
//   npm run bench:coordination-judge
import { Bench } from 'tinybench';
import {
  bundledNames,
  bundledPlan,
  bundledProblem,
  judge,
  readPlan,
  readProblem,
} from '../dist/index.js';

/** Vehicles that take five people each from a place to another, one after the other, on roads of their own. */
function manyRides(vehicles) {
  const clock = (minutes) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const numbers = Array.from({ length: vehicles }, (_, v) => v);
  const rides = numbers.flatMap((v) => [0, 1, 2, 3, 4].map((k) => ({ v, k, who: `p${v}-${k}` })));
  const problem = readProblem({
    ...{ schema: 'alas-coordination/problem@1', name: 'many-rides' },
    places: numbers.flatMap((v) => [{ id: `a${v}` }, { id: `b${v}` }]),
    roads: numbers.map((v) => ({ from: `a${v}`, to: `b${v}`, minutes: 10, km: 10 })),
    people: rides.map(({ v, who }) => ({ id: who, at: `a${v}` })),
    vehicles: numbers.map((v) => ({ id: `v${v}`, at: `a${v}`, seats: 2 })),
    rides: rides.map(({ v, k, who }) => ({
      ...{ id: `r${who}`, people: [who], from: `a${v}`, to: `b${v}` },
      arrive: [null, clock(490 + 20 * k)],
    })),
  });
  const actions = rides.flatMap(({ v, k, who }) => {
    const [there, back] = [480 + 20 * k, 490 + 20 * k];
    const drive = { do: 'drive', vehicle: `v${v}` };
    return [
      { ...drive, with: [who], from: `a${v}`, to: `b${v}`, start: clock(there), end: clock(back) },
      { ...drive, from: `b${v}`, to: `a${v}`, start: clock(back), end: clock(back + 10) },
    ];
  });
  const plan = { schema: 'alas-coordination/plan@1', problem: 'many-rides', actions };
  return { problem, plan: readPlan(plan) };
}

const printed = bundledNames('plans').map((name) => {
  const plan = bundledPlan(name);
  return { problem: bundledProblem(plan.problem), plan };
});
const large = manyRides(20);
if (!judge(large.problem, large.plan).valid) throw new Error('the plan of many rides is invalid');

const bench = new Bench({ time: 2000 });
const cases = [
  { name: `${printed.length} plans for dinner, wedding and rides`, cases: printed },
  { name: '100 rides, 20 vehicles, 200 drives', cases: [large] },
];
for (const { name, cases: given } of cases) {
  bench.add(name, () => {
    for (const { problem, plan } of given) judge(problem, plan);
  });
}
await bench.run();
for (const [at, { result }] of bench.tasks.entries()) {
  const perSecond = (1000 * cases[at].cases.length) / result.latency.p50;
  process.stdout.write(`${cases[at].name}: ${Math.round(perSecond)} plans/s\n`);
}
