import { resolveSource } from '../../dist/index.js';
import { createRepairEngine, measureRepair } from '../../dist/lcrp/index.js';
import { jobColour } from '../../dist/report/chart/index.js';
import { optimize } from '../../dist/search/index.js';
import { isFeasible } from '../../dist/validator/index.js';

const INSTANCE = 'la01';
const EVENT = { kind: 'breakdown', machine: 1, from: 200, to: 280 };

const WIDTH = 640;
const ROW = 46;
const BAR = 34;
const LEFT = 34;
const TOP = 8;
const FOOT = 26;

/**
 * Repairs an optimal schedule after a breakdown, and draws the result.
 *
 * @returns the drawing as SVG, whose colours follow the page, and the figures of the repair
 */
export async function repairPicture() {
  const instance = resolveSource(INSTANCE).load();
  const { schedule } = await optimize(instance, { iterations: 20_000 });
  const engine = createRepairEngine(schedule);
  const result = await engine.handle([EVENT], EVENT.from);
  const after = result.schedule;
  if (!isFeasible(after.instance, after.start))
    throw new Error('the repair for the home page is not feasible');
  const facts = {
    instance: INSTANCE,
    operations: instance.operations,
    edits: result.edits.operation.length,
    before: schedule.makespan,
    after: after.makespan,
    shifted: measureRepair(result).makespan.compensated,
    machine: EVENT.machine,
    from: EVENT.from,
    until: EVENT.to,
  };
  return { svg: drawing(schedule, after, facts), facts };
}

function drawing(before, after, { instance: name, edits, operations }) {
  const { instance } = after;
  const end = Math.max(before.makespan, after.makespan);
  const x = (time) => Math.round(10 * (LEFT + ((WIDTH - LEFT - 4) * time) / end)) / 10;
  const y = (machine) => TOP + machine * ROW;
  const height = TOP + instance.machines * ROW + FOOT;
  const bars = [];
  const ghosts = [];
  for (let op = 0; op < instance.operations; op++) {
    const machine = instance.machine[op];
    const isMoved = after.start[op] !== before.start[op];
    const box = ({ start, end }) =>
      `x="${x(start[op])}" y="${y(machine)}" width="${x(end[op]) - x(start[op])}" height="${BAR}"`;
    const job = instance.jobOf[op];
    const { fill, text } = jobColour(job);
    if (isMoved) ghosts.push(`<rect class="ghost" ${box(before)} rx="3"/>`);
    bars.push(`<rect class="${isMoved ? 'moved' : 'kept'}" ${box(after)} rx="3" fill="${fill}"/>`);
    bars.push(
      `<text x="${(x(after.start[op]) + x(after.end[op])) / 2}" y="${y(machine) + BAR / 2 + 4}" fill="${text}">${job + 1}</text>`,
    );
  }
  const rows = Array.from(
    { length: instance.machines },
    (_, machine) => `<text class="name" x="0" y="${y(machine) + BAR / 2 + 4}">M${machine}</text>`,
  );
  const ticks = Array.from({ length: Math.floor(end / 100) + 1 }, (_, i) => 100 * i).map(
    (time) => `<text class="tick" x="${x(time)}" y="${height - 6}">${time}</text>`,
  );
  const down = `<rect class="down" x="${x(EVENT.from)}" y="${y(EVENT.machine) - 5}" width="${x(EVENT.to) - x(EVENT.from)}" height="${BAR + 10}" rx="3"/>`;
  const now = `<path class="now" d="M${x(EVENT.from)} 0V${height - FOOT}"/>`;
  return [
    `<svg class="repair" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="repair-title">`,
    `<title id="repair-title">The schedule of ${name} after machine ${EVENT.machine} broke down: ${edits} of ${operations} operations start later</title>`,
    `<defs><pattern id="stripes" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="stripe" d="M0 0V8"/></pattern></defs>`,
    ...[...rows, down, ...ghosts, ...bars, now, ...ticks],
    '</svg>',
  ].join('');
}
