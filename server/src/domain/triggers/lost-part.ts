import type { LostPart } from '../../store/core/tables.ts'
import type { Store } from '../../store/index.ts'

/** The part of the source's blocks that the spec needs and that is known to be unreadable. */
export async function findLostPart(
  store: Store,
  source: string | null,
  spec: Record<string, unknown> | null,
): Promise<LostPart | undefined> {
  if (source === null || !spec) return undefined
  const { unreadable = [] } = (await store.followers.find(source))?.state ?? {}
  return unreadable.find(
    ({ specTypes, specFlag }) =>
      specTypes.includes(String(spec.type)) && (specFlag === undefined || String(spec[specFlag[0]]) === specFlag[1]),
  )
}
