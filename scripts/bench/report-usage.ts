// Loaded into a process that is measured (`node --import`), to answer what it has used so far. Unlike /proc this works
// on every system, and counts in microseconds instead of ticks of ten milliseconds.

export type Usage = {
  /** Processor time since the start, of all threads, user and system, in ms. */
  cpuMs: number;
  /** Resident memory, in bytes. */
  memoryBytes: number;
};

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, memoryBytes: process.memoryUsage.rss() } satisfies Usage);
});
// Listening must not keep the process alive by itself, and nobody should be left over from a bench that was killed.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
