import { routeTo } from 'alas-jssp/page/parts';
import { rememberedToken, rememberToken } from '../live/requests.js';
import { type Connection, type FollowedShop, mayDo } from '../live/shop-feed.js';
import { wordsOfShop } from '../live/shop-words.js';
import { PageSettings } from '../parts/page-settings.js';
import { texts } from '../texts.js';

interface Props {
  readonly id: string;
  readonly shop: FollowedShop | null;
  readonly now: number;
  readonly connection: Connection;
  readonly onReport: () => void;
  readonly onUndo: () => void;
  readonly onWithdraw: () => void;
  readonly onExport: () => void;
}

/** The head of a shop: its time, its version, the state of the connection, and the actions. */
export function ShopHead({ id, shop, now, connection, ...does }: Props) {
  const { onReport, onUndo, onWithdraw, onExport } = does;
  const { head } = texts;
  const state = shop?.state;
  const isOpen = state?.status === 'open';
  const may = (what: 'report' | 'decide') => shop !== null && mayDo(shop.session, what);
  return (
    <header class="shop-head">
      <a href={routeTo('shops')} aria-label={texts.shops.all}>
        ‹
      </a>
      <h1>{id}</h1>
      {shop !== null && <Facts shop={shop} now={now} />}
      <span class={`connection ${connection}`} role="status">
        {texts.connection[connection]}
      </span>
      {shop !== null && !may('decide') && (
        <span class="quiet">{texts.session.limits(shop.session)}</span>
      )}
      <span class="actions">
        {may('report') && (
          <button type="button" class="main-button" disabled={!isOpen} onClick={onReport}>
            {head.report}
          </button>
        )}
        {may('report') && (
          <button type="button" disabled={!isOpen || state.version < 2} onClick={onWithdraw}>
            {head.withdraw}
          </button>
        )}
        {may('decide') && (
          <button type="button" disabled={!isOpen || state.version < 2} onClick={onUndo}>
            {head.undo}
          </button>
        )}
        {shop !== null && (
          <button type="button" onClick={onExport}>
            {head.export}
          </button>
        )}
        <PageSettings />
        {rememberedToken() !== null && <SignOut name={shop?.session.name ?? ''} />}
      </span>
    </header>
  );
}

function Facts({ shop: { state, followed }, now }: { shop: FollowedShop; now: number }) {
  const { head } = texts;
  const words = wordsOfShop(followed, now, texts.chart);
  return (
    <>
      <strong class="clock">
        {words.scale === null ? `${head.now} ${now}` : words.dayAndTime(now)}
      </strong>
      <span class="quiet facts">
        {head.version(state.version)}, {head.ends(words.time(followed.makespan))}
      </span>
      {state.late.length > 0 && <strong class="warn">{head.late(state.late.length)}</strong>}
    </>
  );
}

function SignOut({ name }: { name: string }) {
  const leave = () => {
    rememberToken(null);
    location.reload();
  };
  return (
    <button type="button" class="quiet" onClick={leave} title={name}>
      {texts.token.forget}
    </button>
  );
}
