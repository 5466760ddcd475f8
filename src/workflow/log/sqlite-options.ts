/** How a log file is opened. */
export interface SqliteOptions {
  /** `write` makes the file if there is none; `read` leaves it as it is. Default `write`. */
  readonly mode?: 'write' | 'read' | undefined;
  /**
   * The failure that an appended entry survives: with `normal` the death of the process, with `full` that of the
   * machine too, at the price of a write to the disk for each append. Default `normal`.
   */
  readonly synchronous?: 'normal' | 'full' | undefined;
  /** How long to wait for a lock that another process holds. Default 5. */
  readonly busySeconds?: number | undefined;
}
