/** A share of the objects seen. Removing more than this in one run is probably a mistake. */
const REMOVABLE_SHARE = 0.01;
/** Limits the memory of a run, whatever the bucket contains. */
const MAX_PER_RUN = 10_000;

/** Objects that can be removed at the end of a run, when the total is known and whether a backup was restored. */
export class OrphanCandidates {
  private readonly recorded: string[] = [];
  private readonly unrecorded: string[] = [];

  add(key: string, ownership: 'recorded' | 'unrecorded'): void {
    if (this[ownership].length < MAX_PER_RUN) this[ownership].push(key);
  }

  choose(seen: number, withUnrecorded: boolean): string[] {
    const removable = withUnrecorded ? [...this.recorded, ...this.unrecorded] : this.recorded;
    return removable.slice(0, Math.min(MAX_PER_RUN, Math.floor(seen * REMOVABLE_SHARE)));
  }
}
