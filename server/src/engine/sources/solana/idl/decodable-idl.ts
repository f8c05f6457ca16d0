import { createHash } from 'node:crypto'
import { makeLruCache } from '../../../base/lru-cache.ts'
import { expandsTooFar } from '../../../base/type-expansion.ts'
import { findIdlPart, type Wanted } from './idl-part.ts'
import { type Idl, type Item, referencesIn } from './read-idl.ts'

const itemsMax = 400
/** The results by the hash of the part that was built. */
const remembered = makeLruCache<Promise<string | undefined>>(200)

/**
 * Explains why codecs cannot be built for the wanted items of an IDL; undefined when they can. Each type costs about a
 * millisecond, so a huge IDL would block all other requests. Only the wanted items and the types that they use are built.
 */
export async function whyNotDecodable(idl: Idl, wanted: Wanted): Promise<string | undefined> {
  const part = findIdlPart(idl, wanted)
  const { types } = part
  const count = types.length + wanted.events.length + wanted.accounts.length + wanted.instructions.length
  if (count > itemsMax) return `is too large: what this needs of it has ${count} parts, more than ${itemsMax}`
  const generic = types.filter((type) => type.generics !== undefined)
  const names = new Set(generic.map(({ name }) => name))
  const genericsIn = ({ type }: Item) => referencesIn(type).filter((name) => names.has(name))
  if (expandsTooFar(new Map(generic.map((type) => [type.name, genericsIn(type)])))) {
    return 'has generic types that contain themselves or are too large when expanded'
  }
  return remember(part)
}

function remember(part: Record<string, unknown>): Promise<string | undefined> {
  const hash = createHash('sha256').update(JSON.stringify(part)).digest('base64')
  return remembered.get(hash, () => build(part))
}

/** Loads the library with the first IDL, which saves memory on servers without Solana triggers. */
async function build(part: Record<string, unknown>): Promise<string | undefined> {
  const { rootNodeFromAnchor } = await import('@codama/nodes-from-anchor')
  try {
    rootNodeFromAnchor(part as Parameters<typeof rootNodeFromAnchor>[0])
    return undefined
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError)
      return 'is not an Anchor IDL: a part of it has the wrong form'
    return `is not an Anchor IDL: ${error instanceof Error ? error.message.split('\n')[0]?.slice(0, 200) : 'it does not parse'}`
  }
}
