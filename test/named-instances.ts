import fc from 'fast-check';
import { type Instance, replaceInstance } from '../src/jssp/instance.js';
import type { InstanceNames } from '../src/jssp/instance-names.js';
import { nameFault } from '../src/jssp/instance-names.js';

/** Names as shops have them, and such as would break files that are written without care. */
const arbitraryName = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
    fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom(...',;:/%"\\=|<& #1aé\t') }),
    fc.nat(9999).map((number) => `WO-${number}`),
    fc.nat(12).map(String),
    fc.nat(12).map((number) => `M${number}`),
    fc.nat(5).map((number) => `Job${number}`),
    fc.nat(5).map((number) => `machine ${number}`),
    fc.constantFrom('Lathe 2', 'Lathe, left', 'null', 'job', 'constructor', '__proto__', '=1+1'),
  )
  .map((name) => name.trim());

/** A list of names, some of them empty; or none. Steps may be alike, others are not. */
function arbitraryList(kind: 'job' | 'machine' | 'step', length: number) {
  const lengths = { minLength: length, maxLength: length };
  const alike = fc.array(fc.oneof(fc.constant('turning'), arbitraryName), lengths);
  const list = kind === 'step' ? alike : fc.uniqueArray(arbitraryName, lengths);
  const marks = fc.array(fc.boolean(), { minLength: length, maxLength: length });
  return fc.tuple(list, marks, fc.boolean()).map(([names, empty, all]) =>
    names.map((name, i) => {
      return (empty[i] && !all) || nameFault(kind, name, i) !== undefined ? '' : name;
    }),
  );
}

/** Names that fit an instance. */
export function arbitraryNames({
  jobs,
  machines,
  jobOffset,
}: Instance): fc.Arbitrary<InstanceNames> {
  const lengths = Array.from({ length: jobs }, (_, job) => jobOffset[job + 1] - jobOffset[job]);
  return fc.record({
    jobs: fc.option(arbitraryList('job', jobs)),
    machines: fc.option(arbitraryList('machine', machines)),
    operations: fc.option(
      fc.tuple(...lengths.map((length) => arbitraryList('step', length))).map((all) => all.flat()),
    ),
  });
}

/** An instance with names. */
export function arbitraryNamed(instances: fc.Arbitrary<Instance>): fc.Arbitrary<Instance> {
  return instances.chain((instance) =>
    arbitraryNames(instance).map((names) => replaceInstance(instance, { names })),
  );
}

/** An instance with a name for everything: `WO-1`, `Lathe 0`, `turning 1`. */
export function nameAll(instance: Instance): Instance {
  const { jobs, machines, operations, jobOf, jobOffset } = instance;
  const names = {
    jobs: Array.from({ length: jobs }, (_, job) => `WO-${4711 + job}`),
    machines: Array.from(
      { length: machines },
      (_, machine) => `Lathe ${'ABCDEFGHIJKLMNOP'[machine] ?? machine}`,
    ),
    operations: Array.from(
      { length: operations },
      (_, op) => `turning ${'abcdefghijklmnop'[op - jobOffset[jobOf[op]]] ?? op}`,
    ),
  };
  return replaceInstance(instance, { names });
}
