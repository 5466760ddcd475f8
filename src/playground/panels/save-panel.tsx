import { useState } from 'preact/hooks';
import {
  createCertificate,
  packageVersion,
  writePlanCsv,
  writePlanJson,
} from '../../browser/index.js';
import { ganttSvg } from '../../report/chart/gantt-svg.js';
import type { ShopVerdict } from '../model/judge-shop.js';
import { shopHash } from '../model/share-link.js';
import type { Playground } from '../use-playground.js';
import { wordsOfError } from '../use-playground.js';

interface Props {
  readonly playground: Playground;
  readonly verdict: ShopVerdict;
}

/** The ways to keep a plan: a link, files, and a picture. */
export function SavePanel({ playground, verdict }: Props) {
  const { state, history, setNotice } = playground;
  const [link, setLink] = useState('');
  const { instance, candidate, now } = state;
  const name = instance.name.replaceAll(/[^\w.-]+/g, '-');
  const save = (file: string, type: string, make: () => string) => {
    try {
      download(file, type, make());
    } catch (error) {
      setNotice({ tone: 'error', text: wordsOfError(error) });
    }
  };
  const share = async () => {
    try {
      const hash = await shopHash(history);
      const address = `${location.href.split('#')[0]}${hash}`;
      setLink(address);
      const text = (await copied(address))
        ? 'The link is in the clipboard.'
        : 'Copy the link below.';
      setNotice({ tone: 'info', text });
    } catch (error) {
      setLink('');
      setNotice({ tone: 'error', text: wordsOfError(error) });
    }
  };
  return (
    <section class="card" aria-labelledby="save-title">
      <h2 id="save-title">3 · Share it</h2>
      <div class="row">
        <button type="button" class="strong" onClick={() => void share()}>
          Copy a link
        </button>
        <button
          type="button"
          onClick={() =>
            save(`${name}.plan.json`, 'application/json', () =>
              writePlanJson(candidate, { shop: instance, instance: instance.name }),
            )
          }
        >
          Plan (JSON)
        </button>
        <button
          type="button"
          onClick={() =>
            save(`${name}.plan.csv`, 'text/csv', () => writePlanCsv(candidate, { shop: instance }))
          }
        >
          Plan (CSV)
        </button>
        <button
          type="button"
          onClick={() =>
            save(`${name}.svg`, 'image/svg+xml', () =>
              ganttSvg(verdict.view, now === null ? {} : { now }),
            )
          }
        >
          Picture (SVG)
        </button>
        {verdict.schedule !== null && (
          <button
            type="button"
            onClick={() =>
              save(`${name}.certificate.json`, 'application/json', () => certificate(verdict))
            }
          >
            Certificate
          </button>
        )}
      </div>
      {link !== '' && (
        <label class="field">
          <span>Link to this shop</span>
          <input
            type="text"
            readOnly
            value={link}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </label>
      )}
      <p class="quiet">
        The link holds everything after its #, and no server sees it: this page has none, and works
        from disk.
      </p>
    </section>
  );
}

function certificate({ schedule, lower }: ShopVerdict): string {
  if (schedule === null) return '';
  const createdWith = { package: 'alas-jssp playground', version: packageVersion() };
  return `${JSON.stringify(createCertificate(schedule, { lowerBound: lower, createdWith }), null, 2)}\n`;
}

function download(file: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = file;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Whether the clipboard took a text: it may be forbidden. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
