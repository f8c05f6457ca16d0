import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock } from '../block.ts'
import { type DecodedEvent, type EventDecoder, type EventForm, eventDecoder } from './abi/event-decoder.ts'
import { signatureDecoder } from './abi/signature-decoder.ts'
import type { EvmLog } from './contents.ts'
import { fingerprint, SharedDecoders } from './decoder-pool.ts'
import { type EvmLogSpec, type SpecEvent, specEvents } from './spec-events.ts'

/** Decodes logs to items by the events of a spec. */
export type LogDecoder = {
  /** The layouts of its events in logs; undefined means that it accepts every log and does not decode it. */
  forms: readonly EventForm[] | undefined
  /** Undefined when the log contains none of its events. Equal logs give the same object, which nobody may change. */
  itemOf(block: ChainBlock, timestamp: number, log: EvmLog): SourceItem | undefined
}

const shared = new SharedDecoders<LogDecoder>()

/**
 * Specs with the same events share one decoder while one of them is in use. So a log that thousands of triggers need is
 * decoded once, and an ABI that thousands of triggers contain is read once.
 */
export async function logDecoder(spec: EvmLogSpec): Promise<LogDecoder> {
  const written = fingerprint(['as written', spec.abiFragment, spec.event])
  const known = shared.find(written)
  if (known) return known
  const events = await specEvents(spec)
  const decoder = shared.findOrAdd(fingerprint(events ?? 'any'), () => makeDecoder(events))
  return shared.findOrAdd(written, () => decoder)
}

const unnamed = { event: null, args: [], params: {} }

function makeDecoder(events: SpecEvent[] | undefined): LogDecoder {
  const decoders = events?.map(decoderOf).sort(anonymousLast)
  let [lastBlock, lastLog, lastItem]: [ChainBlock?, EvmLog?, SourceItem?] = []
  return {
    forms: decoders?.flatMap(({ forms }) => forms),
    itemOf(block, timestamp, log) {
      if (lastLog === log && lastBlock === block) return lastItem
      const decoded = decoders ? decodeFirst(decoders, log) : unnamed
      lastBlock = block
      lastLog = log
      lastItem = decoded && logItem(block, timestamp, log, decoded)
      return lastItem
    },
  }
}

function decoderOf({ item, known }: SpecEvent): EventDecoder {
  return known ? signatureDecoder(item, known) : eventDecoder(item)
}

/** An anonymous event may match the bytes of another event by chance. */
function anonymousLast(a: EventDecoder, b: EventDecoder): number {
  return Number(isAnonymous(a)) - Number(isAnonymous(b))
}

function isAnonymous({ forms }: EventDecoder): boolean {
  return forms.some(({ topic0 }) => topic0 === undefined)
}

function decodeFirst(decoders: readonly EventDecoder[], log: EvmLog): DecodedEvent | undefined {
  for (const decoder of decoders) {
    const decoded = decoder.decode(log)
    if (decoded) return decoded
  }
  return undefined
}

function logItem(
  block: ChainBlock,
  timestamp: number,
  log: EvmLog,
  decoded: DecodedEvent | typeof unnamed,
): SourceItem {
  const item: SourceItem = {
    address: log.address,
    blockNumber: block.number,
    blockHash: block.hash,
    blockTimestamp: timestamp,
    transactionHash: log.transactionHash,
    transactionIndex: log.transactionIndex,
    index: log.index,
    data: log.data,
    topics: log.topics,
    event: decoded.event,
    args: decoded.args,
    params: decoded.params,
  }
  if ('undecoded' in decoded) item.undecoded = decoded.undecoded
  return item
}
