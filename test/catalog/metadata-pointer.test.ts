// How a commit through a pointer ends when the service answers badly, late or not at all. The service is a few
// lines: a pointer that is swapped, and a script of what goes wrong around the swap.
import { beforeEach, describe, expect, it } from "vitest";
import { type CatalogPorts, commitThroughPointer, type NewMetadataFile } from "../../src/catalog/metadata-pointer.ts";
import { type SwapAnswer, swapLanding } from "../../src/catalog/metadata-pointer-swap.ts";
import { readTableMetadata } from "../../src/catalog/read-metadata.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { CommitOutcome, TableCommit } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { done } from "../conformance/catalog-suite.ts";
import { newTableCommit, setProperty } from "../conformance/table-commits.ts";

const IDENTIFIER = { namespace: ["sales"], name: "orders" };
const LOCATION = "s3://lake/sales/orders";
const ATTEMPT = "floeplan.applied.attempt";

type Swap = (file: NewMetadataFile, land: () => SwapAnswer) => Promise<SwapAnswer>;

class Service {
  store: ObjectStore = createMemoryStore();
  pointer: { readonly location: string; readonly version: number } | null = null;
  /** How often the pointer may not be read from now on. */
  unreadable = 0;
  readonly waits: number[] = [];
  #time = 1_700_000_000_000;
  #uuid = 0;

  readonly ports: CatalogPorts = {
    nowMs: () => ++this.#time,
    newUuid: () => `uuid-${++this.#uuid}`,
    wait: async (milliseconds) => void this.waits.push(milliseconds),
  };

  async load(): Promise<LiveTable | null> {
    if (this.unreadable > 0) {
      this.unreadable--;
      throw new ToolError("unavailable", "Cannot read the pointer", { why: "No answer" });
    }
    if (this.pointer === null) return null;
    const { location, version } = this.pointer;
    const metadata = await readTableMetadata(this.store, location, "sales.orders");
    return { identifier: IDENTIFIER, metadata, metadataLocation: location, token: String(version) };
  }

  async commit(live: LiveTable | null, commit: TableCommit, swap: Swap = async (_, land) => land()): Promise<CommitOutcome> {
    const land = (file: NewMetadataFile): SwapAnswer => {
      if ((this.pointer === null ? null : String(this.pointer.version)) !== (live?.token ?? null)) {
        return { state: "conflict", why: "The version is not the current one" };
      }
      this.pointer = { location: file.location, version: (this.pointer?.version ?? 0) + 1 };
      return { state: "swapped", token: String(this.pointer.version) };
    };
    const { store, ports } = this;
    return await commitThroughPointer({
      table: "sales.orders",
      live,
      commit,
      store,
      ports,
      nextLocation: () => `${LOCATION}/metadata/${ports.newUuid()}.metadata.json`,
      landing: swapLanding({
        identifier: IDENTIFIER,
        live,
        commit,
        store,
        ports,
        swap: async (file) => await swap(file, () => land(file)),
        reload: async () => await this.load(),
      }),
    });
  }

  async files(): Promise<string[]> {
    const found: string[] = [];
    for await (const { location } of this.store.list(LOCATION)) found.push(location);
    return found;
  }
}

let service: Service;
let base: LiveTable;

const ours: TableCommit = {
  attempt: "attempt-7",
  requirements: [],
  updates: [setProperty("by", "us"), setProperty(ATTEMPT, "attempt-7")],
};
const foreign = (...updates: readonly TableUpdate[]): TableCommit => ({ attempt: "foreign", requirements: [], updates });
const live = async (): Promise<LiveTable> => (await service.load()) ?? base;
const commitForeign = async (...updates: readonly TableUpdate[]): Promise<LiveTable> =>
  done(await service.commit(await live(), foreign(...updates)));
const noAnswer = (): never => {
  throw new Error("socket hang up");
};

beforeEach(async () => {
  service = new Service();
  base = done(await service.commit(null, newTableCommit(LOCATION)));
});

describe("a commit that the service confirms", () => {
  it("is done, read back, with the token of the new state", async () => {
    const after = done(await service.commit(base, ours));
    expect([after.token, after.metadata.properties["by"]]).toEqual(["2", "us"]);
    expect(service.waits).toEqual([]);
  });

  it("is done also when nothing can be read back", async () => {
    service.unreadable = 99;
    const after = done(await service.commit(base, ours));
    expect([after.token, after.metadata.properties["by"], after.metadataLocation]).toEqual([
      "2",
      "us",
      service.pointer?.location,
    ]);
  });

  it("is done when reading back shows it only after a while", async () => {
    const before = service.pointer;
    let moved: Service["pointer"] = null;
    const outcome = await service.commit(base, ours, async (_, land) => {
      const answer = land();
      moved = service.pointer;
      service.pointer = before;
      const wait = service.ports.wait;
      Object.assign(service.ports, {
        wait: async (milliseconds: number) => {
          service.pointer = moved;
          await wait(milliseconds);
        },
      });
      return answer;
    });
    expect(done(outcome).token).toBe("2");
    expect(service.waits).toEqual([1000]);
  });

  it("is done, with the newer state, when another commit came on top at once", async () => {
    const after = done(
      await service.commit(base, ours, async (_, land) => {
        const answer = land();
        await commitForeign(setProperty("on-top", "yes"));
        return answer;
      }),
    );
    expect([after.token, after.metadata.properties["by"], after.metadata.properties["on-top"]]).toEqual(["3", "us", "yes"]);
  });

  it("is unknown when the state that is read again lacks it, and its file stays", async () => {
    const outcome = await service.commit(base, ours, async (file, land) => {
      const answer = land();
      service.pointer = { location: base.metadataLocation, version: 9 };
      expect(await service.store.head(file.location)).not.toBeNull();
      return answer;
    });
    expect(outcome).toMatchObject({ state: "unknown", written: expect.stringContaining("uuid-") });
    expect(await service.files()).toHaveLength(2);
  });
});

describe("a commit that the service answers with a conflict", () => {
  it("is a conflict, and its file goes", async () => {
    const fresh = await commitForeign(setProperty("by", "another"));
    const outcome = await service.commit(base, ours);
    expect(outcome.state).toBe("conflict");
    expect(await service.files()).toEqual([base.metadataLocation, fresh.metadataLocation]);
  });

  it("is done when the conflict was with its own first try", async () => {
    const outcome = await service.commit(base, ours, async (_, land) => {
      land();
      return land();
    });
    expect(done(outcome).metadata.properties["by"]).toBe("us");
    expect(await service.files()).toHaveLength(2);
  });

  it("is done when its own first try landed and others committed on top", async () => {
    const outcome = await service.commit(base, ours, async (_, land) => {
      land();
      for (let round = 0; round < 3; round++) await commitForeign(setProperty("round", String(round)));
      return land();
    });
    expect(done(outcome).metadata.properties["round"]).toBe("2");
    expect(await service.files()).toHaveLength(5);
  });

  it("keeps its file when the live state cannot be read", async () => {
    await commitForeign(setProperty("by", "another"));
    const outcome = await service.commit(base, ours, async (_, land) => {
      service.unreadable = 1;
      return land();
    });
    expect(outcome.state).toBe("conflict");
    expect(await service.files()).toHaveLength(3);
  });

  it("leaves its file where the store cannot remove", async () => {
    await commitForeign(setProperty("by", "another"));
    const inner = service.store;
    service.store = { ...inner, canRemove: false, remove: async () => noAnswer() };
    expect((await service.commit(base, ours)).state).toBe("conflict");
    expect(await service.files()).toHaveLength(3);
  });

  it("stays a conflict when its file cannot be removed", async () => {
    await commitForeign(setProperty("by", "another"));
    const inner = service.store;
    service.store = { ...inner, remove: async () => noAnswer() };
    expect((await service.commit(base, ours)).state).toBe("conflict");
  });
});

describe("a commit that the service refuses", () => {
  it("is refused, and its file goes", async () => {
    const cause = new Error("AccessDenied");
    const outcome = await service.commit(base, ours, async () => ({ state: "refused", why: "Not allowed", cause }));
    expect(outcome).toEqual({ state: "refused", why: "Not allowed", cause });
    expect(await service.files()).toEqual([base.metadataLocation]);
  });
});

describe("a commit without a clear answer", () => {
  it("is done when it landed", async () => {
    const outcome = await service.commit(base, ours, async (_, land) => {
      land();
      return noAnswer();
    });
    expect(done(outcome).token).toBe("2");
  });

  it("is done when it landed and reading works only after a while", async () => {
    const outcome = await service.commit(base, ours, async (_, land) => {
      land();
      service.unreadable = 2;
      return noAnswer();
    });
    expect(done(outcome).token).toBe("2");
    expect(service.waits).toEqual([1000, 2000]);
  });

  it("is done when it landed and the log names it", async () => {
    const outcome = await service.commit(base, { ...ours, updates: [setProperty("by", "us")] }, async (_, land) => {
      land();
      await commitForeign(setProperty("by", "another"));
      return noAnswer();
    });
    expect(done(outcome).metadata.properties["by"]).toBe("another");
  });

  it("is done when it landed and the log is trimmed, by its attempt id", async () => {
    base = await commitForeign(setProperty("write.metadata.previous-versions-max", "1"));
    const outcome = await service.commit(base, ours, async (_, land) => {
      land();
      for (let round = 0; round < 4; round++) await commitForeign(setProperty("round", String(round)));
      return noAnswer();
    });
    expect(done(outcome).metadata.properties["round"]).toBe("3");
  });

  it("does not take the attempt id of the state before for its own", async () => {
    base = done(await service.commit(base, ours));
    const again = { ...ours, updates: [...ours.updates, setProperty("by", "us again")] };
    const outcome = await service.commit(base, again, async () => noAnswer());
    expect(outcome.state).not.toBe("done");
  });

  it("is a conflict when another commit landed, and its file stays", async () => {
    const outcome = await service.commit(base, ours, async () => {
      await commitForeign(setProperty("by", "another"));
      return noAnswer();
    });
    expect(outcome).toMatchObject({ state: "conflict", why: expect.stringContaining("socket hang up") });
    expect(await service.files()).toHaveLength(3);
  });

  it("is a conflict when nothing landed, and its file stays, since the request may still be under way", async () => {
    const outcome = await service.commit(base, ours, async () => noAnswer());
    expect(outcome.state).toBe("conflict");
    expect(await service.files()).toHaveLength(2);
  });

  it("is unknown when the state cannot be read again, and names its file, which stays", async () => {
    const outcome = await service.commit(base, ours, async () => {
      service.unreadable = 99;
      return noAnswer();
    });
    expect(outcome).toMatchObject({ state: "unknown", written: `${LOCATION}/metadata/uuid-2.metadata.json` });
    expect(service.waits).toEqual([1000, 2000, 4000]);
    expect(await service.files()).toHaveLength(2);
  });

  it("asks again as the table's properties say", async () => {
    base = await commitForeign({
      action: "set-properties",
      updates: {
        "commit.status-check.num-retries": "5",
        "commit.status-check.min-wait-ms": "10",
        "commit.status-check.max-wait-ms": "50",
      },
    });
    await service.commit(base, ours, async () => {
      service.unreadable = 99;
      return noAnswer();
    });
    expect(service.waits).toEqual([10, 20, 40, 50, 50]);
  });

  it("is done for a new table that landed, and a conflict for one that did not", async () => {
    service = new Service();
    const lost = await service.commit(null, newTableCommit(LOCATION), async () => noAnswer());
    expect(lost.state).toBe("conflict");
    const landed = await service.commit(null, newTableCommit(LOCATION), async (_, land) => {
      land();
      return noAnswer();
    });
    expect(landed.state).toBe("done");
  });
});

describe("a metadata file that cannot be written", () => {
  const failing = (error: Error, isWritten: boolean): void => {
    const inner = service.store;
    service.store = {
      ...inner,
      putIfAbsent: async (location, bytes) => {
        if (isWritten) await inner.putIfAbsent(location, bytes);
        throw error;
      },
    };
  };

  it.each(["auth", "storage-full", "refused"] as const)("refuses the commit for good: %s", async (kind) => {
    const cause = new ToolError(kind, "Cannot write", { why: "It says so" });
    failing(cause, false);
    expect(await service.commit(base, ours)).toEqual({ state: "refused", why: "Cannot write: It says so", cause });
    expect(service.pointer?.version).toBe(1);
  });

  it.each([true, false])("is a failure of the world when it may pass, and nothing is left (written: %s)", async (isWritten) => {
    failing(new ToolError("unavailable", "No answer"), isWritten);
    await expect(service.commit(base, ours)).rejects.toMatchObject({ kind: "unavailable" });
    expect(service.pointer?.version).toBe(1);
    expect(await service.files()).toEqual([base.metadataLocation]);
  });

  it("goes on when the name is taken by its own first try", async () => {
    const inner = service.store;
    service.store = {
      ...inner,
      putIfAbsent: async (location, bytes) => {
        await inner.putIfAbsent(location, bytes);
        return await inner.putIfAbsent(location, bytes);
      },
    };
    expect(done(await service.commit(base, ours)).token).toBe("2");
  });

  it("is a conflict when the name is taken by another file, which stays", async () => {
    await service.store.putIfAbsent(`${LOCATION}/metadata/uuid-2.metadata.json`, new Uint8Array([1]));
    expect((await service.commit(base, ours)).state).toBe("conflict");
    expect([...(await service.store.read(`${LOCATION}/metadata/uuid-2.metadata.json`))]).toEqual([1]);
  });
});

it("says which metadata file is missing when the pointer leads to none", async () => {
  await service.store.remove(base.metadataLocation);
  await expect(service.load()).rejects.toMatchObject({
    kind: "corrupt",
    message: 'Cannot load "sales.orders": its metadata file is missing',
    why: expect.stringContaining(base.metadataLocation),
  });
});
