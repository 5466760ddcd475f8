import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DetailKinds } from '../../views/page-data.js';
import { openDetail } from './contents.js';

interface Props<Kind extends keyof DetailKinds> {
  readonly kind: Kind;
  /** Key of the detail, as in the address. */
  readonly id: string;
  readonly show: (detail: DetailKinds[Kind]) => ComponentChild;
}

type State<Detail> =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly of: string; readonly detail: Detail }
  | { readonly is: 'missing' }
  | { readonly is: 'damaged'; readonly why: string };

/** A view of a detail, which is decompressed first; shows a message if it is missing or damaged. */
export function Detail<Kind extends keyof DetailKinds>({ kind, id, show }: Props<Kind>) {
  const [state, setState] = useState<State<DetailKinds[Kind]>>({ is: 'opening' });
  const route = `${kind}/${id}`;
  useEffect(() => {
    let isWanted = true;
    const settle = (next: State<DetailKinds[Kind]>) => isWanted && setState(next);
    settle({ is: 'opening' });
    openDetail(kind, id).then(
      (detail) => settle(detail === null ? { is: 'missing' } : { is: 'open', of: route, detail }),
      (error) => settle({ is: 'damaged', why: String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [kind, id]);
  // The address may have changed since this was opened.
  if (state.is === 'open' && state.of !== route) return <p class="empty">Opening …</p>;
  switch (state.is) {
    case 'opening':
      return <p class="empty">Opening …</p>;
    case 'missing':
      return (
        <p class="empty">
          This page has no {kind} of the name “{id}”.
        </p>
      );
    case 'damaged':
      return (
        <p class="empty">
          The {kind} “{id}” cannot be read ({state.why}): create the page again.
        </p>
      );
    case 'open':
      return <div key={state.of}>{show(state.detail)}</div>;
  }
}
