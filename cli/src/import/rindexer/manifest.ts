import { dirname, join } from 'node:path'
import * as z from 'zod'
import { isFolder, readForeign, readShape } from '../foreign-files.ts'

/** The file rindexer.yaml. Fields that have no meaning here are kept, so that the report can name them. */

const text = z.union([z.string(), z.number()]).transform(String)
const block = z.coerce.number().int().min(0).optional()
/** One value or a list of values. */
function oneOrMore<S extends z.ZodType>(item: S) {
  return z.union([item.transform((one) => [one]), z.array(item)])
}

const conditions = z.array(z.record(z.string(), z.union([text, z.boolean().transform(String)]))).optional()
const StreamEvent = z.looseObject({ event_name: z.string(), conditions, alias: z.string().optional() })
const ChatMessage = z.looseObject({
  event_name: z.string(),
  conditions,
  filter_expression: z.string().optional(),
  template_inline: z.string(),
})

const Webhook = z.looseObject({
  endpoint: z.string(),
  shared_secret: text,
  networks: z.array(z.string()),
  events: z.array(StreamEvent).default([]),
  delivery: z.enum(['instant', 'finalized']).default('instant'),
})
export type Webhook = z.output<typeof Webhook>
const Chat = z.looseObject({
  chat_id: text.optional(),
  channel_id: text.optional(),
  channel: text.optional(),
  networks: z.array(z.string()),
  messages: z.array(ChatMessage),
})
export type Chat = z.output<typeof Chat>

const Streams = z.looseObject({ webhooks: z.array(Webhook).default([]) })
const Chats = z.record(z.string(), z.array(Chat))
const outlets = { streams: Streams.optional(), chat: Chats.optional() }
export type Outlets = { streams?: z.output<typeof Streams> | undefined; chat?: z.output<typeof Chats> | undefined }

const Factory = z.looseObject({
  name: z.string(),
  address: oneOrMore(text),
  event_name: z.string(),
  input_name: oneOrMore(z.string()),
  abi: z.string(),
})
export type Factory = z.output<typeof Factory>
const IndexedFilter = z.looseObject({
  event_name: z.string(),
  indexed_1: z.array(text).optional(),
  indexed_2: z.array(text).optional(),
  indexed_3: z.array(text).optional(),
})
const Detail = z.looseObject({
  network: z.string(),
  address: oneOrMore(text).optional(),
  filter: oneOrMore(z.looseObject({ event_name: z.string() })).optional(),
  factory: Factory.optional(),
  indexed_filters: z.array(IndexedFilter).default([]),
  start_block: block,
  end_block: block,
})
export type Detail = z.output<typeof Detail>

const distance = z.union([z.boolean(), z.number().int()]).optional()
const Contract = z.looseObject({
  name: z.string(),
  details: z.array(Detail),
  abi: oneOrMore(z.string()),
  include_events: z
    .array(z.union([z.string(), z.looseObject({ name: z.string() }).transform(({ name }) => name)]))
    .optional(),
  reorg_safe_distance: distance,
  ...outlets,
})
export type Contract = z.output<typeof Contract>

const NativeTransfers = z.looseObject({
  enabled: z.boolean().default(true),
  networks: z
    .array(
      z.looseObject({
        network: z.string(),
        method: z.enum(['trace_block', 'debug_traceBlockByNumber', 'eth_getBlockByNumber']).optional(),
        start_block: block,
        end_block: block,
      }),
    )
    .optional(),
  reorg_safe_distance: distance,
  ...outlets,
})
export type NativeTransfers = z.output<typeof NativeTransfers>

const Network = z.looseObject({ name: z.string(), chain_id: z.coerce.number().int(), rpc: z.string() })
export type Network = z.output<typeof Network>

const Manifest = z.looseObject({
  name: z.string(),
  networks: z.array(Network),
  contracts: z.array(Contract).default([]),
  native_transfers: z
    .union([z.boolean().transform((enabled) => NativeTransfers.parse({ enabled })), NativeTransfers])
    .optional(),
})
export type Manifest = z.output<typeof Manifest>

/** Reads the file itself, or the one in a folder. ABI paths are relative to `folder`. */
export function readManifest(path: string): { manifest: Manifest; folder: string } {
  const file = isFolder(path) ? join(path, 'rindexer.yaml') : path
  const manifest = readShape(Manifest, readForeign(file)[0]?.value, `${file} is not a manifest of rindexer.`)
  return { manifest, folder: dirname(file) }
}

/** rindexer writes a variable of the environment as `${NAME}`, the files of a stack as `${env:NAME}`. */
export function withEnv(text: string): string {
  return text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_whole, name: string) => `\${env:${name}}`)
}
