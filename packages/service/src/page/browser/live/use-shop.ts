import { monotonicSeconds } from '@alas-jssp/core/clock';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type FeedState, type FollowedShop, openShopFeed, type ShopFeed } from './shop-feed.js';

const NOTHING_YET: FeedState = { shop: null, connection: 'opening', problem: null };

/** The current state of a shop, updated while it is shown. */
export function useShop(id: string): FeedState & { readonly refresh: () => void } {
  const [news, setNews] = useState(NOTHING_YET);
  const feed = useRef<ShopFeed | null>(null);
  useEffect(() => {
    setNews(NOTHING_YET);
    feed.current = openShopFeed(id, setNews);
    return () => feed.current?.stop();
  }, [id]);
  return { ...news, refresh: () => feed.current?.refresh() };
}

/** The current time of a shop, in its unit; without a clock that of the last event. */
function timeOf({ state, came }: FollowedShop): number {
  const { now_units, clock, time_scale, status } = state;
  if (clock === null || status !== 'open') return now_units;
  const seconds = (monotonicSeconds() - came) * clock.speed;
  return now_units + Math.max(0, Math.floor(seconds / (time_scale?.unit ?? 1)));
}

/** The current time of a shop, updated when it changes. */
export function useNow(shop: FollowedShop | null): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (shop === null) return;
    const update = () => setNow(timeOf(shop));
    update();
    const timer = setInterval(update, 500);
    return () => clearInterval(timer);
  }, [shop]);
  return shop === null ? 0 : Math.max(now, shop.state.now_units);
}
