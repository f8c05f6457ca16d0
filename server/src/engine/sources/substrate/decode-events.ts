import { makePauses } from '../../base/event-loop-turns.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { SubstrateEvent } from './contents.ts'
import { Cursor } from './cursor.ts'
import type { Decode } from './decode.ts'
import type { Runtime } from './runtime.ts'

type Block = SubstrateEvent['block']
type Decoded = Pick<SubstrateEvent, 'pallet' | 'event' | 'args' | 'params'>
type Variant = { pallet: string; event: string; names: string[]; fields: Decode[] }

/** Decodes the value of `System.Events` in the order of the chain. Throws an UpstreamError when it is invalid. */
export async function decodeEvents(hex: string, runtime: Runtime, block: Block): Promise<SubstrateEvent[]> {
  try {
    return await readEvents(Cursor.ofHex(hex), readerOf(runtime), block)
  } catch (error) {
    if (error instanceof UpstreamError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UpstreamError('bad_answer', `The events of block ${block.number} cannot be decoded: ${reason}.`)
  }
}

async function readEvents(cursor: Cursor, readRecord: (cursor: Cursor) => EventRecord, block: Block) {
  const count = cursor.length()
  const events: SubstrateEvent[] = []
  const pause = makePauses()
  for (let index = 0; index < count; index += 1) {
    await pause()
    const { phase, extrinsic, pallet, event, args, params } = readRecord(cursor)
    events.push({ block, index, pallet, event, phase, extrinsic, args, params })
  }
  if (cursor.left > 0) throw new RangeError(`${cursor.left} bytes are left over`)
  return events
}

type EventRecord = Decoded & { phase: string; extrinsic: number | null }

const readers = new WeakMap<Runtime, (cursor: Cursor) => EventRecord>()

function readerOf(runtime: Runtime): (cursor: Cursor) => EventRecord {
  const reader = readers.get(runtime) ?? buildReader(runtime)
  readers.set(runtime, reader)
  return reader
}

/** `System.Events` is a list of {phase, event, topics}. Only light clients need the topics. */
function buildReader(runtime: Runtime): (cursor: Cursor) => EventRecord {
  const system = runtime.pallets.find(({ name }) => name === 'System')
  const storage = system?.storage?.items.find(({ name }) => name === 'Events')
  const list = storage?.type.tag === 'plain' ? runtime.type(storage.type.value) : undefined
  const record = list?.type === 'sequence' ? list.value : undefined
  if (record?.type !== 'struct' || !record.value.phase || !record.value.event)
    throw new UpstreamError('bad_answer', 'The metadata does not describe System.Events.')
  const readEvent = eventReader(runtime)
  const fields = Object.entries(record.value).map(([name, { id }]) => ({ name, decode: runtime.decoder(id) }))
  return (cursor) => {
    let phase: unknown
    let decoded: Decoded | undefined
    for (const { name, decode } of fields) {
      if (name === 'event') decoded = readEvent(cursor)
      else if (name === 'phase') phase = decode(cursor)
      else decode(cursor)
    }
    if (!decoded) throw new RangeError('a record without an event')
    return { ...phaseOf(phase), ...decoded }
  }
}

/** `Initialization`, `Finalization`, or `ApplyExtrinsic` with an index. */
function phaseOf(phase: unknown): { phase: string; extrinsic: number | null } {
  if (typeof phase === 'string') return { phase, extrinsic: null }
  if (typeof phase === 'object' && phase !== null && 'type' in phase && 'value' in phase) {
    const { type, value } = phase
    if (typeof type === 'string' && typeof value === 'number') return { phase: type, extrinsic: value }
  }
  throw new RangeError('an unknown phase')
}

/** Two bytes name the pallet and its event. */
function eventReader(runtime: Runtime): (cursor: Cursor) => Decoded {
  const pallets = new Map(runtime.pallets.map((pallet) => [pallet.index, pallet]))
  const known = new Map<number, Variant>()
  return (cursor) => {
    const palletIndex = cursor.u8()
    const index = cursor.u8()
    const key = palletIndex * 256 + index
    const variant = known.get(key) ?? variantOf(runtime, pallets.get(palletIndex), index)
    if (!variant) throw new RangeError(`the metadata has no event ${index} of a pallet ${palletIndex}`)
    known.set(key, variant)
    const args = variant.fields.map((decode) => decode(cursor))
    const params = Object.fromEntries(variant.names.map((name, position) => [name, args[position]]))
    return { pallet: variant.pallet, event: variant.event, args, params }
  }
}

function variantOf(runtime: Runtime, pallet: Runtime['pallets'][number] | undefined, index: number) {
  const type = pallet?.events && runtime.types[pallet.events.type]
  const variant = type?.def.tag === 'variant' ? type.def.value.find((each) => each.index === index) : undefined
  if (!pallet || !variant) return undefined
  return {
    pallet: pallet.name,
    event: variant.name,
    names: variant.fields.map(({ name }, position) => name ?? String(position)),
    fields: variant.fields.map(({ type }) => runtime.decoder(type)),
  }
}
