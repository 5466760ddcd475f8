import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { find, lint } from './engine.mjs';

const document = () => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Workflow',
  metadata: { generateName: 'small-' },
  spec: {
    entrypoint: 'main',
    templates: [
      {
        name: 'main',
        dag: {
          tasks: [
            { name: 'a', template: 'step', depends: '', when: '' },
            { name: 'b', template: 'step', depends: 'a.Succeeded', when: '1 == 1' },
          ],
        },
      },
      {
        name: 'step',
        container: { image: 'busybox', args: ['{{=sprig.upper("x")}}'] },
        retryStrategy: { limit: 1, expression: 'lastRetry.message contains "Busy"' },
      },
    ],
  },
});

type Small = ReturnType<typeof document>;

/** The errors of the small document after a change. */
function errorsAfter(change: (tasks: { a: Task; b: Task }, whole: Small) => void): string {
  const whole = document();
  const [a, b] = whole.spec.templates[0].dag?.tasks ?? [];
  change({ a, b }, whole);
  return lint(stringify(whole)).errors.join('\n');
}

interface Task {
  template: string;
  depends: string;
  when: string;
}

// Each of these must be refused, or what the linter accepts would mean nothing.
describe.skipIf(find() === undefined)('the linter of Argo', () => {
  test('accepts a small document', () => {
    expect(errorsAfter(() => {})).toBe('');
  });

  test('refuses a template that is not there', () => {
    const errors = errorsAfter(({ a }) => {
      a.template = 'nobody';
    });
    expect(errors).toContain("template name 'nobody' undefined");
  });

  test('refuses tasks that wait for each other', () => {
    const errors = errorsAfter(({ a }) => {
      a.depends = 'b.Succeeded';
    });
    expect(errors).toMatch(/cycle/);
  });

  test('refuses a task that depends on one that is not there', () => {
    const errors = errorsAfter(({ b }) => {
      b.depends = 'c.Succeeded';
    });
    expect(errors).toContain('invalid dependency c');
  });

  test('refuses conditions over nothing, and conditions that cannot be read', () => {
    const nothing = errorsAfter(({ b }) => {
      b.when = '{{tasks.a.outputs.parameters.x}} == 1';
    });
    expect(nothing).toContain('failed to resolve {{tasks.a.outputs.parameters.x}}');
    const unreadable = errorsAfter(({ b }) => {
      b.when = '1 == == 2';
    });
    expect(unreadable).toContain('main.b: when "1 == == 2"');
  });

  test('refuses expressions that cannot be read', () => {
    const errors = errorsAfter((_, { spec }) => {
      const [, step] = spec.templates;
      if (step.container !== undefined) step.container.args = ['{{=1 +}}'];
      if (step.retryStrategy !== undefined)
        step.retryStrategy.expression = 'lastRetry.message contains';
    });
    expect(errors).toContain('templates.step: "1 +"');
    expect(errors).toContain('templates.step.retryStrategy');
  });

  test('refuses keys that Argo does not have', () => {
    const errors = errorsAfter(({ a }) => {
      Object.assign(a, { dependson: 'b' });
    });
    expect(errors).toContain('dependson');
  });

  test('refuses what is no workflow', () => {
    expect(lint('a: 1\n').errors).toEqual(['there is no Workflow in it']);
    const { kind: _kind, ...rest } = parse(stringify(document()));
    expect(lint(stringify(rest)).errors).toHaveLength(1);
  });
});
