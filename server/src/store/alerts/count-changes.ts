/** Whose alerts and deliveries are counted. A delivery counts for its resource too. */
export type CountOwner = 'workspace' | 'project' | 'trigger' | 'subscription' | 'resource'
/**
 * `recorded`: alerts. `delivered` and `failed`: deliveries that ended. `failedAttempts`: attempts that failed, whether
 * they are retried or not.
 */
export type Counts = { recorded: number; delivered: number; failed: number; failedAttempts: number }
export type CountChange = Partial<Counts> & { kind: CountOwner; id: string }
/** The owners of one alert or delivery. Deleted ones are null. */
export type CountOwners = Partial<Record<CountOwner, string | null>>

const kinds = ['workspace', 'project', 'trigger', 'subscription', 'resource'] as const

export function countOwnersOf(alert: {
  workspace_id: string
  project_id: string | null
  trigger_id: string | null
  subscription_id: string | null
}): CountOwners {
  const { workspace_id: workspace, project_id: project, trigger_id: trigger, subscription_id: subscription } = alert
  return { workspace, project, trigger, subscription }
}

/** Sums up the counts of one commit. */
export class CountChanges {
  /** By the id of the owner. Ids of different kinds may be equal, so each kind has its own map. */
  readonly #changes = kinds.map((kind) => ({ kind, byId: new Map<string, CountChange>() }))

  add(owners: CountOwners, count: keyof Counts, by = 1): void {
    for (const { kind, byId } of this.#changes) {
      const id = owners[kind]
      if (id === undefined || id === null) continue
      const known = byId.get(id)
      const change = known ?? { kind, id }
      change[count] = (change[count] ?? 0) + by
      if (!known) byId.set(id, change)
    }
  }

  list(): CountChange[] {
    return this.#changes.flatMap(({ byId }) => [...byId.values()])
  }
}
