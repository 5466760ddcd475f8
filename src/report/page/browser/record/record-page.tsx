import { useState } from 'preact/hooks';
import type { RecordDetail } from '../../views/page-data.js';
import { CompareBox, ScheduleSection, scheduleFacts } from '../gantt/schedule-section.js';
import { plannerWithMark } from '../parts/planner-mark.js';
import { Problems } from '../shell/problems.js';
import { routeTo, useRoute } from '../shell/route.js';
import { Conversation } from './conversation.js';
import { RecordFacts } from './record-facts.js';

/** A record: the results of a planner on an instance by stage, and its conversation with a model. */
export function RecordPage({ detail }: { detail: RecordDetail }) {
  const { record, stages, conversation, isExecuted, problems } = detail;
  const [, key = ''] = useRoute('');
  const [selected, setSelected] = useState(-1);
  const select = { selected, onSelect: setSelected };
  const { instance, variant, method, replicate } = record;
  const planner = plannerWithMark(record.planner, record.synthetic);
  return (
    <article>
      <h2>
        {[instance, planner, variant, ...(method === null ? [] : [method])].join(' · ')}
        {replicate > 0 && ` · replicate ${replicate}`}
      </h2>
      <Problems lines={problems} />
      <RecordFacts record={record} />
      {isExecuted && (
        <p>
          <a href={routeTo('execution', key)}>How this schedule was executed</a>
        </p>
      )}
      <Stages stages={stages} isOfModel={record.llm !== null} {...select} />
      {conversation.length > 0 && <Conversation turns={conversation} {...select} />}
      <details>
        <summary>The whole record</summary>
        <pre>{JSON.stringify(record, null, 2)}</pre>
      </details>
    </article>
  );
}

interface StagesProps {
  readonly stages: RecordDetail['stages'];
  readonly isOfModel: boolean;
  readonly selected: number;
  readonly onSelect: (operation: number) => void;
}

/** The schedule of the stage that the reader selects; initially the first repair, the most informative stage. */
function Stages({ stages, isOfModel, ...select }: StagesProps) {
  const repair = stages.findIndex(({ moves }) => moves !== null);
  const [chosen, setChosen] = useState(repair < 0 ? stages.length - 1 : repair);
  const [compares, setCompares] = useState(true);
  const stage = stages[chosen];
  if (stage === undefined) {
    const words = isOfModel ? ' (the answers of models are kept either way)' : '';
    return (
      <p class="empty">
        No schedule of this record was saved{words}: run with --save-schedules to see its stages
        here.
      </p>
    );
  }
  const { name, schedule, moves } = stage;
  return (
    <section>
      <h3>Schedule by stage</h3>
      <div class="stages">
        {stages.map((one, i) => (
          <button
            key={one.name}
            type="button"
            aria-pressed={i === chosen}
            onClick={() => setChosen(i)}
          >
            {one.name}{' '}
            <span class="quiet">{one.schedule.valid ? one.schedule.makespan : 'invalid'}</span>
          </button>
        ))}
        {moves !== null && <CompareBox of="stage" checked={compares} onChange={setCompares} />}
      </div>
      <p>
        <strong>{name}</strong>: {scheduleFacts(schedule)}
      </p>
      <ScheduleSection
        key={name}
        view={schedule}
        moves={compares ? moves : null}
        label={`${name} of ${schedule.instance}`}
        {...select}
      />
    </section>
  );
}
