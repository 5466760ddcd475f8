import { useMemo, useState } from 'preact/hooks';
import type { ChartPlace } from '../report/page/browser/gantt/scene.js';
import { downtimeColumns } from '../report/page/views/schedule-view.js';
import { ChartStage } from './chart/chart-stage.js';
import type { DroppedOperation } from './chart/use-order-drag.js';
import { Hero } from './hero.js';
import { handleEvent } from './model/handle-event.js';
import { judgeShop } from './model/judge-shop.js';
import { movedState } from './model/move-operation.js';
import { repairWrongPlan } from './model/repair-plan-step.js';
import { breakdownEvent, suggestBreakdown } from './model/suggest-event.js';
import { PageHead } from './page-head.js';
import { EventBar } from './panels/event-bar.js';
import { InstancePanel } from './panels/instance-panel.js';
import { PlanPanel } from './panels/plan-panel.js';
import { SavePanel } from './panels/save-panel.js';
import { StoryPanel } from './panels/story-panel.js';
import { VerdictTiles } from './panels/verdict-tiles.js';
import { useDraft } from './use-draft.js';
import { usePlayground } from './use-playground.js';
import { useSearch } from './use-search.js';

/** The whole page. */
export function App() {
  const playground = usePlayground();
  const { history, notice, isBusy, change, setNotice } = playground;
  const search = useSearch(playground);
  const state = search.shown ?? playground.state;
  const verdict = useMemo(() => judgeShop(state), [state]);
  const planned = useMemo(() => downtimeColumns(history[0].instance), [history[0]]);
  const [selected, setSelected] = useState(-1);
  const [showsMoves, setShowsMoves] = useState(true);
  const now = state.now ?? 0;
  const { draft, setDraft } = useDraft(verdict.view.makespan, now, history[0]);

  const act: typeof change = (next) => {
    setSelected(-1);
    setShowsMoves(true);
    setDraft({ ...draft, isTouched: false });
    return change(next);
  };
  const breakMachine = () => {
    const { schedule } = verdict;
    if (schedule === null) return;
    const wish = suggestBreakdown(schedule, now, history.length - 1);
    void act((before) => handleEvent(before, breakdownEvent(wish), wish.from));
  };
  const place = ({ machine, time }: ChartPlace) => {
    setNotice(null);
    const from = time ?? Math.max(now, draft.from);
    setDraft({ ...draft, kind: 'breakdown', machine, from, isTouched: true });
  };
  const drop = ({ operation, outcome }: DroppedOperation) => {
    if (outcome.schedule === null) return setNotice({ tone: 'error', text: outcome.words });
    const { schedule } = outcome;
    void act((before) => movedState(before, schedule, operation));
  };
  const isWished = draft.isTouched && draft.kind === 'breakdown' && !search.isRunning;
  return (
    <>
      <PageHead />
      <main>
        <Hero
          state={state}
          verdict={verdict}
          isBusy={isBusy || search.isRunning}
          canUndo={history.length > 1}
          onBreak={breakMachine}
          onRepair={() => void act(repairWrongPlan)}
          onUndo={() => {
            setSelected(-1);
            playground.undo();
          }}
        />
        <VerdictTiles state={state} verdict={verdict} />
        <section class="stage" aria-label="Chart">
          <EventBar
            draft={draft}
            setDraft={setDraft}
            schedule={verdict.schedule}
            now={now}
            isBusy={isBusy || search.isRunning}
            report={(event, at) => void act((before) => handleEvent(before, event, at))}
          />
          <p
            class={`notice ${notice?.tone ?? ''}`}
            role={notice?.tone === 'error' ? 'alert' : 'status'}
          >
            {notice?.text}
          </p>
          <ChartStage
            state={state}
            verdict={verdict}
            planned={planned}
            wish={isWished ? draft : null}
            selected={selected}
            onSelect={setSelected}
            onPlace={place}
            onDrop={drop}
            showsMoves={showsMoves}
            setShowsMoves={setShowsMoves}
          />
        </section>
        <StoryPanel state={state} verdict={verdict} selected={selected} onSelect={setSelected} />
        <div class="panels">
          <InstancePanel
            instanceName={history[0].instance.name}
            open={(make) => {
              setSelected(-1);
              setDraft({ ...draft, isTouched: false });
              playground.open(make);
            }}
          />
          <PlanPanel playground={{ ...playground, change: act }} search={search} />
          <SavePanel playground={playground} verdict={verdict} />
        </div>
      </main>
      <footer>
        alas-jssp: plans from anywhere, judged by a validator that trusts nobody, repaired where
        they break. Everything on this page runs in your browser.
      </footer>
    </>
  );
}
