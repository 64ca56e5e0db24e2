// The effects that applying needs from its caller: clock, ids, waiting, progress, and who asks.
import type { RewriteProgress } from "../rewrite/rewrite-engine.ts";

export interface ApplyPorts {
  nowMs(): number;
  /** A random uuid. */
  randomId(): string;
  wait(milliseconds: number): Promise<void>;
  readonly progress: RewriteProgress;
  /** floeplan's own version, for the snapshot summary. */
  readonly version: string;
  /** The commit that declares what is applied; null outside Git or with a dirty tree. */
  readonly commit: string | null;
  readonly reason: string | null;
}

/** A random positive 63-bit snapshot id from a uuid's random bits. */
export function newSnapshotId(ports: Pick<ApplyPorts, "randomId">): bigint {
  const hex = ports.randomId().replaceAll("-", "");
  const id = BigInt(`0x${hex.slice(0, 8)}${hex.slice(-8)}`) & 0x7fff_ffff_ffff_ffffn;
  return id === 0n ? 1n : id;
}
