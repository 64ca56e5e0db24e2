// Entries read ahead: for many tables, Glue's pages of a whole database cost fewer calls than a call a table. Each
// entry is handed out once, so that whoever reads again sees the table of then. Knows pages and names, no tables.
import type { GlueReader, ReadEntry } from "./glue-load.ts";
import type { GlueName } from "./glue-names.ts";
import { type GlueService, PAGE_SIZE } from "./glue-service.ts";

/** What was read ahead of a table: its entry, that there is none, or nothing. */
export type ReadAhead = ReadEntry | "absent" | null;

export interface GluePages {
  /** From now on, pages with these tables are read ahead. */
  want(names: readonly GlueName[]): void;
  /** Waits for the page that may hold the table. Null: it was not wanted, was handed out before, or its page failed. */
  take(name: GlueName): Promise<ReadAhead>;
}

/** Fewer tables than this of one database are read one by one. */
const FEWEST = 4;
/** Entries that nobody has taken yet, of a database, beyond which the next page waits until one is missed. */
const MOST_AHEAD = 10 * PAGE_SIZE;

interface Reading {
  /** Wanted and neither found nor given up. */
  readonly open: Map<string, (found: ReadAhead) => void>;
  readonly found: Map<string, Promise<ReadAhead>>;
  untaken: number;
  /** Takers that wait for a page. */
  waiting: number;
  proceed: (() => void) | null;
}

export function gluePages(service: GlueService, nowMs: () => number): GluePages {
  const readings = new Map<string, Reading>();
  return {
    want: (names) => {
      const byDatabase = new Map<string, string[]>();
      for (const { database, table } of names) byDatabase.set(database, [...(byDatabase.get(database) ?? []), table]);
      for (const [database, tables] of byDatabase) {
        if (tables.length < FEWEST) continue;
        const reading = newReading(tables);
        readings.set(database, reading);
        void readPages({ service, nowMs }, database, reading, tables.length);
      }
    },
    take: async ({ database, table }) => {
      const reading = readings.get(database);
      const found = reading?.found.get(table);
      if (reading === undefined || found === undefined) return null;
      reading.found.delete(table);
      reading.waiting++;
      reading.proceed?.();
      const answer = await found;
      reading.waiting--;
      reading.untaken--;
      reading.proceed?.();
      return answer;
    },
  };
}

function newReading(tables: readonly string[]): Reading {
  const reading: Reading = { open: new Map(), found: new Map(), untaken: 0, waiting: 0, proceed: null };
  for (const table of tables) reading.found.set(table, new Promise((settle) => void reading.open.set(table, settle)));
  return reading;
}

// Never more pages than calls for the tables one by one: a few tables of a database with thousands are not worth it.
async function readPages(
  { service, nowMs }: Pick<GlueReader, "service" | "nowMs">,
  database: string,
  reading: Reading,
  maxPages: number,
): Promise<void> {
  let token: string | null = null;
  try {
    for (let pages = 0; pages < maxPages && reading.open.size > 0; pages++) {
      await untilNeeded(reading);
      const readAtMs = nowMs();
      const page = await service.getTables(database, token);
      if (page === null) return giveOut(reading, "absent");
      for (const entry of page.items) settle(reading, { entry, readAtMs });
      token = page.next;
      // Every table has been seen: the others are not there.
      if (token === null) return giveOut(reading, "absent");
    }
    giveOut(reading, null);
  } catch {
    // Whoever needs a table asks for it alone, and is told what is wrong.
    giveOut(reading, null);
  }
}

async function untilNeeded(reading: Reading): Promise<void> {
  while (reading.untaken >= MOST_AHEAD && reading.waiting === 0) {
    await new Promise<void>((resume) => {
      reading.proceed = resume;
    });
    reading.proceed = null;
  }
}

function settle(reading: Reading, read: ReadEntry): void {
  const name = read.entry.Name ?? "";
  const found = reading.open.get(name);
  if (found === undefined) return;
  reading.open.delete(name);
  reading.untaken++;
  // Without the lock word an entry is good for nothing but a look.
  found(read.entry.VersionId === undefined ? null : read);
}

function giveOut(reading: Reading, answer: ReadAhead): void {
  for (const found of reading.open.values()) {
    reading.untaken++;
    found(answer);
  }
  reading.open.clear();
}
