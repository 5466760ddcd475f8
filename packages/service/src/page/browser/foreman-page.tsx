import { Boundary, useRoute } from 'alas-jssp/page/parts';
import { useState } from 'preact/hooks';
import { ImportPage } from './import/import-page.js';
import type { AnswerProblem } from './live/requests.js';
import { ShopPage } from './shop/shop-page.js';
import { ShopList } from './shop-list.js';
import { texts } from './texts.js';
import { TokenForm } from './token-form.js';

/** The page: the list of shops, or the shop that the address names; a form if a token is needed. */
export function ForemanPage() {
  const [kind, id] = useRoute('#/');
  const [refusal, setRefusal] = useState<AnswerProblem | null>(null);
  const [entry, setEntry] = useState(0);
  if (refusal !== null) {
    const signIn = () => {
      setRefusal(null);
      setEntry(entry + 1);
    };
    return <TokenForm refusal={refusal} onToken={signIn} />;
  }
  return (
    <Boundary key={`${kind}/${id} ${entry}`} text={texts.fault}>
      {kind === 'import' && <ImportPage onRefusal={setRefusal} />}
      {kind === 'shop' && id !== undefined && <ShopPage id={id} onRefusal={setRefusal} />}
      {kind !== 'import' && (kind !== 'shop' || id === undefined) && (
        <ShopList opensOnly={kind !== 'shops'} onRefusal={setRefusal} />
      )}
    </Boundary>
  );
}
