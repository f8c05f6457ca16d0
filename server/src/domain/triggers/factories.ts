import type { SourceBinding, TriggerSpec } from '@tocsin/contract'
import { bindSpec } from '../../engine/sources/bindings.ts'
import { rulesOfSpec } from '../../engine/sources/chains.ts'
import type { SavedFactory } from '../../store/following/factories.ts'
import type { Store } from '../../store/index.ts'

/** The factories that a definition names, one for each of its sources, with the first block that counts. */
export function factoriesOf(spec: TriggerSpec | null, bindings: readonly SourceBinding[] | undefined): SavedFactory[] {
  if (!spec || !('dataSource' in spec)) return []
  const found = new Map<string, SavedFactory>()
  for (const bound of bindings?.map((binding) => bindSpec(spec, binding)) ?? [spec]) {
    const factory = rulesOfSpec(bound.type)?.factoryOf?.(bound)
    if (!factory) continue
    const { key, fromBlock = null } = factory
    found.set(`${bound.dataSource} ${key}`, { source: bound.dataSource, factory: key, fromBlock })
  }
  return [...found.values()]
}

/** True if the contracts of one of these factories are not known yet. */
export async function hasUnlearned(
  store: Store,
  triggerId: string | undefined,
  factories: readonly SavedFactory[],
): Promise<boolean> {
  for (const { source, factory } of factories) {
    const stored = triggerId === undefined ? undefined : await store.factories.find({ triggerId, source, factory })
    if (!stored?.isLearned) return true
  }
  return false
}
