import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';

/** What the activities of this workflow do: one answers, one fails after a heartbeat. */
export interface SecretActivities {
  answer(secret: string): Promise<string>;
  fail(secret: string): Promise<void>;
}

const once = { startToCloseTimeout: '1 minute', retry: { maximumAttempts: 1 } } as const;
const { answer, fail } = proxyActivities<SecretActivities>(once);
const local = proxyLocalActivities<SecretActivities>(once);

export const send = defineSignal<[string]>('send');
export const recall = defineQuery<string>('recall');
export const change = defineUpdate<string, [string]>('change');

/** Says secrets in every way in which a workflow can say something, and fails with one. */
export async function secrets(input: string): Promise<string> {
  let received = '';
  setHandler(send, (text) => {
    received = text;
  });
  setHandler(recall, () => received);
  setHandler(change, (text) => `${text} secret-update-result`);
  await condition(() => received !== '');
  await answer(input);
  await local.answer(input);
  const failed = await fail(input).then(
    () => '',
    (error: Error) => String(error.cause),
  );
  throw ApplicationFailure.create({
    message: `secret-message after ${failed}`,
    details: ['secret-details'],
  });
}
