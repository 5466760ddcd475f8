import { describe, expect, it } from 'vitest';
import { toWorkflow } from '../../workflow/src/index.js';
import { type ConversionTarget, convertWorkflow, TARGETS } from '../src/convert.js';
import { toHandlerMap } from '../src/mapping.js';
import { type FeatureNote, refuseLosses } from '../src/report.js';

const twoSteps = toWorkflow({
  schema: 'alas-jssp/workflow@1',
  name: 'parcel',
  nodes: [
    { id: 'pack', type: 'task' },
    { id: 'send', type: 'task' },
  ],
  edges: [{ from: 'pack', to: 'send' }],
  policies: { plain: { timeout: { seconds: 5 } } },
  defaultPolicy: 'plain',
});

describe('convertWorkflow', () => {
  it.each(TARGETS)(
    'refuses a workflow that the checker refuses before it writes %s',
    async (target) => {
      const loose = { ...twoSteps, defaultPolicy: undefined };
      await expect(convertWorkflow(loose, target)).rejects.toMatchObject({
        code: 'unsound_workflow',
        location: { path: '$.nodes[0]' },
      });
    },
  );

  it.each(TARGETS)('refuses to lose what is no feature before it writes %s', async (target) => {
    const wish = convertWorkflow(twoSteps, target, { allowLoss: ['jiter'] });
    await expect(wish).rejects.toMatchObject({
      code: 'unknown_feature',
      message: 'there is no feature "jiter"; did you mean jitter?',
    });
  });

  it.each([['xpdl'], ['toString'], [undefined]])('refuses the language %s', async (target) => {
    const wish = convertWorkflow(twoSteps, target as ConversionTarget);
    await expect(wish).rejects.toMatchObject({ code: 'unknown_language' });
  });

  it.each([
    ['asl', { arn: 'arn:aws:lambda:eu-west-1:1:function:send' }],
    ['argo', { image: 'registry.example/send:7' }],
    ['bpmn', { topic: 'shipping.send' }],
  ] as const)(
    'puts the places of a map into %s, and what has none goes by its name',
    async (target, place) => {
      const map = toHandlerMap({ schema: 'alas-jssp/handler-map@1', handlers: { send: place } });
      const { text } = await convertWorkflow(twoSteps, target, { map });
      expect(text).toContain(Object.values(place)[0]);
      expect(text).toContain('pack');
      expect((await convertWorkflow(twoSteps, target)).text).not.toContain(Object.values(place)[0]);
    },
  );
});

describe('refuseLosses', () => {
  const note = (feature: string, level: string, place = '') =>
    ({ feature, level, place, how: 'it has no word for it' }) as FeatureNote;
  const report = [
    note('task', 'native'),
    note('retry', 'unsupported', 'pack'),
    note('retry', 'unsupported', 'send'),
    note('jitter', 'unsupported', 'send'),
    note('roles', 'static-only'),
  ];

  it('names the first feature that is lost and its place, the others, and how to allow it', () => {
    expect(() => refuseLosses(report, 'XPDL')).toThrow(
      'pack: XPDL cannot say retry: it has no word for it (and not jitter either); leave them out, or allow the loss with --allow-loss retry,jitter',
    );
    expect(() => refuseLosses(report, 'XPDL', ['retry'])).toThrow(
      'send: XPDL cannot say jitter: it has no word for it; leave it out, or allow the loss with --allow-loss jitter',
    );
  });

  it('lets pass what is allowed by name, and what is not lost', () => {
    expect(() => refuseLosses(report, 'XPDL', ['retry', 'jitter'])).not.toThrow();
    expect(() => refuseLosses([note('task', 'emulated')], 'XPDL')).not.toThrow();
  });
});
