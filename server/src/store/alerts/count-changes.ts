/** Whose alerts and deliveries are counted. A delivery counts for its resource too. */
export type CountOwner = 'workspace' | 'project' | 'trigger' | 'subscription' | 'resource'
/**
 * `recorded`: alerts. `delivered` and `failed`: deliveries that ended. `failedAttempts`: attempts that failed, whether
 * they are retried or not.
 */
export type Counts = { recorded: number; delivered: number; failed: number; failedAttempts: number }
export type CountChange = Partial<Counts> & { kind: CountOwner; id: string }
/** The columns of an alert that name whom it counts for. Deleted owners are null. */
export type CountedAlert = {
  workspace_id: string
  project_id: string | null
  trigger_id: string | null
  subscription_id: string | null
}

const kinds = ['workspace', 'project', 'trigger', 'subscription', 'resource'] as const

/** Sums up the counts of one commit. */
export class CountChanges {
  /** By the id of the owner. Ids of different kinds may be equal, so each kind has its own map. */
  readonly #changes = kinds.map((kind) => ({ kind, byId: new Map<string, CountChange>() }))
  /** Neighbours in a commit mostly count for the same owners, so they are summed up first. */
  #same: { alert: CountedAlert | null; resource: string | null; count: keyof Counts; by: number } | undefined

  /** Counts for the owners of the alert, and for the resource of a delivery. */
  add(alert: CountedAlert | null, count: keyof Counts, resource: string | null = null, by = 1): void {
    const same = this.#same
    if (same?.count === count && same.resource === resource && hasSameOwners(same.alert, alert)) {
      same.by += by
      return
    }
    this.#addSame()
    this.#same = { alert, resource, count, by }
  }

  #addSame(): void {
    if (!this.#same) return
    const { alert, resource, count, by } = this.#same
    this.#same = undefined
    const owners = {
      workspace: alert?.workspace_id,
      project: alert?.project_id,
      trigger: alert?.trigger_id,
      subscription: alert?.subscription_id,
      resource,
    }
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
    this.#addSame()
    return this.#changes.flatMap(({ byId }) => [...byId.values()])
  }
}

function hasSameOwners(a: CountedAlert | null, b: CountedAlert | null): boolean {
  if (a === null || b === null) return a === b
  return (
    a.subscription_id === b.subscription_id &&
    a.trigger_id === b.trigger_id &&
    a.project_id === b.project_id &&
    a.workspace_id === b.workspace_id
  )
}
