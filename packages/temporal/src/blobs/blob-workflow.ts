/**
 * Stores a piece of a value that is too large for a payload, as the input of a workflow: readers take it from the
 * history. The start of the workflow is delayed until the piece expires, so that no worker receives it earlier; it then
 * ends immediately.
 */
export async function alasBlob(_piece: Uint8Array): Promise<void> {}
