import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChainDescription, CoreAction } from '@tocsin/contract'
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
import type { ListedChain } from '../../server/src/engine/sources/chains.ts'
import type { LiveConnection } from '../../server/src/engine/sources/connection.ts'
import type { ChainItems, RawEntry, SpecItems } from '../../server/src/engine/sources/raw-items.ts'

/**
 * A chain that does not exist: its blocks hold notes. It uses only the interface of chains, as CONTRIBUTING
 * says. The contract names the kinds of chains and the types of specs, so it takes the place of Solana there.
 */
export type Note = { author: string; words: number }
type NoteBlock = { number: number; hash: string; parentHash: string; timestampMs: number; notes: Note[] }

type NoteKeys = { type: 'solana_event'; author?: string }
type RawNote = RawEntry & { type: 'solana_event'; item: SourceItem & Note }

const notes: Indexing<NoteKeys, RawNote> = {
  ...shapeless,
  keyPartsOf: ({ author }) => ({ shape: 0, ...(author !== undefined && { first: author }) }),
  firstOf: ({ item }) => item.author,
  secondOf: () => undefined,
  toFieldKey: (requirement, _, fields) => makeItemKey(fields, requirement, '', ({ item }) => item),
}
const indexing: ChainIndexing = { solana_event: itemIndex(notes) }

const items: ChainItems = {
  async prepare(spec): Promise<SpecItems> {
    const author = 'programId' in spec ? spec.programId : undefined
    const keys: NoteKeys = { type: 'solana_event', ...(author !== undefined && { author }) }
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
    type: 'solana_event',
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
    blockOfTransaction: async () => undefined,
    request: async () => null,
    read: async () => null,
    heads: () => ({ isUp: false, close: () => undefined }),
    report: () => [],
    close: async () => undefined,
  }
}

const chain: Chain = {
  kind: 'solana',
  connect,
  async verify(endpoints, options) {
    const { number } = await connect(endpoints, options).head()
    const verified = endpoints.map((url) => ({ url, ok: true, latencyMs: 1, latestBlock: number, capabilities: [] }))
    return { network: 'notes', genesisHash: '0x6e6f746573', latestBlock: number, endpoints: verified }
  },
  items,
  pace: { replaceable: 10, skipsNumbers: false, laggingBeyond: 5 },
}

/** What the console and the docs of the API show of the chain. They know nothing else of it. */
export const notesDescription: ChainDescription = {
  kind: 'solana',
  title: 'Notes',
  endpointExample: 'https://notes.example.org',
  sourceSettings: [],
  coinDecimals: 3,
  address: {
    type: 'solana',
    title: 'Author',
    example: 'author-ann',
    form: { pattern: '^author-\\w+$' },
    differsFromHashes: true,
    hint: 'It begins with author-.',
  },
  specs: [
    {
      type: 'solana_event',
      title: 'Note',
      about: 'Notes that an author writes.',
      inputs: [
        {
          ...{ as: 'text', name: 'programId', label: 'Author', placeholder: 'author-ann' },
          description: 'Leave empty to watch every author.',
        },
      ],
      itemFields: ['author', 'words', 'block.number'],
      sentence: { noun: 'note', names: [], place: { field: 'programId', words: 'of' } },
    },
  ],
}

const noteWritten: CoreAction = {
  type: 'note_written',
  title: 'Note of an author',
  description: 'An author wrote a note.',
  kind: 'solana',
  triggerSpec: { type: 'solana_event', dataSource: 'common.notes', programId: 'author-ann' },
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
  specs: { solana_event: ['block', 'index', 'author', 'words'] },
  async checkSpec(spec, path) {
    const isNamed = 'programId' in spec && spec.programId !== 'nobody'
    return isNamed ? [] : [{ path: `${path}.programId`, message: 'must name an author' }]
  },
  reads: {},
  checkRead: async () => [],
  isReadingMethod: () => false,
  checkAddress: (text) =>
    /^author-\w+$/.test(text) ? { normal: text } : { refused: 'An author is author- and a name.' },
  networkName: () => 'notes:main',
}

export const madeUpChain: ListedChain = { rules, load: async () => chain }

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
