import { routeTo } from 'alas-jssp/page/parts';
import { useEffect, useState } from 'preact/hooks';
import type { Caller } from '../../api/common.js';
import type { ListedShop } from '../../api/shop-schemas.js';
import { type AnswerProblem, ask } from './live/requests.js';
import { asProblem, mayDo } from './live/shop-feed.js';
import { PageSettings } from './parts/page-settings.js';
import { ProblemBox } from './parts/problem-box.js';
import { texts } from './texts.js';

interface Props {
  /** Whether the page opens the only shop directly. */
  readonly opensOnly: boolean;
  /** Called if the service refuses a request without a valid token. */
  readonly onRefusal: (problem: AnswerProblem) => void;
}

/** Seconds between two updates of the list. */
const LOOK_AGAIN = 5;

/** The shops of the service, each a link to its page. */
export function ShopList({ opensOnly, onRefusal }: Props) {
  const [shops, setShops] = useState<readonly ListedShop[] | null>(null);
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [session, setSession] = useState<Caller | null>(null);
  const words = texts.shops;
  useEffect(() => {
    const gone = new AbortController();
    const look = async () => {
      try {
        const listed = await ask<readonly ListedShop[]>('shops', { signal: gone.signal });
        const [only] = listed;
        if (
          opensOnly &&
          listed.length === 1 &&
          only.status !== 'unavailable' &&
          only.status !== 'quarantined'
        ) {
          location.replace(routeTo('shop', only.id));
          return;
        }
        setShops(listed);
        setProblem(null);
      } catch (error) {
        if (gone.signal.aborted) return;
        const found = asProblem(error);
        if (found.status === 401) onRefusal(found);
        else setProblem(found);
      }
    };
    void look();
    ask<Caller>('session', { signal: gone.signal }).then(setSession, () => {});
    const timer = setInterval(look, LOOK_AGAIN * 1000);
    return () => {
      clearInterval(timer);
      gone.abort();
    };
  }, []);
  return (
    <>
      <header class="page-head">
        <h1>{texts.title}</h1>
        <PageSettings />
      </header>
      <main>
        <h2>{words.heading}</h2>
        {session !== null && mayDo(session, 'decide') && (
          <p>
            <a class="button" href={routeTo('import')}>
              {words.import}
            </a>
          </p>
        )}
        {problem !== null && <ProblemBox problem={problem} />}
        {shops === null && problem === null && <p class="empty">{words.opening}</p>}
        {shops?.length === 0 && <p class="empty">{words.none}</p>}
        <ul class="shops">
          {shops?.map((shop) => (
            <li key={shop.id}>
              {'trouble' in shop ? (
                <p>
                  <strong>{shop.id}</strong>
                  <span class="warn">{words.unavailable(shop.trouble)}</span>
                </p>
              ) : (
                <a href={routeTo('shop', shop.id)}>
                  <strong>{shop.id}</strong>
                  <span>{words.line(shop.machines, shop.jobs, shop.operations)}</span>
                  <span class="quiet">
                    {words.status[shop.status]}, {texts.head.version(shop.version)}
                  </span>
                  {shop.waits_for === 'approval' && <span class="warn">{words.waits}</span>}
                </a>
              )}
            </li>
          ))}
        </ul>
      </main>
    </>
  );
}
