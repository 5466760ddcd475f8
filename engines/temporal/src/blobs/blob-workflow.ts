/**
 * Keeps a piece of something that is too large for a payload: it stands in the input, for whoever reads the history.
 * It is started with a delay of as long as the piece is kept, so that no worker hears of it before; then its first
 * step is its last.
 */
export async function alasBlob(_piece: Uint8Array): Promise<void> {}
