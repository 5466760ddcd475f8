/** The name of the message that carries a command to a live plan. */
export const PLAN_COMMAND = 'command';

/** The step of an instant at a path: `propose` of `given[3]/repair[0]/propose`; empty outside of instants. */
export function stepOf(nodeId: string): string {
  const isInstant = nodeId.startsWith('given[') || nodeId.startsWith('living[');
  return isInstant ? nodeId.slice(nodeId.lastIndexOf('/') + 1) : '';
}

/** Whether an entry is one of those of which versions are made. */
export function makesVersions({
  eventType,
  nodeId,
}: {
  readonly eventType: string;
  readonly nodeId: string;
}): boolean {
  return (
    eventType === 'EndNode' && ['status', 'propose', 'commit', 'decline'].includes(stepOf(nodeId))
  );
}
