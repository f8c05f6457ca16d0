import './made-up-spec.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CoreAction, TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../../server/src/engine/base/source-item.ts'
import {
  type ChainIndexing,
  type Indexing,
  itemIndex,
  makeItemKey,
  shapeless,
} from '../../server/src/engine/match/index.ts'
import type { Door } from '../../server/src/engine/outbound/door.ts'
import type { ChainBlock } from '../../server/src/engine/sources/block.ts'
import type { Chain } from '../../server/src/engine/sources/chain.ts'
import type { ChainRules } from '../../server/src/engine/sources/chain-rules.ts'
import { chains, type ListedChain } from '../../server/src/engine/sources/chains.ts'
import type { LiveConnection } from '../../server/src/engine/sources/connection.ts'
import type { ChainItems, RawEntry, SpecItems } from '../../server/src/engine/sources/raw-items.ts'
import { notesKind } from './made-up-kind.ts'
import { NoteSpec, notesDescription } from './made-up-spec.ts'

/**
 * A chain that does not exist: its blocks hold notes. It uses only the interface of chains and its lists, as CONTRIBUTING
 * says. A test that uses it imports this file first.
 */
export type Note = { author: string; words: number }
type NoteBlock = { number: number; hash: string; parentHash: string; timestampMs: number; notes: Note[] }

type NoteKeys = { type: 'note'; author?: string }
type RawNote = RawEntry & { type: 'note'; item: SourceItem & Note }

const noteIndexing: Indexing<NoteKeys, RawNote> = {
  ...shapeless,
  keyPartsOf: ({ author }) => ({ shape: 0, ...(author !== undefined && { first: author }) }),
  firstOf: ({ item }) => item.author,
  secondOf: () => undefined,
  toFieldKey: (requirement, _, fields) => makeItemKey(fields, requirement, '', ({ item }) => item),
}
const indexing: ChainIndexing = { note: itemIndex(noteIndexing) }

const items: ChainItems = {
  async prepare(spec): Promise<SpecItems> {
    const { author } = readNote(spec)
    const keys: NoteKeys = { type: 'note', ...(author !== undefined && { author }) }
    return { keys: [keys], indexing, neededParts: [], itemOf: (_, raw) => (isNote(raw) ? raw.item : undefined) }
  },
  list: (block) => rawNotes(block),
}

function isNote(raw: RawEntry): raw is RawNote {
  return 'item' in raw
}

function rawNotes(block: ChainBlock): RawNote[] {
  const { number, hash } = block
  return (block.contents as Note[]).map((note, index) => ({
    type: 'note',
    key: `${hash}:${index}`,
    item: { block: { number, hash }, index, ...note },
  }))
}

function connect([url = '']: readonly string[], { door }: { door: Door }): LiveConnection {
  const ask = async (path: string): Promise<NoteBlock | null> =>
    JSON.parse((await door.fetch(`${url}/${path}`, { timeoutMs: 5_000, responseBytesMax: 1_000_000 })).text)
  const block = async (at: string | number): Promise<ChainBlock | undefined> => {
    const { notes, ...found } = (await ask(String(at))) ?? { notes: undefined }
    return notes && 'hash' in found ? { ...found, contents: notes } : undefined
  }
  return {
    async head() {
      const head = await block('head')
      if (!head) throw new Error('the node has no block')
      return head
    },
    block: (number) => block(number),
    headerFrom: (number) => block(number),
    blockOfTransaction: async () => undefined,
    request: async () => null,
    read: async () => null,
    heads: () => ({ isUp: false, close: () => undefined }),
    report: () => [],
    close: async () => undefined,
  }
}

const chain: Chain = {
  kind: notesKind,
  connect,
  async verify(endpoints, options) {
    const { number } = await connect(endpoints, options).head()
    const verified = endpoints.map((url) => ({ url, ok: true, latencyMs: 1, latestBlock: number, capabilities: [] }))
    return { network: 'notes', genesisHash: '0x6e6f746573', latestBlock: number, endpoints: verified }
  },
  items,
  pace: { replaceable: 10, skipsNumbers: false, laggingBeyond: 5 },
}

const noteWritten: CoreAction = {
  type: 'note_written',
  title: 'Note of an author',
  description: 'An author wrote a note.',
  kind: notesKind,
  triggerSpec: noteSpec({ dataSource: 'common.notes', author: 'author-ann' }),
  inputs: {},
  filtersSchema: { words: { type: 'integer', sourcePath: 'words' } },
  outputSchema: { raw: { by: 'string', words: 'integer' } },
  transform: { language: 'javascript', rawSource: '({ by: source.author, words: source.words })' },
  notSeen: ['Notes that nobody reads.'],
  defaults: { title: '{{raw.by}} wrote {{raw.words}} words' },
}

const rules: ChainRules = {
  description: notesDescription,
  coreActions: [noteWritten],
  networks: { notes: { title: 'Notes', identity: {} } },
  specs: { note: ['block', 'index', 'author', 'words'] },
  async checkSpec(spec, path) {
    const isNamed = readNote(spec).author !== 'nobody'
    return isNamed ? [] : [{ path: `${path}.author`, message: 'must name an author' }]
  },
  reads: {},
  checkRead: async () => [],
  isReadingMethod: () => false,
  checkAddress: (text) =>
    /^author-\w+$/.test(text) ? { normal: text } : { refused: 'An author is author- and a name.' },
  networkName: () => 'notes:main',
}

/** The types of the contract know only the specs in the source. */
export function noteSpec(fields: { dataSource: string; author?: string }): TriggerSpec {
  return { type: 'note', ...fields } as unknown as TriggerSpec
}

function readNote(spec: TriggerSpec): { author?: string | undefined } {
  return NoteSpec.parse(spec)
}

const listed: ListedChain = { rules, load: async () => chain }
chains.set(notesKind, listed)

/** A node of the made-up chain, over HTTP. */
export async function startNoteNode() {
  const blocks: NoteBlock[] = []
  const produce = (...notes: Note[]) => {
    const number = blocks.length
    const parentHash = blocks.at(-1)?.hash ?? '0x'
    blocks.push({ number, hash: `0x${number}a`, parentHash, timestampMs: Date.now(), notes })
    return number
  }
  produce()
  /** Runs before the node answers a question for a block by its number. */
  const hooks: { beforeBlock?: (number: number) => Promise<void> } = {}
  const replaceLast = (hash: string, ...notes: Note[]) => {
    const last = blocks.pop()
    if (last) blocks.push({ ...last, hash, notes })
  }
  const server = createServer(async (request, response) => {
    const path = request.url?.slice(1) ?? ''
    if (path !== 'head') await hooks.beforeBlock?.(Number(path))
    response.end(JSON.stringify((path === 'head' ? blocks.at(-1) : blocks[Number(path)]) ?? null))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, produce, replaceLast, hooks, close: () => server.close() }
}
