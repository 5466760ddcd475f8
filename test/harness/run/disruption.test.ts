import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { severities } from '../../../src/disruption/index.js';
import { readDisruption } from '../../../src/harness/run/disruption.js';
import { defaultPolicy } from '../../../src/lcrp/policy/policy.js';
import { messageOf } from '../../jssp/formats/refusal.js';
import { namedSource, temporaryDirectory } from '../fixtures.js';

const shop = namedSource('shop').load();

function writeFile(name: string, document: object): string {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

const eventsFile = (events: object[], instance?: string) =>
  writeFile('events.json', { schema: 'alas-jssp/events@1', instance, events });

describe('readDisruption', () => {
  it('has severities, and the default policy', () => {
    const { resolve } = readDisruption({ spec: 'light', policy: 'default' });
    expect(resolve(shop)).toEqual({ disruption: severities.light, policy: defaultPolicy });
  });

  it('knows what happens by its contents, whatever it is called', () => {
    const of = (spec: string) => readDisruption({ spec, policy: 'default' }).checksums.disruption;
    expect(of('delays:rate=0.03')).toBe(of('delays'));
    expect(of('delays:rate=0.04')).not.toBe(of('delays'));
    const delay = { kind: 'delay', at: 0, job: 1, step: 1, until: 9 };
    expect(of(eventsFile([delay]))).toBe(of(eventsFile([delay])));
    expect(of(eventsFile([delay]))).not.toBe(of(eventsFile([])));
  });

  it('reads files once, and resolves what they name for each instance', () => {
    const spec = eventsFile([{ kind: 'restored', at: 3, machine: 'Machine1' }]);
    const policy = writeFile('policy.json', {
      schema: 'alas-jssp/policy@1',
      limits: { pinned: [{ job: 2, step: 1 }] },
    });
    const { resolve } = readDisruption({ spec, policy });
    writeFileSync(spec, 'gone');
    writeFileSync(policy, 'gone');
    const { disruption, policy: rules } = resolve(shop);
    expect(disruption).toEqual([{ kind: 'restored', at: 3, machine: 1 }]);
    expect(rules.limits.pinned).toEqual([{ job: 1, step: 0 }]);
  });

  it('refuses what there is not', () => {
    const refusal = (options: Partial<Parameters<typeof readDisruption>[0]>) =>
      messageOf(() =>
        readDisruption({ spec: 'light', policy: 'default', ...options }).resolve(shop),
      );
    expect(refusal({ spec: 'medum' })).toMatch(/^the disruption 'medum': .*did you mean medium/);
    expect(refusal({ spec: './none.json' })).toMatch(/^\.\/none\.json: /);
    expect(refusal({ spec: 'light', policy: 'stable' })).toMatch("there is no policy 'stable'");
    const stranger = { kind: 'restored', at: 3, machine: 7 };
    expect(refusal({ spec: eventsFile([stranger]) })).toMatch(/:\$\.events\[0\]\.machine: /);
    expect(refusal({ spec: eventsFile([], 'ft06') })).toMatch('events are for ft06, not for shop');
  });
});
