/** What a test does at an exact moment of a stand-in: the stand-in waits for it. */
export function createHooks<Subject>() {
  const hooks = new Set<(subject: Subject) => Promise<void> | void>();
  return {
    /** Returns a function that removes the hook. */
    add(hook: (subject: Subject) => Promise<void> | void): () => void {
      hooks.add(hook);
      return () => void hooks.delete(hook);
    },
    async run(subject: Subject): Promise<void> {
      for (const hook of hooks) await hook(subject);
    },
  };
}
