// Runs jobs that take memory, in their order: so many at once, and so many bytes together. Knows nothing of what
// they do.

export interface Job<T> {
  /** Counts against the limit of bytes while the job runs. One that is larger than the limit runs alone. */
  readonly sizeBytes: number;
  run(): Promise<T>;
}

export interface JobLimits {
  readonly jobs: number;
  readonly bytes: number;
}

/** The results in the order of the jobs. After a failure no more are started; it is thrown when those under way have ended. */
export async function runJobs<T>(jobs: readonly Job<T>[], limits: JobLimits): Promise<readonly T[]> {
  const results = new Map<number, T>();
  let failure: { readonly error: unknown } | null = null;
  let next = 0;
  let running = 0;
  let bytes = 0;

  await new Promise<void>((resolve) => {
    const runOne = async (job: Job<T>, index: number): Promise<void> => {
      running++;
      bytes += job.sizeBytes;
      try {
        results.set(index, await job.run());
      } catch (error) {
        failure ??= { error };
      }
      running--;
      bytes -= job.sizeBytes;
      startMore();
    };
    const startMore = (): void => {
      for (let job = jobs[next]; job !== undefined && failure === null; job = jobs[next]) {
        const fits = running < limits.jobs && (running === 0 || bytes + job.sizeBytes <= limits.bytes);
        if (!fits) break;
        void runOne(job, next++);
      }
      if (running === 0) resolve();
    };
    startMore();
  });

  throwFailure(failure);
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}

function throwFailure(failure: { readonly error: unknown } | null): void {
  if (failure !== null) throw failure.error;
}

/** The same for what takes hardly any memory: `atOnce` of the items. */
export async function runMany<I, T>(items: readonly I[], atOnce: number, run: (item: I) => Promise<T>): Promise<readonly T[]> {
  const jobs = items.map((item) => ({ sizeBytes: 0, run: async () => await run(item) }));
  return await runJobs(jobs, { jobs: atOnce, bytes: Number.MAX_SAFE_INTEGER });
}
