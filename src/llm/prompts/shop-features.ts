import type { Instance } from '../../jssp/instance.js';
import {
  chosenMode,
  isClassic,
  modeDuration,
  modeMachine,
  modesOf,
} from '../../jssp/shop-parts.js';
import { featureTexts } from './feature-texts.js';
import { fill } from './templates.js';

/** The text before the list of jobs, if the shop is more than chains of operations with one machine each. */
export function listText({ modes, precedence }: Instance, classic: string): string {
  const { alternatives, graph, both } = featureTexts.list;
  if (modes !== null) return precedence === null ? alternatives : both;
  return precedence === null ? classic : graph;
}

/**
 * The machines and durations of an operation, with what each needs, its setup family, and the operations that it comes
 * after. A frozen operation has only the machine that it has already taken.
 */
export function writeChoices(instance: Instance, op: number): string {
  const { setups, frozen } = instance;
  const [first, stop] = modesOf(instance, op);
  const isFixed = frozen !== null && frozen[op] >= 0;
  const numbers = isFixed
    ? [chosenMode(instance, op)]
    : Array.from({ length: stop - first }, (_, i) => first + i);
  const choices = numbers.map((mode) => {
    const machine = modeMachine(instance, mode);
    return `M${machine} ${modeDuration(instance, mode)}${writeNeeds(instance, mode)}`;
  });
  const family = setups === null ? '' : ` f${setups.family[op]}`;
  return `${choices.join(' | ')}${family}${writePredecessors(instance, op)}`;
}

/** The number of an operation within its job, if others refer to it. */
export function writeNumber({ precedence, jobOffset, jobOf }: Instance, op: number): string {
  return precedence === null ? '' : `#${op - jobOffset[jobOf[op]] + 1} `;
}

function writeNeeds({ resources }: Instance, mode: number): string {
  if (resources === null) return '';
  const { needOffset, needResource, needAmount, needPhase } = resources;
  const needs: string[] = [];
  for (let i = needOffset[mode]; i < needOffset[mode + 1]; i++) {
    const amount = needAmount[i] === 1 ? '' : `${needAmount[i]} `;
    needs.push(`${amount}R${needResource[i]}${needPhase[i] === 1 ? ' for setup' : ''}`);
  }
  return needs.length === 0 ? '' : ` with ${needs.join(' and ')}`;
}

function writePredecessors({ precedence, jobOffset, jobOf }: Instance, op: number): string {
  if (precedence === null) return '';
  const { offset, pred, minLag, maxLag } = precedence;
  const first = jobOffset[jobOf[op]];
  const edges: string[] = [];
  for (let i = offset[op]; i < offset[op + 1]; i++) {
    const most = maxLag[i] < 0 ? '' : ` to ${maxLag[i]}`;
    const wait = minLag[i] === 0 && maxLag[i] < 0 ? '' : ` wait ${minLag[i]}${most}`;
    edges.push(`#${pred[i] - first + 1}${wait}`);
  }
  return edges.length === 0 ? '' : ` after ${edges.join(' and ')}`;
}

/** Paragraphs about setups, transport, and operators and tools, as far as the shop has them. */
export function writeFeatures(instance: Instance): string[] {
  if (isClassic(instance)) return [];
  return [
    ...writeLags(instance),
    ...writeSetups(instance),
    ...writeTransport(instance),
    ...writeResources(instance),
  ];
}

function hasLags({ precedence }: Instance): boolean {
  if (precedence === null) return false;
  return precedence.minLag.some((lag) => lag > 0) || precedence.maxLag.some((lag) => lag >= 0);
}

function writeLags(instance: Instance): string[] {
  return hasLags(instance) ? [featureTexts.lags] : [];
}

function writeSetups(instance: Instance): string[] {
  const { setups, machines, calendar, operations } = instance;
  if (setups === null) return [];
  const used = [...new Set(setups.family)].toSorted((a, b) => a - b);
  const all = Array.from({ length: machines }, (_, machine) => machine);
  const late = all.filter((k) => setups.matrixOf[k] >= 0 && setups.anticipatory[k] === 0);
  const head = [
    featureTexts.setups,
    ...(calendar === null ? [] : [featureTexts.setupsDown]),
    ...(late.length === 0 ? [] : [fill(featureTexts.setupsLate, { machines: namesOf(late) })]),
  ].join(' ');
  const matrices = [...new Set(setups.matrixOf)].filter((matrix) => matrix >= 0);
  const { families: count, time, first } = setups;
  const tables =
    operations === 0
      ? []
      : matrices.map((matrix) => {
          const names = namesOf(all.filter((k) => setups.matrixOf[k] === matrix));
          const rows = used.map((from) => [
            `f${from}`,
            ...used.map((to) => time[(matrix * count + from) * count + to]),
          ]);
          const table = [
            ['', ...used.map((family) => `f${family}`)],
            ['first', ...used.map((to) => first[matrix * count + to])],
            ...rows,
          ];
          return `${fill(featureTexts.setupTable, { machines: names })}\n${writeTable(table)}`;
        });
  return [[head, ...tables].join('\n')];
}

function namesOf(machines: readonly number[]): string {
  return machines.map((machine) => `Machine${machine}`).join(', ');
}

function writeTransport(instance: Instance): string[] {
  const { transport, machines } = instance;
  if (transport === null) return [];
  const { time } = transport;
  const lags = hasLags(instance) ? featureTexts.transportLags : '';
  const text = fill(featureTexts.transport, { lags });
  const between = new Set(time.filter((_, i) => i % (machines + 1) !== 0));
  const isPlain =
    between.size === 1 && time.every((own, i) => i % (machines + 1) !== 0 || own === 0);
  if (isPlain) return [`${text} ${fill(featureTexts.transportEqual, { time: [...between][0] })}`];
  const names = Array.from({ length: machines }, (_, machine) => `M${machine}`);
  const rows = names.map((name, from) => [
    name,
    ...time.subarray(from * machines, (from + 1) * machines),
  ]);
  return [`${text} ${featureTexts.transportTable}\n${writeTable([['', ...names], ...rows])}`];
}

function writeResources({ resources }: Instance): string[] {
  if (resources === null) return [];
  const { count, capacity, calendar } = resources;
  const lines = Array.from({ length: count }, (_, r) => {
    const times: string[] = [];
    for (let i = calendar?.offset[r] ?? 0; i < (calendar?.offset[r + 1] ?? 0); i++) {
      const [from, to, amount] = [
        calendar?.from[i] ?? 0,
        calendar?.to[i] ?? 0,
        calendar?.amount[i] ?? 0,
      ];
      times.push(fill(featureTexts.resourceTime, { from, to, amount }));
    }
    const usual = fill(featureTexts.resource, { name: `R${r}`, capacity: capacity[r] });
    return [usual, ...times].join(', ');
  });
  return [[featureTexts.resources, ...lines].join('\n')];
}

function writeTable(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.join(' ').trimStart()).join('\n');
}
