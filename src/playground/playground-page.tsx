import { useMemo, useState } from 'preact/hooks';
import type { ChartPlace } from '../report/page/browser/gantt/scene.js';
import { downtimeColumns } from '../report/page/views/schedule-view.js';
import { ChartStage } from './chart/chart-stage.js';
import type { DroppedOperation } from './chart/use-order-drag.js';
import { Hero } from './hero.js';
import { handleEvent } from './model/handle-event.js';
import { judgeShop, type ShopVerdict } from './model/judge-shop.js';
import { movedState } from './model/move-operation.js';
import type { PlayState } from './model/play-state.js';
import { repairCandidate } from './model/repair-plan-step.js';
import { breakdownEvent, suggestBreakdown } from './model/suggest-event.js';
import { PageHead } from './page-head.js';
import { EventBar } from './panels/event-bar.js';
import { InstancePanel } from './panels/instance-panel.js';
import { PlanPanel } from './panels/plan-panel.js';
import { SavePanel } from './panels/save-panel.js';
import { StoryPanel } from './panels/story-panel.js';
import { VerdictTiles } from './panels/verdict-tiles.js';
import { useDraft } from './use-draft.js';
import { useDroppedFiles } from './use-dropped-files.js';
import { type Playground, usePlayground } from './use-playground.js';
import { type LiveSearch, useSearch } from './use-search.js';

/** The selected operation, the moves that are shown, the draft of an event, and the actions on the chart. */
function useActions(playground: Playground, verdict: ShopVerdict) {
  const { state, history, change, setNotice } = playground;
  const [selected, setSelected] = useState(-1);
  const [showsMoves, setShowsMoves] = useState(true);
  const now = state.now ?? 0;
  const { draft, setDraft } = useDraft(verdict.view.makespan, now, history[0]);
  const reset = () => {
    setSelected(-1);
    setShowsMoves(true);
    setDraft({ ...draft, isTouched: false });
  };
  const act: Playground['change'] = (next) => {
    reset();
    return change(next);
  };
  return {
    selected,
    setSelected,
    showsMoves,
    setShowsMoves,
    now,
    draft,
    setDraft,
    reset,
    act,
    breakMachine() {
      const { schedule } = verdict;
      if (schedule === null) return;
      const wish = suggestBreakdown(schedule, now, history.length - 1);
      void act((before) => handleEvent(before, breakdownEvent(wish), wish.from));
    },
    wishAt({ machine, time }: ChartPlace) {
      setNotice(null);
      const from = time ?? Math.max(now, draft.from);
      setDraft({ ...draft, kind: 'breakdown', machine, from, isTouched: true });
    },
    drop({ operation, outcome }: DroppedOperation) {
      const { schedule, words } = outcome;
      if (schedule === null) setNotice({ tone: 'error', text: words });
      else void act((before) => movedState(before, schedule, operation));
    },
  };
}

/** The whole page. */
export function PlaygroundPage() {
  const playground = usePlayground();
  useDroppedFiles(playground);
  const { history } = playground;
  const search = useSearch(playground);
  const state = search.shown ?? playground.state;
  const verdict = useMemo(() => judgeShop(state), [state]);
  const actions = useActions(playground, verdict);
  const { act, reset, selected, setSelected } = actions;
  const isBusy = playground.isBusy || search.isRunning;
  return (
    <>
      <PageHead />
      <main>
        <Hero
          state={state}
          verdict={verdict}
          isBusy={isBusy}
          canUndo={history.length > 1}
          onBreak={actions.breakMachine}
          onRepair={() => void act(repairCandidate)}
          onUndo={() => {
            reset();
            playground.undo();
          }}
        />
        <VerdictTiles state={state} verdict={verdict} />
        <Stage {...{ playground, state, verdict, actions, isBusy, search }} />
        <StoryPanel state={state} verdict={verdict} selected={selected} onSelect={setSelected} />
        <div class="panels">
          <InstancePanel
            instanceName={history[0].instance.name}
            open={(make) => {
              reset();
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

interface StageProps {
  readonly playground: Playground;
  readonly search: LiveSearch;
  readonly state: PlayState;
  readonly verdict: ShopVerdict;
  readonly actions: ReturnType<typeof useActions>;
  readonly isBusy: boolean;
}

/** The form of events, messages, and the chart. */
function Stage({ playground, search, state, verdict, actions, isBusy }: StageProps) {
  const { history, notice } = playground;
  const { draft, now, act } = actions;
  const planned = useMemo(() => downtimeColumns(history[0].instance), [history[0]]);
  const isWished = draft.isTouched && draft.kind === 'breakdown' && !search.isRunning;
  return (
    <section class="stage" aria-label="Chart">
      <EventBar
        draft={draft}
        setDraft={actions.setDraft}
        schedule={verdict.schedule}
        now={now}
        isBusy={isBusy}
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
        selected={actions.selected}
        onSelect={actions.setSelected}
        onPlace={actions.wishAt}
        onDrop={actions.drop}
        showsMoves={actions.showsMoves}
        setShowsMoves={actions.setShowsMoves}
      />
    </section>
  );
}
