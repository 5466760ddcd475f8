// The tools of the task in refund.md: a shop, a payment service, a ledger, returns and mail, whose records are in one
// JSON file (REFUND_RECORDS; default refund.records.json in the current directory), so that every effect can be seen.
// Each function keeps its idempotency key: a call that is repeated after a crash acts once.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const start = {
  orders: { 'A-1042': { paid: 89.9, days: 12, customer: 'C-77' } },
  returns: { 'R-311': { status: 'open' } },
  refunds: {},
  postings: {},
  mails: {},
  /** The number of records made so far, by kind: no id is used twice. */
  made: {},
  /** The answers by tool and idempotency key. */
  answers: {},
};

/** The tools, with their records in the file. */
export function createTools() {
  const file = process.env.REFUND_RECORDS ?? 'refund.records.json';
  const load = () =>
    existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : structuredClone(start);
  return toolsOver(load, (records) => {
    writeFileSync(`${file}.new`, `${JSON.stringify(records, null, 2)}\n`);
    renameSync(`${file}.new`, file);
  });
}

/** The tools with records in memory, for trials. */
export function createTrial() {
  let records = structuredClone(start);
  const tools = toolsOver(
    () => structuredClone(records),
    (changed) => {
      records = changed;
    },
  );
  // Neither the answers nor the numbers are a part of the state that an undo restores.
  const snapshot = () => ({ ...records, made: {}, answers: {} });
  return { tools, snapshot };
}

/** The tools over a function that loads all records and one that saves them. */
function toolsOver(load, save) {
  /** A change that happens once for each key. */
  const once = (name, change) => (input, call) => {
    const records = load();
    const key = `${name} ${call.idempotencyKey}`;
    if (Object.hasOwn(records.answers, key)) return records.answers[key];
    const answer = change(records, input);
    records.answers[key] = answer;
    save(records);
    return answer;
  };
  return {
    'shop.get-order': ({ order }) => find(load().orders, order, 'order'),
    'payments.refund': once('refund', (records, { order, amount }) => {
      find(records.orders, order, 'order');
      return { refund: add(records, 'refund', { order, amount }) };
    }),
    'payments.cancel-refund': once('cancel', ({ refunds }, { refund }) => remove(refunds, refund)),
    'ledger.post': once('post', (records, { account, order, amount }) => {
      return { posting: add(records, 'posting', { account, order, amount }) };
    }),
    'ledger.void': once('void', ({ postings }, { posting }) => remove(postings, posting)),
    'returns.set-status': once('status', ({ returns }, { return: id, status }) => {
      const found = find(returns, id, 'return');
      const answer = { previousStatus: found.status };
      found.status = status;
      return answer;
    }),
    'mail.send': once('mail', (records, { to, subject, order, amount }) => {
      return { mail: add(records, 'mail', { to, subject, order, amount }) };
    }),
  };
}

function find(records, id, kind) {
  if (Object.hasOwn(records, id)) return records[id];
  throw Object.assign(new Error(`there is no ${kind} ${id}`), { code: 'NotFound' });
}

/** Adds a record of a kind, such as `refund` to `refunds`, and returns its id. */
function add(records, kind, record) {
  records.made[kind] = (records.made[kind] ?? 0) + 1;
  const id = `${kind}-${records.made[kind]}`;
  records[`${kind}s`][id] = record;
  return id;
}

/** Removing twice is removing once. */
function remove(records, id) {
  delete records[id];
  return {};
}
