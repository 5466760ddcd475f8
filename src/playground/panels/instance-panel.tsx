import { useState } from 'preact/hooks';
import { CheckBox } from '../../report/page/browser/parts/check-box.js';
import {
  benchmarkNames,
  generateInstance,
  openBenchmark,
  readInstanceText,
} from '../model/instances.js';
import { openedShop } from '../model/open-shop.js';
import type { PlayState } from '../model/play-state.js';
import { NumberField } from './fields.js';
import { TextSource } from './text-source.js';

interface Props {
  readonly instanceName: string;
  /** Opens another shop; its errors become a notice. */
  readonly open: (make: () => PlayState) => void;
}

/** Groups of benchmarks in the list. */
const GROUPS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Fisher and Thompson', /^ft/],
  ['Lawrence', /^la/],
  ['Adams, Balas and Zawack', /^abz/],
  ['Applegate and Cook', /^orb/],
  ['Taillard', /^ta/],
  ['Demirkol, Mehta and Uzsoy', /^dmu/],
  ['Brandimarte: several machines can do a step', /^mk/],
];

/** The choice of an instance: a benchmark, a random one, or a text. */
export function InstancePanel({ instanceName, open }: Props) {
  return (
    <section class="card" aria-labelledby="instance-title">
      <h2 id="instance-title">1 · Choose a shop</h2>
      <label class="field">
        <span>Benchmark</span>
        <select
          value={benchmarkNames.includes(instanceName) ? instanceName : ''}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            if (value !== '') open(() => openedShop(openBenchmark(value)));
          }}
        >
          <option value="">–</option>
          {GROUPS.map(([group, pattern]) => (
            <optgroup key={group} label={group}>
              {benchmarkNames
                .filter((name) => pattern.test(name))
                .map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <Generator open={open} />
      <details>
        <summary>Paste or drop an instance</summary>
        <TextSource
          label="Instance"
          hint="Standard, Taillard, Da Col and Teppan, flexible (.fjs) or JSON; gzip is unpacked."
          placeholder={'2 2\n0 3 1 2\n1 4 0 1'}
          action="Use this instance"
          use={(text, file) => {
            const state = openedShop(readInstanceText(text, file));
            open(() => state);
          }}
        />
      </details>
    </section>
  );
}

function Generator({ open }: Pick<Props, 'open'>) {
  const [jobs, setJobs] = useState(10);
  const [machines, setMachines] = useState(5);
  const [seed, setSeed] = useState(1);
  const [isFlexible, setFlexible] = useState(false);
  return (
    <form
      class="row"
      aria-label="Generate an instance"
      onSubmit={(event) => {
        event.preventDefault();
        open(() => openedShop(generateInstance({ jobs, machines, seed, isFlexible })));
      }}
    >
      <NumberField label="Jobs" value={jobs} least={1} onChange={setJobs} />
      <NumberField label="Machines" value={machines} least={1} onChange={setMachines} />
      <NumberField label="Seed" value={seed} least={0} onChange={setSeed} />
      <CheckBox checked={isFlexible} onChange={setFlexible}>
        flexible
      </CheckBox>
      <button type="submit">Generate</button>
    </form>
  );
}
