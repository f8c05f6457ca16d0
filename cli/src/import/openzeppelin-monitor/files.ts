import * as z from 'zod'
import { Failure } from '../../failure.ts'
import { isRecord } from '../../folder/paths.ts'
import { Match, TransactionMatch } from '../evm/signatures.ts'
import { type ForeignFile, readShape } from '../foreign-files.ts'

/** The files of OpenZeppelin Monitor: one network or monitor each, and channels by their id (there called triggers). */

const Secret = z.object({ type: z.string(), value: z.string() })
export type Secret = z.output<typeof Secret>

const Network = z.looseObject({
  network_type: z.string(),
  slug: z.string(),
  name: z.string().optional(),
  rpc_urls: z.array(z.looseObject({ url: Secret, weight: z.number().optional() })).default([]),
  confirmation_blocks: z.number().int().min(0).default(0),
})
export type Network = z.output<typeof Network>

const Monitor = z.looseObject({
  name: z.string(),
  networks: z.array(z.string()),
  paused: z.boolean().default(false),
  addresses: z.array(z.object({ address: z.string(), contract_spec: z.unknown().optional() })).default([]),
  match_conditions: z.object({
    functions: z.array(Match).default([]),
    events: z.array(Match).default([]),
    transactions: z.array(TransactionMatch).default([]),
  }),
  trigger_conditions: z.array(z.looseObject({ script_path: z.string() })).default([]),
  triggers: z.array(z.string()).default([]),
})
export type Monitor = z.output<typeof Monitor>

const Channel = z.looseObject({
  name: z.string().optional(),
  trigger_type: z.string(),
  config: z.looseObject({
    message: z.object({ title: z.string().default(''), body: z.string().default('') }).optional(),
  }),
})
export type Channel = z.output<typeof Channel>

export type MonitorFiles = { networks: Network[]; channels: Map<string, Channel>; monitors: Monitor[] }

/** Sorts the files by what they contain, so that any layout of folders can be imported. */
export function sortFiles(files: readonly ForeignFile[]): MonitorFiles {
  const found: MonitorFiles = { networks: [], channels: new Map(), monitors: [] }
  for (const { path, value } of files) {
    if (!isRecord(value)) throw new Failure('invalid_file', `${path} is not a file of OpenZeppelin Monitor.`)
    if ('match_conditions' in value) found.monitors.push(read(Monitor, value, path))
    else if ('network_type' in value) found.networks.push(read(Network, value, path))
    else
      for (const [id, channel] of Object.entries(value)) found.channels.set(id, read(Channel, channel, `${path} ${id}`))
  }
  return found
}

function read<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  return readShape(schema, value, `${where} is not a definition of OpenZeppelin Monitor.`)
}

/** Plain secrets stay as written. The others become variables of the environment. */
export function secretText({ type, value }: Secret, differences: string[]): string {
  const kind = type.toLowerCase()
  if (kind === 'plain') return value
  if (kind === 'environment') return `\${env:${value}}`
  const name = value.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
  differences.push(`the secret ${value} of ${type} is read from the variable ${name}`)
  return `\${env:${name}}`
}
