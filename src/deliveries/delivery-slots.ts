/** Enough to remember who waits the longest. */
const REMEMBERED_CLIENTS = 1_000;

/** The slots of one process and the clients that use them. One client never uses all of them: the last is for the others. */
export class DeliverySlots {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  /** In the order of their last turn. */
  private readonly turns = new Set<string>();
  private readonly perClient: number;

  constructor(private readonly capacity: number) {
    this.perClient = Math.max(1, capacity - 1);
  }

  get areFree(): boolean {
    return this.used < this.capacity;
  }

  /** Clients that use their whole share. */
  get fullClients(): string[] {
    return [...this.usedBy].filter(([, count]) => count >= this.perClient).map(([clientId]) => clientId);
  }

  /** Clients that had a turn, the latest one last. */
  get recentClients(): string[] {
    return [...this.turns];
  }

  use(clientId: string): void {
    this.used += 1;
    this.usedBy.set(clientId, (this.usedBy.get(clientId) ?? 0) + 1);
    this.turns.delete(clientId);
    this.turns.add(clientId);
    if (this.turns.size > REMEMBERED_CLIENTS) this.turns.delete(this.turns.values().next().value!);
  }

  release(clientId: string): void {
    this.used -= 1;
    const left = this.usedBy.get(clientId)! - 1;
    if (left > 0) this.usedBy.set(clientId, left);
    else this.usedBy.delete(clientId);
  }
}
