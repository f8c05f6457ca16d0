import { isRecord } from '../../folder/paths.ts'
import { Names } from '../names.ts'
import type { Notes } from '../notes.ts'
import { type Channel, type Secret, secretText } from './files.ts'

/** The resources of a channel, and the message that its monitors send. */
export type ImportedChannel = { resources: string[]; title: string; long: string }

type Made = { blueprint: string; data?: Record<string, unknown>[]; differences: string[] }

const makers: Record<string, (config: Record<string, unknown>) => Made> = {
  slack: (config) => urlChannel('slack', config.slack_url),
  discord: (config) => urlChannel('discord', config.discord_url),
  email: ({ recipients }) => ({
    blueprint: 'email',
    data: Array.isArray(recipients) ? recipients.map((to) => ({ to: String(to) })) : [],
    differences: ['the operator sets the mail server, and each recipient confirms the address once'],
  }),
  telegram: ({ chat_id }) => ({
    blueprint: 'telegram',
    differences: [`connect chat ${String(chat_id)} with the bot of the operator after the apply`],
  }),
  webhook: webhookChannel,
}

export function importChannels(
  channels: ReadonlyMap<string, Channel>,
  workspace: string,
  notes: Notes,
): Map<string, ImportedChannel> {
  const imported = new Map<string, ImportedChannel>()
  const names = new Names()
  for (const [id, { name, trigger_type, config }] of channels) {
    const definition = `channel ${id}`
    const make = makers[trigger_type]
    if (!make) {
      notes.impossible(definition, `Tocsin runs no ${trigger_type} of the operator; use a webhook`)
      continue
    }
    const { blueprint, data, differences } = make(config)
    if ('retry_policy' in config) differences.push('deliveries are retried for about a day, without its retry_policy')
    const rows: (Record<string, unknown> | undefined)[] = data ?? [undefined]
    const resources = rows.map((each, at) => {
      const short = names.take(rows.length === 1 ? id : `${id}-${at + 1}`)
      return notes.addResource(workspace, { name: short, title: name ?? id, blueprint, data: each })
    })
    imported.set(id, { resources, title: config.message?.title ?? '', long: config.message?.body ?? '' })
    notes.done(definition, differences)
  }
  return imported
}

function urlChannel(blueprint: string, url: unknown): Made {
  const differences: string[] = []
  return { blueprint, data: [{ url: secretOr(url, differences) }], differences }
}

/** The body of the template mode, in the words of our own template. */
const templateBody = '{"title": "{{message.title}}", "body": "{{message.long}}"}'

function webhookChannel({ url, method, secret, headers, payload_mode }: Record<string, unknown>): Made {
  const differences: string[] = []
  const isRaw = payload_mode === 'raw'
  if (isRaw) differences.push('the body is the default body of Tocsin')
  if (typeof method === 'string' && method.toUpperCase() !== 'POST') differences.push(`sent by POST, not ${method}`)
  if (secret !== undefined) differences.push('signed by the Standard Webhooks convention')
  const data = {
    url: secretOr(url, differences),
    ...(secret !== undefined && { secret: secretOr(secret, differences) }),
    ...(isRecord(headers) && { headers }),
    ...(!isRaw && { body: templateBody }),
  }
  return { blueprint: 'webhook', data: [data], differences }
}

function secretOr(value: unknown, differences: string[]): string {
  return isRecord(value) && typeof value.type === 'string' && typeof value.value === 'string'
    ? secretText(value as Secret, differences)
    : String(value ?? '')
}
