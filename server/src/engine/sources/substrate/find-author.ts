/**
 * The author of a block. Its digest says which member of the current validators (or collators) made it: BABE writes the
 * member's index, Aura the slot, whose members take turns. The list of members is in the storage of the session pallet, as the
 * parent block left it. Other consensus engines and chains without sessions have no author here.
 */
import { readBytesOrNull } from './answers.ts'
import { Cursor } from './cursor.ts'
import type { Decode } from './decode.ts'
import type { Rpc } from './rpc.ts'
import type { Runtime } from './runtime.ts'

/** The storage key of `Session.Validators`, the same on every chain. */
const validatorsKey = '0xcec5070d609dd3497f72bde07fc96ba088dcde934c658227ee1dfafcd6e16903'

export async function findAuthor(
  rpc: Rpc,
  runtime: Runtime,
  { number, parentHash, digest }: { number: number; parentHash: string; digest: readonly string[] },
): Promise<string | undefined> {
  const indexAmong = number === 0 ? undefined : readAuthority(digest)
  const readMember = indexAmong && memberReader(runtime)
  if (!indexAmong || !readMember) return undefined
  const members = await rpc.ask('state_getStorage', [validatorsKey, parentHash], readBytesOrNull)
  return members === null ? undefined : authorAmong(Cursor.ofHex(members), indexAmong, readMember)
}

type IndexAmong = (count: number) => number

/** How the members' count leads to the author's index. Undefined for an unknown digest. */
function readAuthority(digest: readonly string[]): IndexAmong | undefined {
  for (const hex of digest) {
    const [engine, data] = readPreRuntime(hex)
    if (engine === 'aura' && data?.left === 8) {
      const slot = data.integer(8, false)
      return (count) => Number(slot % BigInt(count))
    }
    // The first byte is the kind of the claim: primary, secondary, or secondary with a VRF.
    if (engine === 'BABE' && data && data.left >= 5 && [1, 2, 3].includes(data.u8())) {
      const index = data.small(4, false)
      return () => index
    }
  }
  return undefined
}

const preRuntime = 6

/** The consensus engine and its data, of a digest item that was made before the block was executed. */
function readPreRuntime(hex: string): [engine?: string, data?: Cursor] {
  const cursor = Cursor.ofHex(hex)
  if (cursor.left < 6 || cursor.u8() !== preRuntime) return []
  const engine = Buffer.from(cursor.take(4)).toString('latin1')
  const length = Number(cursor.compact())
  return length === cursor.left ? [engine, cursor] : []
}

function memberReader(runtime: Runtime): Decode | undefined {
  const session = runtime.pallets.find(({ name }) => name === 'Session')
  const validators = session?.storage?.items.find(({ name }) => name === 'Validators')
  const list = validators?.type.tag === 'plain' ? runtime.types[validators.type.value]?.def : undefined
  return list?.tag === 'sequence' ? runtime.decoder(list.value) : undefined
}

/** All members have the same size, so only the author is decoded. */
function authorAmong(members: Cursor, indexAmong: IndexAmong, readMember: Decode): string | undefined {
  const count = members.length()
  const index = count === 0 ? 0 : indexAmong(count)
  if (index >= count) return undefined
  members.take(index * Math.floor(members.left / count))
  const author = readMember(members)
  return typeof author === 'string' ? author : undefined
}
