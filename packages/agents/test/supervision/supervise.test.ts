import {
  CASSETTE_SCHEMA,
  cancelIn,
  type Model,
  openAllowance,
  playCassette,
  type SupervisorAlert,
  supervise,
} from '@alas-jssp/agents';
import {
  createMemoryStore,
  defineWorkflow,
  type LogStore,
  runWorkflow,
  step,
} from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const model = (text = 'word') =>
  playCassette(
    {
      schema: CASSETTE_SCHEMA,
      origin: 'handwritten',
      model: null,
      answers: { a: [text] },
    },
    'test',
  );
const request = { key: 'a', messages: [{ role: 'user', content: 'Go' }] } as const;

describe('an allowance', () => {
  it('limits the tokens of several models together', async () => {
    const allowance = openAllowance({ tokens: 60 });
    const [one, two] = [model('word '.repeat(40)), model()].map(allowance.limit);
    await one.ask(request);
    await expect(two.ask(request)).resolves.toBeDefined();
    await expect(one.ask(request)).resolves.toBeDefined();
    await expect(two.ask(request)).rejects.toMatchObject({ code: 'BudgetSpent' });
    expect(allowance.spent().answers).toBe(3);
  });

  it('limits the number of requests, also of concurrent ones', async () => {
    const limited = openAllowance({ calls: 3 }).limit(model());
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map(() => limited.ask(request)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('aborts a request at its deadline', async () => {
    const never: Model = {
      name: 'never',
      ask: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const limited = openAllowance({ seconds: 0.05 }).limit(never);
    await expect(limited.ask(request)).rejects.toMatchObject({
      code: 'BudgetSpent',
      message: expect.stringContaining('0.05 s'),
    });
  });

  it('refuses a budget in dollars if the price is unknown', async () => {
    const unpriced: Model = {
      name: 'x',
      ask: async (...asked) => ({ ...(await model().ask(...asked)), usd: null, model: 'x' }),
    };
    const limited = openAllowance({ usd: 1 }).limit(unpriced);
    await expect(limited.ask(request)).rejects.toThrow(/price of x is unknown/);
  });
});

/** A saga of two bookings that can be undone. */
function trip() {
  const effects: string[] = [];
  const book = (name: string, cost: number) =>
    step(name, {
      input: z.unknown(),
      output: z.object({ cost: z.number() }),
      run: () => {
        effects.push(name);
        return { cost };
      },
      undo: () => {
        effects.push(`undo ${name}`);
      },
    });
  const steps = [book('flight', 600), book('hotel', 700), book('train', 50)];
  const { workflow, registry } = defineWorkflow('trip', { input: z.null() }, (flow, input) => {
    const [flight, hotel, train] = steps;
    return flow.step(train, flow.step(hotel, flow.step(flight, input)));
  });
  const run = async (guard: (registry: typeof registry_, store: LogStore) => typeof registry_) => {
    const store = createMemoryStore();
    const guarded = guard(registry, store);
    const result = await runWorkflow(workflow, null, { registry: guarded, store, runId: 'r' });
    return { ...result, effects };
  };
  const registry_ = registry;
  return run;
}

describe('a supervisor', () => {
  const checks = (action: 'fail' | 'stop' | 'escalate') => [
    {
      name: 'budget of the trip',
      holds: '$outputs.flight.cost + $outputs.hotel.cost <= 1000',
      action,
    },
  ];

  it('stops a run whose outputs together violate a check, and its effects are undone', async () => {
    const alerts: SupervisorAlert[] = [];
    let stopped: string | null = null;
    const result = await trip()((registry, store) => {
      const cancel = cancelIn(store, 'r');
      const supervisor = supervise({
        checks: checks('stop'),
        onAlert: (alert) => {
          alerts.push(alert);
        },
        cancel: (reason) => {
          stopped = reason;
          cancel(reason);
        },
      });
      return supervisor.guard(registry);
    });
    expect(result.status).toBe('COMPENSATED');
    expect(result.effects).toEqual(['flight', 'hotel', 'undo hotel', 'undo flight']);
    expect(alerts).toEqual([
      {
        action: 'stop',
        name: 'budget of the trip',
        message: expect.stringContaining('does not hold'),
        node: 'hotel',
      },
    ]);
    expect(stopped).toContain('budget of the trip');
  });

  it('fails the step, or notifies a person and continues', async () => {
    const failed = await trip()((registry) =>
      supervise({ checks: checks('fail') }).guard(registry),
    );
    expect(failed.error).toMatchObject({ code: 'Rejected' });
    const alerts: SupervisorAlert[] = [];
    const onAlert = (alert: SupervisorAlert) => void alerts.push(alert);
    const escalated = await trip()((registry) =>
      supervise({ checks: checks('escalate'), onAlert }).guard(registry),
    );
    expect(escalated.status).toBe('COMPLETED');
    // The sum is judged with every output that follows, too.
    expect(alerts.map(({ node }) => node)).toEqual(['hotel', 'train']);
  });

  it('keeps the validators of a registry', async () => {
    const result = await trip()((registry) => {
      const strict = { hotel: () => ({ outcome: 'reject', errors: ['never'] }) as const };
      return supervise({ checks: checks('escalate') }).guard({ ...registry, validators: strict });
    });
    expect(result.error?.message).toContain('never');
  });

  it('begins no handler after a stop, and lets effects be undone', async () => {
    const result = await trip()((registry) => {
      const supervisor = supervise({});
      const { hotel } = registry.handlers;
      const stopping = {
        ...hotel,
        run: async (...call: Parameters<typeof hotel.run>) => {
          const output = await hotel.run(...call);
          await supervisor.stop('a person said so');
          return output;
        },
      };
      const handlers = { ...registry.handlers, hotel: stopping };
      return supervisor.guard({ ...registry, handlers });
    });
    expect(result.error).toMatchObject({
      code: 'Stopped',
      message: expect.stringContaining('a person said so'),
    });
    // The train never ran; the runtime undoes every step that began.
    expect(result.effects).toEqual(['flight', 'hotel', 'undo train', 'undo hotel', 'undo flight']);
  });

  it('stops the run when the budget of its agents is spent', async () => {
    let reason = '';
    const supervisor = supervise({
      budget: { calls: 1 },
      whenSpent: 'stop',
      cancel: (why) => {
        reason = why;
      },
    });
    const [one, two] = [supervisor.watch(model()), supervisor.watch(model())];
    await one.ask(request);
    await expect(two.ask(request)).rejects.toMatchObject({ code: 'BudgetSpent' });
    expect(reason).toMatch(/budget: the budget of 1 requests is spent/);
    await expect(one.ask(request)).rejects.toMatchObject({ code: 'Stopped' });
    expect(supervisor.spent().answers).toBe(1);
  });

  it('is refused if it may have to stop and cannot', () => {
    expect(() => supervise({ whenSpent: 'stop' })).toThrow(/cannot cancel it; give `cancel`/);
    expect(() => supervise({ checks: [{ name: 'x', holds: '1 +', action: 'fail' }] })).toThrow();
  });
});
