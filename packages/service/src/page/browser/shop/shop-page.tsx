import { useEffect, useState } from 'preact/hooks';
import type { OutcomeAnswer } from '../../../api/shop-schemas.js';
import { ExportDialog } from '../forms/export-dialog.js';
import { MoveDialog } from '../forms/move-dialog.js';
import { ReportDialog, type ReportSubject } from '../forms/report-dialog.js';
import { VersionDialog } from '../forms/version-dialog.js';
import type { WishedPlace } from '../live/move-rules.js';
import { type AnswerProblem, rememberToken } from '../live/requests.js';
import { type FollowedShop, mayDo } from '../live/shop-feed.js';
import { wordsOfShop } from '../live/shop-words.js';
import { useNow, useShop } from '../live/use-shop.js';
import { ProblemBox } from '../parts/problem-box.js';
import { texts } from '../texts.js';
import { MachineBoard } from './machine-board.js';
import { OperatorBoard } from './operator-board.js';
import { OrderList } from './order-list.js';
import { ProposalCard } from './proposal-card.js';
import { ShopChart } from './shop-chart.js';
import { ShopHead } from './shop-head.js';
import { StoryList } from './story-list.js';

interface Props {
  readonly id: string;
  /** Called if the service refuses a request without a valid token. */
  readonly onRefusal: (problem: AnswerProblem) => void;
}

/** The open dialog. */
type OpenDialog =
  | { readonly is: 'undo' | 'withdraw' | 'export' }
  | ({ readonly is: 'move' } & WishedPlace)
  | { readonly is: 'report'; readonly about: ReportSubject };

/** The page of a shop for its foreman, kept up to date. */
export function ShopPage({ id, onRefusal }: Props) {
  const { shop, connection, problem, refresh } = useShop(id);
  const now = useNow(shop);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  useEffect(() => {
    if (problem?.status !== 401) return;
    rememberToken(null);
    onRefusal(problem);
  }, [problem]);
  useEffect(() => {
    document.title = `${id} · ${texts.title}`;
  }, [id]);
  const report = (about: ReportSubject) => setDialog({ is: 'report', about });
  return (
    <>
      <ShopHead
        id={id}
        shop={shop}
        now={now}
        connection={connection}
        onReport={() => report({ kind: 'breakdown' })}
        onUndo={() => setDialog({ is: 'undo' })}
        onWithdraw={() => setDialog({ is: 'withdraw' })}
        onExport={() => setDialog({ is: 'export' })}
      />
      <main class="shop">
        {problem !== null && <ProblemBox problem={problem} />}
        {shop === null && problem === null && <p class="empty">{texts.shops.opening}</p>}
        {shop !== null && (
          <ShopFloor
            shop={shop}
            now={now}
            dialog={dialog}
            setDialog={setDialog}
            report={report}
            refresh={refresh}
          />
        )}
      </main>
    </>
  );
}

interface FloorProps {
  readonly shop: FollowedShop;
  readonly now: number;
  readonly dialog: OpenDialog | null;
  readonly setDialog: (dialog: OpenDialog | null) => void;
  readonly report: (about: ReportSubject) => void;
  readonly refresh: () => void;
}

/** The contents of a shop below its head, and the open dialog. */
function ShopFloor({ shop, now, dialog, setDialog, report, refresh }: FloorProps) {
  const [message, setMessage] = useState('');
  const [selected, setSelected] = useState(-1);
  const { state, followed } = shop;
  const words = wordsOfShop(followed, now, texts.chart);
  const say = (text: string) => {
    setMessage(text);
    refresh();
  };
  const done = { onClose: () => setDialog(null), onOutcome: (o: OutcomeAnswer) => say(textOf(o)) };
  const reporting = state.status === 'open' && mayDo(shop.session, 'report') ? report : null;
  // Starts are proposed for the followed version, so not while a proposal waits.
  const mayMove =
    state.status === 'open' && mayDo(shop.session, 'decide') && state.proposal === null;
  const move = (operation: number, start: number, machine: number) =>
    setDialog({ is: 'move', operation, start, machine });
  return (
    <>
      <p class="said" role="status">
        {message}
      </p>
      <p class="unseen" role="status">
        {state.proposal !== null &&
          texts.proposal.comes(
            texts.proposal.heading(state.proposal.moved),
            state.proposal.command,
          )}
      </p>
      {state.warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
      {state.proposal !== null && (
        <ProposalCard shop={shop} proposal={state.proposal} words={words} onAnswer={say} />
      )}
      <ShopChart
        shop={shop}
        now={now}
        words={words}
        selected={selected}
        setSelected={setSelected}
        report={reporting}
        move={mayMove ? move : null}
      />
      <div class="below">
        <div>
          <MachineBoard shop={shop} now={now} words={words} report={reporting} />
          <OperatorBoard shop={shop} now={now} words={words} report={reporting} />
          <OrderList shop={shop} now={now} words={words} select={setSelected} />
        </div>
        <StoryList shop={shop} />
      </div>
      {dialog?.is === 'report' && (
        <ReportDialog shop={shop} words={words} now={now} {...done} subject={dialog.about} />
      )}
      {dialog?.is === 'export' && <ExportDialog state={state} onClose={done.onClose} />}
      {dialog?.is === 'move' && (
        <MoveDialog
          shop={shop}
          words={words}
          now={now}
          {...done}
          operation={dialog.operation}
          start={dialog.start}
          machine={dialog.machine}
        />
      )}
      {(dialog?.is === 'undo' || dialog?.is === 'withdraw') && (
        <VersionDialog what={dialog.is} shop={shop} words={words} {...done} />
      )}
    </>
  );
}

/** The outcome of a report or an undo, in a sentence. */
function textOf({ status, version, moved, reasons, skipped }: OutcomeAnswer): string {
  const { outcome } = texts;
  const why = [...skipped.map(({ reason }) => reason), ...reasons].join(' ');
  switch (status) {
    case 'committed':
      return outcome.committed(version, moved);
    case 'skipped':
    case 'failed':
      return `${outcome[status]} ${why}`;
    default:
      return outcome[status];
  }
}
