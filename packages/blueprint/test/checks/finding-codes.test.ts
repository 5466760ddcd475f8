import { expect, it } from 'vitest';
import { type BadDraft, codesAfter, findingsAfter } from './bad-draft.js';

type Case = readonly [codes: string, change: (bad: BadDraft) => void];

const compiling: readonly Case[] = [
  ['wrong_node', (bad) => (bad.details('ticket').id = 'tickets')],
  ['bad_approval', (bad) => (bad.details('mail').approval = 'mail {to}')],
  ['bad_catch', (bad) => (bad.details('letter').catch = [{ errors: ['*'] }])],
  [
    'bad_catch',
    (bad) => {
      bad.template.nodes.push(bad.computing('apologise'));
      bad.details('letter').catch = [{ errors: ['*'], to: 'apologise', times: 2 }];
    },
  ],
  ['bad_edge', (bad) => (bad.edge('ticket', 'refund').when = '$input.x = 1')],
  ['constant_in_choice', (bad) => (bad.details('eligible').input.limit = { value: 30 })],
  ['work_in_choice', (bad) => (bad.details('eligible').approval = 'decide')],
  ['item_without_loop', (bad) => (bad.details('decline').input.order = 'item.order')],
  [
    'outside_of_item',
    (bad) => {
      bad.specification.inputs.push({
        name: 'copies',
        type: 'list',
        items: { text: 'string' },
        description: 'Copies.',
        example: [],
      });
      const copy = bad.computing('copy');
      copy.details.forEach = 'input.copies';
      copy.details.input = { order: 'input.order' };
      bad.insert(copy, 'order', 'eligible');
    },
  ],
  ['bad_schema', (bad) => (bad.details('decline').output = { type: 'thing' })],
  ['bad_schema', (bad) => (bad.tool('mail.send').output = { required: 'mail' })],
  ['unknown_tool', (bad) => (bad.details('order').tool = 'shop.read')],
];

const operations: readonly Case[] = [
  ['output_missing', (bad) => delete bad.details('decline').output],
  ['operation_not_performed', (bad) => (bad.node('decline').operation = null)],
  ['unknown_operation', (bad) => (bad.node('checkLetter').operation = 'checkLetter')],
  [
    'effect_without_operation operation_not_performed',
    (bad) => (bad.node('ticket').operation = null),
  ],
  ['wrong_work', (bad) => (bad.operation('draftLetter').access = 'read')],
  ['access_mismatch', (bad) => (bad.operation('refundPayment').access = 'read')],
  ['access_mismatch', (bad) => (bad.operation('refundPayment').access = 'irreversible')],
  ['access_mismatch', (bad) => (bad.operation('sendMail').access = 'change')],
  [
    'tool_of_other_system',
    (bad) => {
      bad.tool('payments.refund').system = 'bank';
      bad.tool('payments.reverse').system = 'bank';
    },
  ],
];

const roles: readonly Case[] = [
  ['unknown_role', (bad) => (bad.node('decline').role = 'boss')],
  ['unknown_role', (bad) => (bad.node('decline').role = null)],
  ['capability_missing', (bad) => (bad.role('sender').capabilities = [])],
  [
    'capability_missing',
    (bad) => {
      bad.tool('payments.reverse').capability = 'payments:reverse';
    },
  ],
  ['model_may_change', (bad) => bad.role('writer').capabilities.push('mail:send')],
  ['duplicate_role', (bad) => bad.template.roles.push(structuredClone(bad.role('writer')))],
  ['shared_role reviewer_not_validator', (bad) => (bad.node('checkLetter').role = 'writer')],
  ['reviewer_not_validator', (bad) => (bad.node('checkLetter').role = 'clerk')],
];

const inputs: readonly Case[] = [
  ['input_missing', (bad) => delete bad.details('ticket').input.subject],
  ['input_unknown', (bad) => (bad.details('ticket').input.urgent = { value: true })],
  ['input_misfit', (bad) => (bad.details('ticket').input.subject = { value: 5 })],
  ['input_misfit', (bad) => (bad.details('ticket').input.subject = 'input.amount')],
  ['unknown_key', (bad) => (bad.details('letter').input.order = 'input.orders')],
  [
    'input_from_later reference_not_before',
    (bad) => (bad.details('letter').input.order = 'outputs.mail.mail'),
  ],
  ['unknown_reference', (bad) => (bad.details('letter').input.order = 'outputs.nothing.id')],
  [
    'input_may_be_missing',
    (bad) => {
      bad.template.nodes.push(bad.computing('end'));
      bad.template.edges.push({ from: 'mail', to: 'end', repairable: 'none' });
      bad.template.edges.push({ from: 'decline', to: 'end', repairable: 'none' });
      bad.details('end').input = { answer: 'outputs.decline.answer' };
    },
  ],
  [
    'not_a_list',
    (bad) => {
      const each = bad.computing('each');
      each.details.forEach = 'input.order';
      bad.insert(each, 'order', 'eligible');
    },
  ],
];

const undos: readonly Case[] = [
  ['policy_missing undo_missing', (bad) => bad.template.undo.splice(1, 1)],
  ['undo_missing', (bad) => bad.template.undo.splice(0, 1)],
  ['undo_twice', (bad) => bad.template.undo.push(structuredClone(bad.undo('ticket')))],
  [
    'undo_of_unknown_node',
    (bad) => bad.template.undo.push({ ...structuredClone(bad.undo('ticket')), node: 'tickets' }),
  ],
  ['undo_empty', (bad) => (bad.undo('ticket').sequence = [])],
  [
    'undo_impossible',
    (bad) => {
      Object.assign(bad.undo('mail'), { strategy: 'escalate' });
    },
  ],
  [
    'irreversible_not_held irreversible_too_early undo_given_up undo_possible',
    (bad) => {
      Object.assign(bad.undo('ticket'), { strategy: 'irreversible', sequence: [] });
    },
  ],
  [
    'capability_missing undo_needless',
    (bad) => (bad.undo('mail').sequence = bad.undo('ticket').sequence),
  ],
  ['undo_unknown_tool', (bad) => (bad.undo('ticket').sequence[0].tool = 'desk.close')],
  ['undo_not_inverse', (bad) => (bad.undo('ticket').sequence[0].input.ticket = 'input.order')],
  ['undo_bad_source', (bad) => (bad.undo('ticket').sequence[0].input.ticket = 'output.id')],
  ['undo_input_missing', (bad) => (bad.undo('ticket').sequence[0].input = {})],
  [
    'undo_input_unknown',
    (bad) => (bad.undo('ticket').sequence[0].input.reason = { value: 'mistake' }),
  ],
  ['undo_input_misfit', (bad) => (bad.undo('refund').sequence[0].input.refund = 'output.amount')],
  ['undo_not_idempotent', (bad) => (bad.tool('ledger.void').idempotent = false)],
  [
    'capability_missing undo_irreversible_tool',
    (bad) => {
      const text = { value: 'We are sorry.' };
      const input = { to: text, text };
      bad.undo('ledger').sequence = [{ tool: 'mail.send', input }];
    },
  ],
  [
    'capability_missing undo_reads',
    (bad) => {
      bad.undo('ledger').sequence = [{ tool: 'shop.read-order', input: { order: 'input.order' } }];
    },
  ],
  [
    'undo_of_other_record',
    (bad) => {
      delete bad.tool('ledger.post').inverse;
      bad.undo('ledger').sequence[0].input.entry = 'input.refund';
    },
  ],
  [
    'undo_of_other_system',
    (bad) => {
      delete bad.tool('ledger.post').inverse;
      const input = { refund: 'input.refund' };
      bad.undo('ledger').sequence = [{ tool: 'payments.reverse', input }];
    },
  ],
  ['retry_not_idempotent', (bad) => (bad.tool('payments.refund').idempotent = false)],
  ['irreversible_retried', (bad) => (bad.details('mail').retry = { attempts: 2, on: ['*'] })],
  [
    'approval_missing escalation_without_approval irreversible_not_held',
    (bad) => {
      delete bad.details('mail').approval;
    },
  ],
  [
    'irreversible_too_early',
    (bad) => {
      bad.edge('ledger', 'letter').from = 'checkRefund';
      bad.edge('checkRefund', 'ledger').from = 'mail';
      bad.details('letter').input.amount = 'outputs.refund.amount';
      bad.details('checkLetter').input.amount = 'outputs.refund.amount';
    },
  ],
];

const held: readonly Case[] = [
  ['approval_shared', (bad) => (bad.details('ticket').approval = 'send the mail')],
  [
    'return_over_irreversible',
    (bad) => {
      bad.template.nodes.push(bad.computing('file'));
      bad.template.edges.push({ from: 'mail', to: 'file', repairable: 'none' });
      bad.details('file').catch = [{ errors: ['*'], backTo: 'letter', times: 1 }];
    },
  ],
  [
    'enforced_too_late',
    (bad) => {
      const holds = '$outputs.mail.mail != ""';
      bad.coverage('C5').enforced = [{ by: 'invariant', holds }];
    },
  ],
];

const reviews: readonly Case[] = [
  ['bad_review', (bad) => (bad.details('checkRefund').reviews = 'nothing')],
  [
    'bad_review coverage_of_other_node',
    (bad) => (bad.details('checkLetter').reviews = 'checkLetter'),
  ],
  ['review_without_verdict', (bad) => (bad.details('checkLetter').output = { type: 'object' })],
  ['review_reads_nothing', (bad) => (bad.details('checkLetter').input = { text: 'input.order' })],
  [
    'irreversible_too_early review_too_late',
    (bad) => {
      bad.edge('checkLetter', 'mail').from = 'letter';
    },
  ],
];

const constraints: readonly Case[] = [
  ['constraint_uncovered', (bad) => bad.template.constraintCoverage.splice(0, 1)],
  ['unknown_constraint constraint_uncovered', (bad) => (bad.coverage('C2').constraint = 'C20')],
  [
    'constraint_not_enforced',
    (bad) => (bad.coverage('C2').enforced = [{ by: 'nothing', reason: 'It is rare.' }]),
  ],
  [
    'node_missing unknown_node_in_coverage',
    (bad) => (bad.coverage('C2').enforced = [{ by: 'input', node: 'pay', holds: '$input.a = 1' }]),
  ],
  [
    'coverage_of_other_node',
    (bad) => {
      const holds = '$input.amount <= 500';
      bad.coverage('C2').enforced = [{ by: 'input', node: 'ledger', holds }];
    },
  ],
  [
    'bad_condition',
    (bad) => {
      bad.coverage('C2').enforced = [{ by: 'input', node: 'refund', holds: '$input.sum <= 500' }];
    },
  ],
  [
    'constant_condition',
    (bad) => {
      const holds = '$input.amount <= 500 or $input.amount > 500';
      bad.coverage('C2').enforced = [{ by: 'input', node: 'refund', holds }];
    },
  ],
  [
    'constant_condition',
    (bad) => (bad.coverage('C4').enforced = [{ by: 'invariant', holds: '1 = 1' }]),
  ],
  [
    'constant_condition',
    (bad) =>
      (bad.coverage('C2').enforced = [{ by: 'input', node: 'refund', holds: '$exists($input)' }]),
  ],
  [
    'constant_condition',
    (bad) => (bad.coverage('C2').enforced = [{ by: 'input', node: 'refund', holds: '[1] = [1]' }]),
  ],
  [
    'condition_of_choice',
    (bad) => {
      const holds = '$input.age <= 30';
      bad.coverage('C1').enforced = [{ by: 'input', node: 'eligible', holds }];
    },
  ],
  ['bad_guard', (bad) => (bad.edge('eligible', 'ticket').when = '$input.ages <= 30')],
  ['constant_guard', (bad) => (bad.edge('eligible', 'ticket').when = '$input.age = $input.age')],
  [
    'choice_missing',
    (bad) => (bad.coverage('C1').enforced = [{ by: 'choice', choice: 'ticket', node: 'refund' }]),
  ],
  [
    'choice_avoided',
    (bad) => bad.template.edges.push({ from: 'order', to: 'ticket', repairable: 'none' }),
  ],
  [
    'choice_without_alternative',
    (bad) => bad.template.edges.push({ from: 'decline', to: 'ticket', repairable: 'none' }),
  ],
  [
    'choice_by_default',
    (bad) => {
      const { when } = bad.edge('eligible', 'ticket');
      delete bad.edge('eligible', 'ticket').when;
      bad.edge('eligible', 'ticket').otherwise = true;
      delete bad.edge('eligible', 'decline').otherwise;
      bad.edge('eligible', 'decline').when = when;
      bad.tool('shop.read-order').output.required = ['payment', 'paid'];
    },
  ],
  ['review_missing', (bad) => (bad.coverage('C3').enforced = [{ by: 'review', node: 'refund' }])],
  [
    'order_not_kept order_turned',
    (bad) => (bad.coverage('C3').enforced = [{ by: 'order', before: 'ledger', after: 'refund' }]),
  ],
  [
    'approval_missing enforced_elsewhere',
    (bad) => (bad.coverage('C2').enforced = [{ by: 'approval', node: 'ticket' }]),
  ],
  [
    'effect_before_approval',
    (bad) => {
      const limited = bad.specification.constraints.find(({ id }) => id === 'C5');
      limited?.operations.push('postEntry');
    },
  ],
  [
    'policy_missing',
    (bad) => {
      bad.coverage('C7').enforced = [{ by: 'policy', node: 'refund', policy: 'catch' }];
    },
  ],
];

const disruptions: readonly Case[] = [
  ['disruption_unhandled', (bad) => bad.template.disruptionCoverage.splice(0, 1)],
  ['disruption_unhandled unknown_disruption', (bad) => (bad.disruption('F1').disruption = 'F9')],
  ['handler_cannot_react', (bad) => (bad.disruption('F2').handler = { by: 'resume' })],
  [
    'unknown_handler_node',
    (bad) => (bad.disruption('F1').handler = { by: 'retry', node: 'eligible' }),
  ],
  [
    'handler_of_other_node',
    (bad) => (bad.disruption('F1').handler = { by: 'retry', node: 'ledger' }),
  ],
  ['retry_missing', (bad) => delete bad.details('refund').retry],
  ['timeout_missing', (bad) => delete bad.details('refund').timeout],
  [
    'handler_of_other_codes',
    (bad) => (bad.details('refund').retry = { attempts: 3, on: ['Unavailable'] }),
  ],
  ['catch_missing', (bad) => (bad.disruption('F2').handler = { by: 'catch', node: 'ledger' })],
  [
    'handler_of_other_node',
    (bad) => (bad.disruption('F2').handler = { by: 'catch', node: 'refund' }),
  ],
  ['repair_missing', (bad) => (bad.disruption('F2').handler = { by: 'repair', node: 'decline' })],
  [
    'repair_without_edges repairer_of_other_kind',
    (bad) => {
      bad.disruption('F2').handler = { by: 'repair', node: 'decline' };
      bad.details('decline').repair = { primitives: ['time'], maxEdits: 2 };
    },
  ],
  [
    'escalation_without_approval',
    (bad) => (bad.disruption('F2').handler = { by: 'escalate', node: 'ledger' }),
  ],
  ['unknown_neighbour node_missing', (bad) => bad.disruption('F1').neighbourhood.push('bank')],
  ['neighbourhood_elsewhere', (bad) => (bad.disruption('F1').neighbourhood = ['ledger'])],
  [
    'neighbourhood_unbounded',
    (bad) => (bad.disruption('F1').neighbourhood = bad.template.nodes.map(({ id }) => id)),
  ],
];

const routes: readonly Case[] = [
  [
    'catch_skips_effect',
    (bad) => {
      bad.insert(bad.computing('note'), 'ticket', 'refund');
      bad.details('ticket').catch = [{ errors: ['*'], to: 'note' }];
    },
  ],
  [
    'ends_early',
    (bad) => {
      const apology = bad.computing('apologise');
      bad.template.nodes.push(apology, bad.computing('tell'));
      bad.node('tell').operation = 'declineRefund';
      bad.template.edges.push({ from: 'apologise', to: 'tell', repairable: 'none' });
      bad.details('mail').catch = [{ errors: ['Unavailable'], to: 'apologise' }];
    },
  ],
];

const contexts: readonly Case[] = [
  ['sees_not_before', (bad) => bad.details('letter').sees.push('mail')],
  ['sees_not_before', (bad) => bad.details('letter').sees.push('nothing')],
  ['not_retained', (bad) => (bad.details('letter').sees = [])],
  ['context_drops', (bad) => (bad.role('writer').context.keeps = ['constraints'])],
  ['context_drops', (bad) => (bad.role('writer').context.keeps = ['dependencies'])],
  ['context_too_small', (bad) => (bad.role('writer').context.tokens = 5)],
];

const cases = [
  ...compiling,
  ...operations,
  ...roles,
  ...inputs,
  ...undos,
  ...held,
  ...reviews,
  ...constraints,
  ...disruptions,
  ...routes,
  ...contexts,
];

it.each(cases)('%s is found', (codes, change) => {
  expect(codesAfter(change)).toEqual(codes.split(' ').sort());
});

it.each([
  ['send the mail', ['send the mail {input.text}']],
  // A key that is equal for all items does not name the item.
  ['send the mail {input.subject}', ['send the mail {input.subject} {input.text}']],
  ['send the mail {input.text}', []],
])('needs an approval for each item of an irreversible loop: %s', (approval, proposed) => {
  const findings = findingsAfter((bad) => {
    const mail = bad.details('mail');
    mail.forEach = 'input.copies';
    mail.input = { subject: { value: 'Refund' }, text: 'item.text' };
    mail.approval = approval;
  }).filter(({ code }) => code === 'approval_of_all_items');
  expect(findings).toMatchObject(
    proposed.map((name) => ({
      part: 'node/mail',
      severity: 'error',
      hint: expect.stringContaining(JSON.stringify(name)),
    })),
  );
});
