// The workflow of refund-saga.mjs: five steps, each with what undoes it beside it.
import { defineWorkflow, step } from '@alas-jssp/workflow';
import * as z from 'zod';
import { recordsAt } from './booking-service.mjs';

export const kinds = ['refund', 'ticket', 'ledger', 'confirmation'];

// The saga begins here.
const Request = z.object({ order: z.string(), amount: z.number(), days: z.number() });
const Order = Request.omit({ days: true });
const Entry = z.object({ ref: z.string() });
const retry = { maxAttempts: 3, retryOn: ['Busy', 'Lost', 'Interrupted'] };
const backoff = { mode: 'fixed', base: 0.01 };
const eligible = step('eligibility', { input: Request, output: Order, kind: 'pure', run: judge });

const refundSaga = ({ refunds, tickets, ledger, mail }) => {
  const call = { input: Order, output: Entry, retry, backoff, externalRef: ({ ref }) => ref };
  const refund = step('refund', { ...call, run: refunds.create, undo: refunds.cancel });
  const ticket = step('ticket', { ...call, run: tickets.create, undo: tickets.cancel });
  const entry = step('ledger', { ...call, run: ledger.create, undo: ledger.cancel });
  const mailing = step('confirmation', { ...call, run: mail.create, effect: 'irreversible' });
  return defineWorkflow('refund', { input: Request }, (flow, request) => {
    const order = flow.step(eligible, request);
    flow.step(refund, order);
    flow.step(ticket, order);
    flow.step(entry, order);
    return flow.step(mailing, order);
  });
};
// The saga ends here.

function judge({ order, amount, days }) {
  if (days > 30) throw Object.assign(new Error('it is too late'), { code: 'NotEligible' });
  return { order, amount };
}

/**
 * The saga with the services at an address.
 *
 * @param {string} url
 * @param {string} [hasty] the step that waits for a moment only
 */
export function refundAt(url, hasty) {
  const [refunds, tickets, ledger, mail] = kinds.map((kind) => {
    const { handler, compensator } = recordsAt(url, kind);
    return { create: handler.run, cancel: compensator.run };
  });
  const saga = refundSaga({ refunds, tickets, ledger, mail });
  // The workflow is plain JSON, until it has run.
  if (hasty !== undefined) saga.workflow.policies[hasty].timeout = { seconds: 0.3 };
  return saga;
}
