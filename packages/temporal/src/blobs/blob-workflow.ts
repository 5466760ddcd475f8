/**
 * Stores a piece of a value that is too large for a payload: the input holds it, and readers take
 * it from the history. The workflow is started with a delay as long as the piece is kept, so that
 * no worker sees it before; its first step is its last.
 */
export async function alasBlob(_piece: Uint8Array): Promise<void> {}
