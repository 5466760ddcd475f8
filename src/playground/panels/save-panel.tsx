import { useState } from 'preact/hooks';
import {
  createCertificate,
  packageVersion,
  writeInstanceJson,
  writePlanCsv,
  writePlanJson,
} from '../../browser/index.js';
import { ganttSvg } from '../../report/chart/gantt-svg.js';
import type { ShopVerdict } from '../model/judge-shop.js';
import type { PlayState } from '../model/play-state.js';
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
        <FileButtons playground={playground} verdict={verdict} />
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
      {state.now !== null && (
        <p class="quiet">
          After an event, the plan fits this shop with its downtimes, not the shop of the beginning:
          save both.
        </p>
      )}
      <p class="quiet">
        The link holds everything after its #, and no server sees it: this page has none, and works
        from disk.
      </p>
    </section>
  );
}

/** A file that a button saves. */
interface SavedFile {
  readonly label: string;
  /** The end of the file's name; the begin is that of the shop. */
  readonly ending: string;
  readonly type: string;
  make(): string;
}

function FileButtons({ playground, verdict }: Props) {
  const { state, setNotice } = playground;
  const name = state.instance.name.replaceAll(/[^\w.-]+/g, '-');
  const save = ({ ending, type, make }: SavedFile) => {
    try {
      download(`${name}.${ending}`, type, make());
    } catch (error) {
      setNotice({ tone: 'error', text: wordsOfError(error) });
    }
  };
  return filesOf(state, verdict).map((file) => (
    <button key={file.label} type="button" onClick={() => save(file)}>
      {file.label}
    </button>
  ));
}

function filesOf({ instance, candidate, now }: PlayState, verdict: ShopVerdict): SavedFile[] {
  const json = 'application/json';
  const files = [
    {
      label: 'Shop (JSON)',
      ending: 'json',
      type: json,
      make: () => writeInstanceJson(instance),
    },
    {
      label: 'Plan (JSON)',
      ending: 'plan.json',
      type: json,
      make: () => writePlanJson(candidate, { shop: instance, instance: instance.name }),
    },
    {
      label: 'Plan (CSV)',
      ending: 'plan.csv',
      type: 'text/csv',
      make: () => writePlanCsv(candidate, { shop: instance }),
    },
    {
      label: 'Picture (SVG)',
      ending: 'svg',
      type: 'image/svg+xml',
      make: () => ganttSvg(verdict.view, now === null ? {} : { now }),
    },
  ];
  if (verdict.schedule === null) return files;
  return files.concat({
    label: 'Certificate',
    ending: 'certificate.json',
    type: json,
    make: () => certificate(verdict),
  });
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
