/** What is worth counting about turns. It names nobody. */
export type TurnEvent =
  /** `result`: `answer` or the code of a notice. `ms`: since it was accepted. */
  | { kind: 'done'; result: string; ms: number }
  /** It has to wait, for so long (ms). `code`: of the error that it waits for. */
  | { kind: 'waits'; code: string; ms: number }
  /** A run found that a later one had begun. */
  | { kind: 'fence_lost' }
  /** Such a run had made a message that the later one made as well, and removed its own. */
  | { kind: 'stray_removed' };
