const STRICT = new TextDecoder('utf-8', { fatal: true });

/** Limits of texts. */
export const constants = { MAX_STRING_LENGTH: 2 ** 29 - 24 };

/** Whether bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    STRICT.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
