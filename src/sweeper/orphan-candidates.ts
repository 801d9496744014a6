/** Of the objects seen. More than this to remove in one run is probably a mistake. */
const REMOVABLE_SHARE = 0.01;
/** Bounds the memory of a run, whatever is in the bucket. */
const MAX_PER_RUN = 10_000;

/** Objects that could be removed at the end of a run, when it is known how many were seen and whether a backup was restored. */
export class OrphanCandidates {
  private readonly recorded: string[] = [];
  private readonly unrecorded: string[] = [];

  add(key: string, standing: 'recorded' | 'unrecorded'): void {
    if (this[standing].length < MAX_PER_RUN) this[standing].push(key);
  }

  choose(seen: number, withUnrecorded: boolean): string[] {
    const removable = withUnrecorded ? [...this.recorded, ...this.unrecorded] : this.recorded;
    return removable.slice(0, Math.min(MAX_PER_RUN, Math.floor(seen * REMOVABLE_SHARE)));
  }
}
