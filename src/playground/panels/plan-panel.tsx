import { useState } from 'preact/hooks';
import { makePlan, planMethods, readPlanText, withFaults } from '../model/make-plan.js';
import { acceptPlan, withPlan } from '../model/open-shop.js';
import { type PlayState, validSchedule } from '../model/play-state.js';
import type { Playground } from '../use-playground.js';
import type { LiveSearch } from '../use-search.js';
import { SelectBox } from './fields.js';
import { OptimizeBox } from './optimize-box.js';
import { TextSource } from './text-source.js';

interface Props {
  readonly playground: Playground;
  readonly search: LiveSearch;
}

/** The ways to get a plan: a rule, the optimizer, or a text from elsewhere. */
export function PlanPanel({ playground, search }: Props) {
  const { state, change } = playground;
  const [method, setMethod] = useState('best');
  const methods = planMethods(state.instance);
  const known = methods.some(({ id }) => id === method) ? method : 'best';
  return (
    <section class="card" aria-labelledby="plan-title">
      <h2 id="plan-title">2 · Get a plan</h2>
      <div class="row">
        <SelectBox
          label="Method"
          value={known}
          options={methods.map(({ id, words }) => [id, words] as const)}
          onChange={setMethod}
        />
        <button type="button" onClick={() => void change((before) => planned(before, known))}>
          Make the plan
        </button>
      </div>
      <OptimizeBox playground={playground} search={search} />
      <div class="row">
        <button type="button" onClick={() => void change(spoiled)}>
          Put faults into the plan
        </button>
        <span class="quiet">The mistakes that language models make, to judge and to repair.</span>
      </div>
      <details>
        <summary>Paste or drop a plan</summary>
        <TextSource
          label="Plan"
          hint="JSON or CSV with job, step, machine, start and end: from a solver, a spreadsheet or a language model."
          placeholder={'job,step,machine,start,end\n1,1,0,0,3'}
          action="Judge this plan"
          use={(text, file) => {
            const plan = readPlanText(text, state.instance, file);
            const candidate = acceptPlan(state.instance, plan);
            void change((before) =>
              withPlan(before, candidate, {
                title: 'Read a plan',
                sentence: `The text has ${plan.entries.length} entries. The validator judged them against the instance alone.`,
              }),
            );
          }}
        />
      </details>
    </section>
  );
}

function planned(state: PlayState, method: string): PlayState {
  const schedule = makePlan(state.instance, method);
  return withPlan(state, schedule, {
    title: 'Made a plan',
    sentence: `The plan ends at ${schedule.makespan}.`,
  });
}

function spoiled(state: PlayState): PlayState {
  const schedule = validSchedule(state) ?? makePlan(state.instance, 'best');
  return withPlan(state, acceptPlan(state.instance, withFaults(schedule)), {
    title: 'Put faults into the plan',
    sentence: 'Starts, a duration and a machine are wrong now, and one operation is missing.',
  });
}
