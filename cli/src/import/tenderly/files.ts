import * as z from 'zod'
import { Failure } from '../../failure.ts'
import { isRecord } from '../../folder/paths.ts'
import { type AbiItem, abiItems } from '../evm/signatures.ts'
import { type ForeignFile, readShape } from '../foreign-files.ts'

/** What the API of Tenderly returns: alerts and delivery channels. ABIs of the contracts may be beside them. */

const Expression = z.object({
  type: z.string(),
  expression: z
    .looseObject({})
    .nullish()
    .transform((fields) => fields ?? {}),
})
export type Expression = z.output<typeof Expression>

const Channel = z.looseObject({
  id: z.string(),
  type: z.string(),
  label: z.string().nullish(),
  enabled: z.boolean().default(true),
  information: z.looseObject({}).nullish(),
})
export type Channel = z.output<typeof Channel>

const Reference = z
  .looseObject({
    id: z.string().optional(),
    delivery_channel_id: z.string().optional(),
    enabled: z.boolean().default(true),
    /** Some answers of the API have the whole channel inside the alert. */
    delivery_channel: Channel.nullish(),
  })
  .transform(({ id, delivery_channel_id, enabled, delivery_channel: channel }) => ({
    id: delivery_channel_id ?? channel?.id ?? id ?? '',
    isEnabled: enabled,
    channel,
  }))

const Alert = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  enabled: z.boolean().default(true),
  severity: z.string().nullish(),
  expressions: z.array(Expression),
  delivery_channels: z
    .array(Reference)
    .nullish()
    .transform((list) => list ?? []),
})
export type Alert = z.output<typeof Alert>

export type TenderlyFiles = { alerts: Alert[]; channels: Channel[]; abi: AbiItem[] }

/** Sorts what the files hold: an answer of the API, a list, or one alert or channel. */
export function sortFiles(files: readonly ForeignFile[]): TenderlyFiles {
  const found: TenderlyFiles = { alerts: [], channels: [], abi: [] }
  for (const { path, value } of files) for (const item of itemsOf(value)) addItem(found, item, path)
  for (const { channel } of found.alerts.flatMap(({ delivery_channels }) => delivery_channels))
    if (channel && !found.channels.some(({ id }) => id === channel.id)) found.channels.push(channel)
  return found
}

function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (!isRecord(value)) return [value]
  if (isRecord(value.alert)) return [value.alert]
  const lists = isAlert(value) ? [] : [value.alerts, value.delivery_channels].filter(Array.isArray)
  return lists.length > 0 ? lists.flat() : [value]
}

function isAlert(value: Record<string, unknown>): boolean {
  return 'expressions' in value
}

function addItem(found: TenderlyFiles, item: unknown, path: string): void {
  const problem = `${path} is not a definition of Tenderly.`
  if (!isRecord(item)) throw new Failure('invalid_file', problem)
  if (isAlert(item)) found.alerts.push(readShape(Alert, item, problem))
  else if ('abi' in item) found.abi.push(...abiItems(item.abi))
  else if (typeof item.id === 'string') found.channels.push(readShape(Channel, item, problem))
  else if (typeof item.type === 'string') found.abi.push(item)
  else throw new Failure('invalid_file', `${path} holds neither alerts nor delivery channels nor an ABI.`)
}
