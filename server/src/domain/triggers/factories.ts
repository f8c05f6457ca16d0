import type { SourceBinding, TriggerSpec } from '@tocsin/contract'
import { bindSpec } from '../../engine/sources/bindings.ts'
import { rulesOfSpec } from '../../engine/sources/chains.ts'
import type { SavedFactory } from '../../store/following/factories.ts'
import type { Caller } from '../find-source.ts'

/** The factories that a definition names, one for each of its sources, with the first block that counts. */
export async function factoriesOf(
  caller: Caller,
  spec: TriggerSpec | null,
  bindings: readonly SourceBinding[] | undefined,
): Promise<SavedFactory[]> {
  if (!spec || !('dataSource' in spec)) return []
  const found = new Map<string, SavedFactory>()
  for (const bound of bindings?.map((binding) => bindSpec(spec, binding)) ?? [spec]) {
    const factory = rulesOfSpec(bound.type)?.factoryOf?.(bound)
    if (!factory) continue
    const fromBlock = factory.fromBlock ?? (await findBlock(caller, bound.dataSource))
    found.set(`${bound.dataSource} ${factory.key}`, { source: bound.dataSource, factory: factory.key, fromBlock })
  }
  return [...found.values()]
}

/** The latest block of the source that the service knows. */
async function findBlock({ store, account }: Caller, source: string): Promise<number | null> {
  const follower = await store.followers.find(source)
  const known = follower?.head ?? follower?.number
  if (known !== undefined && known !== null) return known
  const row = await store.customSources.findReadable(source, account.id)
  return row?.runtime?.latestBlock ?? null
}
