import { useEffect } from 'preact/hooks';
import type { PageData } from '../../views/page-data.js';
import { ExecutionPage } from '../execution/execution-page.js';
import { FailuresPage } from '../failures/failures-page.js';
import { LogPage } from '../log/log-page.js';
import { Overview } from '../overview/overview.js';
import { RecordList } from '../overview/record-list.js';
import { RecordPage } from '../record/record-page.js';
import { SchedulePage } from '../record/schedule-page.js';
import { Boundary } from './boundary.js';
import { Detail } from './detail.js';
import { LinkList } from './link-list.js';
import { Problems } from './problems.js';
import { type Route, routeTo, useRoute } from './route.js';
import { toggleTheme } from './theme.js';

/** The page: its head with links to the available views, and the view in the address. */
export function App({ data }: { data: PageData }) {
  const route = useRoute(data.home);
  useEffect(() => scrollTo(0, 0), [route.join('/')]);
  return (
    <>
      <header class="page-head">
        <h1>{data.title}</h1>
        <Tabs data={data} route={route} />
        <button type="button" class="quiet" onClick={toggleTheme}>
          light / dark
        </button>
      </header>
      <main>
        <Problems lines={data.problems} />
        <Boundary key={route.join('/')}>
          <View data={data} route={route} />
        </Boundary>
      </main>
      <footer>Made by alas-jssp {data.version}: one file that asks no network for anything.</footer>
    </>
  );
}

/** Links to the views for which the page has data. */
function Tabs({ data, route }: { data: PageData; route: Route }) {
  const tabs = [
    { name: 'Overview', to: routeTo(), kind: undefined, shown: data.runs.length > 0 },
    { name: 'Records', to: routeTo('record'), kind: 'record', shown: data.records.length > 0 },
    {
      name: 'Failures',
      to: routeTo('failures'),
      kind: 'failures',
      shown: data.failures !== null,
    },
    {
      name: 'Executions',
      to: routeTo('execution'),
      kind: 'execution',
      shown: data.executions.length > 0,
    },
    { name: 'Logs', to: routeTo('log'), kind: 'log', shown: data.logs.length > 0 },
  ].filter(({ shown }) => shown);
  // A page with a single log opens that log.
  if (tabs.length === 0 || (tabs.length === 1 && data.logs.length < 2)) return null;
  return (
    <nav aria-label="views">
      {tabs.map(({ name, to, kind }) => (
        <a key={name} href={to} aria-current={kind === route[0] ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

function View({ data, route }: { data: PageData; route: Route }) {
  const [kind, key] = route;
  switch (kind) {
    case undefined:
      return <Overview data={data} />;
    case 'record':
      return key === undefined ? (
        <RecordList data={data} />
      ) : (
        <Detail kind="record" id={key} show={(detail) => <RecordPage detail={detail} />} />
      );
    case 'failures':
      return <FailuresPage data={data} />;
    case 'execution':
      return key === undefined ? (
        <LinkList kind="execution" links={data.executions} />
      ) : (
        <Detail kind="execution" id={key} show={(detail) => <ExecutionPage detail={detail} />} />
      );
    case 'schedule':
      return (
        <Detail
          kind="schedule"
          id={key ?? ''}
          show={(detail) => <SchedulePage detail={detail} />}
        />
      );
    case 'log':
      return key === undefined ? (
        <LinkList kind="log" links={data.logs} />
      ) : (
        <Detail kind="log" id={key} show={(detail) => <LogPage detail={detail} />} />
      );
    default:
      return (
        <p class="empty">
          There is no view of this name. <a href={routeTo()}>Go to the overview.</a>
        </p>
      );
  }
}
