import { type ChartDrag, CheckBox, GanttChart } from 'alas-jssp/page/parts';
import { useState } from 'preact/hooks';
import type { ReportSubject } from '../forms/report-dialog.js';
import { brokenTimes } from '../live/board.js';
import type { FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { useChartDrag } from '../live/use-chart-drag.js';
import { texts } from '../texts.js';

interface Props {
  readonly shop: FollowedShop;
  readonly now: number;
  readonly words: ShopWords;
  /** The selected operation, −1 for none. */
  readonly selected: number;
  readonly setSelected: (operation: number) => void;
  /** Opens a report; null if reports are not possible. */
  readonly report: ((about: ReportSubject) => void) | null;
  /** Requests the cost of a new start or machine of an operation; null if operations cannot be moved by hand. */
  readonly move: ChartDrag['drop'] | null;
}

/** The followed schedule, or the proposed one below the followed one. */
export function ShopChart({ shop, now, words, selected, setSelected, report, move }: Props) {
  const { state, followed, proposed } = shop;
  const [isWanted, setWanted] = useState(true);
  const isProposed = proposed !== null && isWanted;
  const view = isProposed ? proposed : followed;
  const shown = selected < view.machine.length ? selected : -1;
  const drag = useChartDrag({ view: followed, words, now }, (...place) => move?.(...place));
  const canMove = move !== null && !isProposed;
  const isOpen = shown >= 0 && view.end[shown] > now && !isProposed;
  return (
    <section class="chart-part">
      <GanttChart
        view={view}
        moves={isProposed && proposed.moves.moved.length > 0 ? proposed.moves : null}
        now={now}
        label={
          isProposed
            ? texts.charts.proposed(state.id)
            : texts.charts.followed(state.id, state.version)
        }
        texts={texts.chart}
        selected={shown}
        onSelect={setSelected}
        closed={shop.plan.downtimes}
        broken={brokenTimes(view, state.breakdowns)}
        firstHours={24}
        drag={canMove ? drag : null}
      >
        {proposed !== null && (
          <CheckBox
            checked={isWanted}
            onChange={(wants) => {
              setSelected(-1);
              setWanted(wants);
            }}
          >
            {texts.proposal.inChart}
          </CheckBox>
        )}
      </GanttChart>
      <div class="chart-actions">
        {isOpen && report !== null && (
          <button type="button" onClick={() => report({ kind: 'duration', operation: shown })}>
            {texts.charts.reportOn(words.operation(shown))}
          </button>
        )}
        {isOpen && canMove && drag.canMove(shown) && (
          <button type="button" onClick={() => move(shown, view.start[shown], view.machine[shown])}>
            {texts.charts.move(words.operation(shown))}
          </button>
        )}
      </div>
    </section>
  );
}
